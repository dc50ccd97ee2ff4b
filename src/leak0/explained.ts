/**
 * Whether a command's output can be nothing but the harmless part of a secret file: `grep ^PORT= .env | sed s/PORT=//` prints a
 * port, and nothing of a value can be in it.
 *
 * Trust: the agent chose the command. A line that is shorter than a piece of a value is in nearly every text, so it counts
 * only as a whole line, name or value of the file, and as often as the file has it.
 */
import { CHOSEN, SPECIFIED } from "../limits.ts";
import { disjoint } from "../secrets/pieces.ts";
import { redactText } from "../secrets/redact.ts";
import type { Look } from "./files.ts";

/** Whether every line of the output stands as it is in the file without its secrets. */
export function isExplained(output: string, look: Look): boolean {
  if (look.identified?.class === "PROVEN" || output.trim() === "" || output.length > CHOSEN.explained_chars) return false;
  const harmless = redactText(look.text, disjoint(look.secrets), () => "");
  const left = new Map<string, number>();
  for (const part of harmless.split("\n").flatMap(partsOf)) left.set(part, (left.get(part) ?? 0) + 1);
  return output.split("\n").every((written) => {
    const line = written.trim();
    if (line === "" || (line.length >= SPECIFIED.value_piece_chars && harmless.includes(line))) return true;
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count > 0;
  });
}

/** A line and, of an assignment, its name and its value; each once. */
function partsOf(written: string): readonly string[] {
  const line = written.trim();
  const equals = line.indexOf("=");
  if (line.startsWith("#") || equals < 0) return [line];
  const name = line.slice(0, equals).trim();
  const value = line.slice(equals + 1).trim();
  return [...new Set([line, name, name.replace(/^export\s+/, ""), value, value.replace(/^(["'])(.*)\1$/, "$2")])];
}
