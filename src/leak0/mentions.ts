/** Files a text names with `@`: a prompt attaches them (D-26), an instruction file imports them. */
import { resolvePath } from "../call/path.ts";
import { CHOSEN } from "../limits.ts";
import type { Case } from "./judgement.ts";
import { worldOf } from "./judgement.ts";

/**
 * Paths written as `@path`, `@"path with spaces"` or `@path#L1-9` from `folder`; what is no file is not looked at, unless
 * it will be one (`comes`).
 */
export function mentions(at: Case, text: string, folder: string, comes: (path: string) => boolean = () => false): readonly string[] {
  const paths = new Set<string>();
  for (const path of named(at, text, folder)) {
    if (at.system.info(path) !== undefined || comes(path)) paths.add(path);
    if (paths.size >= CHOSEN.attachments) {
      at.files.unread ??= "it attaches more files than are looked at";
      break;
    }
  }
  return [...paths];
}

/** The same, whether there is such a file or not. */
export function* named(at: Case, text: string, folder: string): Generator<string> {
  for (const match of text.matchAll(/(?:^|[\s([{<"'`])@(?:"([^"\n]{1,1024})"|([^\s"'`]{1,1024}))/g)) {
    const written = match[1] ?? (match[2] ?? "").replace(/#L\d.{0,20}$/, "");
    // A sentence's punctuation may follow the name: the name itself is tried first, then without it.
    for (const name of new Set([written, withoutPunctuation(written)])) {
      const { path } = resolvePath(name, folder, worldOf(at));
      if (path !== undefined) yield path;
    }
  }
}

function withoutPunctuation(name: string): string {
  let end = name.length;
  while (end > 0 && ".,;:!?)]}>".includes(name.charAt(end - 1))) end--;
  return name.slice(0, end);
}
