/** The edits of a call whose tool names them, file by file: what stood there before and after is known from the call alone. */
import type { Action, Edit } from "./effect.ts";

/** None for a call that does not edit, or that only says what a file becomes. `path` is as the call writes it. */
export function editsOf(action: Action): readonly { readonly path: string; readonly edits: readonly Edit[] }[] {
  if (action.kind === "edit") return [action];
  return action.kind === "patch" ? action.files.filter(({ how }) => how === "update") : [];
}
