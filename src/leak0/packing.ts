/**
 * Route 1, packages: what a publishing command would make of a folder and send (L-042 … L-048, D-18), with the file named.
 * `call/packing` says which files that are; here they are judged as Git's are, since a package is read by strangers as a
 * pushed repository is. Packing without sending is a note (D-29).
 */
import type { Destination, Effect, Packing } from "../call/effect.ts";
import { isBinary, readableRuns } from "../call/git/index.ts";
import { asLeft, type Packed, packed } from "../call/packing/index.ts";
import { classify, type OwnHosts } from "../destinations/index.ts";
import { CHOSEN } from "../limits.ts";
import { archiveOf } from "../secrets/archive.ts";
import { decode } from "../secrets/decode.ts";
import { isSecretFileName } from "../secrets/files/index.ts";
import { scan } from "../secrets/scan.ts";
import type { Secret } from "../secrets/secret.ts";
import type { Finding } from "../verdict.ts";
import type { Look } from "./files.ts";
import { ask, block, evidenceOf, note, shown, the, type Words } from "./finding.ts";
import { builtFrom } from "./images.ts";
import type { Case } from "./judgement.ts";
import { relaxation } from "./places.ts";
import type { Sending } from "./sending.ts";
import { otherwiseWritten } from "./written.ts";

/** Who can read it: everybody, invited people only, people of the own house. */
type Audience = "public" | "invited" | "own" | "nobody";

/** Findings of a sent or published folder. */
export function packing(at: Case, effect: Sending, what: Packing, own: () => OwnHosts): readonly Finding[] {
  const verb = effect.kind === "publish" ? "publish" : "send";
  return onBothDisks(at, effect, (here) =>
    builtFrom(what, at.session)
      .flatMap((from) => packed(from, here.system, at.files.work))
      .flatMap((one) => judged(here, one, audience(effect, one, own()), (thing) => `${verb} ${thing} (${effect.via})`)),
  );
}

/** Findings of what is packed and stays here. */
export function packingOnly(at: Case): readonly Finding[] {
  return at.effects.flatMap((effect) =>
    effect.kind === "pack"
      ? onBothDisks(at, effect, (here) =>
          packed(effect.packing, here.system, at.files.work).flatMap((one) =>
            judged(here, one, "nobody", (thing) => `pack ${thing} (${effect.via})`),
          ),
        )
      : [],
  );
}

/** What following one earlier command costs, as characters of a pattern. */
const EFFECT_WORK = 100;

/**
 * The disk as the call's earlier commands leave it decides. They may not run, or fail: what would be blocked without them
 * is then still a question.
 */
function onBothDisks(at: Case, effect: Effect, judge: (here: Case) => readonly Finding[]): readonly Finding[] {
  const before = at.effects.slice(0, at.effects.indexOf(effect));
  at.files.work.spend(EFFECT_WORK * before.length);
  const system = asLeft(before, at.system);
  if (system === undefined) return judge(at);
  const after = judge({ ...at, system });
  const told = new Set(after.map(({ what }) => what));
  const asItIs = judge(at).flatMap((finding): readonly Finding[] =>
    finding.decision === "block" && "proof" in finding && !told.has(finding.what)
      ? [ask(finding.rule, finding.proof.evidence, { what: finding.what, next: finding.next })]
      : [],
  );
  return [...after, ...asItIs];
}

function audience(effect: Sending, one: Packed, own: OwnHosts): Audience {
  if (effect.kind === "send") return place(effect.destination, own);
  // The project's own configuration sends it elsewhere; a command that names a registry itself is no `publish`.
  if (one.registry !== undefined && !isPublicRegistry(one.registry)) return "own";
  return one.restricted === true ? "invited" : "public";
}

function place(destination: Destination, own: OwnHosts): Audience {
  switch (classify(destination, own).class) {
    case "third party":
    case "public address":
      return "public";
    case "unknown":
      return "invited";
    default:
      return "own";
  }
}

/** Registries from which anybody may take what is in them. */
export function isPublicRegistry(url: string): boolean {
  return /^(?:https?:)?(?:\/\/)?(?:registry\.)?(?:npm(?:js\.(?:org|com)|mirror\.com)|yarnpkg\.com|npm\.jsr\.io|bun\.sh)(?:[:/]|$)/i.test(
    url,
  );
}

/** Pictures, fonts, programs: what no text is holds no secret that a scan would find. */
const NO_TEXT = /\.(?:png|jpe?g|gif|webp|avif|ico|woff2?|ttf|otf|eot|mp[34]|webm|mov|pdf|wasm|so|dylib|dll|node|exe|bin|a|o|pyc|class)$/i;

const CONFIGURATION = /(?:^|\/)\.[^/]{1,200}$|\.(?:json|ya?ml|toml|ini|conf|cfg|properties|xml|env)$/i;

/** Files whose findings are told. */
const TOLD_MAX = 100;

function judged(at: Case, one: Packed, audience: Audience, doing: (thing: string) => string): readonly Finding[] {
  const findings: Finding[] = [];
  const quiet = one.image === true && (audience === "nobody" || (audience === "own" && one.files.every(({ surely }) => !surely)));
  let unread = one.cut;
  at.session.prepare();
  for (const { relative, surely } of one.files) {
    if (findings.length >= TOLD_MAX) break;
    const path = relative.startsWith("/") ? relative : `${one.folder}/${relative}`;
    if (NO_TEXT.test(relative)) continue;
    if (at.files.packed_bytes <= 0 || at.system.left_ms() < CHOSEN.answer_ms) {
      unread = true;
      break;
    }
    const file = at.system.read(path, Math.min(at.files.packed_bytes, CHOSEN.packed_file_bytes));
    if (file === undefined) continue;
    at.files.packed_bytes -= file.bytes.length;
    const archive = archiveOf(file.bytes, at.files.room);
    for (const part of archive?.files ?? [{ path: "", bytes: file.bytes }]) {
      if (part.bytes !== file.bytes) at.files.packed_bytes -= part.bytes.length;
      if (at.files.packed_bytes <= 0 || at.system.left_ms() < CHOSEN.answer_ms) {
        unread = true;
        break;
      }
      const inside = part.bytes !== file.bytes;
      // Of an archive only text is looked at: what it was compiled from is elsewhere.
      if (NO_TEXT.test(part.path) || (inside && isBinary(part.bytes))) continue;
      const look = at.files.lookAt(part.path === "" ? path : `${path}/${part.path}`, textOf(part.bytes));
      findings.push(...ofFile(at, look, part.path === "" ? relative : part.path, { audience, surely, quiet, doing }));
    }
    if (archive?.complete === false) unread = true;
  }
  findings.push(...ofText(at, one.text ?? "", audience, doing));
  if (unread && audience !== "nobody") findings.push(unfinished(doing));
  return findings;
}

function textOf(bytes: Uint8Array): string {
  if (isBinary(bytes) && decode(bytes.subarray(0, CHOSEN.git_sniff_bytes)).encoding === "latin1")
    return readableRuns(bytes.subarray(0, CHOSEN.git_binary_bytes));
  return decode(bytes).text;
}

interface Circumstances {
  readonly audience: Audience;
  readonly surely: boolean;
  /** Only what is proven is told: an image that stays here, or one pushed to an own registry that nobody saw being built. */
  readonly quiet: boolean;
  readonly doing: (thing: string) => string;
}

function ofFile(at: Case, look: Look, relative: string, given: Circumstances): readonly Finding[] {
  const relaxed = relaxation(relative);
  const name = shown(at, look.path);
  const next = `Keep ${name} out of it (a list of files, an ignore file) and check with a dry run.`;
  const file = look.identified?.secrets[0];
  if (look.identified && file !== undefined) {
    const proven = look.identified.class === "PROVEN";
    if (given.quiet && !proven) return [];
    const evidence = { ...evidenceOf(at, file, look.path), title: look.identified.title, kind: proven ? look.identified.proof : file.kind };
    const words = { what: given.doing(`${the(look.identified.title)} ${name}`), next };
    return [
      finding(
        given,
        proven,
        relaxed === "test",
        proven ? "leak0:credential_file_published" : "leak0:secret_file_published",
        evidence,
        words,
      ),
    ];
  }
  // Code and its remarks are full of sample addresses; in a configuration file an address with a password is one that is used.
  const held = look.excluded === true ? [] : [...look.secrets, ...otherwiseWritten(at.files, look.text, look.secrets, "a packed file")];
  const secret = strongest(CONFIGURATION.test(relative) ? held : held.filter(({ family }) => family !== "uri-password"));
  const earlier =
    secret === undefined || secret.grade === "vendor"
      ? ofEarlier(at, look, given, { what: given.doing(`a value seen earlier in ${name}`), next })
      : [];
  if (secret === undefined || earlier.length > 0) return earlier;
  const evidence = evidenceOf(at, secret, look.path);
  const words = { what: given.doing(`${secret.title} in ${name}`), next };
  if (isSecretFileName(relative)) return given.quiet ? [] : [finding(given, false, false, "leak0:secret_file_published", evidence, words)];
  // A value in a file that stays in the own house is noted (D-18); a whole credential file was asked about above.
  if (given.audience === "own") return secret.grade === "vendor" ? [] : [note("leak0:checksum_token_published", evidence, words)];
  if (secret.grade === "token") return [finding(given, true, relaxed !== undefined, "leak0:checksum_token_published", evidence, words)];
  if (secret.grade === "credential") return [finding(given, true, relaxed === "test", "leak0:credential_file_published", evidence, words)];
  // D-01: a format without a proof is a question, except as a sample, as a key that browsers are given, or inside the own house.
  if (relaxed !== undefined || secret.value.startsWith("AIza") || given.audience === "nobody") return [];
  return [ask("leak0:vendor_token_sent", evidence, words)];
}

/** A value of a credential file that this session has seen (B3); one without a known format never blocks by itself (D-19). */
function ofEarlier(at: Case, look: Look, given: Circumstances, words: Words): readonly Finding[] {
  const seen = at.session.valuesIn(look.text).secrets.find(({ grade }) => grade === "token" || grade === "credential");
  return seen === undefined ? [] : [finding(given, true, false, "leak0:known_value_sent", evidenceOf(at, seen, look.path), words)];
}

/** The one that is judged most strictly; a value that only its field names is none. */
function strongest(secrets: readonly Secret[]): Secret | undefined {
  return (["token", "credential", "vendor"] as const)
    .map((grade) => secrets.find((one) => one.grade === grade))
    .find((one) => one !== undefined);
}

function finding(
  { audience, surely }: Pick<Circumstances, "audience" | "surely">,
  proven: boolean,
  relaxed: boolean,
  rule: Parameters<typeof ask>[0],
  evidence: Parameters<typeof ask>[1],
  words: Parameters<typeof ask>[2],
): Finding {
  if (audience === "nobody" || (audience === "own" && !proven)) return note(rule, evidence, words);
  return proven && surely && !relaxed && audience === "public" ? block(rule, "B4", evidence, words) : ask(rule, evidence, words);
}

/** Values that stand in a Dockerfile: anybody who has the image can read them. */
function ofText(at: Case, text: string, audience: Audience, doing: Circumstances["doing"]): readonly Finding[] {
  const secret = text === "" ? undefined : strongest(scan(text).secrets);
  if (secret === undefined) return [];
  const evidence = evidenceOf(at, secret);
  const words = {
    what: doing(`${secret.title} in the Dockerfile`),
    next: "Give it to the build as a secret (--secret), which no layer keeps.",
  };
  const proven = secret.grade === "token" || secret.grade === "credential";
  return [finding({ audience, surely: true }, proven, false, "leak0:checksum_token_published", evidence, words)];
}

function unfinished(doing: (thing: string) => string): Finding {
  return {
    decision: "ask",
    rule: "leak0:call_unread",
    failClosed: "call not read to the end",
    what: doing("a folder that is too large to be checked to the end"),
    next: "Name the files that belong into it, or let the person decide.",
  };
}
