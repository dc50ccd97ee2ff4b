/**
 * The disk as the earlier commands of a call leave it: `cp key dist/ && npm publish`, a Dockerfile written in the same line.
 * Only what is known whole is taken over. Whether those commands run is not known; the caller looks at both disks.
 */
import type { FileInfo, System } from "../../system.ts";
import { replacedIn } from "../pattern-excerpt.ts";
import { staticText } from "../source.ts";
import type { Effect, Source } from "../effect.ts";

/** What became of one path: text that was written, a place of the real disk it is a copy of, or nothing that is still there. */
type Change = { readonly text: string } | { readonly copyOf: string } | "removed";

/** The machine after these effects; undefined when they touch no file. */
export function asLeft(effects: readonly Effect[], system: System): System | undefined {
  const changes = new Map<string, Change>();
  const made = new Map<string, Set<string>>();
  const put = (path: string, change: Change): void => {
    changes.set(path, change);
    for (let at = path; at !== ""; ) {
      const slash = at.lastIndexOf("/");
      const folder = at.slice(0, Math.max(slash, 0));
      const names = made.get(folder) ?? new Set();
      names.add(at.slice(slash + 1));
      made.set(folder, names);
      at = folder;
    }
  };
  /** Where a path's content is now: at a place of the real disk, in a text, or gone; undefined where nothing changed. */
  const resolve = (path: string): Change | undefined => {
    for (let at = path; at !== ""; at = at.slice(0, Math.max(at.lastIndexOf("/"), 0))) {
      const change = changes.get(at);
      if (change === undefined) continue;
      if (change === "removed") return "removed";
      if ("text" in change) return at === path ? change : undefined;
      return { copyOf: change.copyOf + path.slice(at.length) };
    }
    return undefined;
  };
  // What is not changed here is the machine's own, inherited members included.
  const left: System = Object.assign(Object.create(system) as System, {
    info: (path: string) => {
      const change = resolve(path);
      if (change === "removed") return undefined;
      if (change === undefined) return system.info(path) ?? (made.has(path) ? FOLDER : undefined);
      return "text" in change ? { ...FILE, size_bytes: change.text.length } : system.info(change.copyOf);
    },
    read: (path: string, bytes_max: number) => {
      const change = resolve(path);
      if (change === "removed") return undefined;
      if (change === undefined) return system.read(path, bytes_max);
      if ("copyOf" in change) return system.read(change.copyOf, bytes_max);
      const bytes = new TextEncoder().encode(change.text);
      return { bytes: bytes.subarray(0, bytes_max), cut: bytes.length > bytes_max };
    },
    list: (folder: string) => {
      const change = resolve(folder);
      if (change === "removed") return [];
      const there = change !== undefined && "copyOf" in change ? system.list(change.copyOf) : system.list(folder);
      const names = new Set([...there, ...(made.get(folder) ?? [])]);
      return [...names].filter((name) => resolve(`${folder === "/" ? "" : folder}/${name}`) !== "removed");
    },
  } satisfies Partial<System>);
  for (const effect of effects) {
    if (effect.kind === "write" && effect.file.path !== undefined && effect.sources.length > 0) {
      const { path } = effect.file;
      const text = staticText(effect.sources);
      const [only] = effect.sources;
      if (text !== undefined) put(path, { text: effect.append ? `${textAt(left, path)}${text}` : text });
      else if (
        !effect.append &&
        effect.sources.length === 1 &&
        only?.from === "file" &&
        isWhole(only) &&
        only.file.path !== undefined &&
        only.file.path !== path
      )
        put(path, resolve(only.file.path) ?? { copyOf: only.file.path });
      else if (!effect.append && effect.sources.length === 1 && only?.from === "file" && only.excerpt?.kind === "replaced") {
        const made = replacedIn(textAt(left, only.file.path ?? ""), only.excerpt);
        if (made !== undefined && made !== "") put(path, { text: made });
      }
    } else if (effect.kind === "copy" && effect.file.path !== undefined && effect.to.path !== undefined) {
      const into = left.info(effect.to.path)?.kind === "folder" && left.info(effect.file.path)?.kind === "file";
      put(
        into ? `${effect.to.path}/${effect.file.path.slice(effect.file.path.lastIndexOf("/") + 1)}` : effect.to.path,
        resolve(effect.file.path) ?? { copyOf: effect.file.path },
      );
    } else if (effect.kind === "change" && effect.file.path !== undefined && /^(?:remove|move)$/.test(effect.how))
      put(effect.file.path, "removed");
  }
  return changes.size === 0 ? undefined : left;
}

/** Whether all of a file came over, as it was or packed: what is made of it counts as the file itself (L-110). */
function isWhole(source: Extract<Source, { from: "file" }>): boolean {
  return source.plain || (source.excerpt === undefined && source.maybe !== true && source.lists === undefined);
}

const FILE: FileInfo = { kind: "file", size_bytes: 0, mode: 0o644, uid: 0, mtime_ms: 0 };
const FOLDER: FileInfo = { ...FILE, kind: "folder" };
/** Of a file that is appended to this much is kept, in bytes: ignore files and manifests are small. */
const KEPT_BYTES = 256 * 1024;

function textAt(system: System, path: string): string {
  const file = system.read(path, KEPT_BYTES);
  return file === undefined ? "" : new TextDecoder().decode(file.bytes);
}
