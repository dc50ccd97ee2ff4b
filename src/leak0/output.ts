/**
 * Route 3, after the call: what a tool returned, with secret values replaced before the model sees them (L-089, L-093,
 * L-094, L-098, L-110). The call's own effects say which files were printed, so values without any format of their own
 * are found too, and content made unrecognisable by a transforming command is withheld as a whole.
 */
import { editsOf } from "../call/edits.ts";
import type { Source } from "../call/effect.ts";
import { resolvePath } from "../call/path.ts";
import { placed, stripAnsi } from "../secrets/ansi.ts";
import { scanEncoded } from "../secrets/encoded.ts";
import {
  entriesOf,
  environmentSecrets,
  identify,
  isEnvironment,
  isSecretEntry,
  isSecretFileName,
  isSecretName,
  secretsInText,
} from "../secrets/files/index.ts";
import { disjoint, pieceFinder, piecesOf } from "../secrets/pieces.ts";
import { redactTree } from "../secrets/redact.ts";
import { scan } from "../secrets/scan.ts";
import type { Scan, Secret } from "../secrets/secret.ts";
import { splitKeys } from "../secrets/split-key.ts";
import type { Finding } from "../verdict.ts";
import { showsSecret } from "./excerpt.ts";
import { isExplained } from "./explained.ts";
import { evidenceOf } from "./finding.ts";
import type { Look } from "./files.ts";
import { behind, dotenvs, nearby } from "./hidden.ts";
import { type Case, worldOf } from "./judgement.ts";
import { relaxation } from "./places.ts";
import { acrossStrings } from "./seams.ts";
import { startsGuarded } from "./started.ts";
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

/** Shortest piece of a printed file's value that counts in another writing, in characters. */
const WRITTEN_PIECE = 12;

/** Looks through a tool's result. */
export function output(at: Case): Output {
  const { response } = at.call;
  if (at.call.unseen) return unseenOutput(at);
  if (response === undefined || response === null || (at.call.stage === "batch" && isWithheld(response)) || isEmpty(response)) return CLEAN;
  const printed = printedBy(at);
  const hidden = printed.looks.find(({ look, hidden }) => hidden && !isExplained(textsOf(response).join("\n"), look));
  const key = hidden?.look.secrets[0];
  if (hidden !== undefined && key !== undefined) {
    const title = hidden.look.identified?.title ?? "a file with secrets";
    return withheldFor(at, response, key, hidden.look, `the content of ${title} after a transforming command`);
  }

  const pieces = pieceFinder([...printed.looks.flatMap(({ look }) => look.secrets), ...printed.values, ...splitKeys(response)]);
  /** Values that are known: seen earlier in this session, or in a file that the call prints. */
  const known = (text: string): Scan => {
    const earlier = at.session.valuesIn(text);
    const own = pieces(text);
    return own.length === 0 ? earlier : { secrets: [...earlier.secrets, ...own], complete: earlier.complete };
  };
  /** In another writing eight characters of a value may be a word like any other. */
  const written = (text: string): Scan => {
    const { secrets, complete } = known(text);
    const isLong = ({ kind, value, start, end }: Secret): boolean =>
      kind === "hash match" || end - start >= Math.min(value.length, WRITTEN_PIECE);
    return { secrets: secrets.filter(isLong), complete };
  };
  const seams = acrossStrings(response, written);
  let complete = !at.files.late;
  const find = (text: string): readonly Secret[] => {
    // The clock is the back-stop of all counted limits (D-27).
    if (at.system.left_ms() <= 0) complete = false;
    if (!complete) return [];
    const scanned = scan(text);
    const layouts = secretsInText(text);
    const earlier = known(text);
    const bare = stripAnsi(text);
    const shown = bare.text === text ? undefined : known(bare.text);
    const encoded = scanEncoded(text, { known: written, printed: true });
    complete &&= scanned.complete && encoded.complete && earlier.complete && shown?.complete !== false;
    const found: Secret[] = [...scanned.secrets, ...layouts, ...encoded.secrets, ...earlier.secrets, ...(seams.get(text) ?? [])];
    if (shown !== undefined) found.push(...placed(bare, shown.secrets));
    if (printed.environment || (printed.command && isEnvironment(text))) found.push(...environmentSecrets(text));
    const home = { folder: at.system.home, environment: at.system.environment };
    for (const path of printed.paths) {
      found.push(...(identify(path, text, home)?.secrets ?? []));
      for (const bare of unmarked(text)) found.push(...piecesOf(text, identify(path, bare, home)?.secrets ?? []));
    }
    return disjoint(found.filter((secret) => !isOwnText(at, secret.value) && !isLeftAlone(at, printed, secret)));
  };
  const { value, secrets } = redactTree(response, find, (secret) => at.session.shortHash(secret));
  const first = secrets[0];
  if (!complete) {
    return withheldFor(at, response, first ?? UNCHECKED, undefined, "an output that could not be checked to the end");
  }
  // A command that failed has nearly always said why instead of printing the credential.
  if (printed.credentialCommand !== undefined && first === undefined && at.call.stage === "after") {
    const command = printed.credentialCommand;
    return withheldFor(at, response, { ...STORED, value: command }, undefined, `the stored credential that ${command} prints`);
  }
  if (first === undefined) return CLEAN;
  return {
    findings: redactions(at, secrets),
    replaced: { value },
    secrets,
    proven: secrets.some((secret) => isProven(secret, printed.looks)),
  };
}

/** A file's content that the model gets and no hook does: what stands in the file (L-095). */
function unseenOutput(at: Case): Output {
  if (at.call.action.kind !== "read") return CLEAN;
  const printed = printedBy(at);
  const { looks } = printed;
  const secrets = looks.flatMap(({ look }) => look.secrets).filter((secret) => !isLeftAlone(at, printed, secret));
  if (secrets.length === 0) return CLEAN;
  return { findings: redactions(at, secrets), replaced: { value: "" }, secrets, proven: secrets.some((secret) => isProven(secret, looks)) };
}

const UNCHECKED: Secret = {
  family: "unchecked",
  title: "an output that could not be checked",
  grade: "vendor",
  kind: "pattern",
  value: "unchecked",
  start: -1,
  end: -1,
};
const STORED: Secret = {
  family: "credential",
  title: "a stored credential",
  grade: "credential",
  kind: "resolved path",
  value: "",
  start: -1,
  end: -1,
};

/**
 * D-04: a sample of the repository's own, as its list says, by its value or by the one file it is printed from. Content of a
 * credential file is none outside a test folder.
 */
function isLeftAlone(at: Case, { looks }: Printed, { value, grade }: Secret): boolean {
  if (at.call.cwd === "" && looks.length === 0) return false;
  const { exemptions, repositories } = at.files;
  const rule = "leak0:secret_in_output";
  const origins = looks.filter(({ look }) => look.secrets.some((known) => known.value === value));
  if (origins.length === 0)
    return grade !== "credential" && exemptions.has(repositories.rootOf(`${at.call.cwd}/.`), { path: undefined, rule, value });
  return origins.every(({ look }) => {
    const real = at.system.realPath(look.path) ?? look.path;
    const path = repositories.relative(real);
    const proven = grade === "credential" || look.identified?.class === "PROVEN";
    return (!proven || relaxation(path) === "test") && exemptions.has(repositories.rootOf(real), { path, rule, value });
  });
}

/** What the model itself wrote into a file is known to it: its own tool's result is not the place to hide it. */
function isOwnText(at: Case, value: string): boolean {
  const { action } = at.call;
  if (action.kind === "write") return action.content.includes(value);
  if (action.kind === "patch" && action.files.some(({ text }) => text.includes(value))) return true;
  return editsOf(action).some(({ edits }) => edits.some((edit) => edit.new.includes(value) || edit.old.includes(value)));
}

interface Printed {
  /** Secret files the call prints; `hidden` when a command transformed the content. */
  readonly looks: readonly { readonly look: Look; readonly hidden: boolean }[];
  /** Values of printed variables, as far as they are known. */
  readonly values: readonly Secret[];
  /** Paths whose content is printed by Git, to read the text as that file. */
  readonly paths: readonly string[];
  readonly environment: boolean;
  /** A command prints, and as far as that is known no file: what looks like an environment is one, on whatever machine. */
  readonly command: boolean;
  readonly credentialCommand: string | undefined;
}

function printedBy(at: Case): Printed {
  const sources: Source[] = at.effects.flatMap((effect) => (effect.kind === "show" ? effect.sources : []));
  const { action } = at.call;
  // An edit's result shows the file around the change.
  const touched =
    action.kind === "edit" || action.kind === "write"
      ? at.effects.flatMap((effect) => (effect.kind === "write" && effect.file.path !== undefined ? [effect.file.path] : []))
      : [];
  // A program may print what it was handed (`./tool "$(cat key)"`).
  const handed = at.effects.flatMap((effect) => (effect.kind === "run" ? effect.args.flatMap((argument) => argument.sources) : []));
  const looks: { look: Look; hidden: boolean }[] = [];
  const add = (more: readonly Look[], hidden: boolean): void => {
    for (const look of more) if (look.secrets.length > 0) looks.push({ look, hidden });
  };
  for (const path of touched) add(at.files.within(path), false);
  for (const source of handed) if (source.from === "file" && source.file.path !== undefined) add(at.files.within(source.file.path), false);
  for (const path of given(at)) add(at.files.within(path), false);
  const paths: string[] = [...touched];
  const values: Secret[] = [];
  let environment = false;
  let credentialCommand: string | undefined;
  let unknownFile = at.effects.some((effect) => effect.kind === "uncertain") || startsGuarded(at.effects, at.system);
  for (const source of sources) {
    if (source.from === "file" && source.file.path !== undefined) {
      const { path } = source.file;
      const inside = at.files.within(path);
      for (const look of inside) add([look], !source.plain && look.path === path && showsSecret(source, look));
      if (inside.length === 0) paths.push(path);
    } else if (source.from === "file") {
      add(behind(at, source.file.written), !source.plain);
      unknownFile = true;
    } else if (source.from === "git content") {
      if (source.path === undefined) add(dotenvs(at), false);
      else paths.push(source.path);
    } else if (source.from === "environment") {
      environment = true;
      add(dotenvs(at), false);
      const { name } = source;
      if (name === undefined) continue;
      // One variable in another writing has no name beside it that would tell it.
      if (!source.plain) for (const look of dotenvs(at)) add([look], holds(look, name));
      const value = at.system.environment[name];
      if (value !== undefined && (isSecretName(name) || isSecretEntry(name, value))) values.push({ ...VARIABLE, value });
    } else if (source.from === "elsewhere") {
      if (source.file !== undefined) paths.push(asIfHere(at, source.file));
      else if (source.variable === undefined) environment = true;
      else if (source.plain) values.push(...loneValue(source.variable, at.call.response));
    } else if (source.from === "credential command") {
      credentialCommand = source.command;
    }
  }
  if (unknownFile) add(nearby(at), false);
  const command = action.kind === "shell" && !sources.some(({ from }) => from === "file" || from === "git content");
  // A decrypted file or a store's entries are named like an environment's.
  return { looks, values, paths, environment: environment || credentialCommand !== undefined, command, credentialCommand };
}

/** Words of one command that are looked up as files. */
const GIVEN_MOST = 256;
/** Longest of them that is, in characters. */
const LONGEST_GIVEN = 1_024;

/** Secret files that a call names to whatever program: it may print them, though nothing is known of it (`shuf .env`, `set -x; . ./.env`). */
function given(at: Case): readonly string[] {
  const words = at.effects.flatMap((effect) => {
    if (effect.kind === "git") return effect.invocation.args.map(({ text }) => ({ text, cwd: effect.invocation.cwd }));
    return effect.kind === "run" ? effect.args.map(({ text }) => ({ text, cwd: effect.cwd })) : [];
  });
  // `--files=.env`, `.read .env`: a path may be a part of a word.
  const parts = words.flatMap(({ text, cwd }) =>
    [...new Set([text, ...text.slice(0, LONGEST_GIVEN).split(/[\s=,@]/)])].map((part) => ({ text: part, cwd })),
  );
  const paths = parts.slice(0, GIVEN_MOST).flatMap(({ text, cwd }) => {
    const { path } = resolvePath(text, cwd ?? at.call.cwd, worldOf(at));
    return path !== undefined && (isSecretFileName(path) || at.files.isKnownPlace(path)) ? [path] : [];
  });
  return [...new Set(paths)];
}

/** A text without what `git blame` puts in front of lines, and without the marks of a word diff; as often as there are any. */
function unmarked(text: string): readonly string[] {
  const lines = text.replace(/^\^?[0-9a-f]{4,64} [^\n]{0,300}?\b\d{1,7}\) ?/gm, "");
  const marks = /\[-|\{\+/.test(text) ? text.replace(/\[-|-\]|\{\+|\+\}/g, "\n") : text;
  return [lines, marks].filter((bare) => bare !== text);
}

/** Whether a `.env` gives a variable a value with a secret in it. */
function holds(look: Look, name: string): boolean {
  return entriesOf(look.text).some(
    (entry) => entry.name === name && look.secrets.some(({ start, end }) => start >= entry.start && end <= entry.end),
  );
}

/** A path in a container or on another machine as the same place would be called here. */
function asIfHere(at: Case, path: string): string {
  return path.replace(/^(?:~|\/root|\/(?:home|Users)\/[^/]{1,200})(?=\/)/, at.system.home).replace(/^(?!\/)/, "/");
}

/** The value of a variable that is known to be all that a command prints. */
function loneValue(name: string, response: unknown): readonly Secret[] {
  const value = textsOf(response).join("\n").trim();
  return value !== "" && !/\s/.test(value) && isSecretEntry(name, value) ? [{ ...VARIABLE, value }] : [];
}

const VARIABLE: Secret = { family: "env", title: "an environment variable", grade: "field", kind: "field", value: "", start: -1, end: -1 };

/** All strings of a result that can hold content. */
function textsOf(response: unknown): readonly string[] {
  if (typeof response === "string") return [response.replace(/^(?:Error: )?Exit code \d{1,3}(?:\n|$)/, "")];
  if (Array.isArray(response)) return response.flatMap(textsOf);
  if (typeof response !== "object" || response === null) return [];
  const { stdout, stderr, text, content } = response as Record<string, unknown>;
  return [stdout, stderr, text, content].flatMap(textsOf);
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
  // Only a proven file ends a turn (D-16); what could not be checked at all counts like one.
  const proven = look === undefined || look.identified?.class === "PROVEN";
  return { findings: [finding], replaced: { value: withhold(response, notice) }, secrets: [], proven };
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

/** Content in a shape of its own (`structuredContent`) beside what a command printed. */
function hasParts(response: unknown): boolean {
  return (
    typeof response === "object" && response !== null && Object.values(response).some((part) => typeof part === "object" && part !== null)
  );
}

/** A command's result in which nothing was printed at all. */
function isEmpty(response: unknown): boolean {
  const shell = typeof response === "string" || (typeof response === "object" && response !== null && "stdout" in response);
  return shell && textsOf(response).every((text) => text.trim() === "") && !hasParts(response);
}
