/**
 * Files a call touches, looked at once per call: which credential or secret file is it, and which values does it hold.
 *
 * Trust: the path comes from the agent and the file from anyone. Reads are bounded (limits.ts), FIFOs and devices
 * are refused by `system.read`, links are followed so that the file counts and not its name (L-017).
 */
import { Work } from "../call/packing/pattern.ts";
import { CHOSEN } from "../limits.ts";
import type { Leak0Lists } from "../policy/lists.ts";
import { archiveOf, isArchive, type Packed, Room } from "../secrets/archive.ts";
import { isGitObject } from "../secrets/git-objects.ts";
import { decode } from "../secrets/decode.ts";
import { type Identified, identify, isKnownPlace, isSecretFileName } from "../secrets/files/index.ts";
import type { Secret } from "../secrets/secret.ts";
import { scan } from "../secrets/scan.ts";
import type { System } from "../system.ts";
import type { Copy } from "../session/copy.ts";
import type { Session } from "../session/session.ts";
import { copyOf, isThere } from "./copied.ts";
import { Exemptions } from "./exempting.ts";
import { isExcluded, listed } from "./lists.ts";
import { Repositories } from "./places.ts";

/** What is known about one file's content. */
export interface Look {
  /** The path as the call reaches it, links not resolved. */
  readonly path: string;
  readonly text: string;
  /** The credential or secret file it is, confirmed by its content. */
  readonly identified: Identified | undefined;
  /** Every secret in it: the fields of the identified file and whatever the scan recognises. */
  readonly secrets: readonly Secret[];
  /** The file is an archive, of which `text` tells nothing. */
  readonly archive?: true;
  /** The administrator's list says that it is no source of secrets (L-129): its content is not to be looked at in any other way. */
  readonly excluded?: true;
}

/** Folders that hold other people's files by the thousand. */
const SKIPPED = new Set(["node_modules", ".git", "vendor", "target", "dist", ".venv"]);

/** The name a backup was made of: `.pgpass.bak`, `.pgpass~`, `.pgpass.swp`, `.pgpass.2025-01-01`; none for any other name. */
function withoutBackup(path: string): readonly string[] {
  const cut = path.lastIndexOf("/") + 1;
  const name = path.slice(cut);
  const swapped = /^\.(.{1,250})\.sw[a-z]$/.exec(name)?.[1];
  const plain =
    swapped ??
    /^(.{2,250}?)(?:[._-](?:bak|backup|old|orig|save|saved|copy|prev|tmp|dist|rpmsave|dpkg-old|\d{1,4}|\d{4}-?\d{2}-?\d{2})|~)$/i.exec(
      name,
    )?.[1];
  return plain === undefined ? [] : [path.slice(0, cut) + plain];
}

/** Names that files with credentials bear, wherever they lie. */
const TELLING_NAME =
  /^\.|credential|secret|token|^id_|kubeconfig|service.?account|^(?:auth|hosts)\.|\.(?:pem|key|p12|pfx|jks|ppk|asc|kdbx)$/i;

/** The files of one call. */
export class Files {
  readonly repositories: Repositories;
  readonly exemptions: Exemptions;
  private readonly looks = new Map<string, Look | undefined>();
  private readonly folders = new Map<string, readonly Look[]>();
  private readonly proven = new Map<string, readonly Look[]>();
  private opened = 0;

  constructor(
    private readonly system: System,
    private readonly policy: Leak0Lists,
    private readonly session: Pick<Session, "copies" | "shortHash">,
  ) {
    this.repositories = new Repositories(system);
    this.exemptions = new Exemptions(system);
    this.work = new Work(system);
    this.room = new Room(CHOSEN.archive_bytes, CHOSEN.archive_entries, system);
  }

  /** What is left for everything this call packs or chooses by patterns: comparing, and bytes of packed files. */
  readonly work: Work;
  packed_bytes: number = CHOSEN.packed_bytes;
  /** What is left for unpacking archives. */
  readonly room: Room;
  private readonly cutArchives: string[] = [];

  /** Why something of this call was not looked at to its end, for people; what was not looked at is not clean. */
  unread: string | undefined;
  /** The clock ended the looking before the counted limits did (D-27): the time that is left is for the answer. */
  late = false;

  /** Looks at a file; undefined when there is none to read, or the call's budget of opened files is spent. */
  look(path: string): Look | undefined {
    if (this.looks.has(path)) return this.looks.get(path);
    // Places of credentials are looked at whatever stands before them.
    if (this.opened >= CHOSEN.files_opened && !this.isKnownPlace(path)) {
      this.unread ??= "it names more files than can be looked at";
      return undefined;
    }
    if (this.isLate() && !this.isKnownPlace(path)) return undefined;
    const look = this.open(path);
    if (look) this.opened++;
    this.looks.set(path, look);
    return look;
  }

  /**
   * Every secret file a path stands for: the file itself, or the ones inside a folder that lie where secrets belong
   * (`tar cz ~/.aws`, `scp -r ~/.ssh`). Nearest first, hidden names before others, bounded in depth and entries: a folder
   * sent as a whole is everyday work, so the bounds are no reason for a question.
   */
  within(path: string, depth: number = CHOSEN.folder_depth): readonly Look[] {
    const key = `${depth} ${path}`;
    const found = this.folders.get(key) ?? this.lookInto(path, depth);
    this.folders.set(key, found);
    return found;
  }

  private lookInto(path: string, depth: number): readonly Look[] {
    if (this.kindOf(path) !== "folder") {
      const look = this.look(path);
      return look ? [look] : [];
    }
    const found: Look[] = [];
    let plain: number = CHOSEN.folder_key_files;
    for (const { name, inside } of this.filesBelow(path, depth)) {
      if (TELLING_NAME.test(name) || isSecretFileName(name) || this.isKnownPlace(inside)) {
        const look = this.look(inside);
        if (look) found.push(look);
      } else if (plain > 0 && this.mayBeKeyFile(inside, name)) {
        // Ordinary files are not opened one by one; what a cloud hands out as a key bears any name.
        plain--;
        const look = this.look(inside);
        if (look?.identified?.class === "PROVEN") found.push(look);
      }
    }
    return found;
  }

  /** Files below a folder, nearest first, hidden names before others. */
  private *filesBelow(path: string, depth: number): Generator<{ readonly name: string; readonly inside: string }> {
    let left: number = CHOSEN.folder_entries;
    let folders = [path];
    for (let level = 0; level < depth && folders.length > 0; level++) {
      const next: string[] = [];
      for (const folder of folders) {
        const names = [...this.system.list(folder)].sort((a, b) => Number(b.startsWith(".")) - Number(a.startsWith(".")));
        for (const name of names.slice(0, left)) {
          const inside = `${folder === "/" ? "" : folder}/${name}`;
          if (SKIPPED.has(name)) continue;
          this.work.entry();
          if (this.isLate()) return;
          if (this.work.spent) {
            this.unread ??= "it names more folders than can be looked through";
            return;
          }
          const kind = this.kindOf(inside);
          if (kind === "folder") next.push(inside);
          else if (kind === "file") yield { name, inside };
        }
        left -= Math.min(left, names.length);
      }
      folders = next;
    }
  }

  /**
   * What else in a folder is provably secret, whatever it is called: copies that earlier calls made, and small files by their
   * content. For folders that somebody else gets; bounded, and the bounds are no reason for a question.
   */
  provenBelow(path: string): readonly Look[] {
    const found = this.proven.get(path) ?? this.proveBelow(path);
    this.proven.set(path, found);
    return found;
  }

  private proveBelow(path: string): readonly Look[] {
    if (this.kindOf(path) !== "folder") return [];
    const known = new Set(this.within(path).map((look) => look.path));
    const found: Look[] = [];
    const add = (inside: string): void => {
      const look = known.has(inside) ? undefined : this.look(inside);
      known.add(inside);
      if (look !== undefined && isProven(look)) found.push(look);
    };
    for (const copy of this.session.copies) if (copy.path.startsWith(`${path}/`)) add(copy.path);
    let bytes: number = CHOSEN.folder_plain_bytes;
    let files: number = CHOSEN.folder_plain_files;
    for (const { inside } of this.filesBelow(path, CHOSEN.folder_depth)) {
      const size = this.system.info(this.system.realPath(inside) ?? inside)?.size_bytes ?? 0;
      if (size === 0 || size > CHOSEN.plain_file_bytes || known.has(inside)) continue;
      if (size > bytes || files === 0) break;
      bytes -= size;
      files--;
      add(inside);
    }
    return found;
  }

  /** A file of the kind and size in which keys are handed out. */
  private mayBeKeyFile(path: string, name: string): boolean {
    return name.endsWith(".json") && (this.system.info(this.system.realPath(path) ?? path)?.size_bytes ?? 0) <= CHOSEN.key_file_bytes;
  }

  private isLate(): boolean {
    if (this.system.left_ms() >= CHOSEN.answer_ms) return false;
    this.late = true;
    this.unread ??= "there is no time to look at all of it";
    return true;
  }

  /** The files in an archive that hold a secret, named as below the root (`/home/dev/.aws/credentials`). */
  inside(look: Look): readonly Look[] {
    if (look.archive !== true || look.excluded === true) return [];
    const bytes = this.system.read(this.system.realPath(look.path) ?? look.path, CHOSEN.packed_file_bytes)?.bytes;
    const archive = bytes && archiveOf(bytes, this.room);
    if (archive === undefined) return [];
    const found: Look[] = [];
    const objects: Packed[] = [];
    for (const file of archive.files) {
      if (isGitObject(file.path)) objects.push(file);
      const one = this.lookAt(`/${file.path.replace(/^\/+/, "")}`, decode(file.bytes).text);
      if (one.secrets.length > 0) found.push(one);
    }
    if (!archive.complete) this.cutArchives.push(look.path);
    if (objects.length > 0) this.packedObjects.set(look.path, objects);
    return found;
  }

  /** Files of Git's object store in an archive that `inside` was asked about, by the archive's path. */
  readonly packedObjects = new Map<string, readonly Packed[]>();

  /** Whether a path is, or is a folder above, an archive that could not be looked at to its end. */
  isCutArchive(path: string): boolean {
    return this.cutArchives.some((one) => one === path || one.startsWith(`${path}/`));
  }

  private kindOf(path: string): string | undefined {
    return this.system.info(this.system.realPath(path) ?? path)?.kind;
  }

  /** The same for content that is not (or not only) on disk: a blob, a here-document, a printed file. `place`: where it lies on disk, which the administrator's lists may name as well. */
  lookAt(path: string, text: string, place?: string): Look {
    return this.read([path], text, place);
  }

  /** Every file with a secret that was looked at so far. */
  get seen(): readonly Look[] {
    return [...this.looks.values()].filter((look) => look !== undefined);
  }

  /** Whether the path alone is a place where a credential file belongs. */
  isKnownPlace(path: string): boolean {
    return isKnownPlace(path, this.home);
  }

  private open(path: string): Look | undefined {
    const real = this.system.realPath(path) ?? path;
    const read = this.system.read(real, CHOSEN.scanned_file_bytes);
    // Dotfile managers link ~/.aws/credentials elsewhere: the name it is reached by counts as much as the real one.
    const look = read && this.read(real === path ? [path] : [path, real], decode(read.bytes).text);
    return look && read && isArchive(read.bytes) ? { ...look, archive: true } : look;
  }

  /** `names`: as the call reaches it, and the real one where they differ. */
  private read(names: readonly string[], text: string, place?: string): Look {
    const path = names[0] ?? "";
    const places = place === undefined ? [] : [place];
    // Only the file's own place can exclude it; a link into an excluded folder is the agent's to make.
    if (isExcluded([...names.slice(-1), ...places], this.policy, this.system.home))
      return { path, text, identified: undefined, secrets: [], excluded: true };
    const identified =
      fileKind([...names, ...names.flatMap(withoutBackup)], text, this.policy, this.system) ??
      listed(places, text, this.policy, this.system.home) ??
      this.copied(place === undefined ? names : [place], text);
    const scanned = scan(text);
    if (!scanned.complete) this.unread ??= "a file in it holds too many places to check";
    return { path, text, identified, secrets: [...(identified?.secrets ?? []), ...scanned.secrets] };
  }

  /** What a path is that an earlier call filled from a secret file. */
  private copied(names: readonly string[], text: string): Identified | undefined {
    const copy = text === "" ? undefined : this.session.copies.find(({ path, sealed }) => !sealed && names.includes(path));
    if (copy === undefined || !isThere(copy, { session: this.session, system: this.system })) return undefined;
    const same = identify(copy.of, text.slice(0, CHOSEN.credential_file_bytes), this.home);
    return same ?? (this.isLeftOver(copy, text) ? undefined : copyOf(text, copy.class));
  }

  /** Whether nothing of the values went into a copy, as far as the file it was made of tells now. */
  private isLeftOver({ path, of }: Copy, text: string): boolean {
    // What was packed holds values that its readable parts do not show.
    if (text.includes("\0")) return false;
    const real = this.system.realPath(of) ?? of;
    const read = of === path ? undefined : this.system.read(real, CHOSEN.credential_file_bytes);
    if (read === undefined || read.cut) return false;
    const origin = decode(read.bytes).text;
    const { secrets } = fileKind([of, real], origin, this.policy, this.system) ?? { secrets: [] };
    return (require("./residue.ts") as typeof import("./residue.ts")).carriesNothing(text, {
      text: origin,
      secrets: [...secrets, ...scan(origin).secrets],
    });
  }

  private get home() {
    return { folder: this.system.home, environment: this.system.environment };
  }
}

/** Whether something in a file is proven: the file itself, or a value by its check. */
function isProven({ identified, secrets }: Look): boolean {
  return identified?.class === "PROVEN" || secrets.some(({ kind }) => kind === "checksum" || kind === "structure");
}

/** The credential or secret file that a text is under one of its names: a known kind, or one of the administrator's own list. */
export function fileKind(names: readonly string[], text: string, lists: Leak0Lists, system: System): Identified | undefined {
  const home = { folder: system.home, environment: system.environment };
  // No tool keeps credentials in a file that long; what is recognised anywhere in a text still is (scan).
  const short = text.length <= CHOSEN.credential_file_bytes;
  return (
    (short ? names.map((name) => identify(name, text, home)).find((one) => one !== undefined) : undefined) ??
    listed(names, text, lists, system.home)
  );
}
