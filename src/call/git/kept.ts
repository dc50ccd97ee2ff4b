/**
 * What a repository's own folder holds (`.git`, a bare one, a mirror): whoever gets the folder gets every version of every
 * file that a reference, a reflog or the index still names.
 *
 * Trust: as in process.ts. The folder may be a stranger's; Git is only asked to list and to print its objects.
 */
import type { System } from "../../system.ts";
import { Unfinished } from "./budget.ts";
import { Line } from "./line.ts";
import { listedObjects, listing, readListed } from "./objects.ts";
import type { Printed } from "./printed.ts";

/** Whether this is a folder that Git keeps a repository in. */
export function isRepositoryFolder(folder: string, system: System): boolean {
  return system.info(`${folder}/objects`)?.kind === "folder" && system.info(`${folder}/HEAD`)?.kind === "file";
}

/**
 * Every file's versions with their paths, and messages under the path "". What `known` says is clean is left out.
 * Throws `Unfinished` when it cannot be found out within the limits.
 */
export function* kept(folder: string, system: System, known: (oid: string, path: string) => boolean): Iterable<Printed> {
  const line = new Line([], system);
  const place = line.place({ cwd: folder, globals: [`--git-dir=${folder}`], environment: {}, subcommand: "bundle", args: [], stdin: [] });
  const repository = place && line.repository(place);
  if (repository === undefined) throw new Unfinished("its folder is not one that Git can read");
  const { git, budget } = repository;
  const paths = listedObjects(listing(git, ["--all", "--reflog", "--indexed-objects"]), budget);
  const wanted = [...paths].flatMap(([oid, path]) => (known(oid, path) ? [] : [oid]));
  for (const [oid, { bytes }] of readListed(git, wanted, budget)) {
    budget.processTime();
    yield { path: paths.get(oid) ?? "", bytes };
  }
}
