/** The states a repository can be in, each built once with real git and copied for every case. */
import { join } from "node:path";
import type { Bench } from "./bench.ts";

export interface State {
  readonly name: string;
  /** Folder the command runs in. */
  readonly cwd: string;
  /** Repositories of this machine that are looked at, and the remotes. */
  readonly repositories: readonly string[];
  readonly remotes: readonly string[];
  readonly bare?: true;
  /** No commit yet. */
  readonly unborn?: true;
  /** In the middle of something that leaves conflicts: many commands refuse. */
  readonly busy?: true;
  readonly remoteless?: true;
  /** What happens depends on what the other side holds, or on files that should not be there: more may be announced. */
  readonly vague?: true;
}

const APP = "app";

/** `main` two commits ahead of `origin/main`, `side` and `topic` unpushed, an annotated tag pushed, another one not. */
function plain(bench: Bench, hash: "sha1" | "sha256" = "sha1"): void {
  const { world } = bench;
  const app = join(world, APP);
  bench.build(
    `mkdir -p ${APP} && git init -q --template= --object-format=${hash} ${APP} && git init -q --template= --bare --object-format=${hash} remote.git`,
    world,
  );
  const put = (...paths: readonly string[]): void => {
    for (const path of paths) bench.write(join(app, path), bench.text());
  };
  bench.write(join(app, ".gitignore"), "*.log\nbuild/\n");
  put("a.txt", "b.txt", "sub/c.txt", "sub/deep/d.txt", "ö ü.txt", "-dash");
  bench.build(`git add -A && git commit -qm 'first ${bench.mark()}' && git branch side && git branch topic`, app);
  put("e.txt", "a.txt");
  bench.build(
    `git add -A && git commit -qm 'second ${bench.mark()}' && git tag -a v1 -m 'tag ${bench.mark()}' && git remote add origin ${world}/remote.git && git push -q -u origin main v1`,
    app,
  );
  bench.build("git checkout -q side", app);
  put("side.txt", "sub/c.txt");
  bench.build(`git add -A && git commit -qm 'side ${bench.mark()}'`, app);
  bench.build("git checkout -q topic", app);
  put("topic.txt");
  bench.build(`git add -A && git commit -qm 'topic ${bench.mark()}'`, app);
  put("topic2.txt", "b.txt");
  bench.build(
    `git add -A && git commit -qm 'topic two ${bench.mark()}' && git tag -a v3 -m 'off ${bench.mark()}' && git checkout -q main`,
    app,
  );
  put("f.txt");
  bench.build(`git add -A && git commit -qm 'third ${bench.mark()}' && git tag -a v2 -m 'ahead ${bench.mark()}' && git tag light`, app);
  put("g.txt");
  bench.build(`git add -A && git commit -qm 'fourth ${bench.mark()}'`, app);
}

type Build = (bench: Bench) => Partial<Omit<State, "name">>;

const onPlain =
  (line: string, more: Partial<Omit<State, "name">> = {}): Build =>
  (bench) => {
    plain(bench);
    bench.build(
      line.replaceAll("MARK", () => bench.mark()),
      join(bench.world, APP),
    );
    return more;
  };

const BUILDS: Readonly<Record<string, Build>> = {
  plain: onPlain("true"),
  "plain again": onPlain("true"),
  "below the top": (bench) => ({ ...onPlain("true")(bench), cwd: join(bench.world, APP, "sub") }),
  unborn: (bench) => {
    bench.build(`git init -q --template= ${APP} && git init -q --template= --bare remote.git`, bench.world);
    bench.build(`git remote add origin ${bench.world}/remote.git`, join(bench.world, APP));
    bench.write(join(bench.world, APP, "a.txt"), bench.text());
    bench.write(join(bench.world, APP, "sub/c.txt"), bench.text());
    return { unborn: true };
  },
  detached: onPlain("git checkout -q --detach side && echo MARK > side.txt && git commit -qam 'loose MARK'"),
  "no remote": onPlain("git remote remove origin", { remoteless: true }),
  "no upstream": onPlain("git branch --unset-upstream"),
  "other upstream name": onPlain("git push -q origin main:prod && git branch -u origin/prod && git config push.default upstream"),
  "two remotes": (bench) => {
    onPlain("git init -q --template= --bare ../fork.git && git remote add fork $PWD/../fork.git && git push -q fork side")(bench);
    return { remotes: ["remote.git", "fork.git"] };
  },
  "separate push remote": (bench) => {
    onPlain("git init -q --template= --bare ../fork.git && git remote add fork $PWD/../fork.git && git config remote.pushDefault fork")(
      bench,
    );
    return { remotes: ["remote.git", "fork.git"] };
  },
  "push url": (bench) => {
    onPlain("git init -q --template= --bare ../fork.git && git config remote.origin.pushurl $PWD/../fork.git")(bench);
    return { remotes: ["remote.git", "fork.git"] };
  },
  "stale references": onPlain("git push -q origin side && git update-ref -d refs/remotes/origin/side"),
  matching: onPlain("git push -q origin main~1:refs/heads/topic && git config push.default matching", { vague: true }),
  "push refspec": onPlain(
    "git config --add remote.origin.push refs/heads/topic:refs/heads/review && git config --add remote.origin.push '+refs/heads/side*:refs/heads/side*'",
  ),
  mirror: (bench) => {
    onPlain("git init -q --template= --bare ../fork.git && git remote add --mirror=push fork $PWD/../fork.git")(bench);
    return { remotes: ["remote.git", "fork.git"] };
  },
  packed: onPlain("git pack-refs --all && git repack -adq"),
  "mid-merge": onPlain(
    "git checkout -q side && echo MARK > e.txt && git add e.txt && git commit -qm x && git checkout -q main; git merge -q side >/dev/null 2>&1; true",
    {
      busy: true,
    },
  ),
  "mid-merge, resolved": onPlain(
    "git checkout -q side && echo MARK > e.txt && git add e.txt && git commit -qm x && git checkout -q main; git merge -q side >/dev/null 2>&1; echo MARK > e.txt; git add e.txt",
  ),
  "mid-rebase": onPlain(
    "git checkout -q side && echo MARK > e.txt && git add e.txt && git commit -qm x; git rebase -q main >/dev/null 2>&1; true",
    { busy: true },
  ),
  "mid-cherry-pick": onPlain(
    "git checkout -q side && echo MARK > e.txt && git add e.txt && git commit -qm 'pick MARK' && git checkout -q main; git cherry-pick side >/dev/null 2>&1; true",
    {
      busy: true,
    },
  ),
  "mid-revert": onPlain(
    "echo MARK > a.txt && git commit -qam x && echo MARK > a.txt && git commit -qam y; git revert --no-edit HEAD~1 >/dev/null 2>&1; true",
    { busy: true },
  ),
  "mid-am": onPlain(
    "git format-patch -q --stdout main..topic > ../p; echo MARK > b.txt; git commit -qam x; git am -q -3 ../p >/dev/null 2>&1; true",
    { busy: true },
  ),
  bisecting: onPlain("git bisect start -q HEAD HEAD~2 >/dev/null 2>&1; true"),
  shallow: (bench) => {
    plain(bench);
    bench.build(
      `git -C ${APP} push -q origin main side topic && mv ${APP} old && git clone -q --template= --depth 1 --no-single-branch file://$PWD/remote.git ${APP} && cd ${APP} && echo ${bench.mark()} > s.txt && git add -A && git commit -qm 'on top ${bench.mark()}' && git branch -q topic origin/topic && git branch -q side origin/side`,
      bench.world,
    );
    return {};
  },
  partial: (bench) => {
    plain(bench);
    bench.build(
      `git -C ${APP} push -q origin main side topic && mv ${APP} old && git clone -q --template= --filter=blob:none file://$PWD/remote.git ${APP} && cd ${APP} && echo ${bench.mark()} > s.txt && git add -A && git commit -qm 'on top ${bench.mark()}' && git branch -q topic origin/topic && git branch -q side origin/side`,
      bench.world,
    );
    return {};
  },
  sparse: onPlain("git sparse-checkout set --cone sub && echo MARK > sub/n.txt", { vague: true }),
  "sparse without cone": onPlain("git sparse-checkout set --no-cone '/*' '!/sub/deep'", { vague: true }),
  bare: (bench) => {
    plain(bench);
    bench.build(`git clone -q --template= --bare ${APP} bare.git && git -C bare.git remote set-url origin $PWD/remote.git`, bench.world);
    return { cwd: join(bench.world, "bare.git"), repositories: ["bare.git"], bare: true };
  },
  "SHA-256": (bench) => {
    plain(bench, "sha256");
    return {};
  },
  worktree: (bench) => {
    onPlain("git worktree add -q ../linked topic && echo MARK > ../linked/w.txt")(bench);
    return { cwd: join(bench.world, "linked"), repositories: ["linked", APP] };
  },
  "separate folder": (bench) => {
    plain(bench);
    bench.build(`git init -q --template= --separate-git-dir=$PWD/store ${APP}`, bench.world);
    return {};
  },
  "submodule inside": (bench) => {
    plain(bench);
    bench.build(
      `git init -q --template= lib && echo ${bench.mark()} > lib/l.txt && git -C lib add -A && git -C lib commit -qm 'lib ${bench.mark()}' && cd ${APP} && git submodule add -q $PWD/../lib lib >/dev/null 2>&1 && git commit -qm 'with lib' && echo ${bench.mark()} > lib/new.txt`,
      bench.world,
    );
    return { repositories: [APP, `${APP}/lib`] };
  },
  "in a submodule": (bench) => {
    plain(bench);
    bench.build(
      `git init -q --template= --bare lib.git && git init -q --template= lib && echo ${bench.mark()} > lib/a.txt && git -C lib add -A && git -C lib commit -qm 'lib ${bench.mark()}' && git -C lib push -q $PWD/lib.git main && cd ${APP} && git submodule add -q $PWD/../lib.git lib >/dev/null 2>&1 && git commit -qm 'with lib' && cd lib && git checkout -q -B main origin/main && echo ${bench.mark()} > b.txt && git add -A && git commit -qm 'more ${bench.mark()}' && git branch side && git branch topic`,
      bench.world,
    );
    return { cwd: join(bench.world, APP, "lib"), repositories: [`${APP}/lib`], remotes: ["lib.git"] };
  },
  "nested repository": onPlain(
    "git init -q --template= nested && echo MARK > nested/n.txt && git -C nested add -A && git -C nested commit -qm n",
  ),
  "LFS pointers": (bench) => {
    plain(bench);
    const app = join(bench.world, APP);
    bench.write(
      join(bench.home, "lfs.sh"),
      "#!/bin/sh\ncat >/dev/null\nprintf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%064d\\nsize 9\\n' 1\n",
    );
    bench.write(join(app, ".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    bench.write(join(app, "x.bin"), bench.text());
    bench.build(`git config filter.lfs.clean 'sh ${bench.home}/lfs.sh' && git add -A && git commit -qm 'lfs ${bench.mark()}'`, app);
    bench.write(join(app, "y.bin"), bench.text());
    return { vague: true };
  },
  "line endings": (bench) => {
    plain(bench);
    const app = join(bench.world, APP);
    bench.write(join(app, ".gitattributes"), "* text=auto\n*.crlf text eol=crlf\n*.u16 text working-tree-encoding=UTF-16\n*.id ident\n");
    bench.write(join(app, "x.crlf"), bench.text().replaceAll("\n", "\r\n"));
    bench.write(join(app, "x.u16"), Buffer.from(`\ufeff${bench.text()}`, "utf16le"));
    bench.write(join(app, "x.id"), `$Id$\n${bench.text()}`);
    bench.build(`git add -A && git commit -qm 'attributes ${bench.mark()}' && git config core.autocrlf input`, app);
    bench.write(join(app, "y.u16"), Buffer.from(`\ufeff${bench.text()}`, "utf16le"));
    bench.write(join(app, "y.crlf"), bench.text().replaceAll("\n", "\r\n"));
    return {};
  },
  "ignore rules": (bench) => {
    onPlain(
      "printf '/deep/*\\n!keep\\n' > sub/.gitignore; mkdir -p .git/info; echo '*.tmp' > .git/info/exclude; echo '*.bak' > ~/excludes; git config core.excludesFile ~/excludes; echo MARK > sub/deep/keep; echo MARK > x.tmp; echo MARK > x.bak",
    )(bench);
    return {};
  },
  stashed: onPlain("echo MARK > a.txt && echo MARK > untracked && git stash push -q -u && echo MARK > b.txt"),
  noted: onPlain("git notes add -m 'note MARK' && git notes --ref=other add -m 'other MARK' HEAD~1"),
  "index flags": onPlain(
    "echo MARK > ita && git add -N ita; git update-index --assume-unchanged a.txt; git update-index --skip-worktree b.txt; echo MARK >> a.txt; echo MARK >> b.txt",
  ),
  links: onPlain("ln -s a.txt link && ln -s /nowhere broken && ln -s sub folder && mkdir loop && ln -s ../loop loop/loop && git add link"),
  alternates: (bench) => {
    plain(bench);
    bench.build(
      `mv ${APP} old && git clone -q --template= -s old ${APP} && cd ${APP} && git remote set-url origin $PWD/../remote.git && git fetch -q --prune && echo ${bench.mark()} > s.txt && git add -A && git commit -qm 'on top ${bench.mark()}' && git branch side HEAD~1 && git branch topic`,
      bench.world,
    );
    return {};
  },
  "kept elsewhere": (bench) => {
    plain(bench);
    bench.build(
      `mkdir tree && mv ${APP}/[a-z]* tree/ && mv ${APP}/.git elsewhere.git && mkdir -p ${APP} && cp -r tree ${APP}/tree`,
      bench.world,
    );
    return { repositories: ["elsewhere.git"], cwd: join(bench.world, "tree") };
  },
};

export const STATES: readonly string[] = Object.keys(BUILDS);

/** Builds states at the bench's world and keeps a copy of each. */
export class Templates {
  private readonly made = new Map<string, State>();

  constructor(private readonly bench: Bench) {}

  /** The state of this name; built when it is asked for the first time. */
  state(name: string): State {
    const { bench } = this;
    let state = this.made.get(name);
    if (state === undefined) {
      bench.build("rm -rf w && mkdir -p w templates", bench.home);
      state = {
        name,
        cwd: join(bench.world, APP),
        repositories: [APP],
        remotes: ["remote.git"],
        ...BUILDS[name]?.(bench),
      };
      bench.build(`cp -a w 'templates/${name}'`, bench.home);
      this.made.set(name, state);
    }
    return state;
  }

  /** Lays a fresh copy of the state into the world. */
  lay({ name }: State): void {
    this.bench.build(`rm -rf w && cp -a 'templates/${name}' w`, this.bench.home);
  }
}
