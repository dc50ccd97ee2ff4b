/** A command that code starts, as shell text. */
import type { Gap, Piece, Value } from "./words.ts";
import { quoted } from "../shell/quoting.ts";

/** One command: shell text, or words that no shell takes apart. */
export interface StartedCommand {
  /** The folder it runs in, where the code names one. */
  readonly folder?: Value;
  readonly pieces: readonly Piece[];
  /** Each a word of its own; of `pieces` one text otherwise. */
  readonly words?: readonly Value[];
  /** The code writes to its standard input. */
  readonly fed: boolean;
}

/** Shell text for a command, its gaps as variables; `nameOf` names a variable. */
export function shellText(command: StartedCommand, nameOf: (gap: Gap) => string): string {
  const text = command.folder?.text;
  const there = text?.some((piece) => typeof piece === "string" || piece.start < 0) === true;
  const folder = there
    ? text.map((piece) => (typeof piece === "string" && piece.startsWith("~/") ? `~/${quoted(piece.slice(2))}` : word(piece, nameOf)))
    : [];
  return folder.length === 0 ? commandText(command, nameOf) : `cd ${folder.join("")} && ${commandText(command, nameOf)}`;
}

function commandText(command: StartedCommand, nameOf: (gap: Gap) => string): string {
  if (command.words !== undefined)
    return command.words
      .map(({ text = [], split }) => (split === true ? spliced(text, nameOf) : text.map((piece) => word(piece, nameOf)).join("")))
      .join(" ");
  return spliced(command.pieces, nameOf);
}

function variable(gap: Gap, nameOf: (gap: Gap) => string): string {
  return gap.start < 0 ? "HOME" : nameOf(gap);
}

function word(piece: Piece, nameOf: (gap: Gap) => string): string {
  return typeof piece === "string" ? quoted(piece) : `"\${${variable(piece, nameOf)}}"`;
}

/** A text with its gaps, whatever quotes of a shell they stand in. */
function spliced(pieces: readonly Piece[], nameOf: (gap: Gap) => string): string {
  let made = "";
  let single = false;
  let double = false;
  for (const piece of pieces) {
    if (typeof piece !== "string") {
      const name = `\${${variable(piece, nameOf)}}`;
      made += single ? `'"${name}"'` : double ? name : piece.start < 0 ? `$${variable(piece, nameOf)}` : `"${name}"`;
      continue;
    }
    for (let at = 0; at < piece.length; at++) {
      const char = piece[at];
      if (char === "\\" && !single) at++;
      else if (char === "'" && !double) single = !single;
      else if (char === '"' && !single) double = !double;
    }
    made += piece;
  }
  return made;
}
