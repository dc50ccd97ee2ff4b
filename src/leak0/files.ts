/**
 * Files a call touches, looked at once per call: which credential or secret file is it, and which values does it hold.
 *
 * Trust: the path comes from the agent and the file from anyone. Reads are bounded (limits.ts), FIFOs and devices
 * are refused by `system.read`, links are followed so that the file counts and not its name (L-017).
 */
import { isBinary } from "../call/git/index.ts";
import { ARCHIVE_NAME, members } from "../call/packing/index.ts";
import { CHOSEN } from "../limits.ts";
import type { Leak0Policy } from "../policy/leak0.ts";
import { decode } from "../secrets/decode.ts";
import { type Identified, identify, isKnownPlace, isSecretFileName } from "../secrets/files/index.ts";
import type { Secret } from "../secrets/secret.ts";
import { scan } from "../secrets/scan.ts";
import type { System } from "../system.ts";
import type { Session } from "../session/session.ts";
import { copyOf } from "./copies.ts";
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
}

/** Folders that hold other people's files by the thousand. */
const SKIPPED = new Set(["node_modules", ".git", "vendor", "target", "dist", ".venv"]);

/** Names that files with credentials bear, wherever they lie. */
const TELLING_NAME =
  /^\.|credential|secret|token|^id_|kubeconfig|service.?account|^(?:auth|hosts)\.|\.(?:pem|key|p12|pfx|jks|ppk|asc|kdbx)$/i;

/** The files of one call. */
export class Files {
  readonly repositories: Repositories;
  private readonly looks = new Map<string, Look | undefined>();
  private opened = 0;

  constructor(
    private readonly system: System,
    private readonly policy: Leak0Policy,
    private readonly session: Pick<Session, "copies">,
  ) {
    this.repositories = new Repositories(system);
  }

  /** Why something of this call was not looked at to its end, for people; what was not looked at is not clean. */
  unread: string | undefined;

  /** Looks at a file; undefined when there is none to read, or the call's budget of opened files is spent. */
  look(path: string): Look | undefined {
    if (this.looks.has(path)) return this.looks.get(path);
    // Places of credentials are looked at whatever stands before them.
    if (this.opened >= CHOSEN.files_opened && !this.isKnownPlace(path)) {
      this.unread ??= "it names more files than can be looked at";
      return undefined;
    }
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
    if (this.kindOf(path) !== "folder") {
      const look = this.look(path);
      return look ? [look, ...this.unpacked(path)] : [];
    }
    const found: Look[] = [];
    let left: number = CHOSEN.folder_entries;
    let folders = [path];
    for (let level = 0; level < depth && folders.length > 0; level++) {
      const next: string[] = [];
      for (const folder of folders) {
        const names = [...this.system.list(folder)].sort((a, b) => Number(b.startsWith(".")) - Number(a.startsWith(".")));
        for (const name of names.slice(0, left)) {
          const inside = `${folder === "/" ? "" : folder}/${name}`;
          if (SKIPPED.has(name)) continue;
          const kind = this.kindOf(inside);
          if (kind === "folder") next.push(inside);
          else if (kind === "file" && (TELLING_NAME.test(name) || isSecretFileName(name) || this.isKnownPlace(inside))) {
            // Ordinary files are not opened one by one.
            const look = this.look(inside);
            if (look) found.push(look);
          }
        }
        left -= Math.min(left, names.length);
      }
      folders = next;
    }
    return found;
  }

  /** The files of an archive: what it was packed from is not remembered from an earlier call. */
  private unpacked(path: string): readonly Look[] {
    const file = ARCHIVE_NAME.test(path) ? this.system.read(this.system.realPath(path) ?? path, CHOSEN.packed_file_bytes) : undefined;
    const inside = file === undefined || file.cut ? undefined : members(file.bytes);
    return (inside ?? []).flatMap(({ name, bytes }) => {
      if (isBinary(bytes)) return [];
      const look = this.lookAt(`${path}/${name}`, decode(bytes).text);
      return look.secrets.length > 0 ? [look] : [];
    });
  }

  private kindOf(path: string): string | undefined {
    return this.system.info(this.system.realPath(path) ?? path)?.kind;
  }

  /** The same for content that is not (or not only) on disk: a blob, a here-document, a printed file. */
  lookAt(path: string, text: string): Look {
    return this.read([path], text);
  }

  /** Whether the path alone is a place where a credential file belongs. */
  isKnownPlace(path: string): boolean {
    return isKnownPlace(path, this.home);
  }

  private open(path: string): Look | undefined {
    const real = this.system.realPath(path) ?? path;
    const read = this.system.read(real, CHOSEN.scanned_file_bytes);
    // Dotfile managers link ~/.aws/credentials elsewhere: the name it is reached by counts as much as the real one.
    return read && this.read(real === path ? [path] : [path, real], decode(read.bytes).text);
  }

  /** `names`: as the call reaches it, and the real one where they differ. */
  private read(names: readonly string[], text: string): Look {
    const path = names[0] ?? "";
    // Only the file's own place can exclude it; a link into an excluded folder is the agent's to make.
    if (isExcluded(names.slice(-1), this.policy, this.system.home)) return { path, text, identified: undefined, secrets: [] };
    // No tool keeps credentials in a file that long; what is recognised anywhere in a text still is (scan).
    const short = text.length <= CHOSEN.credential_file_bytes;
    const identified =
      (short ? names.map((name) => identify(name, text, this.home)).find((one) => one !== undefined) : undefined) ??
      listed(names, text, this.policy, this.system.home) ??
      (names.some((name) => this.session.copies.includes(name)) && text.length > 0 ? copyOf(text) : undefined);
    const scanned = scan(text);
    if (!scanned.complete) this.unread ??= "a file in it holds too many places to check";
    return { path, text, identified, secrets: [...(identified?.secrets ?? []), ...scanned.secrets] };
  }

  private get home() {
    return { folder: this.system.home, environment: this.system.environment };
  }
}
