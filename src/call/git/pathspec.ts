/**
 * Pathspecs. Git itself resolves them for files that exist; only for files that the line is about to write are they
 * matched here, where "cannot tell" means "matches".
 */
import type { Argument } from "../effect.ts";
import { resolvePath } from "../path.ts";
import type { System } from "../../system.ts";

/** Which paths a command names. */
export interface Pathspecs {
  /** As handed to Git; empty means the whole working tree. */
  readonly texts: readonly string[];
  /** Folder they are relative to, absolute. */
  readonly cwd: string;
}

/** The paths named by arguments; any that is only known at run time widens them to the whole tree. `beyond` is the part of the folder that does not exist yet. */
export function pathspecs(args: readonly Argument[], cwd: string, beyond: string): Pathspecs {
  if (args.some((arg) => !arg.exact)) return { texts: [], cwd };
  const texts = args.map(({ text }) => (beyond === "" || text.startsWith(":") || text.startsWith("/") ? text : `${beyond}/${text}`));
  return { texts, cwd };
}

/** Whether an absolute path falls under any of the pathspecs. `root` is the working tree's. */
export function covers(specs: Pathspecs, path: string, root: string, system: System): boolean {
  return specs.texts.length === 0 || specs.texts.some((text) => coversOne(text, path, specs.cwd, root, system));
}

function coversOne(text: string, path: string, cwd: string, root: string, system: System): boolean {
  let pattern = text;
  let base = cwd;
  if (text.startsWith(":")) {
    const top = /^:\/(?![!^])|^:\(top\)/.exec(text);
    if (top === null) return true;
    pattern = text.slice(top[0].length);
    base = root;
  }
  if (pattern === "" || pattern === ".") return inside(path, base);
  const world = { home: system.home, environment: {}, platform: system.platform };
  const whole = resolvePath(`./${pattern}`.startsWith(".//") ? pattern : `./${pattern}`, base, world).path;
  if (whole === undefined) return true;
  return inside(path, whole) || (/[*?[]/.test(pattern) && wildcard(whole, path));
}

/** Whether `path` is `folder` or lies below it. */
export function inside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

/** Shell wildcards where `*` and `?` also match "/" as in pathspecs; a bracket matches any one character. Work is bounded by the product of the lengths. */
export function wildcard(pattern: string, text: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let retry = 0;
  while (at < text.length) {
    const sign = pattern[next];
    if (sign === "*") {
      star = next++;
      retry = at;
      continue;
    }
    if (sign === "[") {
      const end = pattern.indexOf("]", next + 2);
      if (end > 0) {
        next = end + 1;
        at++;
        continue;
      }
    }
    if (sign !== undefined && (sign === "?" || sign === text[at])) {
      next++;
      at++;
      continue;
    }
    if (star < 0) return false;
    next = star + 1;
    at = ++retry;
  }
  while (pattern[next] === "*") next++;
  return next === pattern.length;
}
