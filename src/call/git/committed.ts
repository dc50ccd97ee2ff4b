/** A file as HEAD has it. */
import type { System } from "../../system.ts";
import { Budget, Unfinished } from "./budget.ts";
import { Git } from "./process.ts";

/**
 * The bytes of a file at a path of the repository whose root this is, as committed in HEAD. Undefined when there is none,
 * it is longer than `bytes_max`, or Git gives no answer.
 */
export function committedFile(root: string, path: string, bytes_max: number, system: System): Uint8Array | undefined {
  const invocation = { cwd: root, globals: [], environment: {}, subcommand: "cat-file", args: [], stdin: [] };
  try {
    const git = new Git(system, new Budget(system), root, invocation);
    const finished = git.run(["cat-file", "blob", `HEAD:${path}`], { bytes_max, cut: true });
    return finished.code === 0 && !finished.cut ? finished.stdout : undefined;
  } catch (problem) {
    if (problem instanceof Unfinished) return undefined;
    throw problem;
  }
}
