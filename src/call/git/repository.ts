/** Finding the repository a command works on. */
import type { System } from "../../system.ts";
import { type Budget, Unfinished } from "./budget.ts";
import { type Git, reasonOf } from "./process.ts";

export interface Repository {
  readonly git: Git;
  readonly system: System;
  readonly budget: Budget;
  /** Absolute root of the working tree with "/"; undefined in a bare repository or inside `.git`. */
  readonly root: string | undefined;
  /** Absolute folder with HEAD and the index of this working tree. */
  readonly folder: string;
  /** Name of the hash objects are named with. */
  readonly hash: "sha1" | "sha256";
  /** Object id of HEAD's commit; undefined before the first commit and in bare repositories. */
  readonly head: string | undefined;
}

/** The repository Git finds from this place; undefined when there is none. Throws `Unfinished` when Git refuses it. */
export function openRepository(git: Git, system: System, budget: Budget): Repository | undefined {
  // HEAD comes last: before the first commit it is the one part that fails, after the others were printed.
  const finished = git.run(["rev-parse", "--show-object-format", "--absolute-git-dir", "--is-bare-repository", "--show-toplevel", "HEAD"]);
  const lines = new TextDecoder().decode(finished.stdout).replace(/\n$/, "").split("\n");
  const bare = lines.findIndex((line, index) => index > 1 && (line === "true" || line === "false"));
  if (bare < 0) {
    const reason = reasonOf(finished.stderr);
    if (reason === "not a repository") return undefined;
    throw new Unfinished(reason);
  }
  const last = lines.at(-1) ?? "";
  const hasRoot = bare < lines.length - 1;
  const head = hasRoot && /^[0-9a-f]{40,64}$/.test(last) ? last : undefined;
  const place = (text: string) => (system.platform === "windows" ? text.replaceAll("\\", "/") : text);
  return {
    git,
    system,
    budget,
    hash: lines[0] === "sha256" ? "sha256" : "sha1",
    folder: place(lines.slice(1, bare).join("\n")),
    root: hasRoot ? place(lines.slice(bare + 1, lines.length - 1).join("\n")) : undefined,
    head,
  };
}

/** The tree with nothing in it, which every repository knows. */
export function emptyTree(repository: Repository): string {
  return repository.hash === "sha256"
    ? "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
    : "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
}
