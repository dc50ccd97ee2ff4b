/**
 * Route 2: secrets on their way out over the network, to tools and into publications (D-18).
 * The value decides together with the place it travels in and the destination's class.
 */
import type { Destination, Effect, Part, Source } from "../call/effect.ts";
import { Unfinished } from "../call/git/index.ts";
import { unsealed } from "../call/source.ts";
import {
  type OwnHosts,
  classify,
  hostOf,
  isSignInPoint,
  isVendor,
  ownHosts,
  type ThirdPartyClass,
  takesSecretInUrl,
} from "../destinations/index.ts";
import { isSecretFileName, mayBeSecret } from "../secrets/files/index.ts";
import { scan } from "../secrets/scan.ts";
import type { Finding, RuleClass } from "../verdict.ts";
import { type Carried, carried, ofFields, type Strength, strength } from "./carried.ts";
import { isThere } from "./copied.ts";
import { ask, block, evidenceOf, note, shown } from "./finding.ts";
import { behind } from "./hidden.ts";
import type { Case } from "./judgement.ts";
import { packing, packingOnly } from "./packing.ts";

/** An effect that takes data off this machine. */
export type Sending = Extract<Effect, { kind: "send" | "publish" }>;

/** Findings of every `send` and `publish` effect. */
export function sending(at: Case): readonly Finding[] {
  const sendings = at.effects.filter((effect): effect is Sending => effect.kind === "send" || effect.kind === "publish");
  const served = at.effects.filter((effect) => effect.kind === "serve");
  if (sendings.length + served.length === 0) return packingOnly(at);
  let own: OwnHosts | undefined;
  // The project's own hosts are read only once a secret travels.
  const lazyOwn = (): OwnHosts =>
    (own ??= ownHosts(
      at.call.cwd === "" ? undefined : at.files.repositories.rootOf(`${at.call.cwd}/.`),
      at.system,
      () => at.session.hosts,
    ));
  const tunnel = sendings.find(({ destination }) => destination.kind === "tunnel" && isForeign(destination, lazyOwn));
  return [
    ...sendings.flatMap((effect) => ofEffect(at, effect, lazyOwn)),
    ...served.flatMap((one) => ofServed(at, one, tunnel)),
    ...packingOnly(at),
  ];
}

/** A tunnel's far end that is not the user's own machine. */
function isForeign(destination: Destination, own: () => OwnHosts): boolean {
  return destination.host === undefined || classify(destination, own()).class === "third party";
}

/**
 * A web server over a folder: with a tunnel opened in the same call for everyone, otherwise for the network at most. Which
 * port the tunnel leads to is not proven, and a folder served at home is everyday work: what is in it is asked about.
 */
function ofServed(at: Case, served: Extract<Effect, { kind: "serve" }>, tunnel: Sending | undefined): readonly Finding[] {
  const folder = served.folder.path;
  if (folder === undefined || (!served.open && tunnel === undefined)) return [];
  const looks = [...at.files.within(folder), ...at.files.provenBelow(folder)].filter(({ identified }) => identified !== undefined);
  const look = looks.find(({ identified }) => identified?.class === "PROVEN") ?? (tunnel === undefined ? undefined : looks[0]);
  const secret = look?.identified?.secrets[0];
  if (look?.identified === undefined || secret === undefined) return [];
  const whom = tunnel === undefined ? "the network" : `the public (${tunnel.via})`;
  const words = {
    what: `serve ${shown(at, folder)} with ${look.identified.title} ${shown(at, look.path)} in it to ${whom}`,
    next: "Serve a folder that holds nothing but what is meant for others, or bind the server to 127.0.0.1.",
  };
  return [ask("leak0:secret_file_published", evidenceOf(at, secret, look.path), words)];
}

function ofEffect(at: Case, effect: Sending, own: () => OwnHosts): readonly Finding[] {
  const findings: Finding[] = [];
  for (const part of effect.parts) {
    findings.push(...ofPart(at, effect, part, own));
    const finding = ofHidden(at, effect, part, own) ?? ofGlob(at, effect, part, own);
    if (finding) findings.push(finding);
  }
  findings.push(...ofParts(at, effect, own));
  if (effect.packing !== undefined) findings.push(...packing(at, effect, effect.packing, own));
  return findings;
}

/** What the parts of one request say together: a value cut in pieces, each in a field of its own. */
function ofParts(at: Case, effect: Sending, own: () => OwnHosts): readonly Finding[] {
  const texts = effect.parts.map(({ sources }) => sources.flatMap((source) => (source.from === "text" ? [source.text] : [])));
  const filled = texts.filter(({ length }) => length > 0);
  if (filled.length < 2) return [];
  const part: Part = { position: "data", sources: [] };
  return ofFields(at, filled.flat()).flatMap((one) => asked(one, ofSecret(at, effect, part, one, own())));
}

function ofPart(at: Case, effect: Sending, whole: Part, own: () => OwnHosts): readonly Finding[] {
  const part = forWhom(at, effect, whole, own);
  const git = part.sources.some((source) => source.from === "git content" || source.from === "file");
  const place = !git ? undefined : effect.kind === "publish" ? "third party" : classify(effect.destination, own()).class;
  const abroad = place === "third party" || place === "public address" || place === "unknown";
  try {
    const findings = meant(effect, part, carried(at, part, abroad), own).flatMap((one) =>
      asked(one, ofSecret(at, effect, part, one, own())),
    );
    const isCut = part.sources.some((source) => source.from === "file" && at.files.isCutArchive(source.file.path ?? ""));
    return isCut && isSomebodyElse(effect, own) ? [...findings, unreadArchive(effect)] : findings;
  } catch (problem) {
    if (!(problem instanceof Unfinished)) throw problem;
    const known = carried(at, part).flatMap((one) => asked(one, ofSecret(at, effect, part, one, own())));
    // D-12: at an unknown host a repository's content is everyday work; to a stranger it is a question.
    return place === "unknown" ? known : [...known, unread(effect, problem.message)];
  }
}

/**
 * A program that signs in with something out of a file takes the one value that belongs there: where the file has one for this
 * service, that is it.
 */
function meant(effect: Sending, { position }: Part, all: readonly Carried[], own: () => OwnHosts): readonly Carried[] {
  if (position !== "credential" || all.length < 2) return all;
  const isHome = ({ secret }: Carried): boolean =>
    [secret.family, ...inEntry(secret)].some((family) => isSignInPoint(family, effect.destination, own()));
  const used = new Set(all.flatMap((one) => (one.look?.identified?.class === "QUESTION" && isHome(one) ? [one.look] : [])));
  return used.size === 0 ? all : all.filter(({ look }) => look === undefined || !used.has(look));
}

/** What is encrypted, now or by an earlier call, is nothing to the person's own places; whether a stranger has the key is not known. */
function forWhom(at: Case, effect: Sending, part: Part, own: () => OwnHosts): Part {
  const sealed = at.session.copies.filter((copy) => copy.sealed === true && isThere(copy, at));
  const isSealed = (source: Source): boolean =>
    source.from === "ciphertext" || (source.from === "file" && sealed.some(({ path }) => path === source.file.path));
  if (!part.sources.some(isSealed) || !isSomebodyElse(effect, own)) return part;
  const sources = part.sources.flatMap((source): readonly Source[] => {
    const copy = source.from === "file" ? sealed.find(({ path }) => path === source.file.path) : undefined;
    return copy === undefined ? [source] : [source, { from: "file", file: { written: copy.of, path: copy.of }, plain: false }];
  });
  return { ...part, sources: unsealed(sources) };
}

/** Neither the user's own machines and hosts nor a storage of theirs (L-032). */
function isSomebodyElse(effect: Sending, own: () => OwnHosts): boolean {
  if (effect.kind === "publish") return true;
  const { class: place } = classify(effect.destination, own());
  if (place === "unknown") return effect.destination.kind !== "remote shell" && effect.destination.kind !== "storage";
  return place === "third party" || place === "public address";
}

/** An archive goes to somebody else and could not be looked at to its end. */
function unreadArchive(effect: Sending): Finding {
  return {
    decision: "ask",
    rule: "leak0:call_unread",
    failClosed: "call not read to the end",
    what: `send an archive that holds more than can be looked at ${toWhom(effect.destination, effect.kind === "publish" ? effect.via : undefined)}`,
    next: "Send what is in it in smaller parts, or let the person decide.",
  };
}

/** What was found for one secret; a question at most where it lies among samples. */
function asked({ samples }: Carried, finding: Finding | undefined): readonly Finding[] {
  if (finding === undefined) return [];
  if (samples !== true || finding.decision !== "block" || !("proof" in finding)) return [finding];
  return [ask(finding.rule, finding.proof.evidence, { what: finding.what, next: finding.next })];
}

/** Repository content goes to a stranger and could not be looked at. */
function unread(effect: Sending, why: string): Finding {
  return {
    decision: "ask",
    rule: "leak0:git_unfinished",
    failClosed: "git check unfinished",
    what: `send content of a repository that could not be checked (${why}) ${toWhom(effect.destination, effect.kind === "publish" ? effect.via : undefined)}`,
    next: "Write the content to a file first, or let the person decide.",
  };
}

function ofSecret(at: Case, effect: Sending, part: Part, one: Carried, own: OwnHosts): Finding | undefined {
  const { secret, look } = one;
  const proof = strength(one);
  const classified = classify(effect.destination, own);
  const place = effect.kind === "publish" ? "third party" : classified.class;
  const plain = evidenceOf(at, secret, look?.path);
  // What a whole confirmed file proves is the file, not the single value.
  const evidence = one.wholeFile && look?.identified?.class === "PROVEN" ? { ...plain, kind: look.identified.proof } : plain;
  const thing = look?.identified
    ? `${look.identified.title} ${shown(at, look.path)}`
    : look
      ? `${secret.title} from ${shown(at, look.path)}`
      : secret.title;
  const target = toWhom(effect.destination, effect.kind === "publish" ? effect.via : undefined);
  const words = {
    what: `send ${thing} ${target}`,
    next: "Leave the value out, or let the tool read it from its own configuration; if this really has to be sent, ask the person to do it.",
  };
  const rule = ruleOf(effect, one, proof);

  // A webhook or bot URL is itself the secret: a request to it is its use.
  if (effect.kind === "send" && takesSecretInUrl(secret.family, effect.destination, secret.value)) return undefined;
  // What a tool signs in with at the very host its configuration names is used there.
  if (part.position === "credential" && look !== undefined && namesHost(look.text, effect.destination)) return undefined;
  // Clusters issue these themselves, and each is signed in to by its own.
  const ofCluster = /^(?:kubectl|oc|k)$/.test(effect.via) && /^(?:jwt|openshift)(?:-|$)/.test(secret.family);
  if (ofCluster && part.position === "credential" && (place === "unknown" || place === "own")) return undefined;
  // The key inside a credential file belongs where the file does.
  const family = secret.kind === "structure" && look?.identified?.class === "PROVEN" ? look.identified.id : secret.family;
  const families = [secret.family, family, ...inEntry(secret)];
  if (families.some((one) => isSignInPoint(one, effect.destination, own))) {
    if (part.position === "credential" || takesTokens(effect.destination)) return undefined;
    // Its own service's public places (a gist) are places for strangers to read; elsewhere there it never blocks (L-031).
    if (place !== "third party") return proof === undefined ? note(rule, evidence, words) : ask(rule, evidence, words);
  }
  switch (place) {
    case "reserved":
      return proof === undefined ? undefined : note(rule, evidence, words);
    case "own":
      // Repository content may claim any host as the project's own: a proven secret is asked about there.
      if (classified.claimed && proof !== undefined && part.position === "data") return ask(rule, evidence, words);
      return one.wholeFile && proof !== undefined && part.position === "data" ? ask(rule, evidence, words) : note(rule, evidence, words);
    case "third party":
    case "public address":
      // A value without known format never blocks by itself (D-19); every recognised one does, proven or not (D-18).
      if (secret.grade === "field" && proof === undefined) return ask(rule, evidence, words);
      return block(effect.kind === "publish" || proof === undefined ? rule : "leak0:third_party", "B4", evidence, words);
    case "unknown":
      if (effect.destination.kind === "remote shell" || effect.destination.kind === "storage") {
        if (effect.destination.secrets === true && !(one.wholeFile && proof !== undefined)) return undefined;
        return one.wholeFile && proof !== undefined ? ask(rule, evidence, words) : note(rule, evidence, words); // L-032
      }
      // What a history holds unproven is everyday work there (D-12).
      if (one.kept !== undefined && proof === undefined) return undefined;
      if (effect.destination.host === undefined && !NAMELESS.has(effect.destination.kind)) return ask(rule, evidence, words);
      if (part.position === "credential" || proof === undefined) return ask(rule, evidence, words);
      return block(rule, proof, evidence, words);
  }
}

/** Far ends that are known to be somebody else's without a name. */
const NAMELESS: ReadonlySet<Destination["kind"]> = new Set(["mcp", "search engine"]);

/** The families of a value that was found by the entry it stands in: `OPENAI_API_KEY=sk-…` of an environment file. */
function inEntry({ grade, value }: Carried["secret"]): readonly string[] {
  return grade === "field" ? scan(value).secrets.flatMap((inside) => (inside.value === value ? [inside.family] : [])) : [];
}

/** Whether a configuration names the destination's host, as a kubeconfig names its server. */
function namesHost(text: string, destination: Destination): boolean {
  const host = hostOf(destination);
  return (
    host !== undefined &&
    text
      .toLowerCase()
      .split(/[^\w.-]/)
      .includes(host)
  );
}

/** An OAuth token endpoint: keys, secrets and refresh tokens are handed over in the body there, by design. */
function takesTokens({ url }: Destination): boolean {
  return url !== undefined && /^https:\/\/[^/?#]{1,255}\/(?:[\w.~-]{1,100}\/){0,6}(?:access_)?token\/?(?:[?#]|$)/.test(url);
}

/**
 * Classes to which even one variable with a secret's name is a question. A chat hook or a vendor's API takes its own key
 * in the address or in a field (`…/bot$BOT_TOKEN/getMe`): there the name of a variable is no reason.
 */
const STRANGERS: ReadonlySet<string | undefined> = new Set([
  "paste site",
  "file drop",
  "request collector",
  "DNS log service",
  "tunnel",
] satisfies ThirdPartyClass[]);

/** Whether what is sent goes to a place where strangers collect it: no honest program signs in or reports there. */
export function isForStrangers(at: Case, { destination }: Sending): boolean {
  return STRANGERS.has(classify(destination, ownHosts(undefined, at.system)).listed);
}

/** Content that is known to be secret without being seen: stored credentials printed by a tool, the whole environment. */
function ofHidden(at: Case, effect: Sending, part: Part, own: () => OwnHosts): Finding | undefined {
  for (const source of part.sources) {
    const title = hiddenTitle(at, source);
    if (title === undefined) continue;
    const { class: place, listed } = classify(effect.destination, own());
    // `-H "Authorization: Bearer $(gh auth token)"` is how tokens are used, but nobody signs in at a request collector.
    if (part.position === "credential" && (title.what !== "one variable" || listed === "tunnel" || !STRANGERS.has(listed))) continue;
    const published = effect.kind === "publish";
    const matters = {
      "one variable": place === "public address" || STRANGERS.has(listed),
      "credential command":
        published || place === "third party" || place === "public address" || (place === "unknown" && isStranger(effect.destination)),
      "credential file": published || place === "third party" || place === "public address",
      "whole environment": published || (place !== "own" && place !== "reserved"),
    }[title.what];
    if (!matters) continue;
    const secret = {
      family: "environment",
      title: title.what === "credential command" ? title.text : "the environment",
      grade: "field",
      kind: "field",
      value: title.text,
      start: -1,
      end: -1,
    } as const;
    return ask("leak0:third_party", evidenceOf(at, secret), {
      what: `send ${title.text} ${toWhom(effect.destination, undefined)}`,
      next: "Send only what is needed, or ask the person.",
    });
  }
  return undefined;
}

/** `curl -T ~/.aws/cred*`: what only the shell knows proves nothing (L-109), but a stranger gets it only when the person says so. */
function ofGlob(at: Case, effect: Sending, part: Part, own: () => OwnHosts): Finding | undefined {
  const hidden = part.sources.flatMap((source) => (source.from === "file" && source.file.path === undefined ? [source.file.written] : []));
  if (hidden.length === 0) return undefined;
  const { class: place } = classify(effect.destination, own());
  if (effect.kind !== "publish" && place !== "third party" && place !== "public address") return undefined;
  const look = hidden.flatMap((written) => behind(at, written))[0];
  const secret = look?.identified?.secrets[0] ?? look?.secrets.find(({ grade }) => grade !== "field");
  if (look === undefined || secret === undefined) return undefined;
  return ask("leak0:third_party", evidenceOf(at, secret, look.path), {
    what: `send files by a pattern that fits ${shown(at, look.path)} ${toWhom(effect.destination, effect.kind === "publish" ? effect.via : undefined)}`,
    next: "Name the files that are to be sent.",
  });
}

/** A named host on the web that is no vendor's own (D-18: what is unproven is asked about at an unknown public host). */
function isStranger({ kind, host }: Destination): boolean {
  return (kind === "web" || kind === "socket") && host !== undefined && !isVendor(host);
}

interface HiddenTitle {
  readonly what: "one variable" | "credential command" | "credential file" | "whole environment";
  readonly text: string;
}

/** What a source stands for that is secret without having been seen; undefined for every other source. */
function hiddenTitle(at: Case, source: Source): HiddenTitle | undefined {
  if (source.from === "elsewhere" && source.file !== undefined) {
    // Another machine's credential file by the place it lies in there.
    const path = source.file.replace(/^(?:~|\/root|\/home\/[^/]{1,100})(?=\/)/, at.system.home);
    return isSecretFileName(path) || at.files.isKnownPlace(path)
      ? { what: "credential file", text: "a credential file of another machine" }
      : undefined;
  }
  if (source.from === "credential command") return { what: "credential command", text: `the output of ${source.command}` };
  if (source.from !== "environment") return undefined;
  if (source.name === undefined) return { what: "whole environment", text: "the whole environment" };
  return mayBeSecret(source.name) ? { what: "one variable", text: `the variable ${source.name}` } : undefined;
}

function ruleOf(effect: Sending, one: Carried, proof: Strength): RuleClass {
  const published = effect.kind === "publish";
  if (one.secret.kind === "hash match") return "leak0:known_value_sent";
  if (one.wholeFile && proof !== undefined) return published ? "leak0:credential_file_published" : "leak0:credential_file_sent";
  if (one.wholeFile) return published ? "leak0:secret_file_published" : "leak0:secret_file_sent";
  if (proof === "B2") return published ? "leak0:checksum_token_published" : "leak0:checksum_token_sent";
  if (proof === "B1") return published ? "leak0:credential_file_published" : "leak0:credential_file_sent";
  return "leak0:vendor_token_sent";
}

function toWhom(destination: Destination, publication: string | undefined): string {
  if (publication !== undefined) return `into a publication (${publication})`;
  if (destination.kind === "mcp") return `to the MCP tool ${printable(destination.tool ?? "")}`;
  if (destination.kind === "search engine") return "to a web search";
  if (destination.host === undefined) return "to a destination that cannot be worked out";
  if (destination.kind === "dns") return `to the name servers of ….${printable(destination.host.split(".").slice(-2).join("."))}`;
  return `to ${printable(destination.host)}`;
}

/** Host and tool names are the agent's text. A host can carry a secret in its labels, so of a long one only the tail is shown. */
function printable(name: string): string {
  if (scan(name).secrets.length > 0) return "a name that holds a secret";
  const plain = name.replace(/[^A-Za-z0-9._:/[\]-]/g, "?").slice(-100);
  const labels = plain.split(".");
  return labels.length <= 4 && labels.every((label) => label.length <= 24) ? plain : `….${labels.slice(-2).join(".").slice(-48)}`;
}
