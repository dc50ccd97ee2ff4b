/** Git commands that surely take and send nothing; in a file of its own, so that everyday calls load nothing else of this room. */

/** True for a command of Git's own for which no process is started and no file opened. Packing without sending is not sending (D-29). */
export function isQuiet(subcommand: string): boolean {
  return QUIET.includes(` ${subcommand} `);
}

const QUIET =
  " annotate archive blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout checkout-index cherry clean column" +
  " commit-graph count-objects credential describe diagnose diff diff-files diff-index diff-tree difftool fast-export fetch fetch-pack filter-branch fmt-merge-msg for-each-ref" +
  " for-each-repo format-patch fsck gc get-tar-commit-id grep help hook index-pack log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge-base merge-file" +
  " merge-index merge-tree mergetool mktree multi-pack-index mv name-rev pack-objects pack-redundant pack-refs patch-id prune prune-packed pull range-diff read-tree reflog" +
  " repack replace request-pull rerere reset restore rev-list rev-parse rm shortlog show show-branch show-index show-ref sparse-checkout status stripspace switch" +
  " symbolic-ref unpack-file unpack-objects update-ref var verify-commit verify-pack verify-tag version whatchanged worktree write-tree ";
