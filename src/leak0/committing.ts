/**
 * Route 1: what Git would take in or send (L-034 … L-048, D-01). `call/git` says what that is; here it is judged.
 * A check that did not finish never lets the call through unasked (L-048).
 */
import type { Effect, Source } from "../call/effect.ts";
import { type Inspector, isBinary, type Pending, readableRuns, type Taken, type Taking, takes } from "../call/git/index.ts";
import { CHOSEN } from "../limits.ts";
import { archiveOf } from "../secrets/archive.ts";
import { decode } from "../secrets/decode.ts";
import { isSecretFileName, secretsInText } from "../secrets/files/index.ts";
import { scan } from "../secrets/scan.ts";
import type { Secret } from "../secrets/secret.ts";
import { type Finding, verdict, worse } from "../verdict.ts";
import { type Exemptible, EXEMPTION_FILE } from "../policy/exemptions.ts";
import { cleanContents } from "./clean.ts";
import { exemptionQuestion } from "./exempting.ts";
import { printedOf, showsSecret } from "./excerpt.ts";
import { ask, block, evidenceOf, note, shown, the } from "./finding.ts";
import type { Case } from "./judgement.ts";
import { relaxation } from "./places.ts";
import { otherwiseWritten } from "./written.ts";

type Git = Extract<Effect, { kind: "git" }>;

/** Findings of all git commands of a call, which build on each other. `shell` are command lines a shell alias stands for. */
export function committing(at: Case): { readonly findings: readonly Finding[]; readonly shell: readonly string[] } {
  const findings: Finding[] = [];
  const shell: string[] = [];
  const clean = new Map<string, ReturnType<typeof cleanContents>>();
  const inspector: Inspector = {
    look(taken, root) {
      let lowered = false;
      const repository: Home = {
        root,
        exempts(what) {
          const exempt = at.files.exemptions.has(root(), what);
          lowered ||= exempt;
          return exempt;
        },
      };
      const found = ofTaken(at, taken, repository).flatMap((finding): readonly Finding[] =>
        taken.unsure === true ? asQuestion(finding) : [finding],
      );
      findings.push(...found);
      // What only the list in HEAD leaves alone may count again tomorrow.
      return found.length === 0 && !lowered && at.files.unread === undefined;
    },
    clean(folder) {
      if (!clean.has(folder)) clean.set(folder, cleanContents(folder, at));
      return clean.get(folder);
    },
  };
  const all = takings(at, inspector);
  for (const contents of clean.values()) contents?.save();
  for (const taking of all) {
    if (taking.shell !== undefined) shell.push(taking.shell);
    if (taking.unfinished !== undefined) findings.push(unfinished(taking.unfinished));
  }
  return { findings, shell };
}

/** The same as a question at most. */
function asQuestion(finding: Finding): readonly Finding[] {
  if (finding.decision !== "block" || !("proof" in finding)) return [finding];
  const { proof, ...rest } = finding;
  return [{ ...rest, decision: "ask", evidence: proof.evidence }];
}

/** What each Git command of a call would take or send, in order. */
export function takings(at: Pick<Case, "effects" | "files" | "system">, inspector?: Inspector): readonly Taking[] {
  const invocations = at.effects.filter((effect): effect is Git => effect.kind === "git").map((effect) => effect.invocation);
  return invocations.length === 0 ? [] : takes(invocations, pending(at), at.system, inspector);
}

/** Files the same command line writes or removes, each with the number of Git commands that ran before. */
function pending(at: Pick<Case, "effects" | "files">): readonly Pending[] {
  let after = 0;
  const before: Pending[] = [];
  const next = (effect: Effect): readonly Pending[] => {
    switch (effect.kind) {
      case "git":
        after++;
        return [];
      case "copy": {
        const text = textOf(at, [{ from: "file", file: effect.file, plain: true }]);
        if (effect.to.path === undefined) return [];
        const coming = copied(before, effect.file.path, effect.to.path, after);
        if (coming.length > 0) return text === "" ? coming : [{ path: effect.to.path, text, after }, ...coming];
        if (text !== "") return [{ path: effect.to.path, text, after }];
        return isIgnoreFile(effect.to.path) ? [{ path: effect.to.path, text, after, unsure: true }] : [];
      }
      case "write": {
        if (effect.file.path === undefined) return [];
        // Only what is known whole replaces the file's content, as what is encrypted does; a program's output may leave anything.
        const known = effect.sources.every(
          ({ from, ...source }) => from === "text" || from === "ciphertext" || (from === "file" && "plain" in source && source.plain),
        );
        const printed = effect.sources.some(({ from }) => from === "git content");
        return [
          {
            path: effect.file.path,
            text: textOf(at, effect.sources),
            after,
            ...(known ? { append: effect.append } : {}),
            ...(isIgnoreFile(effect.file.path) && !effect.append && effect.sources.some(({ from }) => from !== "text")
              ? { unsure: true }
              : {}),
            ...(printed ? { printed } : {}),
          },
        ];
      }
      case "change":
        return changed(at, effect, after);
      default:
        return [];
    }
  };
  for (const effect of at.effects) before.push(...next(effect));
  return before;
}

/** What a copy of a file, or of a folder, takes along that the line itself wrote there before. */
function copied(before: readonly Pending[], from: string | undefined, to: string, after: number): readonly Pending[] {
  if (from === undefined) return [];
  return before.flatMap((file) => {
    if (!file.text || (file.path !== from && !file.path.startsWith(`${from}/`))) return [];
    const { append: _, ...rest } = file;
    const path = to + file.path.slice(from.length);
    return [{ ...rest, path, after, ...(isIgnoreFile(path) ? { unsure: true } : {}) }];
  });
}

/** A change in place, as far as it matters what is left: a removed file, and an ignore file, which may hide less afterwards. */
function changed(at: Pick<Case, "files">, { file: { path }, how, lines }: Extract<Effect, { kind: "change" }>, after: number): Pending[] {
  if (path === undefined || how === "permissions") return [];
  if (how === "remove") return [{ path, text: undefined, after }];
  if (!isIgnoreFile(path)) return [];
  if (how === "move") return [{ path, text: undefined, after }];
  if (how === "truncate") return [{ path, text: "", after, append: false }];
  const text = at.files.look(path)?.text ?? "";
  if (lines === undefined) return [{ path, text, after, unsure: true }];
  const left = text.split("\n").filter((line) => !lines.some((part) => line.includes(part)));
  return [{ path, text: left.join("\n"), after, append: false }];
}

const isIgnoreFile = (path: string): boolean => path.endsWith("/.gitignore");

/** What is known of a flow's text. */
function textOf(at: Pick<Case, "files">, sources: readonly Source[]): string {
  return sources
    .map((source) =>
      source.from === "text"
        ? source.text
        : source.from === "file" && source.file.path !== undefined && source.maybe !== true
          ? textOfFile(at, source, source.file.path)
          : "",
    )
    .join("\n");
}

/** The file's text: what comes through of it where that holds no secret. What a command made of one need not show it any more. */
function textOfFile(at: Pick<Case, "files">, source: Source, path: string): string {
  const look = at.files.look(path);
  if (look === undefined) return "";
  return showsSecret(source, look) ? look.text : printedOf(source, look);
}

/** The repository something is taken from; both questions may start Git. */
interface Home {
  readonly root: () => string | undefined;
  /** Whether its own list exempts a value (D-04). */
  readonly exempts: (what: Exemptible) => boolean;
}

function ofTaken(at: Case, taken: Taken, repository: Home): readonly Finding[] {
  const { path, bytes } = taken;
  if (path === EXEMPTION_FILE && (taken.where === "commit" || taken.where === "index"))
    return [exemptionQuestion(at, `commit ${EXEMPTION_FILE}, which from then on says what leak0 leaves alone in this repository`)];
  const archive = path === undefined || bytes === undefined ? undefined : archiveOf(bytes, at.files.room);
  if (path !== undefined && archive !== undefined) {
    const inside: Finding[] = [];
    // Each file in it counts as one of the repository, under the archive's path.
    for (const file of archive.files)
      inside.push(...ofText(at, taken, file.path === "" ? path : `${path}/${file.path}`, textOfBlob(file.bytes), repository));
    if (!archive.complete) inside.push(unfinished(`the archive ${shown(at, path)} holds more than can be looked at`));
    return [...ofName(at, taken, path), ...inside];
  }
  const text = taken.text ?? (bytes === undefined ? "" : textOfBlob(bytes));
  if (path !== undefined) return [...ofName(at, taken, path), ...ofText(at, taken, path, text, repository)];
  return ofMessage(at, taken, [text, textOf(at, taken.sources ?? [])].join("\n"));
}

function ofText(at: Case, taken: Taken, path: string, text: string, repository: Home): readonly Finding[] {
  return text === "" ? [] : ofBlob(at, taken, path, text, repository);
}

/** A run that is long enough for a token. */
const LONG_RUN = /[\w-]{20}/;

/** A name travels with the file. */
function ofName(at: Case, taken: Taken, path: string): readonly Finding[] {
  return LONG_RUN.test(path) ? ofMessage(at, taken, path) : [];
}

/** Text of a blob. Binary content that is no text in another encoding gives its readable parts only, and a NUL behind them. */
function textOfBlob(bytes: Uint8Array): string {
  // Without any readable part it still may be a copy of a secret file, which its path tells.
  if (isBinary(bytes) && decode(bytes.subarray(0, CHOSEN.git_sniff_bytes)).encoding === "latin1") return `${readableRuns(bytes)}\0`;
  return decode(bytes).text;
}

function ofMessage(at: Case, taken: Taken, text: string): readonly Finding[] {
  const place =
    taken.path !== undefined
      ? "the name of a file in Git"
      : taken.where === "push"
        ? "a pushed commit message"
        : taken.where === "tag message"
          ? "a tag message"
          : taken.where === "remote url"
            ? "a remote's URL"
            : taken.where === "config"
              ? "Git's configuration"
              : "a commit message";
  const local = taken.where === "remote url" || taken.where === "config";
  const scanned = scan(text);
  if (!scanned.complete) at.files.unread ??= "a message in it holds too many places to check";
  const plain = [...scanned.secrets, ...secretsInText(text)];
  const found = [...plain, ...otherwiseWritten(at.files, text, plain, "a message")];
  return [...found, ...seenEarlier(at, text, found)].flatMap((secret): Finding[] => {
    const evidence = evidenceOf(at, secret);
    const words = {
      what: `put ${secret.title} into ${place}`,
      next: "Write the message without the value; a published message cannot be taken back.",
    };
    // A token in a remote's URL is its own sign-in point; it stays in this machine's configuration (L-031).
    if (local)
      return [
        note("leak0:vendor_token_git", evidence, {
          ...words,
          next: "Prefer a credential helper: a URL with a token is printed by many git commands.",
        }),
      ];
    if (secret.kind === "hash match" && isProof(secret)) return [block("leak0:known_value_git", "B3", evidence, words)];
    if (secret.grade === "token")
      return [block(taken.where === "push" ? "leak0:checksum_token_push" : "leak0:checksum_token_commit", "B2", evidence, words)];
    if (secret.grade === "credential") return [block("leak0:credential_file_git", "B1", evidence, words)];
    return secret.grade === "vendor" ? [ask("leak0:vendor_token_git", evidence, words)] : [];
  });
}

function ofBlob(at: Case, taken: Taken, path: string, text: string, repository: Home): readonly Finding[] {
  // A staged link stands for the file it points to (L-017).
  // Where a copy of a secret file was made, and where the administrator's lists look, its place on disk tells it.
  const { exclusions, secretFiles } = at.policy;
  const named = at.session.copies.length + exclusions.length + secretFiles.length > 0 && taken.link === undefined;
  const root = named ? repository.root() : undefined;
  const look = at.files.lookAt(taken.link ?? path, text, root === undefined ? undefined : `${root}/${path}`);
  const relaxed = relaxation(path);
  const verb = taken.where === "push" ? "push" : taken.where === "stash" ? "stash" : "commit";
  const findings: Finding[] = [];
  const file = look.identified?.secrets[0];
  if (look.identified && file !== undefined) {
    const evidence = {
      ...evidenceOf(at, file, path),
      title: look.identified.title,
      kind: look.identified.class === "PROVEN" ? look.identified.proof : file.kind,
    };
    const words = {
      what: `${verb} ${the(look.identified.title)} ${shown(at, path)}`,
      next:
        taken.where === "push"
          ? `Take ${shown(at, path)} out of the commits that are pushed (git rm --cached, git commit --amend or a rebase) or let the person decide.`
          : `Leave ${shown(at, path)} out (add it to .gitignore, git restore --staged) or let the person decide.`,
    };
    if (look.identified.class === "PROVEN" && relaxed !== "test") findings.push(block("leak0:credential_file_git", "B1", evidence, words));
    else {
      const rule = look.identified.class === "PROVEN" ? "leak0:credential_file_git" : "leak0:secret_file_git";
      // Every value of it has to be one that is left alone.
      const exempt = look.identified.secrets.every(({ value }) => repository.exempts({ path, rule, value }));
      if (!exempt) findings.push(ask(rule, evidence, words));
    }
  }
  const whole = verdict(findings);
  const known = look.excluded === true ? [] : [...look.secrets, ...otherwiseWritten(at.files, text, look.secrets, "Git content")];
  for (const secret of [...known, ...seenEarlier(at, text, known)]) {
    if (look.identified?.secrets.includes(secret)) continue;
    const finding = ofValue(at, taken, path, secret, relaxed, isSecretFileName(path));
    // A value adds something only where it is judged more strictly than the file it stands in.
    if (!finding || worse(whole, finding.decision) === whole || isLeftAlone(finding, { path, value: secret.value }, repository)) continue;
    findings.push(finding);
  }
  return findings;
}

/** D-04: the repository's own list exempts it; what B1 blocks is never exempt. */
function isLeftAlone(finding: Finding, { path, value }: { path: string; value: string }, repository: Home): boolean {
  if ("proof" in finding && finding.proof.name !== "B2") return false;
  return repository.exempts({ path, rule: finding.rule, value });
}

function ofValue(
  at: Case,
  taken: Taken,
  path: string,
  secret: Secret,
  relaxed: ReturnType<typeof relaxation>,
  secretFile: boolean,
): Finding | undefined {
  const evidence = evidenceOf(at, secret, path);
  const verb = taken.where === "push" ? "push" : "commit";
  const words = {
    what: `${verb} ${secret.title} in ${shown(at, path)}`,
    next: `Take the value out of ${shown(at, path)} and read it from the environment; if it was ever published, it has to be renewed.`,
  };
  if (secret.grade === "field") return undefined;
  // A stash stays here; only a file that is a secret as a whole is worth a question.
  if (taken.where === "stash")
    return note("leak0:vendor_token_git", evidence, { ...words, what: `stash ${secret.title} in ${shown(at, path)}` });
  // L-033: a .env never blocks, whatever stands in it; it is asked about as a file.
  if (secretFile) return ask("leak0:secret_file_git", evidence, words);
  if (secret.kind === "hash match" && isProof(secret))
    return relaxed === "test" ? ask("leak0:known_value_git", evidence, words) : block("leak0:known_value_git", "B3", evidence, words);
  if (secret.grade === "token") {
    if (relaxed !== undefined) return ask("leak0:checksum_token_commit", evidence, words); // L-036, L-113
    return block(taken.where === "push" ? "leak0:checksum_token_push" : "leak0:checksum_token_commit", "B2", evidence, words);
  }
  if (secret.grade === "credential") {
    if (relaxed === "test") return ask("leak0:credential_file_git", evidence, words);
    return block("leak0:credential_file_git", "B1", evidence, words);
  }
  // D-01: pushed content with a vendor token is a Git question; samples in tests and docs are the everyday case of those formats.
  if (relaxed !== undefined) return undefined;
  // What is committed and pushed in one line is taken where it is committed.
  const leaves = taken.where === "push" || pushes(at);
  return (leaves ? ask : note)("leak0:vendor_token_git", evidence, words);
}

function pushes(at: Case): boolean {
  return at.effects.some(
    (effect) =>
      effect.kind === "git" &&
      effect.invocation.subcommand === "push" &&
      !effect.invocation.args.some(({ text }) => text === "-n" || text === "--dry-run"),
  );
}

/** Values seen earlier in the session that stand in a text beside what is known of it (B3). */
function seenEarlier(at: Case, text: string, found: readonly Secret[]): readonly Secret[] {
  const { secrets, complete } = at.session.valuesIn(text);
  if (!complete) at.files.unread ??= "Git content in it holds too many places to check";
  return secrets.filter(({ value }) => !found.some((other) => other.value.includes(value)));
}

/** What B3 proves: values of confirmed credential files and tokens with a checksum (D-19). */
function isProof({ grade }: Secret): boolean {
  return grade === "token" || grade === "credential";
}

/** A Git command that could not be checked: never silence (L-048). */
export function unfinished(why: string): Finding {
  return {
    decision: "ask",
    rule: "leak0:git_unfinished",
    failClosed: "git check unfinished",
    what: `run a Git command that could not be checked to the end (${why})`,
    next: "Try again with fewer files at once, or let the person decide.",
  };
}
