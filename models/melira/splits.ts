/** Which rows train, which calibrate, and which are only for the report; and what each row stands for in its tables. */
import splits from "./splits.json" with { type: "json" };
import { type Kind, KINDS } from "../../src/melira/tokens.ts";

/** A row as the data files have it. `form` and `language` are ours to give; public rows have neither. */
export interface Row {
  readonly text: string;
  readonly label: 0 | 1;
  readonly source: string;
  readonly kind: string;
  readonly form?: string;
  readonly language?: string;
  /** Rows made by generate.py: the side of the material they are from, and the templates. */
  readonly group?: string;
}

export type Split = "train" | "calibrate" | "test";

const NAMED = new Map<string, Split>(
  (["train", "calibrate", "test"] as const).flatMap((split) => splits[split].map((source): [string, Split] => [source, split])),
);

/**
 * Where a row goes: by the name of its source, or where that is not listed by its hash. Made rows go by the side of the material: frames,
 * goals and sentences of the held side are in no training row.
 */
export function splitOf({ source, group, label }: Pick<Row, "source" | "group" | "label">): Split {
  if (group?.startsWith("train:")) return "train";
  if (group?.startsWith("held:")) return label === 0 && bucketOf(group) < 3 ? "calibrate" : "test";
  // Rows that mine.py made of a repository are on the side of the repository.
  const named = NAMED.get(source.replace(/^mined\//, ""));
  if (named !== undefined) return named;
  const bucket = bucketOf(source);
  return splits.rule.test.includes(bucket) ? "test" : splits.rule.calibrate.includes(bucket) ? "calibrate" : "train";
}

function bucketOf(name: string): number {
  return (new Bun.CryptoHasher("sha256").update(name).digest()[0] ?? 0) % splits.rule.buckets;
}

/** The input the network is told: what the text is. A repository's documents and code are what tools print, too. */
export function inputOf({ kind, form = "" }: Pick<Row, "kind" | "form">): Kind {
  if (form.startsWith("mined:"))
    return form === "mined:agent-instructions-diff" ? "memory" : form.startsWith("mined:agent") ? "file" : "tool";
  const told = KINDS.find((one) => one === kind);
  if (told !== undefined) return told;
  if (kind.startsWith("memory") || kind === "agent-instructions-diff") return "memory";
  return kind.startsWith("agent-instructions") || kind.startsWith("skill-file") ? "file" : "tool";
}

/** The set a row counts in, in calibration and in the report. */
export const SETS = {
  tool: "developer tool output",
  agent: "agent files",
  assistant: "assistant-style results",
  security: "security documents",
  memory: "memory changes, clean",
  trigger: "short sentences with trigger words",
  mention: "attacks quoted and explained",
  page: "pages, clean",
  other: "other clean text",
  wrapped: "wrapped attacks",
  plain: "plain attacks",
  obfuscated: "obfuscated attacks",
  languages: "wrapped attacks in other languages",
  "memory-bad": "memory rules",
  "agent-file-bad": "attacks in agent files",
  "command-bad": "commands with orders for the agent",
  public: "public attack sets",
} as const;
export type SetName = keyof typeof SETS;

/** Forms of made rows with the set of each. */
const FORM_SETS: Readonly<Record<string, SetName>> = {
  object: "assistant",
  twin: "assistant",
  page: "page",
  trigger: "trigger",
  mention: "mention",
  "agent-file-clean": "agent",
  plain: "plain",
  "agent-file": "agent-file-bad",
  command: "command-bad",
};

export function setOf(row: Row): SetName {
  const { label, kind, form = "", language = "en" } = row;
  if (label === 1) {
    if (form.startsWith("obfuscated")) return "obfuscated";
    if (form.startsWith("memory")) return "memory-bad";
    if (form.startsWith("wrapped")) return language === "en" ? "wrapped" : "languages";
    return FORM_SETS[form] ?? "public";
  }
  if (inputOf(row) === "memory") return "memory";
  if (form.startsWith("mined:security") || kind.startsWith("security-doc")) return "security";
  const made = FORM_SETS[form];
  if (made !== undefined) return made;
  if (kind === "agent-instructions" || form === "mined:agent-instructions") return "agent";
  if (kind === "benign-security-request" || kind === "benign-question") return "trigger";
  return form.startsWith("mined:") || TOOL_KINDS.has(kind) ? "tool" : "other";
}

const TOOL_KINDS = new Set(["code", "docs", "cli-help", "docs-multilingual", "git-diff", "git-log", "ui-strings", "html", "package-json"]);
