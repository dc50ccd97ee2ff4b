/** Git hooks that a command of Git's own starts. */
import type { System } from "../../system.ts";
import type { GitInvocation } from "../effect.ts";
import { absolute, gitFolder, gitSetting } from "../git/folder.ts";
import { fileStart } from "./file.ts";
import type { Started } from "./start.ts";

const HOOKS: Readonly<Record<string, readonly string[]>> = {
  am: ["applypatch-msg", "pre-applypatch", "post-applypatch"],
  commit: ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"],
  "cherry-pick": ["prepare-commit-msg", "post-commit"],
  revert: ["prepare-commit-msg", "post-commit"],
  merge: ["pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-merge"],
  pull: ["post-merge", "post-rewrite"],
  rebase: ["pre-rebase", "post-rewrite"],
  push: ["pre-push"],
  checkout: ["post-checkout"],
  switch: ["post-checkout"],
};

/** Hooks that `--no-verify` leaves out. */
const VERIFYING = /^(?:pre-commit|commit-msg|pre-merge-commit|pre-push|applypatch-msg|pre-applypatch|pre-rebase)$/;

/** The hooks of a Git command. `root`: the working tree it is in. */
export function hooksOf({ subcommand, globals, args }: GitInvocation, root: () => string | undefined, system: System): readonly Started[] {
  const unverified = args.some(({ text }) => text === "--no-verify" || (subcommand === "commit" && /^-[a-z]{0,8}n/.test(text)));
  const hooks = HOOKS[subcommand]?.filter((name) => !unverified || !VERIFYING.test(name)) ?? [];
  const top = hooks.length === 0 ? undefined : root();
  if (top === undefined) return [];
  const git = gitFolder(top, system);
  const named =
    globals.findLast((text) => /^core\.hookspath=/i.test(text))?.replace(/^[^=]*=/, "") ?? gitSetting("core.hookspath", git, system);
  const folder = named === undefined ? `${git.common}/hooks` : absolute(top, named.replace(/^~\//, `${system.home}/`));
  // Husky's own stubs in `.husky/_` start the hooks beside that folder.
  const folders = folder.endsWith("/.husky/_") ? [folder, folder.slice(0, -2)] : [folder];
  return folders.flatMap((one) => hooks.flatMap((name) => fileStart({ cwd: top }, `${one}/${name}`, [], undefined, system) ?? []));
}
