/** Writes test/melira/golden-ids.jsonl and the texts of golden.jsonl anew: `bun test/melira/golden-ids.ts`. train.sh adds PyTorch's numbers. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readingOf } from "../../src/melira/reading.ts";
import { type Kind, tokenise } from "../../src/melira/tokens.ts";
import { TEXTS } from "./texts.ts";

/** Nothing in it is rewritten or decoded, so that PyTorch, which has no such code, can read it. */
function readAsItIs(text: string, kind: Kind): boolean {
  const { streams } = readingOf(text, kind);
  return streams.length === 1 && streams[0]?.text === text;
}

writeFileSync(
  join(import.meta.dir, "golden-ids.jsonl"),
  TEXTS.map(([, text]) => `${JSON.stringify({ text, ids: [...tokenise(text).ids] })}\n`).join(""),
);
writeFileSync(
  join(import.meta.dir, "golden.jsonl"),
  TEXTS.filter(([kind, text]) => text.trim() !== "" && readAsItIs(text, kind))
    .map(([kind, text]) => `${JSON.stringify({ kind, text, label: 0, source: "golden" })}\n`)
    .join(""),
);
