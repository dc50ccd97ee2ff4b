/**
 * Route 2: secrets on their way out over the network, to tools and into publications (D-18).
 * The value decides together with the place it travels in and the destination's class.
 */
import type { Destination, Effect, Part } from "../call/effect.ts";
import { type OwnHosts, classify, isSignInPoint, ownHosts, takesSecretInUrl } from "../destinations/index.ts";
import type { Finding, RuleClass } from "../verdict.ts";
import { type Carried, type Strength, carried, strength } from "./carried.ts";
import { ask, block, evidenceOf, note, shown } from "./finding.ts";
import type { Case } from "./judgement.ts";

type Sending = Extract<Effect, { kind: "send" | "publish" }>;

/** Findings of every `send` and `publish` effect. */
export function sending(at: Case): readonly Finding[] {
  const sendings = at.effects.filter((effect): effect is Sending => effect.kind === "send" || effect.kind === "publish");
  if (sendings.length === 0) return [];
  let own: OwnHosts | undefined;
  // The project's own hosts are read only once a secret travels.
  const lazyOwn = (): OwnHosts =>
    (own ??= ownHosts(at.call.cwd === "" ? undefined : at.files.repositories.rootOf(`${at.call.cwd}/.`), at.system));
  return sendings.flatMap((effect) => ofEffect(at, effect, lazyOwn));
}

function ofEffect(at: Case, effect: Sending, own: () => OwnHosts): readonly Finding[] {
  const findings: Finding[] = [];
  for (const part of effect.parts) {
    for (const one of carried(at, part.sources)) {
      const finding = ofSecret(at, effect, part, one, own());
      if (finding) findings.push(finding);
    }
    const finding = ofHidden(at, effect, part, own);
    if (finding) findings.push(finding);
  }
  if (effect.kind === "publish" && effect.folder?.path !== undefined) findings.push(...ofFolder(at, effect, effect.folder.path));
  return findings;
}

function ofSecret(at: Case, effect: Sending, part: Part, one: Carried, own: OwnHosts): Finding | undefined {
  const { secret, look } = one;
  const proof = strength(one);
  const classified = classify(effect.destination, own);
  const place = effect.kind === "publish" ? "third party" : classified.class;
  const evidence = evidenceOf(at, secret, look?.path);
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
  if (effect.kind === "send" && isSignInPoint(secret.family, effect.destination, own)) {
    if (part.position === "credential") return undefined;
    // Its own service's public places (a gist) are places for strangers to read; elsewhere there it never blocks (L-031).
    if (place !== "third party") return proof === undefined ? note(rule, evidence, words) : ask(rule, evidence, words);
  }
  switch (place) {
    case "reserved":
      return proof === undefined ? undefined : note(rule, evidence, words);
    case "own":
      // Repository content may claim any host as the project's own: a proven secret is asked about there.
      if (classified.claimed && proof !== undefined && part.position === "data") return ask(rule, evidence, words);
      return one.wholeFile && proof !== undefined ? ask(rule, evidence, words) : note(rule, evidence, words);
    case "third party":
    case "public address":
      // A value without known format never blocks by itself (D-19); every recognised one does, proven or not (D-18).
      if (secret.grade === "field") return ask(rule, evidence, words);
      return block(effect.kind === "publish" || proof === undefined ? rule : "leak0:third_party", "B4", evidence, words);
    case "unknown":
      if (effect.destination.kind === "remote shell" || effect.destination.kind === "storage") {
        return one.wholeFile && proof !== undefined ? ask(rule, evidence, words) : note(rule, evidence, words); // L-032
      }
      if (effect.destination.host === undefined && effect.destination.kind !== "mcp") return ask(rule, evidence, words);
      if (part.position === "credential" || proof === undefined) return ask(rule, evidence, words);
      return block(rule, proof, evidence, words);
  }
}

/** Content that is known to be secret without being seen: stored credentials printed by a tool, the whole environment. */
function ofHidden(at: Case, effect: Sending, part: Part, own: () => OwnHosts): Finding | undefined {
  for (const source of part.sources) {
    const printed = source.from === "credential command" ? source.command : undefined;
    const environment = source.from === "environment" && (source.name === undefined || isSecretName(source.name));
    if (printed === undefined && !environment) continue;
    if (part.position === "credential") continue; // `-H "Authorization: Bearer $(gh auth token)"` is how tokens are used
    const place = effect.kind === "publish" ? "third party" : classify(effect.destination, own()).class;
    const whole = source.from === "environment" && source.name === undefined;
    if (place !== "third party" && place !== "public address" && !(whole && place === "unknown")) continue;
    const secret = {
      family: "environment",
      title: printed ?? "the environment",
      grade: "field",
      kind: "field",
      value: printed ?? "environment",
      start: -1,
      end: -1,
    } as const;
    return ask("leak0:third_party", evidenceOf(at, secret), {
      what: `send ${printed === undefined ? (whole ? "the whole environment" : `the variable ${source.from === "environment" ? source.name : ""}`) : `the output of ${printed}`} ${toWhom(effect.destination, undefined)}`,
      next: "Send only what is needed, or ask the person.",
    });
  }
  return undefined;
}

const SECRET_NAME = /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PWD|APIKEY|KEY|CREDENTIALS?|AUTH|DSN)(?:$|_)/i;

/** P-033: by name alone; the value is never read. */
function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !/_(?:COUNT|LENGTH|ENABLED|PATH|FILE|DIR|URL|NAME|ID)$/i.test(name) && !/PUBLIC/i.test(name);
}

/** A publication packs a folder: secret files in its top level are a question until the exact file set is known. */
function ofFolder(at: Case, effect: Sending, folder: string): readonly Finding[] {
  const findings: Finding[] = [];
  for (const name of at.system.list(folder)) {
    const path = `${folder}/${name}`;
    if (!name.startsWith(".env") && !at.files.isKnownPlace(path)) continue;
    const look = at.files.look(path);
    const secret = look?.secrets[0];
    if (!look || secret === undefined) continue;
    findings.push(
      ask("leak0:secret_file_published", evidenceOf(at, secret, path), {
        what: `publish a folder that holds ${shown(at, path)} (${effect.via})`,
        next: `Check with a dry run that ${shown(at, path)} is not packed (a "files" list or an ignore file), then ask the person.`,
      }),
    );
  }
  return findings;
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
  if (destination.host === undefined) return "to a destination that cannot be worked out";
  if (destination.kind === "dns") return `to the name servers of ….${printable(destination.host.split(".").slice(-2).join("."))}`;
  return `to ${printable(destination.host)}`;
}

/** Host and tool names are the agent's text. A host can carry a secret in its labels, so of a long one only the tail is shown. */
function printable(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._:/[\]-]/g, "?").slice(-100);
  const labels = plain.split(".");
  return labels.length <= 4 && labels.every((label) => label.length <= 24) ? plain : `….${labels.slice(-2).join(".").slice(-48)}`;
}
