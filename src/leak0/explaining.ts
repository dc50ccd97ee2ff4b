/**
 * A verdict taken apart, for `poisonzero leak0 check`: what a call would do, what the evidence is, and what would change
 * the answer. The same engine judges as in the hook; other answers are found by asking it again about a changed call.
 *
 * Trust: as in the hook, every part of the call is hostile. Nothing of it is run, and nothing is remembered or recorded.
 * Texts of the call are never shown: they are counted in characters.
 */
import type { Call, Destination, Effect, Packing, Part, PathRef, Source } from "../call/effect.ts";
import { effectsOf } from "../call/effects.ts";
import { CHOSEN } from "../limits.ts";
import type { Leak0Policy } from "../policy/leak0.ts";
import { exactGlob } from "../policy/glob.ts";
import { redactText } from "../secrets/redact.ts";
import { scan } from "../secrets/scan.ts";
import type { Session } from "../session/session.ts";
import type { System } from "../system.ts";
import { DECISIONS, type Decision, type Finding } from "../verdict.ts";
import { shown } from "./finding.ts";
import { Files } from "./files.ts";
import { judge } from "./judge.ts";
import { ALLOW, type Case, type Judgement, worldOf } from "./judgement.ts";
import { isJudged, movesHead } from "./triage.ts";

/** What one call comes to. */
export interface Explanation {
  readonly judgement: Judgement;
  /** What it would do, one line each. */
  readonly effects: readonly string[];
  /** What is known of each file it names. */
  readonly files: readonly FileFact[];
  /** What would give another answer. */
  readonly changes: readonly Change[];
  /** The call would go on and print something secret: its result would be looked at and changed. */
  readonly redactedLater: boolean;
}

/** Something known of a file that the judgement rests on. */
export interface FileFact {
  readonly file: string;
  readonly fact: string;
}

/** Something that, were it otherwise, would give another decision. */
export interface Change {
  /** Completes "It would be different …". */
  readonly when: string;
  readonly decision: Decision;
}

/** Explains one call as it is judged under enforce. `notes` is D-07's coupling to exec0; `event` the agent's own name of the moment. */
export function explain(call: Call, event: string, policy: Leak0Policy, session: Session, machine: System, notes: boolean): Explanation {
  const system = onlyLooking(machine);
  const effects = effectsOf(call, worldOf({ system }));
  const quiet = withoutMemory(session);
  const at: Case = { call, effects, system, policy, files: new Files(system, policy, quiet), session: quiet };
  const judged = (changed: Partial<Case>): Judgement => {
    const other = { ...at, ...changed };
    // What a rule already looked at must not count for another question.
    const files = new Files(system, other.policy, quiet);
    return call.stage === "before" && !isJudged(other.effects, system) && !other.effects.some(movesHead)
      ? ALLOW
      : judge({ ...other, files }, event, notes);
  };
  const judgement = judged({});
  return {
    judgement,
    effects: effects.map((effect) => wordsOf(at, effect)),
    files: factsOf(at),
    redactedLater: call.stage === "before" && judgement.decision !== "block" && showsSecrets(at),
    changes: call.stage === "before" && judgement.decision !== "allow" ? changesOf(at, judgement, judged) : [],
  };
}

/** The same machine, on which nothing is written: rules that keep a help for the next call go without it. */
function onlyLooking(system: System): System {
  const refuse = (): never => {
    throw new Error("nothing is written here");
  };
  return Object.assign(Object.create(system) as System, {
    replace: refuse,
    append: refuse,
    locked: refuse,
    makeFolder: refuse,
    rename: refuse,
    remove: refuse,
  });
}

/** The same session, which forgets and learns nothing. */
function withoutMemory(session: Session): Session {
  return {
    shortHash: (value) => session.shortHash(value),
    valuesIn: (text) => session.valuesIn(text),
    get remembers() {
      return session.remembers;
    },
    get valuesStamp() {
      return session.valuesStamp;
    },
    get copies() {
      return session.copies;
    },
    prepare() {},
    remember() {},
    get hosts() {
      return session.hosts;
    },
    rememberCopies() {},
    rememberHosts() {},
    get images() {
      return session.images;
    },
    rememberImages() {},
    end() {},
  };
}

// ---- what it would do ----

/** A name of the call's as it may be shown: short, without control characters, a value in it replaced. */
function plain(at: Case, text: string): string {
  return redactText(text, scan(text).secrets, (value) => at.session.shortHash(value))
    .replace(/[^\x20-\x7e\u00a0-\u024f]/g, "?")
    .slice(0, CHOSEN.explained_name_chars);
}

function pathWords(at: Case, { path, written }: PathRef): string {
  return path === undefined ? `${plain(at, written)} (a path only the shell knows)` : shown(at, path);
}

function sourceWords(at: Case, source: Source): string {
  const changed = "plain" in source && !source.plain ? " (changed on the way)" : "";
  switch (source.from) {
    case "file":
      return `${pathWords(at, source.file)}${changed}`;
    case "text":
      return `text of the call, ${source.text.length} characters${changed}`;
    case "environment":
      return `${source.name === undefined ? "the whole environment" : `the variable ${plain(at, source.name)}`}${changed}`;
    case "elsewhere":
      return `${source.file === undefined ? "the environment of another machine" : `${plain(at, source.file)} on another machine`}${changed}`;
    case "credential command":
      return `the stored credential that ${plain(at, source.command)} prints${changed}`;
    case "git content":
      return `${source.path === undefined ? "content of the repository" : `${plain(at, source.path)} as Git has it`}${changed}`;
    case "ciphertext":
      return `what is encrypted of ${sourcesWords(at, source.of)}`;
    case "unknown":
      return "something that cannot be told before";
  }
}

function sourcesWords(at: Case, sources: readonly Source[]): string {
  const words = [...new Set(sources.map((source) => sourceWords(at, source)))];
  const rest = words.length - CHOSEN.explained_sources;
  if (words.length === 0) return "nothing";
  return words.slice(0, CHOSEN.explained_sources).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function partWords(at: Case, { sources, position }: Part): string {
  return `${sourcesWords(at, sources)} (${position === "credential" ? "where a sign-in goes" : "as data"})`;
}

function partsWords(at: Case, parts: readonly Part[], packing: Packing | undefined): string {
  const folder = packing === undefined ? [] : [packingWords(at, packing)];
  return [...folder, ...parts.map((part) => partWords(at, part))].join("; ") || "nothing";
}

function packingWords(at: Case, { tool, folder, members }: Packing): string {
  if (tool !== "image") return `the folder ${pathWords(at, folder)}`;
  return `what the image ${plain(at, String(members?.[0]))} was built from in this session`;
}

function placeWords(at: Case, { kind, host, tool }: Destination): string {
  if (kind === "mcp") return `the MCP tool ${plain(at, tool ?? "")}`;
  if (kind === "search engine") return "a web search";
  return host === undefined ? "a destination that cannot be told before" : plain(at, host);
}

function wordsOf(at: Case, effect: Effect): string {
  switch (effect.kind) {
    case "show":
      return `bring into the conversation: ${sourcesWords(at, effect.sources)}`;
    case "send":
      return `send to ${placeWords(at, effect.destination)} (${plain(at, effect.via)}): ${partsWords(at, effect.parts, effect.packing)}`;
    case "publish":
      return `publish (${plain(at, effect.via)}): ${partsWords(at, effect.parts, effect.packing)}`;
    case "pack":
      return `pack the folder ${pathWords(at, effect.packing.folder)} (${plain(at, effect.via)})`;
    case "image":
      return `give the name ${plain(at, effect.name)} to an image: ${packingWords(at, effect.packing)}`;
    case "write":
      return `${effect.append ? "add to" : "write"} ${pathWords(at, effect.file)}: ${sourcesWords(at, effect.sources)}`;
    case "change":
      return `change ${pathWords(at, effect.file)} (${effect.how})`;
    case "copy":
      return `copy ${pathWords(at, effect.file)} to ${pathWords(at, effect.to)}`;
    case "serve":
      return `serve the folder ${pathWords(at, effect.folder)} (${plain(at, effect.via)})${effect.open ? ", to other machines too" : ""}`;
    case "unpack":
      return `unpack ${effect.archive === undefined ? "an archive" : pathWords(at, effect.archive)} into ${pathWords(at, effect.folder)}`;
    case "git":
      return `git ${plain(at, effect.invocation.subcommand)}${effect.invocation.cwd === undefined ? "" : ` in ${shown(at, effect.invocation.cwd)}`}`;
    case "run":
      return `run ${plain(at, effect.name)}`;
    case "uncertain":
      return `not told: ${plain(at, effect.why)}${effect.partial ? " (part of the call was not read)" : ""}`;
  }
}

// ---- what is known of its files ----

function pathsOf(effects: readonly Effect[]): readonly string[] {
  const paths = new Set<string>();
  const ofSources = (sources: readonly Source[]): void => {
    for (const source of sources) if (source.from === "file" && source.file.path !== undefined) paths.add(source.file.path);
  };
  for (const effect of effects) {
    if (effect.kind === "show" || effect.kind === "write") ofSources(effect.sources);
    else if (effect.kind === "send" || effect.kind === "publish") for (const part of effect.parts) ofSources(part.sources);
    else if (effect.kind === "copy" && effect.file.path !== undefined) paths.add(effect.file.path);
  }
  return [...paths].slice(0, CHOSEN.explained_files);
}

function factsOf(at: Case): readonly FileFact[] {
  return pathsOf(at.effects).map((path) => ({ file: shown(at, path), fact: factOf(at, path) }));
}

function factOf(at: Case, path: string): string {
  const info = at.system.info(at.system.realPath(path) ?? path);
  if (info === undefined) return "is not there, so it proves nothing";
  if (info.kind === "folder") {
    const inside = at.files.within(path).filter(({ secrets }) => secrets.length > 0);
    return inside.length === 0 ? "a folder in which no secret file was found" : `a folder with ${inside.length} secret files`;
  }
  const look = at.files.look(path);
  if (look === undefined) return "cannot be read";
  const [first] = look.secrets;
  if (look.identified !== undefined) {
    const proven =
      look.identified.class === "PROVEN" ? `its content confirms it (${look.identified.proof})` : "which never blocks by itself";
    return `${look.identified.title}, ${proven}${first === undefined ? "" : `; ${valueWords(at, look.secrets.length, at.session.shortHash(first.value))}`}`;
  }
  if (first !== undefined) return `no credential file; holds ${first.title} (${first.kind}), hash ${at.session.shortHash(first.value)}`;
  return at.files.isKnownPlace(path) ? "a place for credentials, but its content is none" : "holds nothing that is recognised";
}

function valueWords(at: Case, count: number, hash: string): string {
  return count === 1 ? `1 value, hash ${hash}` : `${count} values, the first with hash ${hash}`;
}

/** Whether something that would be printed is known to hold a secret. */
function showsSecrets(at: Case): boolean {
  return at.effects.some(
    (effect) =>
      effect.kind === "show" &&
      effect.sources.some((source) =>
        source.from === "file"
          ? source.file.path !== undefined && at.files.within(source.file.path).some(({ secrets }) => secrets.length > 0)
          : source.from === "environment" || source.from === "credential command",
      ),
  );
}

// ---- what would change it ----

type Judged = (changed: Partial<Case>) => Judgement;

function changesOf(at: Case, judgement: Judgement, judged: Judged): readonly Change[] {
  const until = performance.now() + CHOSEN.explained_ms;
  const changes: Change[] = [];
  const attempt = (when: string, changed: Partial<Case>): void => {
    if (performance.now() > until || changes.length >= CHOSEN.explained_changes) return;
    const { decision } = judged(changed);
    if (isWeaker(decision, judgement.decision)) changes.push({ when, decision });
  };
  const matter = at.effects.filter((effect) => effect.kind !== "run" || at.effects.every(({ kind }) => kind === "run"));
  if (matter.length > 1) {
    for (const effect of matter)
      attempt(`without this: ${wordsOf(at, effect)}`, { effects: at.effects.filter((other) => other !== effect) });
  }
  const sends = at.effects.some(({ kind }) => kind === "send");
  if (sends) {
    const OWN: Destination = { kind: "web", host: "127.0.0.1", url: undefined };
    attempt("sent to a host of one's own", {
      effects: at.effects.map((effect) => (effect.kind === "send" ? { ...effect, destination: OWN } : effect)),
    });
    attempt("sent where a sign-in goes (an Authorization header, the tool's own login option), not as data", {
      effects: at.effects.map((effect) =>
        effect.kind === "send" ? { ...effect, parts: effect.parts.map((part) => ({ ...part, position: "credential" as const })) } : effect,
      ),
    });
  }
  for (const file of filesIn(judgement.findings)) {
    // What Git tells is seen from the top of the repository.
    const root = at.call.cwd === "" ? undefined : at.files.repositories.rootOf(`${at.call.cwd}/.`);
    const glob = file.startsWith("/") ? exactGlob(file) : root === undefined ? `**/${exactGlob(file)}` : exactGlob(`${root}/${file}`);
    const exclusions = [...at.policy.exclusions, glob];
    attempt(`with ${shown(at, file)} excluded, which the person can do: sudo poisonzero leak0 exclude add '${plain(at, glob)}'`, {
      policy: { ...at.policy, exclusions },
    });
  }
  return changes;
}

function isWeaker(one: Decision, other: Decision): boolean {
  return DECISIONS.indexOf(one) < DECISIONS.indexOf(other);
}

/** Files that findings stand on. */
function filesIn(findings: readonly Finding[]): readonly string[] {
  const files = findings.flatMap((finding) => {
    const evidence = "proof" in finding ? finding.proof.evidence : "evidence" in finding ? finding.evidence : undefined;
    return evidence?.file === undefined ? [] : [evidence.file];
  });
  return [...new Set(files)];
}
