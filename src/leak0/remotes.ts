/**
 * Hosts that a call writes down as Git remotes. A remote is the project's claim on its host only when somebody else made
 * it: otherwise one `git remote add` would turn a block of a later call into a question (D-18).
 */
import type { Effect } from "../call/effect.ts";
import { repositoryHost, remoteHosts } from "../destinations/own.ts";

/** Hosts in `git remote add`, `set-url`, `git config remote.*.url` and in text written into a Git configuration. */
export function writtenHosts(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect): readonly string[] => {
    if (effect.kind === "git") {
      const { subcommand, args } = effect.invocation;
      if (subcommand !== "remote" && subcommand !== "config") return [];
      return args.flatMap(({ text }) => repositoryHost(text) ?? []);
    }
    if (effect.kind !== "write" || !/\/(?:\.git\/config|\.gitconfig)$/.test(effect.file.path ?? "")) return [];
    return effect.sources.flatMap((source) => (source.from === "text" ? remoteHosts(source.text) : []));
  });
}
