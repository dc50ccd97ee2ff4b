/** The README's list of what is proven, recognised and not seen, from the data the product decides by. */
import type { Family, Format } from "../../src/secrets/families/family.ts";
import { families } from "../../src/secrets/families/index.ts";
import { kinds } from "../../src/secrets/files/kinds.ts";
import { SHAPES } from "../../src/secrets/shapes.ts";
import { UNSEEN } from "../labelled/unseen.ts";

/** Where a line of the README ends, in characters. */
const WIDTH = 132;

/** Formats in the order of their titles, each once. */
const titles = (list: readonly { readonly title: string }[]): readonly string[] =>
  [...new Set(list.map(({ title }) => title))].sort((a, b) => a.localeCompare(b, "en"));

/** Issuer by issuer: its titles, and what its tokens begin with or hold. */
function issuers(list: readonly (Pick<Family, "id" | "title"> & Partial<Pick<Family, "needles">>)[]): readonly string[] {
  const ids = new Map<string, { titles: string[]; marks: Set<string> }>();
  for (const { id, title, needles } of list) {
    const issuer = ids.get(id) ?? { titles: [], marks: new Set() };
    ids.set(id, issuer);
    if (!issuer.titles.includes(title)) issuer.titles.push(title);
    for (const needle of needles ?? []) issuer.marks.add(`\`${needle.trim()}\``);
    if (needles === undefined) issuer.marks.add("known by length and check alone");
  }
  return [...ids.values()]
    .map(({ titles: [first, ...more], marks }) => [
      [first, ...more.map((title) => sharedCut(first as string, title))].join(", "),
      [...marks].join(" "),
    ])
    .sort(([a], [b]) => (a as string).localeCompare(b as string, "en"))
    .map(([title, marks]) => `| ${title} | ${marks} |`);
}

/** A title without the words it shares with the one before: "Azure Batch key" after "Azure Storage account key" is "Batch key". */
function sharedCut(first: string, title: string): string {
  const issuer = `${first.split(" ", 1)[0]} `;
  return title.startsWith(issuer) ? title.slice(issuer.length) : title;
}

function wrapped(text: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}

/** A long list that opens when it is wanted. */
function folded(summary: string, list: readonly string[]): readonly string[] {
  return [`<details><summary>${summary}</summary>`, "", wrapped(`${list.join(", ")}.`), "", "</details>", ""];
}

/** The list. */
export function recognised(): string {
  const formats = families().filter((family): family is Family & Format => "pattern" in family);
  const provable = formats.filter(({ proof }) => proof !== undefined);
  const byShape = Object.values(SHAPES).map(({ family, title, grade }) => ({ id: family, title, grade }));
  const proven = [...provable, ...byShape.filter(({ grade }) => grade === "token")];
  const isProven = new Set(proven.map(({ title }) => title));
  const seen = titles([...formats, ...byShape].filter(({ title }) => !isProven.has(title)));
  const files = (wanted: "PROVEN" | "QUESTION"): readonly string[] => titles(kinds().filter((kind) => kind.class === wanted));
  const [blocked, asked] = [files("PROVEN"), files("QUESTION")];
  return [
    `**Proven by their own check data** (${titles(proven).length} formats): blocked where they do not belong.`,
    "",
    "| issuer and token | begins with or holds |",
    "|---|---|",
    ...issuers(proven),
    "",
    ...folded(
      `Recognised by their format (${seen.length}): redacted on the way in, asked about or noted on the way out, never a block by themselves`,
      seen,
    ),
    ...folded(
      `Private keys and credential files, proven by their content (${blocked.length} kinds): blocked where they do not belong`,
      blocked,
    ),
    ...folded(`Files that are asked about (${asked.length} kinds), with values redacted by the names of their fields`, asked),
    "**Not seen** away from a file or a field that names them:",
    "",
    ...UNSEEN.map(({ what }) => wrapped(`- ${what}`).replaceAll("\n", "\n  ")),
    "",
  ].join("\n");
}
