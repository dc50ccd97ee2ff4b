/** Places of this machine that a container is given (`-v`, `--mount`): what happens to them in there happens here. */
import type { Argument } from "../effect.ts";
import { type World, resolvePath } from "../path.ts";
import { literal } from "../source.ts";
import { readOptions } from "./options.ts";

/** One place as the command line names it. */
export interface BindMount {
  /** Here, as written. */
  readonly from: Argument;
  /** In the container, as written. */
  readonly at: string;
  readonly readOnly: boolean;
}

/** The places a client's options give to a container. Volumes that the client keeps by itself have no place here. */
export function bindMounts(args: readonly Argument[]): readonly BindMount[] {
  const options = readOptions(args, { short: "v", long: "volume mount" });
  const found: BindMount[] = [];
  for (const value of options.values("v", "volume")) {
    // `C:\x:/y`: the first colon belongs to the drive.
    const drive = /^[A-Za-z]:[\\/]/.test(value.text) ? 2 : 0;
    const colon = value.text.indexOf(":", drive);
    const from = colon < 0 ? "" : value.text.slice(0, colon);
    if (!/[\\/~]|^\.+$/.test(from)) continue;
    const [at = "", modes = ""] = value.text.slice(colon + 1).split(":", 2);
    found.push({ from: { ...value, text: from }, at, readOnly: modes.split(",").includes("ro") });
  }
  for (const value of options.values("mount")) {
    const fields = new Map(value.text.split(",").map((field) => [field.split("=", 1)[0] ?? "", field.slice(field.indexOf("=") + 1)]));
    const from = fields.get("source") ?? fields.get("src");
    const at = fields.get("target") ?? fields.get("destination") ?? fields.get("dst");
    if (from === undefined || at === undefined || fields.get("type") !== "bind") continue;
    const flag = fields.get("readonly") ?? fields.get("ro");
    found.push({ from: { ...value, text: from }, at, readOnly: flag !== undefined && flag !== "false" });
  }
  return found;
}

/** The same with both ends known. */
export interface Mount {
  /** Absolute, here. */
  readonly from: string;
  /** Absolute, in the container. */
  readonly at: string;
  readonly readOnly: boolean;
}

/** What a container sees of this machine. */
export class Mounts {
  constructor(
    private readonly list: readonly Mount[],
    /** It sees this machine's processes or its whole disk, and can start programs on it. */
    readonly host: boolean,
  ) {}

  get none(): boolean {
    return this.list.length === 0;
  }

  /**
   * The file here that a container's command means; undefined for one that only the container has.
   * `cwd` is a folder here: where the container's own folder is none of ours, nothing relative is known.
   */
  resolve(written: string, cwd: string | undefined): string | undefined {
    if (/^[/~]/.test(written)) {
      const path = resolvePath(written, undefined, CONTAINER).path;
      return path === undefined || /^\/(?:dev|proc)\//.test(path) ? path : this.#here(path);
    }
    const path = resolvePath(written, cwd, CONTAINER).path;
    return path !== undefined && this.list.some(({ from }) => inside(path, from)) ? path : undefined;
  }

  /** Whether the container may change this file of ours. */
  writable(path: string): boolean {
    return this.list.some(({ from, readOnly }) => !readOnly && inside(path, from));
  }

  #here(path: string): string | undefined {
    let best: Mount | undefined;
    for (const mount of this.list) {
      if (inside(path, mount.at) && (best === undefined || mount.at.length > best.at.length)) best = mount;
    }
    if (best === undefined) return undefined;
    const rest = best.at === "/" ? path : path.slice(best.at.length);
    return best.from === "/" ? rest || "/" : `${best.from}${rest === "/" ? "" : rest}`;
  }
}

/** Most images run as root. */
const CONTAINER: World = { home: "/root", environment: {}, platform: "linux" };

/** No container, or one that sees nothing of this machine. */
export const UNMOUNTED = new Mounts([], false);

function inside(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

/** The program and arguments a container starts: its own entry point where the command line or the image's name tells it. */
export function commandIn(image: Argument, words: readonly Argument[], entrypoint: Argument | undefined): readonly Argument[] {
  if (entrypoint !== undefined) return entrypoint.text === "" ? words : [entrypoint, ...words];
  // An image that is given options first is called like the program in it (`bash -c …`, `mikefarah/yq -i …`).
  if (words[0]?.text.startsWith("-") !== true) return words;
  const name = image.text.slice(image.text.lastIndexOf("/") + 1).split(/[:@]/, 1)[0] ?? "";
  return [literal(name), ...words];
}
