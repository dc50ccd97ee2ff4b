/** A tool's result as the one text the model reads, for agents whose result can only be replaced as a whole (D-15). */
import { isFields } from "./adapter.ts";

/** The text of a result: itself, the texts of an MCP content list, else its JSON. Parts that are no text are named. */
export function resultText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(partText).join("\n");
  if (isFields(value) && Array.isArray(value.content)) return value.content.map(partText).join("\n");
  if (isFields(value) && typeof value.text === "string") return value.text;
  return JSON.stringify(value);
}

function partText(part: unknown): string {
  if (typeof part === "string") return part;
  if (!isFields(part)) return JSON.stringify(part);
  if (typeof part.text === "string") return part.text;
  const { type } = part;
  return typeof type === "string" && type !== "resource" ? `[${type} left out]` : JSON.stringify(part);
}

/** The line in front of a redacted copy: the tool worked, and what follows is its result (D-15). */
export function framed(message: string, text: string): string {
  return `${message === "" ? "leak0 replaced secret values in this result." : message}\nThe tool ran. Its result, with only the values replaced:\n${text}`;
}
