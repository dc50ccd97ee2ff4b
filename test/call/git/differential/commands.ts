/** Command lines, as an agent writes them. What stands in capitals is filled in for each case. */
import type { Bench, Dice } from "./bench.ts";
import type { State } from "./states.ts";

export interface Command {
  /** The row of the coverage table. */
  readonly name: string;
  /** One of them is chosen. PATH: a file or folder, FILE: a tracked file, MARK: a text of its own, REF: a branch, WORLD: the folder around everything. */
  readonly lines: readonly string[];
  /** Names in the table for states the command means nothing in. */
  readonly not?: (state: State) => boolean;
  /** More may be announced than happens: it depends on answers, on a program, or on what the other side holds. */
  readonly open?: true;
  /** It may write once more what is there already. */
  readonly again?: true;
  /** What it takes lies in the repository already; only what is sent counts. */
  readonly inner?: true;
}

const noCommit = ({ unborn }: State): boolean => unborn === true;
const unfit = ({ unborn, bare }: State): boolean => unborn === true || bare === true;
const noTree = ({ bare }: State): boolean => bare === true;
const noPush = ({ unborn, remoteless }: State): boolean => unborn === true || remoteless === true;
const noTreePush = (state: State): boolean => noPush(state) || noTree(state);

export const COMMANDS: readonly Command[] = [
  { name: "add .", lines: ["git add .", "git add ./", "git add :/"], not: noTree },
  { name: "add -A", lines: ["git add -A", "git add --all -v", "git add -A PATH", "git add --no-ignore-removal ."], not: noTree },
  { name: "add -u", lines: ["git add -u", "git add -u PATH", "git add --update"], not: noTree },
  {
    name: "add paths",
    lines: ["git add PATH", "git add PATH PATH", "git add -- PATH FILE", "git stage PATH", "git add -v -- '*.txt'", "git add sub/../PATH"],
    not: noTree,
  },
  { name: "add -f", lines: ["git add -f PATH", "git add --force .", "git add -f x.log build/out"], not: noTree },
  { name: "add -N", lines: ["git add -N PATH && git commit -am 'x MARK'", "git add -N ."], not: noTree },
  {
    name: "add -p",
    lines: ["yes | git add -p", "printf 'y\\nq\\n' | git add -p PATH", "yes | git add --patch FILE"],
    not: noTree,
    open: true,
  },
  {
    name: "add magic",
    lines: [
      "git add ':!sub' .",
      "git add ':(glob)**/*.txt'",
      "git add ':(exclude)*.txt' ':/'",
      "git add ':(top)sub'",
      "git add ':(icase)A.TXT'",
      "git add ':(literal)PATH'",
    ],
    not: noTree,
  },
  {
    name: "add --pathspec-from-file",
    lines: [
      "printf 'PATH\\nFILE\\n' | git add --pathspec-from-file=-",
      "printf 'PATH\\n' > ~/list && git add --pathspec-from-file ~/list",
      "printf 'PATH\\0' | git add --pathspec-from-file=- --pathspec-file-nul",
    ],
    not: noTree,
  },
  {
    name: "add written files",
    lines: [
      "echo MARK > new.txt && git add new.txt",
      "echo MARK >> a.txt; git add -u",
      "printf 'MARK\\n' | tee x1 > x2 && git add x1 x2",
      "mkdir -p n/m && echo MARK > n/m/f && git add n",
    ],
    not: noTree,
  },
  {
    name: "commit -m",
    lines: [
      "git commit -m 'm MARK'",
      "git commit -qm 'm MARK' -m 'second MARK'",
      "git commit --message='m MARK' --no-verify",
      "git commit -m \"$(printf 'm MARK')\"",
    ],
    not: noTree,
  },
  {
    name: "commit -a",
    lines: ["git commit -am 'm MARK'", "git commit -a -m 'm MARK' -s", "git commit --all --message 'm MARK'"],
    not: noTree,
  },
  {
    name: "commit paths",
    lines: [
      "git commit -m 'm MARK' FILE",
      "git commit -m 'm MARK' -- FILE FILE",
      "git commit -o FILE -m 'm MARK'",
      "git commit -i FILE -m 'm MARK'",
      "git commit -m 'm MARK' sub",
    ],
    not: noTree,
  },
  { name: "commit -p", lines: ["yes | git commit -p -m 'm MARK'"], not: noTree, open: true },
  {
    name: "commit --amend",
    lines: [
      "git commit --amend -m 'm MARK'",
      "git commit --amend --no-edit",
      "git commit --amend -a --no-edit",
      "git commit --amend --reset-author -C HEAD",
    ],
    not: unfit,
  },
  {
    name: "commit -C",
    lines: [
      "git commit -C HEAD --allow-empty",
      "git commit -C REF --allow-empty",
      "git commit -c HEAD~1 --allow-empty",
      "git commit --reuse-message=HEAD -a",
    ],
    not: unfit,
  },
  {
    name: "commit -F",
    lines: [
      "echo 'm MARK' > ~/message && git commit -F ~/message --allow-empty",
      "echo 'm MARK' | git commit -F - -a --allow-empty",
      "git commit --allow-empty --file=- <<'EOF'\nm MARK\n\nbody MARK\nEOF",
      "git commit --allow-empty -F <(echo 'm MARK')",
    ],
    not: noTree,
  },
  { name: "commit -t", lines: ["printf '\\nm MARK\\n' > ~/template && git commit --allow-empty -t ~/template"], not: noTree, open: true },
  {
    name: "commit --fixup",
    lines: [
      "git commit --fixup=HEAD --allow-empty",
      "git commit --fixup HEAD~1 -a --allow-empty",
      "git commit --squash=HEAD -m 'm MARK' --allow-empty",
    ],
    not: unfit,
  },
  {
    name: "commit trailers",
    lines: [
      "git commit --allow-empty -m 'm MARK' --trailer 'Key: MARK'",
      "git commit --allow-empty -m x --trailer=Reviewed-by:MARK --author='MARK <a@b.c>'",
    ],
    not: noTree,
  },
  {
    name: "author fields",
    lines: [
      "GIT_AUTHOR_NAME=MARK git commit --allow-empty -m x",
      "git -c user.name=MARK commit --allow-empty -m x",
      "export GIT_COMMITTER_EMAIL=MARK@example.com; git commit --allow-empty -m x",
      "git config user.name MARK && git commit --allow-empty -m x",
    ],
    not: noTree,
  },
  {
    name: "push",
    lines: [
      "git push",
      "git push origin",
      "git push -q --no-verify",
      "git push origin HEAD",
      "git push -u origin main",
      "git push origin REF",
    ],
    not: noPush,
  },
  {
    name: "push, first",
    lines: [
      "git init -q --bare WORLD/new.git; git push WORLD/new.git main",
      "git init -q --bare WORLD/new.git && git remote add fresh WORLD/new.git && git push -u fresh HEAD",
    ],
    not: noCommit,
    open: true,
  },
  {
    name: "push --all",
    lines: ["git push --all", "git push origin --all", "git push --branches origin", "git push --all --force"],
    not: noPush,
  },
  {
    name: "push --tags",
    lines: ["git push --tags", "git push origin --tags", "git push origin v2", "git push origin tag v3", "git push origin refs/tags/light"],
    not: noPush,
  },
  {
    name: "push --follow-tags",
    lines: ["git push --follow-tags", "git push --follow-tags origin main", "git -c push.followTags=true push origin HEAD"],
    not: noPush,
  },
  { name: "push --mirror", lines: ["git push --mirror origin", "git push --mirror"], not: noPush },
  {
    name: "push HEAD:ref",
    lines: [
      "git push origin HEAD:refs/heads/x1",
      "git push origin HEAD~1:refs/heads/x2",
      "git push origin side:other",
      "git push origin main^{commit}:refs/heads/x3",
      "git push origin @:refs/heads/x4",
    ],
    not: noPush,
  },
  {
    name: "push several refspecs",
    lines: [
      "git push origin main side:s2 topic",
      "git push origin 'refs/heads/*:refs/heads/all/*'",
      "git push origin +side +HEAD:main",
      "git push origin '+refs/tags/*'",
    ],
    not: noPush,
  },
  {
    name: "push what matches",
    lines: ["git push origin :", "git -c push.default=matching push", "git push origin +:"],
    not: noPush,
    open: true,
  },
  {
    name: "push, settings",
    lines: [
      "git -c push.default=current push",
      "git -c remote.origin.push=refs/heads/side push",
      "git config push.default current; git push",
      "git -c push.default=nothing push origin side",
    ],
    not: noPush,
  },
  {
    name: "push --delete",
    lines: ["git push origin --delete side", "git push origin :refs/heads/side", "git push --dry-run --all", "git push -n origin topic"],
    not: noPush,
  },
  {
    name: "push --force",
    lines: ["git push -f origin side:main", "git push --force-with-lease origin topic", "git push --atomic origin main topic"],
    not: noPush,
  },
  {
    name: "stash",
    lines: ["git stash", "git stash push -m 'm MARK'", "git stash save 'm MARK'", "git stash push -- FILE", "git stash -k"],
    not: unfit,
  },
  {
    name: "stash -u",
    lines: ["git stash -u", "git stash push --include-untracked -q", "git stash push -a", "git stash -u -m 'm MARK'"],
    not: unfit,
  },
  {
    name: "stash, later",
    lines: [
      "git stash -u -q; git stash pop -q",
      "git stash list; git stash show",
      "git stash -q && git stash apply -q; git commit -am 'm MARK'",
      "git stash drop",
      "git stash branch again",
    ],
    not: unfit,
  },
  {
    name: "stash and push",
    lines: ["git stash -q; git push origin stash@{0}:refs/heads/st", "git stash -u -q; git push origin 'refs/stash:refs/heads/st'"],
    not: (state) => noTreePush(state) || state.busy === true || state.name === "stashed",
  },
  {
    name: "cherry-pick",
    lines: [
      "git cherry-pick topic",
      "git cherry-pick -x topic~1",
      "git cherry-pick side topic",
      "git cherry-pick -n topic && git commit -m 'm MARK'",
    ],
    not: unfit,
    inner: true,
  },
  {
    name: "cherry-pick and push",
    lines: [
      "git cherry-pick topic~1 && git push origin HEAD:refs/heads/cp",
      "git cherry-pick topic~1 -x; git push origin HEAD",
      "git cherry-pick topic && git push origin HEAD:refs/heads/cp",
    ],
    not: noTreePush,
    inner: true,
  },
  {
    name: "rebase",
    lines: ["git rebase topic", "git rebase -q side", "git rebase --onto side HEAD~1", "git rebase -i HEAD~1"],
    not: unfit,
    inner: true,
  },
  {
    name: "rebase and push",
    lines: ["git rebase topic && git push origin HEAD:refs/heads/rb -f", "git rebase side; git push -f origin HEAD:refs/heads/rb"],
    not: noTreePush,
    inner: true,
  },
  {
    name: "merge",
    lines: [
      "git merge topic -m 'm MARK'",
      "git merge --no-ff topic~1 -m 'm MARK'",
      "git merge --squash topic && git commit -m 'm MARK'",
      "git merge side",
    ],
    not: unfit,
    inner: true,
  },
  {
    name: "merge and push",
    lines: ["git merge topic -m 'm MARK' && git push origin HEAD", "git merge -q topic~1; git push origin HEAD:refs/heads/mg"],
    not: noTreePush,
    inner: true,
  },
  {
    name: "revert",
    lines: ["git revert --no-edit HEAD", "git revert -n HEAD && git commit -m 'm MARK'", "git revert --no-edit HEAD~1 HEAD"],
    not: unfit,
    inner: true,
  },
  { name: "revert and push", lines: ["git revert --no-edit HEAD && git push origin HEAD:refs/heads/rv"], not: noTreePush, inner: true },
  {
    name: "am",
    lines: [
      "git format-patch -q --stdout main..topic > ~/p; git am -q ~/p",
      "git format-patch -q --stdout -1 topic | git am -q",
      "git format-patch -q -o ~/ps main..topic && git am -q ~/ps/*.patch",
      "git am -q < ~/made.patch",
    ],
    not: unfit,
    open: true,
  },
  {
    name: "am and push",
    lines: ["git format-patch -q --stdout main..topic | git am -q && git push origin HEAD:refs/heads/am"],
    not: noTreePush,
    open: true,
  },
  {
    name: "apply --index",
    lines: [
      "git diff HEAD topic | git apply --index",
      "git diff HEAD topic > ~/d; git apply --cached ~/d",
      "git diff HEAD topic | git apply && git add -A",
      "git apply --index ~/made.diff",
      "git apply --check ~/made.diff",
    ],
    not: unfit,
    open: true,
  },
  {
    name: "mv",
    lines: ["git mv FILE moved.txt", "git mv FILE moved.txt && git commit -m 'm MARK'", "git mv sub sub2 && git add -A"],
    not: noTree,
  },
  {
    name: "rm --cached",
    lines: [
      "git rm -q --cached FILE",
      "git rm -q --cached FILE && git add FILE",
      "git rm -qr --cached . && git add .",
      "git rm -qf FILE && git commit -m 'm MARK'",
    ],
    not: noTree,
  },
  {
    name: "restore and reset",
    lines: [
      "git restore --staged . ; git commit -am 'm MARK'",
      "git reset -q; git add -u",
      "git reset -q --soft HEAD~1 && git commit -m 'm MARK'",
      "git restore FILE; git add FILE",
      "git checkout -- . ; git add -A",
    ],
    not: unfit,
  },
  {
    name: "checkout from a revision",
    lines: [
      "git checkout topic -- topic.txt && git commit -m 'm MARK'",
      "git restore --source=side --staged --worktree side.txt && git commit -m 'm MARK'",
      "git checkout -q topic -- . && git add -A && git commit -qm 'm MARK'",
    ],
    not: unfit,
    inner: true,
    open: true,
  },
  {
    name: "update-index",
    lines: [
      "git update-index --add PATH",
      "git update-index FILE",
      "git update-index --add --cacheinfo 100644,$(git hash-object -w FILE),ci.txt && git commit -m 'm MARK'",
      "printf 'FILE\\n' | git update-index --add --stdin",
      "git ls-files -m | git update-index --stdin",
      "git update-index --refresh",
      "git update-index --again",
    ],
    not: noTree,
    open: true,
  },
  {
    name: "hash-object -w",
    lines: [
      "git hash-object -w FILE",
      "echo MARK | git hash-object -w --stdin",
      "git hash-object -w -t blob -- FILE FILE",
      "git hash-object FILE",
      "printf 'FILE\\n' | git hash-object -w --stdin-paths",
    ],
    not: noTree,
    again: true,
  },
  {
    name: "commit-tree",
    lines: [
      "git commit-tree -m 'm MARK' HEAD^{tree}",
      "echo 'm MARK' | git commit-tree HEAD^{tree} -p HEAD",
      "git commit-tree $(git write-tree) -p HEAD -m 'm MARK'",
      "git update-ref refs/heads/made $(git commit-tree $(git write-tree) -p HEAD -m 'm MARK')",
    ],
    not: (state) => unfit(state) || state.busy === true,
  },
  {
    name: "commit-tree and push",
    lines: ["git push origin $(git commit-tree $(git write-tree) -p HEAD -m 'm MARK'):refs/heads/ct"],
    not: (state) => noTreePush(state) || state.busy === true,
    open: true,
  },
  {
    name: "fast-import",
    lines: [
      "printf 'commit refs/heads/fi\\ncommitter A <a@b.c> 1 +0000\\ndata <<X\\nm MARK\\nX\\nM 644 inline fi.txt\\ndata <<X\\nMARK\\nX\\n' | git fast-import --quiet",
      "printf 'blob\\nmark :1\\ndata 11\\nMARK\\n' > ~/fi; git fast-import --quiet < ~/fi",
    ],
  },
  {
    name: "fast-import and push",
    lines: [
      "printf 'commit refs/heads/fi\\ncommitter A <a@b.c> 1 +0000\\ndata <<X\\nm MARK\\nX\\nM 644 inline fi.txt\\ndata <<X\\nMARK\\nX\\n' | git fast-import --quiet; git push origin fi",
    ],
    not: noPush,
  },
  {
    name: "notes",
    lines: [
      "git notes add -f -m 'm MARK'",
      "git notes append -m 'm MARK' HEAD~1",
      "echo 'm MARK' | git notes add -f -F -",
      "git notes --ref=r add -m 'm MARK' HEAD",
    ],
    not: noCommit,
  },
  {
    name: "notes and push",
    lines: [
      "git notes add -f -m 'm MARK' && git push origin refs/notes/commits",
      "git notes add -f -m 'm MARK'; git push origin 'refs/notes/*'",
      "git push origin 'refs/notes/*:refs/notes/*'",
    ],
    not: noPush,
  },
  {
    name: "tag",
    lines: [
      "git tag -a t1 -m 'm MARK'",
      "git tag -m 'm MARK' t2 side",
      "git tag t3",
      "echo 'm MARK' | git tag -a -F - t4",
      "git tag -f -a v1 -m 'm MARK' topic",
    ],
    not: noCommit,
  },
  {
    name: "tag and push",
    lines: [
      "git tag -a t1 -m 'm MARK' && git push origin t1",
      "git tag t3 topic && git push --tags",
      "git tag -a t1 -m 'm MARK' side; git push origin --tags",
      "git tag -m 'm MARK' t2; git push --follow-tags",
    ],
    not: noPush,
  },
  {
    name: "branch and push",
    lines: [
      "git branch b1 topic && git push origin b1",
      "git checkout -q -b b2 && git push -u origin b2",
      "git switch -qc b3 topic && git push origin HEAD",
      "git branch -f side topic && git push origin side",
      "git checkout -q topic && git push origin HEAD",
    ],
    not: noTreePush,
  },
  {
    name: "going on",
    lines: [
      "git add -A && git merge --continue",
      "git add -A && git cherry-pick --continue",
      "git add -A && git -c core.editor=true rebase --continue",
      "git add -A && git revert --continue",
      "git add -A && git commit -m 'm MARK' && git push origin HEAD:refs/heads/go",
      "git add -A; git merge --continue; git push origin HEAD:refs/heads/go",
    ],
    not: noTreePush,
    open: true,
  },
  {
    name: "moves that may fail",
    lines: [
      "git switch -q topic; git push origin HEAD",
      "git checkout -q side || true; git push origin HEAD",
      "git checkout -qb main; git push origin main",
      "git branch -f side topic; git push origin side",
      "git symbolic-ref HEAD refs/heads/nothing; git push origin HEAD topic",
      "git reset -q --hard side; git push -f origin HEAD",
    ],
    not: noTreePush,
    open: true,
  },
  {
    name: "update-ref and push",
    lines: [
      "git update-ref refs/heads/b1 topic && git push origin b1",
      "git symbolic-ref HEAD refs/heads/topic && git push origin HEAD",
      "git update-ref refs/hidden/x side && git push origin 'refs/hidden/*'",
    ],
    not: noPush,
  },
  {
    name: "bundle",
    lines: ["git bundle create -q ~/x.bundle HEAD", "git bundle create -q ~/x.bundle --all", "git bundle create -q - topic | wc -c"],
    not: noCommit,
  },
  {
    name: "archive",
    lines: ["git archive HEAD -o ~/x.tar", "git archive --format=zip HEAD > ~/x.zip", "git archive topic | wc -c"],
    not: noCommit,
  },
  { name: "format-patch", lines: ["git format-patch -q -o ~/fp -1", "git format-patch --stdout HEAD~1 | wc -l"], not: noCommit },
  { name: "fast-export", lines: ["git fast-export --all | wc -c", "git fast-export HEAD > ~/fe"], not: noCommit },
  {
    name: "worktree",
    lines: [
      "git worktree add -q ../wt2 -b wtb && echo MARK > ../wt2/n.txt && git -C ../wt2 add -A",
      "git worktree add -q -f --detach ../wt2 topic; git worktree list",
      "git worktree add -q ../wt2 -b wtb && cd ../wt2 && git commit --allow-empty -m 'm MARK'",
      "git worktree prune",
    ],
    not: unfit,
    open: true,
  },
  {
    name: "worktree and push",
    lines: [
      "git worktree add -q ../wt2 -b wtb topic && git -C ../wt2 push origin wtb",
      "git worktree add -q -b wtc ../wt3 && cd ../wt3 && git push -u origin HEAD",
    ],
    not: noTreePush,
  },
  {
    name: "subtree",
    lines: [
      "git subtree push -q --prefix=sub origin st",
      "git subtree split -q --prefix=sub -b stb",
      "git subtree split -q -P sub -b stb && git push origin stb",
    ],
    not: (state) => noTreePush(state) || state.name === "below the top",
    open: true,
  },
  {
    name: "submodules",
    lines: [
      "git submodule status",
      "git submodule foreach -q 'git add -A'",
      "git submodule foreach -q 'git commit -qam \"m MARK\" || :'",
      "git -C lib add -A",
      "git add lib",
      "git push --recurse-submodules=no origin HEAD",
    ],
    not: noTreePush,
  },
  {
    name: "add, commit, push",
    lines: [
      "git add . && git commit -qm 'm MARK' && git push origin HEAD",
      "git add -A; git commit -m 'm MARK'; git push",
      "git commit -qam 'm MARK' && git push -q origin HEAD:refs/heads/acp",
      "git add PATH && git commit -m 'm MARK' && git tag -a tt -m 'm MARK' && git push origin HEAD tt",
    ],
    not: noTreePush,
  },
  {
    name: "stage, unstage, commit",
    lines: [
      "git add -A && git reset -q && git commit --allow-empty -m 'm MARK'",
      "git add PATH && git commit -m 'm MARK' && git add -A && git commit -m 'm MARK'",
      "git add -A && git restore --staged FILE && git commit -m 'm MARK'",
    ],
    not: unfit,
    again: true,
  },
  {
    name: "first commit in a line",
    lines: [
      "git init -q WORLD/born && echo MARK > WORLD/born/f && git -C WORLD/born add . && git -C WORLD/born commit -m 'm MARK'",
      "mkdir -p WORLD/born && cd WORLD/born && git init -q && echo MARK > g && git add -A",
    ],
    open: true,
  },
  {
    name: "-C",
    lines: ["git -C . add -A", "git -C sub add .", "cd .. && git -C app add -A", "git -C sub -C .. commit -am 'm MARK'"],
    not: noTree,
  },
  {
    name: "-c",
    lines: [
      "git -c core.excludesFile=/dev/null add -A",
      "git -c core.autocrlf=false add PATH",
      "git -c user.name=MARK commit -am 'm MARK'",
      "git -c color.ui=false add -u",
    ],
    not: noTree,
  },
  {
    name: "--git-dir",
    lines: [
      'git --git-dir="$(git rev-parse --git-dir)" --work-tree=. add -A',
      "git --git-dir WORLD/elsewhere.git --work-tree WORLD/tree add -A",
      "git --git-dir=WORLD/app/.git --work-tree=WORLD/app commit -am 'm MARK'",
      "git --git-dir=WORLD/elsewhere.git push WORLD/remote.git topic",
    ],
    not: noTree,
  },
  {
    name: "GIT_DIR",
    lines: [
      "GIT_DIR=WORLD/elsewhere.git GIT_WORK_TREE=WORLD/tree git add -A",
      "export GIT_DIR=WORLD/app/.git GIT_WORK_TREE=WORLD/app; git add -u",
      "GIT_DIR=WORLD/app/.git git push WORLD/remote.git topic",
      "env GIT_WORK_TREE=WORLD/tree GIT_DIR=WORLD/elsewhere.git git commit -am 'm MARK'",
    ],
    not: noTree,
  },
  {
    name: "GIT_INDEX_FILE",
    lines: [
      "GIT_INDEX_FILE=~/other-index git add -A",
      "GIT_INDEX_FILE=~/other-index git read-tree HEAD && GIT_INDEX_FILE=~/other-index git add PATH",
    ],
    not: noTree,
    open: true,
  },
  {
    name: "aliases",
    lines: [
      "git ci -m 'm MARK'",
      "git ci -am 'm MARK'",
      "git save --allow-empty",
      "git -c alias.x='add -A' x",
      "git config alias.pp 'push origin' && git pp topic",
    ],
    not: noTreePush,
  },
  { name: "shell aliases", lines: ["git all", "git up origin topic", "git -c alias.z='!git commit -am z' z"], not: noTreePush },
  {
    name: "wrappers",
    lines: [
      "command git add -A",
      "env X=1 git add PATH",
      "sh -c 'git add -A && git commit -qm \"m MARK\"'",
      "timeout 9 git add .",
      "nice git commit -am 'm MARK'",
      "echo PATH | xargs git add",
      "(git add -u)",
      'bash -lc "git add PATH"',
      'for f in PATH FILE; do git add "$f"; done',
      "if true; then git add -u; fi",
      'g() { git add "$@"; }; g PATH',
    ],
    not: noTree,
  },
  {
    name: "quiet commands",
    lines: [
      "git status; git log --oneline; git diff",
      "git fetch -q",
      "git checkout -q side",
      "git pull -q",
      "git branch; git tag; git show --stat",
      "git gc -q",
      "git ls-files; git stash list; git remote -v",
    ],
  },
];

/** Fills a line in. */
export function fill(line: string, bench: Bench, dice: Dice): string {
  const paths = [
    "a.txt",
    "b.txt",
    "sub",
    "sub/c.txt",
    "n1",
    "sub/n2",
    "x.log",
    "build/out",
    "e.txt",
    "deep/er/n3",
    ".",
    "ö\\ ü.txt",
    "./-dash",
  ];
  const files = ["a.txt", "b.txt", "sub/c.txt", "e.txt", "n1"];
  return line
    .replace(/PATH/g, () => dice.pick(paths))
    .replace(/FILE/g, () => dice.pick(files))
    .replace(/\bREF\b/g, () => dice.pick(["side", "topic", "main"]))
    .replace(/WORLD/g, bench.world)
    .replace(/MARK/g, () => bench.mark());
}

/** Things that happen to the working tree before the command: shell lines, run before anybody looks. */
export function changes(bench: Bench, dice: Dice, state: State): string {
  if (state.bare === true) return ":";
  const target = (): string =>
    dice.pick(["a.txt", "b.txt", "sub/c.txt", "n1", "sub/n2", "x.log", "build/out", "e.txt", "deep/er/n3", "sub/deep/d.txt"]);
  const one = (): string => {
    const path = target();
    switch (dice.below(12)) {
      case 0:
        return `rm -f ${path}`;
      case 1:
        return `touch -d @${dice.below(1000)} ${path} 2>/dev/null`;
      case 2:
        return `[ -f ${path} ] && chmod +x ${path}`;
      case 3:
        return `git add -f ${path} 2>/dev/null`;
      case 4:
        return `git add -A 2>/dev/null; echo ${bench.mark()} >> ${path}`;
      case 5:
        return `git commit -qam 'w ${bench.mark()}' >/dev/null 2>&1`;
      case 6:
        return `git rm -q --cached ${path} 2>/dev/null`;
      case 7:
        return `[ ${path} = b.txt ] || { rm -f ${path} && ln -s b.txt ${path}; } 2>/dev/null`;
      default:
        return `mkdir -p $(dirname ${path}) 2>/dev/null; echo ${bench.mark()} ${dice.chance(0.5) ? ">>" : ">"} ${path}`;
    }
  };
  return Array.from({ length: dice.below(6) }, one).join("\n") || ":";
}
