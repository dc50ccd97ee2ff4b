/** Encoders and decoders: `base64`, `xxd`, `openssl enc`. */
import { CHOSEN } from "../../../limits.ts";
import type { Source } from "../../effect.ts";
import { staticText, transformed } from "../../source.ts";
import type { Invocation } from "../invocation.ts";
import type { OptionTable, Options } from "../options.ts";
import { swallowed } from "./filter.ts";

/** Options with a value, by encoder. */
function coderTable(name: string): OptionTable {
  switch (name) {
    case "xxd":
      // One dash stands in front of whole words (`-ps`), so letters are never joined.
      return { single: true, long: "c cols g groupsize l len o off s skip seek n name R" };
    case "od":
      return { short: "AjNSt", long: "address-radix skip-bytes read-bytes format" };
    case "hexdump":
    case "hd":
      return { short: "efns", long: "" };
    case "hexyl":
      return { short: "ncsob", long: "length bytes skip block-size display-offset border color panels group-size base" };
    case "iconv":
      return { short: "fto", long: "from-code to-code output" };
    case "fold":
      return { short: "w", long: "width" };
    case "qrencode":
      return { short: "ostlrmSdv", long: "output read-from size type level" };
    case "base64":
    case "gbase64":
    case "base32":
    case "basenc":
      return { short: "wbo", long: "wrap break output" };
    case "figlet":
    case "toilet":
    case "cowsay":
      return { short: "fdwTeWC", long: "font width" };
    default:
      return {};
  }
}

/** Options of encoders whose value is a keyword, a format or a place to write to. */
const CODER_TEXTS = [
  "f",
  "t",
  "e",
  "A",
  "o",
  "output",
  "from-code",
  "to-code",
  "format",
  "address-radix",
  "R",
  "n",
  "name",
  "border",
  "color",
];

/** Encoders and decoders: named files or standard input. A text of the call itself is decoded here. */
export function coder(invocation: Invocation): void {
  const { name } = invocation;
  const options = invocation.options(coderTable(name));
  const files = name === "xxd" ? options.operands.slice(0, 1) : options.operands;
  const output =
    name === "xxd"
      ? options.operands[1]
      : (options.value("output") ?? (/^(?:xxd|od|hexdump|hd|hexyl)$/.test(name) ? undefined : options.value("o")));
  const input = options.value("read-from", "r");
  const texts = name === "hexdump" || name === "hd" ? CODER_TEXTS.filter((one) => one !== "f") : CODER_TEXTS;
  const read = invocation.readAll([...(name === "qrencode" && input !== undefined ? [input] : files), ...swallowed(options, texts)]);
  const text = staticText(read);
  const plain = text === undefined ? undefined : decoded(name, text, options);
  const sources: readonly Source[] = plain === undefined ? transformed(read) : [{ from: "text", text: plain, plain: true }];
  if (output !== undefined) invocation.write(output, sources);
  else invocation.print(sources);
}

/** What a decoder prints for a known text; undefined for an encoder. */
function decoded(name: string, text: string, options: Options): string | undefined {
  if (text.length > CHOSEN.word_chars) return undefined;
  if (name === "rev")
    return text
      .split("\n")
      .map((line) => [...line].reverse().join(""))
      .join("\n");
  if (/^g?base64$/.test(name) && options.has("d", "D", "decode")) return Buffer.from(text, "base64").toString("utf8");
  if (name === "xxd" && options.has("r", "revert") && options.has("p", "ps", "plain", "postscript"))
    return Buffer.from(text.replace(/\s+/g, ""), "hex").toString("utf8");
  return undefined;
}
