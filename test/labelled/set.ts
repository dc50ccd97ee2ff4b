/**
 * The labelled set: real-looking files in which every line that holds a secret is known, made at run time from a seed.
 *
 * More than two thousand labelled lines, half of them look-alikes; the ordinary lines between them count as clean too. A format is put
 * into several surroundings; a line names its variable wherever people would, and does not where the format speaks for itself.
 */
import { type Mint, seeded } from "../mint.ts";
import { CREDENTIALS } from "./credentials.ts";
import { fill, number, pick } from "./fill.ts";
import { FORMATS, type TokenFormat } from "./formats.ts";
import { LOOK_ALIKES } from "./lookalikes.ts";
import { SURROUNDINGS, type Surrounding } from "./surroundings.ts";

/** A secret in a file: where it is written. */
export interface Planted {
  readonly family: string;
  readonly value: string;
  /** Half-open range in the file's text. */
  readonly start: number;
  readonly end: number;
}

/** A line that must not be found. */
export interface LookAlike {
  readonly what: string;
  readonly start: number;
  readonly end: number;
}

export interface LabelledFile {
  readonly path: string;
  readonly text: string;
  readonly planted: readonly Planted[];
  readonly lookAlikes: readonly LookAlike[];
  /** A credential's own file: what else is found in it (a key's id, a user's name) is neither right nor wrong. */
  readonly whole: boolean;
}

/** Surroundings each format is tried in. */
const PLACES = 3;
/** Times each look-alike stands in the set. */
const COPIES = 5;
/** Times each credential of a known surrounding is made. */
const CREDENTIAL_COPIES = 4;
/** Labelled lines one file holds before the next is begun. */
const LABELLED_PER_FILE = 12;

/** Families whose values have no mark, or so weak a one that nobody knows them without the name beside them. */
const NEEDS_NAME = new Set(
  "twilio zhipu asana clickhouse beamer authress exoscale launchdarkly razorpay akamai mailgun endor deno onfido bitwarden devin artifactory new-relic tencent workato solana".split(
    " ",
  ),
);

interface Line {
  readonly text: string;
  readonly planted?: { readonly family: string; readonly value: string; readonly at: number };
  readonly lookAlike?: string;
}

/** The set of a seed. */
export function labelledSet(seed: string): readonly LabelledFile[] {
  const from = seeded(`labelled set ${seed}`);
  const pools = new Map<string, Line[]>(SURROUNDINGS.map(({ id }) => [id, []]));
  for (const format of FORMATS) plant(from, format, pools);
  const own = new Map<string, Line[]>();
  for (const { what, where, file, lines } of LOOK_ALIKES) {
    for (const template of lines) {
      for (let copy = 0; copy < COPIES; copy++) {
        const text = spell(
          fill(
            from,
            template.replace(/\$NAME\b/g, () => `${pick(from, pick(from, FORMATS).names)}`),
          ),
          "SERVICE_TOKEN",
        );
        const line = { text, lookAlike: what };
        if (file !== undefined) own.set(file, [...(own.get(file) ?? []), line]);
        else (pools.get(pick(from, where)) as Line[]).push(line);
      }
    }
  }
  const files: LabelledFile[] = [];
  for (const surrounding of SURROUNDINGS) files.push(...written(from, surrounding, pools.get(surrounding.id) as Line[]));
  for (const [path, lines] of own) {
    for (const [at, part] of parts(shuffled(from, lines)).entries()) files.push(assembled(path.replace("#", String(at + 1)), part));
  }
  CREDENTIALS.forEach(({ family, path, make }, kind) => {
    for (let copy = 0; copy < CREDENTIAL_COPIES; copy++) {
      const { text, secrets } = make(from);
      const planted = secrets.map((value) => ({ family, value, start: text.indexOf(value), end: text.indexOf(value) + value.length }));
      files.push({ path: path.replace("#", `${kind + 1}-${copy + 1}`), text: `${text}\n`, planted, lookAlikes: [], whole: true });
    }
  });
  return files;
}

function plant(from: Mint, format: TokenFormat, pools: Map<string, Line[]>): void {
  const needsName = NEEDS_NAME.has(format.family);
  const used = new Set<string>();
  for (let place = 0; place < PLACES; place++) {
    const value = typeof format.layout === "string" ? fill(from, format.layout) : format.layout(from);
    const simple = /^[\w.~-]+$/.test(value);
    const fitting = SURROUNDINGS.filter(
      (one) =>
        !used.has(one.id) &&
        (simple || one.simple !== true) &&
        (!needsName || one.named.length > 0) &&
        (!/[[,]/.test(value) || one.id === "python"),
    );
    const surrounding = pick(from, fitting.length > 0 ? fitting : SURROUNDINGS.filter(({ id }) => id === "python"));
    used.add(surrounding.id);
    // An array of numbers stands without quotes, under a key's name.
    const templates = needsName || value.startsWith("[") ? surrounding.named : [...surrounding.named, ...surrounding.bare];
    const template = fill(from, pick(from, templates));
    const text = spell(template, pick(from, format.names));
    const at = text.indexOf("$VALUE");
    (pools.get(surrounding.id) as Line[]).push({
      text: text.replace("$VALUE", () => value),
      planted: { family: format.family, value, at },
    });
  }
}

/** `$NAME`, `$name` and `$camel` written out. */
function spell(template: string, name: string): string {
  const words = name.toLowerCase().split("_");
  const camel = words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("");
  return template
    .replaceAll("$NAME", () => name)
    .replaceAll("$name", () => name.toLowerCase())
    .replaceAll("$camel", () => camel);
}

function shuffled<T>(from: Mint, list: readonly T[]): readonly T[] {
  const left = [...list];
  for (let at = left.length - 1; at > 0; at--) {
    const other = number(from, 0, at);
    [left[at], left[other]] = [left[other] as T, left[at] as T];
  }
  return left;
}

function parts<T>(list: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / LABELLED_PER_FILE) }, (_, at) =>
    list.slice(at * LABELLED_PER_FILE, (at + 1) * LABELLED_PER_FILE),
  );
}

/** The files of one surrounding: its lines in between labelled ones. */
function written(from: Mint, surrounding: Surrounding, lines: readonly Line[]): readonly LabelledFile[] {
  const plain = (templates: readonly string[]): readonly Line[] => templates.map((template) => ({ text: fill(from, template) }));
  return parts(shuffled(from, lines)).map((part, at) => {
    const body = part.flatMap((line): readonly Line[] => [
      ...plain(Array.from({ length: number(from, 0, 3) }, () => pick(from, surrounding.filler))),
      line,
    ]);
    const whole = [...plain(surrounding.head), ...body, ...plain(surrounding.tail)];
    return assembled(surrounding.path.replace("#", String(at + 1)), whole, surrounding.windows === true ? "\r\n" : "\n");
  });
}

function assembled(path: string, lines: readonly Line[], lineEnd = "\n"): LabelledFile {
  const planted: Planted[] = [];
  const lookAlikes: LookAlike[] = [];
  let text = "";
  for (const line of lines) {
    const start = text.length;
    if (line.planted !== undefined) {
      const { family, value, at } = line.planted;
      planted.push({ family, value, start: start + at, end: start + at + value.length });
    }
    if (line.lookAlike !== undefined) lookAlikes.push({ what: line.lookAlike, start, end: start + line.text.length });
    text += line.text + lineEnd;
  }
  return { path, text, planted, lookAlikes, whole: false };
}
