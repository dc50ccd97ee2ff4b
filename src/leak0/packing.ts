/**
 * Which files of a folder a publishing command packs, as far as the tool's own rules tell (ignore files, lists in the
 * manifest, what it never takes).
 * Trust: manifest and ignore files are repository content. What they hide from the package is hidden from strangers as
 * well; what cannot be read hides nothing.
 */
import { ignoredByGit, ignores, Unfinished } from "../call/git/index.ts";
import { CHOSEN } from "../limits.ts";
import type { System } from "../system.ts";

/** A file that would be packed. `surely` is false where the tool's rules are only partly known. */
export interface Packed {
  /** Absolute. */
  readonly path: string;
  /** From the folder that is packed. */
  readonly relative: string;
  readonly surely: boolean;
}

/** How one tool chooses. */
interface Packer {
  /** Ignore files; of those in one folder the first that is there counts. */
  readonly ignoreFiles?: readonly string[];
  /** Files the repository does not track and ignores stay out. */
  readonly git?: true;
  /** Relative paths that never go. */
  readonly never?: RegExp;
  /** Patterns of the manifest; undefined when it names none. */
  readonly lists?: (folder: string, system: System) => Lists;
  /** The rules are known to the last one. */
  readonly exact?: true;
}

interface Lists {
  readonly only?: readonly string[];
  readonly without?: readonly string[];
}

const HIDDEN = /(?:^|\/)\./;

const NODE: Packer = {
  ignoreFiles: [".npmignore", ".gitignore"],
  never:
    /(?:^|\/)(?:\.git|\.npmrc|\.yarnrc(?:\.yml)?|node_modules|\.svn|\.hg|CVS|\.DS_Store|\.lock-wscript|config\.gypi|\.wafpickle-\d{1,3}|npm-debug\.log|\.[^/]{0,100}\.swp|\._[^/]{0,200})(?:\/|$)/,
  lists: (folder, system) => ({ ...only(strings(json(`${folder}/package.json`, system)["files"])) }),
  exact: true,
};

const DENO: Packer = {
  git: true,
  lists: (folder, system) => {
    const manifest =
      ["jsr.json", "deno.json", "deno.jsonc"].map((name) => json(`${folder}/${name}`, system)).find((one) => "name" in one) ?? {};
    const publish = typeof manifest["publish"] === "object" && manifest["publish"] !== null ? (manifest["publish"] as Fields) : {};
    return {
      ...only(strings(publish["include"])),
      without: [...(strings(manifest["exclude"]) ?? []), ...(strings(publish["exclude"]) ?? [])],
    };
  },
};

const CARGO: Packer = {
  git: true,
  never: /^target(?:\/|$)/,
  lists: (folder, system) => {
    const stated = toml(`${folder}/Cargo.toml`, system)["package"];
    const manifest = typeof stated === "object" && stated !== null ? (stated as Fields) : {};
    return { ...only(strings(manifest["include"])), without: strings(manifest["exclude"]) ?? [] };
  },
  exact: true,
};

const VERCEL: Packer = {
  ignoreFiles: [".vercelignore", ".gitignore"],
  never: /(?:^|\/)(?:\.env(?:\.[^/]{1,60})?\.local|\.vercel|\.venv)(?:\/|$)/,
};
const PUB: Packer = { git: true, ignoreFiles: [".pubignore"], never: HIDDEN };
const SITE: Packer = { never: HIDDEN };

/** Undefined: only what the tool built before goes, no file of the folder itself. */
function packerOf(tool: string): Packer | undefined {
  switch (tool) {
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
    case "cnpm":
      return NODE;
    case "jsr":
    case "deno":
      return DENO;
    case "cargo":
      return CARGO;
    case "vsce":
    case "ovsx":
      return {
        ignoreFiles: [".vscodeignore"],
        ...(NODE.lists === undefined ? {} : { lists: NODE.lists }),
        never: /(?:^|\/)(?:\.git|\.npmrc)(?:\/|$)/,
      };
    case "dart":
    case "flutter":
    case "pub":
      return PUB;
    case "vercel":
    case "vc":
    case "now":
      return VERCEL;
    case "railway":
      return { git: true, ignoreFiles: [".railwayignore"] };
    case "netlify":
    case "ntl":
    case "surge":
    case "gh-pages":
      return SITE;
    case "poetry":
    case "uv":
    case "flit":
    case "hatch":
    case "pdm":
    case "rye":
      return undefined;
    default:
      return {};
  }
}

/** Folders that no tool packs, and Rust's and Python's build results. */
const SKIPPED = new Set([".git", "node_modules", ".venv", "__pycache__"]);
/** How deep a package is looked through. */
const DEPTH = 6;

/**
 * Files below `folder` that `tool` (`npm`, `cargo` …) would pack and whose names `wanted` lets through. Bounded: entries
 * beyond `folder_entries` are not looked at.
 */
export function packed(tool: string, folder: string, wanted: (name: string, path: string) => boolean, system: System): readonly Packed[] {
  const packer = packerOf(tool);
  if (packer === undefined) return [];
  const lists = packer.lists?.(folder, system) ?? {};
  const found: string[] = [];
  let entries = 0;
  const walk = (relative: string, rules: readonly Rules[]): void => {
    const here = relative === "" ? folder : `${folder}/${relative}`;
    // A list of files replaces the ignore file beside the manifest.
    const own = relative === "" && lists.only !== undefined ? undefined : ignoreFile(here, relative, packer, system);
    const all = own === undefined ? rules : [...rules, own];
    for (const name of system.list(here)) {
      if (entries++ >= CHOSEN.folder_entries) return;
      const path = relative === "" ? name : `${relative}/${name}`;
      if (packer.never?.test(path) === true) continue;
      const kind = system.info(`${folder}/${path}`)?.kind;
      if (kind === "folder") {
        if (!SKIPPED.has(name) && path.split("/").length < DEPTH) walk(path, all);
      } else if (kind === "file" && wanted(name, `${folder}/${path}`) && chosen(path, lists, all)) found.push(path);
    }
  };
  walk("", []);
  const ignored = packer.git === true ? ignoredFiles(folder, found, system) : new Set<string>();
  return found
    .filter((relative) => !ignored.has(`${folder}/${relative}`))
    .map((relative) => ({ path: `${folder}/${relative}`, relative, surely: packer.exact === true }));
}

/** The lines of one ignore file and the folder they count in. */
interface Rules {
  readonly folder: string;
  readonly lines: readonly string[];
}

function ignoreFile(here: string, folder: string, packer: Packer, system: System): Rules | undefined {
  for (const name of packer.ignoreFiles ?? []) {
    const lines = text(`${here}/${name}`, system)?.split(/\r?\n/);
    if (lines !== undefined) return { folder, lines };
  }
  return undefined;
}

function chosen(path: string, lists: Lists, rules: readonly Rules[]): boolean {
  const parts = path.split("/");
  // A list names what goes as an ignore file names what does not.
  if (lists.only !== undefined && ignores(lists.only, parts) !== true) return false;
  if (lists.without !== undefined && ignores(lists.without, parts) === true) return false;
  let hidden = false;
  for (const { folder, lines } of rules) {
    const below = folder === "" ? parts : parts.slice(folder.split("/").length);
    hidden = ignores(lines, below) ?? hidden;
  }
  return !hidden;
}

function ignoredFiles(folder: string, found: readonly string[], system: System): ReadonlySet<string> {
  try {
    return ignoredByGit(
      folder,
      found.map((relative) => `${folder}/${relative}`),
      system,
    );
  } catch (problem) {
    if (!(problem instanceof Unfinished)) throw problem;
    return new Set(); // Git gives no answer: nothing is known to stay out.
  }
}

type Fields = Record<string, unknown>;

/** Patterns of a list that are anchored at the package's own folder; `.` and `./` mean all of it. */
function only(patterns: readonly string[] | undefined): Lists {
  if (patterns === undefined) return {};
  return {
    only: patterns.map((pattern) => {
      const negated = pattern.startsWith("!") ? "!" : "";
      const bare = pattern.slice(negated.length).replace(/^(?:\.?\/)/, "");
      return `${negated}${bare === "" || bare === "." ? "*" : `/${bare}`}`;
    }),
  };
}

function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
}

function json(path: string, system: System): Fields {
  return fields(path, system, (content) => Bun.JSONC.parse(content));
}

function toml(path: string, system: System): Fields {
  return fields(path, system, (content) => Bun.TOML.parse(content));
}

function fields(path: string, system: System, parse: (content: string) => unknown): Fields {
  const content = text(path, system);
  if (content === undefined) return {};
  try {
    const value = parse(content);
    return typeof value === "object" && value !== null ? (value as Fields) : {};
  } catch {
    return {}; // The tool refuses such a manifest as well.
  }
}

function text(path: string, system: System): string | undefined {
  const file = system.read(path, CHOSEN.project_file_bytes);
  return file === undefined ? undefined : new TextDecoder().decode(file.bytes);
}
