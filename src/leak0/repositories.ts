/**
 * A repository's own folder on its way out, as it is or in an archive: with it goes all that was ever committed, as with a
 * bundle. Only asked where it goes to somebody else; a backup at home is everyday work.
 *
 * Trust: folder and archive may be anybody's; Git lists and prints, nothing of the repository is started.
 */
import type { Selection } from "../call/effect.ts";
import { isBinary, isRepositoryFolder, kept, readableRuns, Unfinished } from "../call/git/index.ts";
import { selector } from "../call/packing/selection.ts";
import { CHOSEN } from "../limits.ts";
import { decode } from "../secrets/decode.ts";
import { gitObjects } from "../secrets/git-objects.ts";
import type { Carried } from "./carried.ts";
import { cleanContents } from "./clean.ts";
import type { Look } from "./files.ts";
import type { Case } from "./judgement.ts";
import { relaxation } from "./places.ts";
import { isSampleAt } from "./samples.ts";

/** Repositories below one folder that are looked at. */
const REPOSITORIES_MOST = 8;

/** The repository folders that travel with a folder: itself, its `.git`, and those of the folders in it. */
export function repositoriesIn(at: Case, path: string, selection: Selection | undefined): readonly string[] {
  const { system } = at;
  if (system.info(system.realPath(path) ?? path)?.kind !== "folder") return [];
  const takes = selection && selector(selection, system, at.files.work);
  const travels = (folder: string): boolean =>
    isRepositoryFolder(folder, system) && takes?.(`${folder.slice(path.length + 1)}/objects/pack`.replace(/^\//, "")) !== false;
  if (travels(path)) return [path];
  const below = [path, ...system.list(path).map((name) => `${path}/${name}`)];
  return below
    .slice(0, CHOSEN.folder_entries)
    .map((folder) => `${folder}/.git`)
    .filter(travels)
    .slice(0, REPOSITORIES_MOST);
}

/** What a repository folder carries. Throws `Unfinished` when that cannot be found out. */
export function* ofRepository(at: Case, folder: string): Iterable<Carried> {
  // An address in it can hold a token.
  const settings = at.files.look(`${folder}/config`);
  if (settings !== undefined) yield* carriedBy(settings);
  const clean = cleanContents(folder, at);
  for (const { path, bytes } of kept(folder, at.system, (oid, name) => clean?.has(oid, name) === true))
    yield* carriedBy(at.files.lookAt(path === "" ? folder : path, textOf(bytes)), path);
}

/** What the repository folders in an archive carry. Throws `Unfinished` when nothing was found and not all was read. */
export function ofArchivedRepository(at: Case, archive: string): readonly Carried[] {
  const packed = at.files.packedObjects.get(archive);
  if (packed === undefined) return [];
  const objects = gitObjects(packed);
  const found = objects.contents.flatMap((bytes) => [...carriedBy(at.files.lookAt(`${archive}/.git`, textOf(bytes)))]);
  if (found.length === 0 && !objects.whole) throw new Unfinished("it is packed too large");
  return found;
}

function* carriedBy(look: Look, path?: string): Iterable<Carried> {
  const relaxed = relaxation(path);
  for (const secret of look.secrets) {
    const wholeFile = look.identified?.secrets.includes(secret) === true;
    // Code, tests and their history are full of sample addresses and sample formats.
    if (secret.family === "uri-password" || (secret.grade === "vendor" && relaxed !== undefined)) continue;
    // As in a push: what lies in test folders is asked about, and so is a token in the docs.
    const one: Carried = { secret, look, wholeFile, kept: true };
    yield isSampleAt(relaxed, one) ? { ...one, samples: true } : one;
  }
}

function textOf(bytes: Uint8Array): string {
  if (isBinary(bytes) && decode(bytes.subarray(0, CHOSEN.git_sniff_bytes)).encoding === "latin1")
    return readableRuns(bytes.subarray(0, CHOSEN.git_binary_bytes));
  return decode(bytes).text;
}
