/**
 * Where a file lies inside its repository, as far as that relaxes a verdict (L-034 … L-041).
 * Only the path from the repository root counts: a project kept under a folder named `test` is a project like any other.
 */
import type { System } from "../system.ts";

const TEST_FOLDERS = new Set(["test", "tests", "testdata", "fixtures", "fixture", "__tests__", "__fixtures__", "__mocks__"]);
const DOCS_FOLDERS = new Set(["docs", "doc", "examples", "example", "samples", "sample", "spec"]);
/** A test's snapshot is named like it: `a.test.ts.snap`. */
const TEST_FILE = /(?:_test|\.spec|\.test)\.[^.]|\.(?:example|sample|template)$/;

/** `test` relaxes files and tokens, `docs` tokens only. */
export type Relaxation = "test" | "docs" | undefined;

/** The relaxation a repository-relative path (with `/`) earns. Names are compared exactly, case included. */
export function relaxation(relative: string | undefined): Relaxation {
  if (relative === undefined) return undefined;
  const segments = relative.split("/");
  const name = segments.pop() ?? "";
  if (segments.some((segment) => TEST_FOLDERS.has(segment)) || TEST_FILE.test(name)) return "test";
  return segments.some((segment) => DOCS_FOLDERS.has(segment)) ? "docs" : undefined;
}

/** Finds the repository a path lies in by looking for `.git` upwards; remembers what it saw during one call. */
export class Repositories {
  private readonly roots = new Map<string, string | undefined>();

  constructor(private readonly system: System) {}

  /** The repository root that holds `path` (absolute, need not exist); undefined outside any repository. */
  rootOf(path: string): string | undefined {
    const folder = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
    if (folder === "") return undefined;
    if (this.roots.has(folder)) return this.roots.get(folder);
    const root = this.system.info(`${folder}/.git`) !== undefined ? folder : this.rootOf(folder);
    this.roots.set(folder, root);
    return root;
  }

  /** The path from the root of its repository; undefined outside any. */
  relative(path: string): string | undefined {
    const root = this.rootOf(path);
    return root === undefined ? undefined : path.slice(root.length + 1);
  }
}
