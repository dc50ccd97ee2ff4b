/**
 * Files a call touches, looked at once per call: which credential or secret file is it, and which values does it hold.
 *
 * Trust: the path comes from the agent and the file from anyone. Reads are bounded (limits.ts), FIFOs and devices
 * are refused by `system.read`, links are followed so that the file counts and not its name (L-017).
 */
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

/** How deep a folder is looked through for secret files. */
const FOLDER_DEPTH = 3;
/** Folders that hold other people's files by the thousand. */
const SKIPPED = new Set(["node_modules", ".git", "vendor", "target", "dist", ".venv"]);

/** The files of one call. */
export class Files {
  readonly repositories: Repositories;
  private readonly looks = new Map<string, Look | undefined>();
  private opened = 0;
  private listed = 0;

  constructor(
    private readonly system: System,
    private readonly policy: Leak0Policy,
    private readonly session: Pick<Session, "copies">,
  ) {
    this.repositories = new Repositories(system);
  }

  /** True once a file was left unopened because the call's budget was spent: what was not looked at is not clean. */
  exhausted = false;

  /** Looks at a file; undefined when there is none to read, or the call's budget of opened files is spent. */
  look(path: string): Look | undefined {
    if (this.looks.has(path)) return this.looks.get(path);
    // Places of credentials are looked at whatever stands before them.
    if (this.opened >= CHOSEN.files_opened && !this.isKnownPlace(path)) {
      this.exhausted = true;
      return undefined;
    }
    const look = this.open(path);
    if (look) this.opened++;
    this.looks.set(path, look);
    return look;
  }

  /**
   * Every secret file a path stands for: the file itself, or the ones inside a folder that lie where secrets belong
   * (`tar cz ~/.aws`, `scp -r ~/.ssh`). Bounded in depth and in the call's budget of opened files.
   */
  within(path: string, depth = FOLDER_DEPTH): readonly Look[] {
    const kind = this.system.info(this.system.realPath(path) ?? path)?.kind;
    if (kind !== "folder") {
      const look = this.look(path);
      return look ? [look] : [];
    }
    if (depth === 0) return [];
    return this.system
      .list(path)
      .slice(0, Math.max(0, CHOSEN.folder_entries - this.listed))
      .flatMap((name) => {
        this.listed++;
        const inside = `${path === "/" ? "" : path}/${name}`;
        if (this.isKnownPlace(inside) || isSecretFileName(name)) return this.look(inside) ?? [];
        // Only folders lead further: a project's ordinary files are not opened one by one.
        return depth > 1 && this.system.info(inside)?.kind === "folder" && !SKIPPED.has(name) ? this.within(inside, depth - 1) : [];
      });
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
    const read = this.system.read(real, CHOSEN.credential_file_bytes);
    // Dotfile managers link ~/.aws/credentials elsewhere: the name it is reached by counts as much as the real one.
    return read && this.read(real === path ? [path] : [path, real], decode(read.bytes).text);
  }

  private read(names: readonly string[], text: string): Look {
    const path = names[0] ?? "";
    if (isExcluded(names, this.policy, this.system.home)) return { path, text, identified: undefined, secrets: [] };
    // No tool keeps credentials in a file that long; what is recognised anywhere in a text still is (scan).
    const short = text.length <= CHOSEN.credential_file_bytes;
    const identified =
      (short ? names.map((name) => identify(name, text, this.home)).find((one) => one !== undefined) : undefined) ??
      listed(names, text, this.policy, this.system.home) ??
      (names.some((name) => this.session.copies.includes(name)) && text.length > 0 ? copyOf(text) : undefined);
    return { path, text, identified, secrets: [...(identified?.secrets ?? []), ...scan(text).secrets] };
  }

  private get home() {
    return { folder: this.system.home, environment: this.system.environment };
  }
}
