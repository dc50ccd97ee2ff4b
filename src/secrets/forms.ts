/**
 * Other spellings of outgoing data: percent-encoded, JSON-escaped, base64, hex (token-families.md §9.6).
 *
 * Trust: the text is hostile. At most `CHOSEN.decodings` layers are undone and at most `CHOSEN.decoded_chars` characters
 * are made; past that the answer is incomplete.
 */
import { CHOSEN } from "../limits.ts";

export interface Forms {
  readonly texts: readonly string[];
  readonly complete: boolean;
}

/** Every text that one or two decodings of this one give, each once, without the text itself. */
export function decodedForms(text: string): Forms {
  const seen = new Set([text]);
  let layer = [text];
  let left = CHOSEN.decoded_chars;
  for (let depth = 0; depth < CHOSEN.decodings; depth++) {
    const next: string[] = [];
    for (const form of layer) {
      for (const made of [percent(form), json(form), ...base64(form), ...hex(form)]) {
        if (made === undefined || made.length < 8 || seen.has(made)) continue;
        left -= made.length;
        if (left < 0) return { texts: [...seen].slice(1), complete: false };
        seen.add(made);
        next.push(made);
      }
    }
    layer = next;
  }
  return { texts: [...seen].slice(1), complete: true };
}

/** `%41` and `+` undone byte by byte; what is no escape stays. */
function percent(text: string): string | undefined {
  if (!/%[\dA-Fa-f]{2}/.test(text)) return undefined;
  return text.replace(/(?:%[\dA-Fa-f]{2}){1,1024}/g, (run) => {
    const bytes = Uint8Array.fromHex(run.replaceAll("%", ""));
    return new TextDecoder().decode(bytes);
  });
}

/** `\n`, `\"`, `\/`, `\u0041` undone. */
function json(text: string): string | undefined {
  if (!text.includes("\\")) return undefined;
  const made = text.replace(
    /\\(?:u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2})|(["\\/bfnrt]))/g,
    (_, unicode?: string, byte?: string, letter?: string) => {
      const code = unicode ?? byte;
      return code === undefined ? (ESCAPES[letter as string] ?? (letter as string)) : String.fromCharCode(Number.parseInt(code, 16));
    },
  );
  return made === text ? undefined : made;
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Runs of base64 of either alphabet, line breaks inside allowed, whose bytes are text. `/` may also separate a path's parts. */
function* base64(text: string): Generator<string> {
  for (const found of text.matchAll(/[\w+/-]{16,}={0,2}(?:\r?\n[\w+/-]{4,}={0,2}){0,2000}/g)) {
    const run = found[0].replace(/\s/g, "");
    const made = asText(Buffer.from(run, "base64"));
    if (made !== undefined) yield made;
    else if (run.includes("/")) {
      for (const part of run.split("/")) {
        const inside = part.length < 16 ? undefined : asText(Buffer.from(part, "base64"));
        if (inside !== undefined) yield inside;
      }
    }
  }
}

/** Runs of hex whose bytes are text. */
function* hex(text: string): Generator<string> {
  for (const found of text.matchAll(/(?:[\dA-Fa-f]{2}){12,}/g)) {
    const made = asText(Buffer.from(found[0], "hex"));
    if (made !== undefined) yield made;
  }
}

/** The bytes as text when nearly all of them are printable ASCII; random bytes are not. */
function asText(bytes: Uint8Array): string | undefined {
  let printable = 0;
  for (const byte of bytes) if ((byte >= 32 && byte < 127) || byte === 10 || byte === 13 || byte === 9) printable++;
  return bytes.length >= 8 && printable * 10 >= bytes.length * 9 ? Buffer.from(bytes).toString("latin1") : undefined;
}
