/** The secrets a flow of bytes carries: from the files it comes from and from the text that stands in the call. */
import type { Part, PathRef, Selection, Source } from "../call/effect.ts";
import { printed, prints } from "../call/git/index.ts";
import { selector } from "../call/packing/selection.ts";
import { textOf } from "../call/packing/text.ts";
import { below, resolvePath } from "../call/path.ts";
import { CHOSEN } from "../limits.ts";
import { decode } from "../secrets/decode.ts";
import { fieldsTogether } from "../secrets/fields.ts";
import { isSecretFileName, secretsInText } from "../secrets/files/index.ts";
import { Joined } from "../secrets/joined.ts";
import { scan, scanDecoded } from "../secrets/scan.ts";
import type { Secret } from "../secrets/secret.ts";
import { splitKeys, stringsOf } from "../secrets/split-key.ts";
import { shownOf } from "./excerpt.ts";
import type { Files, Look } from "./files.ts";
import { type Case, worldOf } from "./judgement.ts";
import { perCall } from "./per-call.ts";
import { type Relaxation, relaxation } from "./places.ts";
import { ofArchivedRepository, ofRepository, repositoriesIn } from "./repositories.ts";
import { isSample, isSampleAt } from "./samples.ts";

/** One carried secret. */
export interface Carried {
  readonly secret: Secret;
  /** The file it comes from, when it comes from one. */
  readonly look: Look | undefined;
  /** A whole confirmed credential file travels, not only a value of it. */
  readonly wholeFile: boolean;
  /** It lies where samples belong (a test folder), or whether it travels is not known: a question at most. */
  readonly samples?: true;
  /** It is kept in the folder of a repository that travels. */
  readonly kept?: true;
}

/** How far a carried secret is proven: B1 content, a B2 token, a value seen earlier (B3), or nothing. */
export type Strength = "B1" | "B2" | "B3" | undefined;

/**
 * Secrets the sources carry. `text` sources are also looked at percent-, JSON- and base64-decoded. What Git prints is
 * looked up only when it leaves for somebody else (`abroad`), and so is what a repository's folder holds: that costs processes. Throws `Unfinished` when Git's content
 * cannot be found out.
 */
export function carried(at: Case, { sources, input }: Pick<Part, "sources" | "input">, abroad = false): readonly Carried[] {
  const texts = sources.flatMap((source) => (source.from === "text" ? [source.text] : []));
  return strongest([
    ...gathered(sources, texts.length).flatMap((source) => ofSource(at, source, abroad)),
    ...ofPieces(at, texts),
    ...ofFields(at, texts),
    ...(input === undefined ? [] : ofStructure(at, input)),
  ]);
}

/** Of very many texts the short ones are looked at together, each in a paragraph of its own: a look costs as much as a page of text. */
function gathered(sources: readonly Source[], texts: number): readonly Source[] {
  if (texts <= CHOSEN.single_texts) return sources;
  const short: string[] = [];
  const others = sources.filter((source) => {
    const isShort = source.from === "text" && source.text.length <= CHOSEN.single_text_chars;
    if (isShort && source.text.length >= SHORTEST_VALUE) short.push(source.text);
    return !isShort;
  });
  return [...others, { from: "text", text: short.join("\n\n"), plain: true }];
}

/** Shorter texts hold no value, whatever they are. */
const SHORTEST_VALUE = 8;

/** Of one value found in several ways the one that proves most. */
function strongest(all: readonly Carried[]): readonly Carried[] {
  if (all.length < 2) return all;
  const best = new Map<string, Carried>();
  for (const one of all) {
    const other = best.get(one.secret.value);
    if (other === undefined || rank(one) > rank(other)) best.set(one.secret.value, one);
  }
  return [...best.values()];
}

function rank(one: Carried): number {
  return strength(one) === undefined ? 0 : one.samples === true ? 1 : 2;
}

/** Tokens and values seen earlier that texts standing one behind the other make up together (`"ghp_" + "…"` in a program). */
function ofPieces(at: Case, texts: readonly string[]): readonly Carried[] {
  if (texts.length < 2) return [];
  const joined = new Joined(texts);
  const found = [...joined.tokens(), ...at.session.valuesIn(joined.text).secrets];
  return found.filter(({ value }) => !texts.some((text) => text.includes(value))).map(withoutPlace);
}

/** Tokens and values seen earlier that the values of several fields make up together; the fields of one request may be parts of it. */
export function ofFields(at: Case, texts: readonly string[]): readonly Carried[] {
  const together = fieldsTogether(texts);
  if (together === undefined) return [];
  const found = scan(together.rows).secrets.filter(({ grade }) => grade === "token");
  if (at.session.remembers) found.push(...at.session.valuesIn(`${together.rows}\n${together.pairs}`).secrets);
  if (found.length === 0) return [];
  // What stands in one text is found there.
  const alone = texts.map(lettersOf);
  return strongest(found.filter(({ value }) => !alone.some((text) => text.includes(lettersOf(value)))).map(withoutPlace));
}

function lettersOf(text: string): string {
  return text.replace(/[^\dA-Za-z]+/g, "");
}

/**
 * What a structured input holds beside its single texts: values whose names tell what they are, and what several of its
 * values make up together, in the order they are written or at the same place of like items.
 */
function ofStructure(at: Case, input: unknown): readonly Carried[] {
  const { lists, all } = stringsOf(input);
  const named = outlineOf(input, all);
  const unread = "a text in it holds too many places to check";
  const secrets = named === undefined ? [] : spelled(at, named, unread).secrets;
  return [
    ...(fillsForm(at) ? secrets.filter(({ family }) => family !== "env") : secrets).map(withoutPlace),
    ...splitKeys(input).map(withoutPlace),
    ...ofPieces(at, all),
    ...ofFields(at, all),
    ...lists.filter((list) => list.length < all.length).flatMap((list) => ofPieces(at, list)),
  ];
}

/** Fields of a page are filled in: a name beside a value is what the page calls the field, and passwords belong there. */
function fillsForm({ call }: Case): boolean {
  return call.action.kind === "mcp" && /(?:^|_)(?:fill|type|form)(?:_|$)/.test(call.action.tool);
}

/** The input as one text, without what is too long to be a value beside its name; undefined when that is still too much. */
function outlineOf(input: unknown, texts: readonly string[]): string | undefined {
  const isValue = (text: string): boolean => text.length <= CHOSEN.keyed_value_chars;
  const size = texts.reduce((sum, text) => sum + (isValue(text) ? text.length : 0), 0);
  if (texts.length > CHOSEN.outline_texts || size > CHOSEN.outline_chars) return undefined;
  return JSON.stringify(input, (_name, value: unknown) => (typeof value === "string" && !isValue(value) ? "" : value));
}

function withoutPlace(secret: Secret): Carried {
  return { secret: { ...secret, start: -1, end: -1 }, look: undefined, wholeFile: false };
}

function ofSource(at: Case, source: Source, abroad: boolean): readonly Carried[] {
  switch (source.from) {
    case "text":
      return spelled(at, source.text, "a text in it holds too many places to check").secrets.map((secret) => ({
        secret,
        look: undefined,
        wholeFile: false,
      }));
    case "file": {
      const { file, selection, lists, made } = source;
      if (made?.path !== undefined && at.system.info(made.path) !== undefined) return [];
      if (lists !== undefined) return listedIn(at, file, lists).flatMap((one) => ofSource(at, one, abroad));
      const named = file.path === undefined ? [] : at.files.within(file.path);
      const looks = abroad && file.path !== undefined ? [...named, ...at.files.provenBelow(file.path)] : named;
      const chosen = selection === undefined || looks.length === 0 ? looks : selectedOf(at, looks, file.path ?? "", selection);
      const found = chosen.flatMap((look) =>
        comingThrough(at, source, look, among(at, file.path, look, inMembers(look, [...ofLook(look), ...ofContent(at, look)]))),
      );
      if (source.maybe === true) return found.map((one) => ({ ...one, samples: true }));
      if (!abroad || file.path === undefined) return found;
      const packed = chosen.flatMap((look) => (look.archive === true ? inArchive(at, look.path) : []));
      const repositories = repositoriesIn(at, file.path, selection);
      return [...found, ...packed, ...repositories.flatMap((folder) => inRepository(at, folder))];
    }
    case "git content":
      return abroad ? ofGit(at, source.path) : [];
    default:
      return [];
  }
}

/** The files that the lines of a file name, as seen from a folder. */
function listedIn(at: Case, { path }: PathRef, folder: PathRef): readonly Source[] {
  const text = path === undefined ? undefined : textOf(path, at.system);
  const names = (text ?? "").split(/[\0\r\n]{1,2}/, CHOSEN.listed_files + 1);
  if (names.length > CHOSEN.listed_files) at.files.unread ??= "a list of files is too long";
  return names.slice(0, CHOSEN.listed_files).flatMap((name): readonly Source[] => {
    if (name === "") return [];
    // rsync takes even `/a` as seen from the folder, tar does not.
    const places = name.startsWith("/")
      ? [resolvePath(name, undefined, worldOf(at)), below(folder, name.slice(1))]
      : [resolvePath(name, folder.path, worldOf(at))];
    return places.map((file) => ({ from: "file", file, plain: false }));
  });
}

const inArchive = perCall(ofArchivedRepository);
const inRepository = perCall((at, folder): readonly Carried[] => [...ofRepository(at, folder)]);

/** Of what a file holds, what an excerpt of it lets through. */
function comingThrough(at: Case, source: Source, look: Look, held: readonly Carried[]): readonly Carried[] {
  if (source.from !== "file" || source.excerpt === undefined || held.length === 0) return held;
  const { excerpts } = knownOf(at);
  const ofFile = excerpts.get(look) ?? new Map<string, readonly Carried[]>();
  excerpts.set(look, ofFile);
  const key = JSON.stringify(source.excerpt);
  let shown = ofFile.get(key);
  if (shown === undefined) {
    at.files.work.spend(look.text.length);
    if (at.files.work.spent) at.files.unread ??= "it takes more parts of files than can be looked at";
    shown = at.files.work.spent ? [] : shownOf(source, look, held);
    ofFile.set(key, shown);
  }
  return shown;
}

/** The files below a folder that travel. */
function selectedOf(at: Case, looks: readonly Look[], folder: string, selection: Selection): readonly Look[] {
  const { selectors } = knownOf(at);
  const takes = selectors.get(selection) ?? selector(selection, at.system, at.files.work);
  selectors.set(selection, takes);
  const chosen = looks.filter(({ path }) => takes(path.slice(folder.length + 1)));
  if (at.files.work.spent) at.files.unread ??= "what it leaves out could not be worked out";
  return chosen;
}

interface Spelled {
  readonly secrets: readonly Secret[];
  readonly forms: readonly string[];
}

/** What was found out for one call already: a call may send the same thing a thousand times. */
class Known {
  readonly texts = new Map<string, Spelled>();
  readonly contents = new Map<Look, readonly Carried[]>();
  readonly excerpts = new Map<Look, Map<string, readonly Carried[]>>();
  readonly selectors = new Map<Selection, ReturnType<typeof selector>>();
  chars: number = CHOSEN.spelled_chars;
}

const known = new WeakMap<Files, Known>();

function knownOf(at: Case): Known {
  const one = known.get(at.files) ?? new Known();
  known.set(at.files, one);
  return one;
}

/** What a text holds in whatever spelling, values seen earlier included; and the text with everything it says decoded. */
function spelled(at: Case, text: string, unread: string): Spelled {
  const { texts } = knownOf(at);
  const one = texts.get(text) ?? lookedThrough(at, text, unread);
  texts.set(text, one);
  return one;
}

function lookedThrough(at: Case, text: string, unread: string): Spelled {
  const all = knownOf(at);
  all.chars -= text.length;
  if (all.chars < 0) {
    at.files.unread ??= "it sends more text than can be looked at";
    return { secrets: [], forms: [] };
  }
  at.session.prepare();
  const { secrets, forms, ...scanned } = scanDecoded(text);
  const layouts = forms.flatMap(secretsInText).filter((secret) => !secrets.some((other) => other.value.includes(secret.value)));
  const earlier = forms.map((form) => at.session.valuesIn(form));
  if (![scanned, ...earlier].every(({ complete }) => complete)) at.files.unread ??= unread;
  return { secrets: [...secrets, ...layouts, ...earlier.flatMap((seen) => seen.secrets)], forms };
}

/** What a file holds beside what its look tells: in other spellings, in an archive, values seen earlier. */
function ofContent(at: Case, look: Look): readonly Carried[] {
  const { contents } = knownOf(at);
  const one = contents.get(look) ?? contentOf(at, look);
  contents.set(look, one);
  return one;
}

function contentOf(at: Case, look: Look): readonly Carried[] {
  const bare = (secrets: readonly Secret[]) => secrets.map((secret) => ({ secret, look, wholeFile: false }));
  if (look.excluded) return bare(at.session.valuesIn(look.text).secrets);
  if (look.text.length > CHOSEN.spelled_file_chars) return [...bare(at.session.valuesIn(look.text).secrets), ...inArchiveFile(at, look)];
  const { secrets, forms } = spelled(at, look.text, "a file in it holds too many places to check");
  // A credential file in base64 is that file.
  const files = forms.slice(1, FORMS_MOST).map((form) => at.files.lookAt(look.path, form));
  return [
    ...bare(secrets),
    ...files.filter(({ identified }) => identified?.class === "PROVEN").flatMap((file) => ofLook(file)),
    ...inArchiveFile(at, look),
  ];
}

/** The members of an archive, each by its path in it. */
function inArchiveFile(at: Case, archive: Look): readonly Carried[] {
  return at.files.inside(archive).flatMap((look) => ofLook(look, relaxation(look.path.slice(1))));
}

/** What a member that is not packed any closer shows in the archive's own bytes is the member's. */
function inMembers(look: Look, held: readonly Carried[]): readonly Carried[] {
  if (look.archive !== true) return held;
  const inside = new Set(held.filter((one) => one.look !== look).map(({ secret }) => secret.value));
  return held.filter(({ secret, look: of }) => of !== look || secret.kind === "hash match" || !inside.has(secret.value));
}

/** A file of a folder that travels may be a sample in it; one that is named itself is meant. */
function among(at: Case, named: string | undefined, look: Look, held: readonly Carried[]): readonly Carried[] {
  if (look.path === named) return held;
  return held.map((one) => (one.look === look && isSample(at, one) ? { ...one, samples: true } : one));
}

/** Decoded forms of a file that are looked at as files. */
const FORMS_MOST = 9;

function ofLook(look: Look, relaxed?: Relaxation): readonly Carried[] {
  return look.secrets.map((secret) => {
    const one = { secret, look, wholeFile: look.identified?.secrets.includes(secret) === true };
    return isSampleAt(relaxed, one) ? { ...one, samples: true } : one;
  });
}

/** What the call's Git commands print. Which of them a flow comes from is told by the path they name, otherwise all count. */
function ofGit(at: Case, path: string | undefined): readonly Carried[] {
  const invocations = at.effects.flatMap((effect) => (effect.kind === "git" && prints(effect.invocation) ? [effect.invocation] : []));
  const naming = invocations.filter(({ args }) => path !== undefined && args.some(({ text }) => text.endsWith(path)));
  const mayBeSecret = (name: string): boolean => SECRET_FILE.test(name.slice(name.lastIndexOf("/") + 1)) || isSecretFileName(name);
  return printed(naming.length > 0 ? naming : invocations, mayBeSecret, at.system).flatMap((one) =>
    ofLook(at.files.lookAt(one.path, decode(one.bytes).text), relaxation(one.path)),
  );
}

/** Names of files that are looked into when a whole folder or repository leaves. */
export const SECRET_FILE =
  /^\.|^id_|credential|secret|token|passw|auth|\.(?:pem|key|p8|ppk|asc|env|json|ya?ml|toml|ini|conf|cfg|properties|xml)$/i;

/** What the secret proves where it travels (D-18, D-19). */
export function strength({ secret, look, wholeFile }: Carried): Strength {
  if (secret.grade === "token") return "B2";
  // A password without a known format is B1 only inside a confirmed file sent as a whole.
  if (wholeFile && look?.identified?.class === "PROVEN") return "B1";
  if (secret.kind === "hash match") return secret.grade === "credential" ? "B3" : undefined;
  if (secret.grade !== "credential") return undefined;
  return look === undefined || look.identified?.class === "PROVEN" || secret.kind === "structure" ? "B1" : undefined;
}
