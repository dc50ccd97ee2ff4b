/** Writes test/melira/golden-ids.jsonl and the texts of golden.jsonl anew: `bun test/melira/golden-ids.ts`. golden.py adds PyTorch's numbers. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tokenise } from "../../src/melira/tokens.ts";
import { TEXTS } from "./texts.ts";

writeFileSync(
  join(import.meta.dir, "golden-ids.jsonl"),
  TEXTS.map(([, text]) => `${JSON.stringify({ text, ids: [...tokenise(text).ids] })}\n`).join(""),
);
writeFileSync(
  join(import.meta.dir, "golden.jsonl"),
  TEXTS.filter(([, text]) => text.trim() !== "")
    .map(([kind, text]) => `${JSON.stringify({ kind, text })}\n`)
    .join(""),
);
