/**
 * Route 3, after the call: what a tool returned, with secret values replaced before the model sees them (L-089, L-093,
 * L-094, L-098, L-110). The call's own effects say which files were printed, so values without any format of their own
 * are found too, and content made unrecognisable by a transforming command is withheld as a whole.
 */
import type { Source } from "../call/effect.ts";
import { secretEntries } from "../secrets/files/dotenv.ts";
import { identify, secretsInText } from "../secrets/files/index.ts";
import { disjoint, piecesOf } from "../secrets/pieces.ts";
import { redactTree } from "../secrets/redact.ts";
import { scan } from "../secrets/scan.ts";
import type { Secret } from "../secrets/secret.ts";
import type { Finding } from "../verdict.ts";
import { evidenceOf } from "./finding.ts";
import type { Look } from "./files.ts";
import type { Case } from "./judgement.ts";
import { isWithheld, withhold } from "./withhold.ts";

/** A value that is taken out of a result. */
export type Redaction = Extract<Finding, { decision: "redact" }>;

/** What a result holds and what is to be shown instead. */
export interface Output {
  readonly findings: readonly Redaction[];
  /** The replacement in the result's own shape; undefined when nothing has to change. */
  readonly replaced: { readonly value: unknown } | undefined;
  /** Values seen, for the session's memory. */
  readonly secrets: readonly Secret[];
  /** Something in it is proven (B1 content, a B2 token) or could not be checked at all. */
  readonly proven: boolean;
}

const CLEAN: Output = { findings: [], replaced: undefined, secrets: [], proven: false };

/** Looks through a tool's result. */
export function output(at: Case): Output {
  const { response } = at.call;
  if (response === undefined || response === null || isWithheld(response)) return CLEAN;
  const printed = printedBy(at);
  const hidden = printed.looks.find((look) => look.hidden);
  if (hidden !== undefined) {
    const secret = hidden.look.secrets[0];
    if (secret !== undefined && hasText(response)) {
      return withheldFor(
        at,
        response,
        secret,
        hidden.look,
        `the content of ${hidden.look.identified?.title ?? "a file with secrets"} after a transforming command`,
      );
    }
  }

  const known = printed.looks.flatMap(({ look }) => look.secrets);
  let complete = true;
  const find = (text: string): readonly Secret[] => {
    const scanned = scan(text);
    complete &&= scanned.complete;
    const found: Secret[] = [...scanned.secrets, ...secretsInText(text)];
    if (known.length > 0) found.push(...piecesOf(text, known));
    if (printed.environment) found.push(...secretEntries(text));
    for (const path of printed.paths)
      found.push(...(identify(path, text, { folder: at.system.home, environment: at.system.environment })?.secrets ?? []));
    return disjoint(found);
  };
  const { value, secrets } = redactTree(response, find, (secret) => at.session.shortHash(secret));
  const first = secrets[0];
  if (!complete) {
    const secret = first ?? {
      family: "unchecked",
      title: "an output that could not be checked",
      grade: "vendor",
      kind: "pattern",
      value: "unchecked",
      start: -1,
      end: -1,
    };
    return withheldFor(at, response, secret, undefined, "an output that could not be checked to the end");
  }
  if (printed.credentialCommand !== undefined && first === undefined && hasText(response)) {
    const secret: Secret = {
      family: "credential",
      title: "a stored credential",
      grade: "credential",
      kind: "resolved path",
      value: printed.credentialCommand,
      start: -1,
      end: -1,
    };
    return withheldFor(at, response, secret, undefined, `the stored credential that ${printed.credentialCommand} prints`);
  }
  if (first === undefined) return CLEAN;
  return {
    findings: redactions(at, secrets),
    replaced: { value },
    secrets,
    proven: secrets.some((secret) => isProven(secret, printed.looks)),
  };
}

interface Printed {
  /** Secret files the call prints; `hidden` when a command transformed the content. */
  readonly looks: readonly { readonly look: Look; readonly hidden: boolean }[];
  /** Paths whose content is printed by Git, to read the text as that file. */
  readonly paths: readonly string[];
  readonly environment: boolean;
  readonly credentialCommand: string | undefined;
}

function printedBy(at: Case): Printed {
  const sources: Source[] = at.effects.flatMap((effect) => (effect.kind === "show" ? effect.sources : []));
  const { action } = at.call;
  // An edit's result shows the file around the change.
  const touched = at.effects.flatMap((effect) =>
    (action.kind === "edit" || action.kind === "write") && effect.kind === "write" && effect.file.path !== undefined
      ? [effect.file.path]
      : [],
  );
  const looks: { look: Look; hidden: boolean }[] = [];
  const paths: string[] = [...touched];
  for (const path of touched) {
    const look = at.files.look(path);
    if (look && look.secrets.length > 0) looks.push({ look, hidden: false });
  }
  let environment = false;
  let credentialCommand: string | undefined;
  for (const source of sources) {
    if (source.from === "file" && source.file.path !== undefined) {
      const inside = at.files.within(source.file.path);
      for (const look of inside) if (look.secrets.length > 0) looks.push({ look, hidden: !source.plain && look.path === source.file.path });
      if (inside.length === 0) paths.push(source.file.path);
    }
    if (source.from === "git content" && source.path !== undefined) paths.push(source.path);
    if (source.from === "environment") environment = true;
    if (source.from === "credential command") credentialCommand = source.command;
  }
  return { looks, paths, environment, credentialCommand };
}

function withheldFor(at: Case, response: unknown, secret: Secret, look: Look | undefined, what: string): Output {
  const notice = `[leak0 withheld this output: ${what}. Narrow the command (head, grep) or use the file without printing it.]`;
  const finding: Redaction = {
    decision: "redact",
    rule: "leak0:output_withheld",
    evidence: evidenceOf(at, secret, look?.path),
    what,
    next: "Narrow the command (for example with head or grep) or use the file without printing it.",
  };
  return { findings: [finding], replaced: { value: withhold(response, notice) }, secrets: [], proven: true };
}

/** One finding per different value, so that each has its hash in the message and the audit. */
function redactions(at: Case, secrets: readonly Secret[]): readonly Redaction[] {
  const seen = new Set<string>();
  return secrets.flatMap((secret): Redaction[] => {
    const evidence = evidenceOf(at, secret);
    if (seen.has(evidence.hash)) return [];
    seen.add(evidence.hash);
    return [
      {
        decision: "redact",
        rule: "leak0:secret_in_output",
        evidence,
        what: secret.title,
        next: "A placeholder [leak0:family:hash] stands for each value; go on without the value, it is not needed to use the file or the variable.",
      },
    ];
  });
}

function isProven(secret: Secret, looks: Printed["looks"]): boolean {
  if (secret.grade === "token") return true;
  if (secret.grade !== "credential") return false;
  const origin = looks.find(({ look }) => look.secrets.some((known) => known.value === secret.value));
  return origin === undefined || origin.look.identified?.class !== "QUESTION";
}

function hasText(response: unknown): boolean {
  if (typeof response === "string") return response.trim() !== "";
  const texts = response as { stdout?: unknown; stderr?: unknown };
  if (typeof texts.stdout === "string" || typeof texts.stderr === "string")
    return `${texts.stdout ?? ""}${texts.stderr ?? ""}`.trim() !== "";
  return true;
}
