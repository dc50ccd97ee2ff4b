/**
 * Globs of the administrator's lists: what is refused, so that no entry means something else than it says.
 *
 * Trust: typed or written by the administrator, and still checked: `Bun.Glob` takes any text, and one it does not understand
 * fits nothing, or everything (`!x`), without a word.
 */
import { CHOSEN } from "../limits.ts";

/** Why this is no glob for a list, completing "it …"; undefined for a good one. Hook path. */
export function globProblem(glob: unknown): string | undefined {
  if (typeof glob !== "string") return "is not a text";
  if (glob === "") return "is empty";
  if (glob.length > CHOSEN.list_glob_chars) return `is longer than ${CHOSEN.list_glob_chars} characters`;
  if (/[\u0000-\u001f\u007f]/.test(glob)) return "holds a control character";
  if (glob.startsWith("!")) return "begins with !: an entry can only add, and with ! it would fit every other file";
  if (glob.includes("[:")) return "holds [:…:], which fits nothing here: write the characters out, such as [a-z]";
  return bracketProblem(glob);
}

function bracketProblem(glob: string): string | undefined {
  let braces = 0;
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at];
    if (character === "{") braces++;
    else if (character === "}" && --braces < 0) return "has a } without its {";
    else if (character === "[") {
      // The first character inside stands for itself, whatever it is.
      const first = at + (/[!^]/.test(glob.charAt(at + 1)) ? 2 : 1);
      const close = glob.indexOf("]", first + 1);
      if (close < 0) return "has a [ that nothing closes; for the character itself write [[]";
      at = close;
    }
  }
  return braces > 0 ? "has a { that nothing closes; for the character itself write [{]" : undefined;
}

/**
 * What is wrong with a glob somebody adds by hand, besides: it would fit nothing, or everything. Not asked of entries that
 * are there already: they do no harm.
 */
export function newGlobProblem(glob: string, list: "file" | "exclude"): string | undefined {
  const problem = globProblem(glob);
  if (problem !== undefined) return problem;
  const plain = glob.replaceAll("\\", "/");
  if (plain.endsWith("/") || plain === "~") return `names a folder: for everything in it write ${plain === "~" ? "~/" : glob}**`;
  if (plain.includes("/") && !/^(?:\/|~\/|%userprofile%\/|\*\*\/|[A-Za-z]:\/)/i.test(plain))
    return `fits nothing, since files are compared by their whole path: begin with /, ~/ or **/, such as **/${glob}`;
  if (/(?:^|\/)\.{1,2}(?:\/|$)/.test(plain)) return "holds . or .. as a name, which no whole path has";
  // Without a folder it means the file's name anywhere.
  if (EVERYWHERE.every((path) => new Bun.Glob(plain).match(plain.includes("/") ? path : path.slice(path.lastIndexOf("/") + 1))))
    return list === "exclude"
      ? "fits every file, so leak0 would see no secret file any more: sudo poisonzero leak0 off says that plainly"
      : "fits every file, so every one would be taken for a secret: name yours more closely, such as **/house.vars";
  return undefined;
}

/** Paths that have nothing in common. */
const EVERYWHERE = ["/k3/q9.z7", "/w5/x1/y2.t4"];

/** The glob that fits exactly this path. */
export function exactGlob(path: string): string {
  return path.replace(/[*?[\]{}]/g, "[$&]");
}
