/**
 * What a Git command prints of the repository's content (`git show REV:path | curl …`): asked only once that output goes
 * to a stranger, or back into Git. A search through a whole tree is looked up in files that may be secret only.
 *
 * Trust: as in process.ts. Patches are made from objects only; of the working tree only changed files are opened, here.
 */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Argument, GitInvocation } from "../effect.ts";
import { workingTree } from "./add.ts";
import { stagedContent } from "./commit.ts";
import { missing } from "./worktree.ts";
import { Unfinished } from "./budget.ts";
import { Line, type Place } from "./line.ts";
import { listedObjects, listing, measure, readListed, readMeasured } from "./objects.ts";
import { type Parsed, parseOptions } from "./options.ts";
import { covers, inside, pathspecs } from "./pathspec.ts";
import type { Repository } from "./repository.ts";

/** A file's content, whole or as far as a patch shows it. */
export interface Printed {
  /** Repository-relative with "/". */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Lines out of a patch. */
  readonly patched?: true;
}

const PATCH = ["--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/", "-p"];
const OPTIONS = [
  "o|output=",
  "format=",
  "pretty=",
  "n|max-count=",
  "since=",
  "after=",
  "until=",
  "before=",
  "author=",
  "grep=",
  "S=",
  "G=",
  "O=",
  "L=",
  "prefix=",
  "remote=",
  "diff-filter=",
  "e=",
  "f=",
  "batch=?",
  "cached",
  "staged",
];

/**
 * The content these commands print, one list per call. `mayBeSecret` chooses by name where a search names no file.
 * Throws `Unfinished` when it cannot be found out within the limits.
 */
export function printed(invocations: readonly GitInvocation[], mayBeSecret: (path: string) => boolean, system: System): readonly Printed[] {
  const line = new Line([], system);
  return printersOf(invocations, line, mayBeSecret).flatMap((printer) => printer.content());
}

/** The text these commands print, patches as patches; of binary content its bytes. Throws as `printed`. */
export function printedText(invocations: readonly GitInvocation[], line: Line): string {
  return printersOf(invocations, line, () => true)
    .flatMap((printer) => printer.text())
    .join("\n");
}

function printersOf(invocations: readonly GitInvocation[], line: Line, mayBeSecret: (path: string) => boolean): readonly Printer[] {
  return invocations.flatMap((invocation) => {
    const place = line.place(invocation);
    if (place === undefined) throw new Unfinished("the folder is only known at run time");
    const repository = line.repository(place);
    return repository === undefined ? [] : [new Printer(invocation, place, repository, line, mayBeSecret)];
  });
}

/** Whether a command prints content at all. */
export function prints({ subcommand }: GitInvocation): boolean {
  return " show diff diff-index diff-files diff-tree range-diff difftool format-patch log reflog whatchanged cat-file stash grep blame annotate archive bundle fast-export ".includes(
    ` ${subcommand} `,
  );
}

class Printer {
  private readonly parsed: Parsed;
  /** Operands before and behind `--`; computed ones cannot be read. */
  private readonly words: readonly string[];
  private readonly paths: readonly Argument[];
  /** Output of the patches made so far, as it came. */
  private readonly patches: string[] = [];

  constructor(
    private readonly invocation: GitInvocation,
    private readonly place: Place,
    private readonly repository: Repository,
    private readonly line: Line,
    private readonly mayBeSecret: (path: string) => boolean,
  ) {
    this.parsed = parseOptions(invocation.args, OPTIONS);
    const { operands, dashes } = this.parsed;
    const before = operands.slice(0, dashes ?? operands.length);
    if (before.some(({ exact }) => !exact)) throw new Unfinished("what Git prints is only known at run time");
    this.words = before.map(({ text }) => text);
    this.paths = operands.slice(dashes ?? operands.length);
  }

  /** What is printed, as text. */
  text(): readonly string[] {
    const content = this.content();
    return [...this.patches, ...content.flatMap(({ bytes, patched }) => (patched === true ? [] : [new TextDecoder().decode(bytes)]))];
  }

  content(): readonly Printed[] {
    switch (this.invocation.subcommand) {
      case "cat-file":
        return this.objects(
          this.parsed.has("batch") ? this.line.flow(this.invocation.stdin).text.split("\n", 1_000) : this.words.slice(-1),
        );
      case "show": {
        const blobs = this.words.filter((word) => /^[^:]*:./.test(word) && !word.startsWith(":/"));
        const others = this.words.filter((word) => !blobs.includes(word));
        return [...this.objects(blobs), ...(blobs.length > 0 && others.length === 0 ? [] : this.shown(others))];
      }
      case "log":
      case "reflog":
      case "whatchanged":
      case "range-diff":
        return this.patch(["log", "-m", "--format=%B%n%N", ...this.counts(), ...this.groups(), ...this.revisions()]);
      case "format-patch": {
        const revisions = this.revisions();
        const [only] = revisions;
        // One revision means what came after it.
        const range = revisions.length === 1 && only !== undefined && !/\.\.|^\^/.test(only) && this.counts().length === 0;
        return this.patch(["log", "--format=%B", ...this.counts(), ...(range ? [`${only}..HEAD`] : revisions)]);
      }
      case "stash": {
        const stash = this.words[1] ?? "stash@{0}";
        const name = /^\d{1,4}$/.test(stash) ? `stash@{${stash}}` : stash;
        return [...this.patch(["diff", `${name}^1`, name]), ...this.tree(`${name}^3`, true)];
      }
      case "diff":
      case "diff-index":
      case "diff-tree":
      case "diff-files":
      case "difftool":
        return this.difference();
      case "bundle":
      case "fast-export":
        return this.history();
      case "grep":
      case "blame":
      case "annotate":
        return this.lines();
      default:
        return this.tree(this.revisions()[0] ?? "HEAD", this.fullPaths().length === 0);
    }
  }

  /** Objects by name; a blob's path is what stands behind the colon. */
  private objects(names: readonly string[]): readonly Printed[] {
    const { git, budget } = this.repository;
    const found = [...measure(git, names)].filter(([, { type }]) => type === "blob");
    const contents = readMeasured(
      git,
      found.map(([, object]) => object),
      budget,
    );
    return found.flatMap(([name, { oid }]) => {
      const object = contents.get(oid);
      return object === undefined ? [] : [{ path: name.replace(/^(?::[0-3])?[^:]*:/, ""), bytes: object.bytes }];
    });
  }

  /** `git show` of commits, tags, trees and bare blobs. */
  private shown(names: readonly string[]): readonly Printed[] {
    const revisions = names.filter((name) => this.isRevision(name));
    const commits = revisions.filter((name) => name.includes("..") || measure(this.repository.git, [`${name}^{commit}`]).size > 0);
    const blobs = this.objects(revisions.filter((name) => !commits.includes(name)));
    if (commits.length === 0 && blobs.length > 0) return blobs;
    return [...blobs, ...this.patch(["show", "-m", "--format=%B%n%N", ...this.counts(), ...(commits.length === 0 ? ["HEAD"] : commits)])];
  }

  private difference(): readonly Printed[] {
    const revisions = this.revisions();
    const { subcommand } = this.invocation;
    if (subcommand === "diff-tree" && revisions.length === 1) return this.patch(["show", "-m", "--format=", ...revisions]);
    if (revisions.length > 1 || revisions.some((revision) => revision.includes(".."))) return this.patch(["diff", ...revisions]);
    const cached = this.parsed.has("cached") || this.parsed.has("staged");
    const staged = cached || revisions.length > 0 ? this.patch(["diff", "--cached", ...revisions]) : [];
    if (cached) return staged;
    const specs = pathspecs(this.named(), this.place.git.cwd, this.place.beyond);
    const choice = { specs, untracked: "none" } as const;
    const changes = workingTree(this.place, this.line, choice)?.changes ?? [];
    // A changed line is printed as it was, too, and so is all of a file that is gone.
    const sides = [":", ":2:", ":3:", ...revisions.map((revision) => `${revision}:`)];
    const paths = [...changes.map(({ path }) => path), ...missing(this.repository, choice)];
    const before = this.objects(paths.flatMap((path) => sides.map((side) => side + path)));
    this.patches.push(...changes.map(asPatch));
    return [...staged, ...[...changes, ...before].map(({ path, bytes }): Printed => ({ path, bytes, patched: true }))];
  }

  /** `grep`, `blame`: lines of tracked files, or of the ones named. */
  private lines(): readonly Printed[] {
    const revision = this.revisions()[0];
    const named = this.named().filter(({ exact }) => exact);
    const files = named.flatMap(({ text }) => {
      const path = this.line.path(text, this.place.git.cwd);
      const root = this.repository.root;
      const bytes = path === undefined || revision !== undefined ? undefined : this.line.file(path);
      return bytes === undefined || path === undefined || root === undefined
        ? []
        : [{ path: path.startsWith(`${root}/`) ? path.slice(root.length + 1) : text, bytes }];
    });
    const searched = revision === undefined && this.invocation.subcommand === "grep" ? this.current() : [];
    return [...files, ...searched, ...this.tree(revision ?? "HEAD", false)];
  }

  /** What a search sees beyond HEAD: tracked files as they stand in the working tree, and new ones in the index. */
  private current(): readonly Printed[] {
    const specs = pathspecs(this.named(), this.place.git.cwd, this.place.beyond);
    const untracked = this.parsed.has("untracked") ? "standard" : "none";
    const changes = workingTree(this.place, this.line, { specs, untracked })?.changes ?? [];
    const { root, system } = this.repository;
    const staged = stagedContent(this.repository).flatMap(({ path, bytes }) =>
      path === undefined || bytes === undefined || !covers(specs, `${root}/${path}`, root ?? "", system) ? [] : [{ path, bytes }],
    );
    return [...changes, ...staged].filter(({ path }) => specs.texts.length > 0 || this.mayBeSecret(path));
  }

  /** Files of a tree: the named ones, or those that may be secret. `all` takes every file. */
  private tree(revision: string, all: boolean): readonly Printed[] {
    const { git, budget } = this.repository;
    const object = measure(git, [revision]).get(revision);
    if (object === undefined || object.type === "blob") return [];
    const listed = git.must(["ls-tree", "-r", "-z", "-l", "--full-tree", object.oid, "--", ...this.fullPaths()]);
    const named = new Set(this.fullPaths());
    const files = new TextDecoder()
      .decode(listed)
      .split("\0")
      .flatMap((entry) => {
        budget.walk();
        const match = /^\d{6} blob ([0-9a-f]{40,64}) +(\d{1,15})\t(.{1,4096})$/s.exec(entry);
        const path = match?.[3] ?? "";
        if (match === null || !(all || named.size > 0 || this.mayBeSecret(path))) return [];
        return [{ oid: match[1] ?? "", size: Number(match[2]), path }];
      });
    const contents = readMeasured(git, files, budget);
    return files.flatMap(({ oid, path }) => {
      const object = contents.get(oid);
      return object === undefined ? [] : [{ path, bytes: object.bytes }];
    });
  }

  /** Every version of every file, and the messages. */
  private history(): readonly Printed[] {
    const { git, budget } = this.repository;
    const groups = this.groups();
    const revisions = this.revisions();
    const tips = groups.length + revisions.length === 0 ? ["HEAD"] : [...groups, ...revisions];
    const paths = listedObjects(listing(git, tips), budget);
    return [...readListed(git, [...paths.keys()], budget)].map(([oid, { bytes }]) => ({ path: paths.get(oid) ?? "", bytes }));
  }

  /** The lines a patch shows, by file; the prose around them stands under the path "". */
  private patch([subcommand = "", ...args]: readonly string[]): readonly Printed[] {
    const whole = this.invocation.subcommand === "format-patch" || ["binary", "text", "a"].some((option) => this.parsed.has(option));
    const flags = whole ? [...PATCH, "--text"] : PATCH;
    const finished = this.repository.git.run([subcommand, ...flags, ...args, "--", ...this.named().map(({ text }) => text)], {
      bytes_max: CHOSEN.git_batch_bytes,
    });
    // No such revision: Git prints nothing either.
    if (finished.code !== 0) return [];
    this.repository.budget.read(finished.stdout.length);
    this.patches.push(new TextDecoder().decode(finished.stdout));
    const files = new Map<string, string[]>([["", []]]);
    let path = "";
    // A line of content can look like a header.
    let inHunk = false;
    for (const text of Buffer.from(finished.stdout).toString("latin1").split("\n")) {
      if (text.startsWith("diff --git ")) {
        path = " ";
        inHunk = false;
      } else if (inHunk ? text === "" || /^[-+ ]/.test(text) : path === "") {
        const lines = files.get(path) ?? [];
        lines.push(inHunk ? text.slice(1) : text);
        files.set(path, lines);
      } else if (text.startsWith("@@")) inHunk = true;
      else if (!inHunk) path = /^(?:\+\+\+ b|--- a)\/(.{1,4096}?)\t?$/.exec(text)?.[1] ?? path;
      else if (!text.startsWith("\\")) {
        // Behind the last hunk stands the next commit's message.
        path = "";
        inHunk = false;
        files.get("")?.push(text);
      }
    }
    return [...files].map(([of, lines]) => ({ path: of, bytes: Buffer.from(`${lines.join("\n")}\n`, "latin1"), patched: true }));
  }

  /** Revisions among the words before `--`; what is none is a path. */
  private revisions(): readonly string[] {
    return this.operands().filter((word) => this.isRevision(word));
  }

  /** The words but for the pattern of a search. */
  private operands(): readonly string[] {
    const pattern = this.invocation.subcommand === "grep" && !this.parsed.has("e") && !this.parsed.has("f");
    return this.words.slice(pattern ? 1 : 0);
  }

  private isRevision(word: string): boolean {
    if (word === "") return false;
    const tips = word.replace(/^\^/, "").split(/\.{2,3}/);
    return tips.every((tip) => tip === "" || measure(this.repository.git, [tip]).size > 0);
  }

  /** Paths, whether or not `--` stands before them. */
  private named(): readonly Argument[] {
    const { subcommand } = this.invocation;
    const words = this.words.slice(subcommand === "grep" && !this.parsed.has("e") && !this.parsed.has("f") ? 1 : 0);
    const loose =
      this.paths.length > 0 || /^(?:show|stash|archive)$/.test(subcommand) ? [] : words.filter((word) => !this.isRevision(word));
    return [...loose.map((text): Argument => ({ text, exact: true, sources: [] })), ...this.paths];
  }

  /** The named paths from the root of the working tree. */
  private fullPaths(): readonly string[] {
    const { root } = this.repository;
    const paths = this.invocation.subcommand === "archive" ? [...this.paths, ...this.archived()] : this.named();
    if (paths.some(({ exact }) => !exact)) return [];
    const { cwd } = this.place.git;
    // Below the top an archive holds that folder only.
    if (
      this.invocation.subcommand === "archive" &&
      paths.length === 0 &&
      this.place.beyond === "" &&
      root !== undefined &&
      inside(cwd, root)
    )
      return cwd === root ? [] : [cwd.slice(root.length + 1)];
    return paths.flatMap(({ text }) => {
      const path = this.line.path(text, this.place.git.cwd);
      return path === undefined || root === undefined || !path.startsWith(`${root}/`) ? [] : [path.slice(root.length + 1)];
    });
  }

  /** `git archive REV path …` needs no `--`. */
  private archived(): readonly Argument[] {
    return this.words.slice(1).map((text) => ({ text, exact: true, sources: [] }));
  }

  private counts(): readonly string[] {
    const short = this.invocation.args.filter(({ text, exact }) => exact && /^-\d{1,6}$/.test(text)).map(({ text }) => text);
    const long = this.parsed.values("max-count").filter(({ text }) => /^\d{1,6}$/.test(text));
    return [...short, ...long.map(({ text }) => `--max-count=${text}`)];
  }

  private groups(): readonly string[] {
    return ["all", "branches", "tags"].filter((group) => this.parsed.has(group)).map((group) => `--${group}`);
  }
}

/** A changed file of the working tree as a patch that brings all of it. */
function asPatch({ path, bytes }: { readonly path: string; readonly bytes: Uint8Array }): string {
  const lines = new TextDecoder().decode(bytes).split("\n");
  return [
    `diff --git a/${path} b/${path}`,
    "--- /dev/null",
    `+++ b/${path}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
  ].join("\n");
}
