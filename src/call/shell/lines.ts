/** Loops that read a text line by line: the rounds they take. */
import type { SyntaxNode } from "./parse.ts";
import type { Source } from "../effect.ts";
import { CHOSEN } from "../../limits.ts";
import { listing, staticText, textSource } from "../source.ts";

/**
 * What each round of `while read …` finds on its standard input: one line, or one file of a list. Everything at once where
 * that is not known, where the condition does not read, or where there are too many.
 */
export function readRounds(clause: SyntaxNode, stdin: readonly Source[]): readonly (readonly Source[])[] {
  const lines = linesOf(stdin);
  return lines.length < 2 || lines.length > CHOSEN.read_rounds || !reads(clause) ? [stdin] : lines;
}

function linesOf(stdin: readonly Source[]): readonly (readonly Source[])[] {
  const { files, others } = listing(stdin);
  if (files.length > 0 && others.length === 0) return files.map((file) => [{ from: "unknown", names: [file] }]);
  const text = staticText(stdin) ?? "";
  const lines = text.split(text.includes("\0") ? "\0" : "\n", CHOSEN.read_rounds + 2);
  if (lines.at(-1) === "") lines.pop();
  return lines.map(textSource);
}

function reads(clause: SyntaxNode): boolean {
  switch (clause.type) {
    case "CompoundList":
      return clause.commands.some(reads);
    case "Statement":
    case "Redirected":
      return reads(clause.command);
    case "AndOr":
      return clause.commands.some(reads);
    case "Command":
      return clause.name?.value === "read";
    default:
      return false;
  }
}
