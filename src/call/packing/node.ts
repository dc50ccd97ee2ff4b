/**
 * What a Node package manager packs: npm's own rules (npm-packlist 10), entry for entry. The others have a shorter list of
 * what never goes; what they add to npm's answer is not sure.
 */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import { type Pattern, patterns, type Work } from "./pattern.ts";
import { type Fields, fieldsOf, joined, jsonOf, textOf, textsOf } from "./text.ts";
import type { Chosen } from "./chosen.ts";

const DEFAULTS = `.npmignore
.gitignore
**/.git
**/.svn
**/.hg
**/CVS
**/.git/**
**/.svn/**
**/.hg/**
**/CVS/**
/.lock-wscript
/.wafpickle-*
/build/config.gypi
npm-debug.log
**/.npmrc
.*.swp
.DS_Store
**/.DS_Store/**
._*
**/._*/**
*.orig
/archived-packages/**`;

const ALWAYS = `/.git
!/package.json
!/readme{,.*[^~$]}
!/copying{,.*[^~$]}
!/license{,.*[^~$]}
!/licence{,.*[^~$]}
/.git
/node_modules
.npmrc
/package-lock.json
/yarn.lock
/pnpm-lock.yaml
/bun.lockb`;

/** What no package manager takes. */
const NEVER = `**/.git
**/.git/**
**/.hg
**/.hg/**
/node_modules`;

/** Rules of one folder, in the order in which they count. */
type RuleKind = "default" | "package.json" | ".npmignore" | ".gitignore" | "strict";
const KINDS: readonly RuleKind[] = ["default", "package.json", ".npmignore", ".gitignore", "strict"];

interface Folder {
  readonly name: string;
  /** From the package's own folder, "" for itself. */
  readonly relative: string;
  readonly parent: Folder | undefined;
  readonly rules: Map<RuleKind, readonly Pattern[]>;
  /** A line names this folder itself, so that what lies in it is asked about even where an outer line hides it. */
  readonly exact: boolean;
}

/**
 * The files of the package in `folder` as `manager` (`npm`, `yarn` …) packs it. `prefix` is the folder of the workspaces it
 * is packed from, when it is one of them: ignore files on the way there count as well.
 */
export function nodePackage(folder: string, prefix: string | undefined, system: System, work: Work, manager = "npm"): Chosen {
  const npm = walked(folder, prefix, system, work, true);
  if (/^c?npm$/.test(manager)) return npm;
  const sure = new Set(npm.files.filter(({ surely }) => surely).map(({ relative }) => relative));
  const { files, cut } = walked(folder, prefix, system, work, false, manager === "yarn");
  const all = [...files.map(({ relative }) => relative), ...sure];
  return { files: [...new Set(all)].map((relative) => ({ relative, surely: sure.has(relative) })), cut };
}

function walked(folder: string, prefix: string | undefined, system: System, work: Work, npm: boolean, classic = false): Chosen {
  const manifest = jsonOf(`${folder}/package.json`, system);
  // In a list of files Yarn 1 takes a negated entry for "everything but this", and no ignore file counts then.
  const open = classic && textsOf(manifest["files"])?.some((file) => file.startsWith("!")) === true;
  const walk = new Walk(folder, open ? { files: ["**"] } : manifest, prefix, system, work, npm);
  walk.into(
    { name: folder.slice(folder.lastIndexOf("/") + 1), relative: "", parent: undefined, rules: walk.rootRules(), exact: false },
    [],
  );
  walk.bundled();
  return { files: walk.files, cut: walk.cut };
}

class Walk {
  readonly files: { readonly relative: string; readonly surely: boolean }[] = [];
  cut = false;
  #entries = 0;
  #unsure = false;
  readonly #work: Work;
  readonly #folder: string;
  readonly #system: System;
  readonly #manifest: Fields;
  readonly #prefix: string | undefined;
  /** npm reads the manifests of folders that are no packages as ignore files once there are workspaces. */
  readonly #workspaces: boolean;
  readonly #required: string[] = [];
  readonly #never: readonly Pattern[];
  readonly #always: string;
  readonly #npm: boolean;

  constructor(folder: string, manifest: Fields, prefix: string | undefined, system: System, work: Work, npm: boolean) {
    this.#npm = npm;
    this.#work = work;
    this.#never = patterns(npm ? DEFAULTS : NEVER, this.#work);
    this.#always = npm ? ALWAYS : `${ALWAYS.replace(/^(?:\.npmrc|.*lock.*)$/gm, "")}\n!/change{s,log}{,.*}\n!/history{,.*}`;
    this.#folder = folder;
    this.#manifest = manifest;
    this.#prefix = prefix;
    this.#system = system;
    this.#workspaces = manifest["workspaces"] !== undefined;
  }

  rootRules(): Map<RuleKind, readonly Pattern[]> {
    const rules = new Map<RuleKind, readonly Pattern[]>();
    rules.set("default", [...this.#never, ...this.#outer()]);
    const chosen: string[] = [];
    const strict: string[] = [];
    const { files, browser, main, bin, directories } = this.#manifest;
    for (const written of Array.isArray(files) ? files : []) {
      if (typeof written !== "string") continue;
      let file = written.startsWith("./") ? written.slice(1) : written;
      if (file.endsWith("/*")) file += "*";
      const kind = this.#system.info(joined(this.#folder, file.replace(/^!+/, "")))?.kind;
      if (kind === "file") {
        strict.unshift(`!${file}`);
        this.#required.push(file.startsWith("/") ? file.slice(1) : file);
      } else if (kind === "folder") chosen.push(`!${file}`, `!${file}/**`);
      else if (kind === undefined) chosen.push(`!${file}`);
    }
    if (Array.isArray(files)) rules.set("package.json", patterns(["*", ...chosen].join("\n"), this.#work));
    const named = [browser, main].filter((one) => one !== undefined && one !== null && one !== "").map((one) => `!/${String(one)}`);
    if (!this.#npm && typeof main === "string") named.push(`!/${main.replace(/^(?:\.?\/)+/, "")}/**`);
    const commands = typeof bin === "string" ? [bin] : Object.values(fieldsOf(bin));
    for (const command of commands) if (typeof command === "string") named.push(`!/${command.replace(/^(?:\.?\/)+/, "")}`);
    const commandFolder = fieldsOf(directories)["bin"];
    if (typeof commandFolder === "string") named.push(`!/${commandFolder.replace(/^(?:\.?\/)+/, "")}/**`);
    rules.set("strict", patterns([...strict, this.#always, ...named].join("\n"), this.#work));
    return rules;
  }

  /** Ignore files between the workspaces' root and this package. */
  #outer(): readonly Pattern[] {
    const prefix = this.#prefix;
    if (prefix === undefined || !this.#folder.startsWith(`${prefix}/`)) return [];
    const found: Pattern[] = [];
    const way = this.#folder
      .slice(prefix.length + 1)
      .split("/")
      .slice(0, -1);
    for (let depth = 0; depth <= way.length; depth++) {
      const here = [prefix, ...way.slice(0, depth)].join("/");
      const text = textOf(`${here}/.npmignore`, this.#system) ?? textOf(`${here}/.gitignore`, this.#system);
      if (text !== undefined) found.push(...patterns(text, this.#work));
    }
    return found;
  }

  into(at: Folder, required: readonly string[]): void {
    const here = at.relative === "" ? this.#folder : `${this.#folder}/${at.relative}`;
    const names = this.#system.list(here);
    const { rules } = at;
    if (at.parent !== undefined) {
      rules.set("default", this.#never);
      rules.set("strict", patterns(["/.git", ...required.map((file) => `!${file}`)].join("\n"), this.#work));
      if (this.#workspaces && names.includes("package.json")) rules.set("package.json", []);
    } else required = this.#required;
    // What the others make of an ignore file further down differs: none of them is taken for hiding anything.
    if (!rules.has("package.json") && (this.#npm || at.parent === undefined)) {
      const file = names.includes(".npmignore") ? ".npmignore" : names.includes(".gitignore") ? ".gitignore" : undefined;
      if (file !== undefined) rules.set(file, patterns(textOf(`${here}/${file}`, this.#system) ?? "", this.#work));
    }
    for (const name of names) {
      this.#work.entry();
      if (this.#entries++ >= CHOSEN.packed_entries || this.#work.spent) {
        this.cut = true;
        return;
      }
      if (name.includes("*")) continue;
      const relative = at.relative === "" ? name : `${at.relative}/${name}`;
      const kind = this.#system.info(`${this.#folder}/${relative}`)?.kind;
      this.#unsure = false;
      if (kind === "file") {
        if (this.#included(at, name, false, undefined)) this.files.push({ relative, surely: !this.#unsure });
      } else if (kind === "folder" && this.#included(at, name, true, undefined)) {
        const exact = this.#included(at, name, false, undefined) || this.#included(at, `${name}/`, false, undefined);
        const inner = required.filter((file) => file.startsWith(`${name}/`) && !file.slice(name.length + 1).includes("/"));
        this.into(
          { name, relative, parent: at, rules: new Map(), exact },
          inner.map((file) => file.slice(name.length + 1)),
        );
      }
    }
  }

  /** ignore-walk's `filterEntry`: the outermost folder's rules first, each may take back what came before. */
  #included(at: Folder, entry: string, partial: boolean, base: string | undefined): boolean {
    let included = true;
    if (at.parent !== undefined) {
      included = this.#included(at.parent, `${at.name}/${entry}`, partial, base ?? entry);
      if (!included && !at.exact) return false;
    }
    const path = entry.toLowerCase().split("/");
    const rooted = ["", ...path];
    const name = base?.toLowerCase().split("/");
    for (const kind of KINDS) {
      for (const rule of at.rules.get(kind) ?? []) {
        if (rule.negated === included) continue;
        if (!matched(rule, path, rooted, partial, name)) continue;
        if (!rule.sure) this.#unsure = true;
        included = rule.negated;
      }
    }
    return included;
  }

  /** Dependencies that travel inside the package: all of them, since which need which is not worked out. */
  bundled(): void {
    const { bundleDependencies, bundledDependencies } = this.#manifest;
    const named = bundleDependencies ?? bundledDependencies;
    if (named !== true && (textsOf(named)?.length ?? 0) === 0) return;
    const walk = (relative: string): void => {
      for (const name of this.#system.list(`${this.#folder}/${relative}`)) {
        this.#work.entry();
        if (this.#entries++ >= CHOSEN.packed_entries || this.#work.spent) {
          this.cut = true;
          return;
        }
        const inner = `${relative}/${name}`;
        const kind = this.#system.info(`${this.#folder}/${inner}`)?.kind;
        if (kind === "folder" && name !== ".git") walk(inner);
        else if (kind === "file") this.files.push({ relative: inner, surely: false });
      }
    };
    walk("node_modules");
  }
}

function matched(
  rule: Pattern,
  path: readonly string[],
  rooted: readonly string[],
  partial: boolean,
  name: readonly string[] | undefined,
): boolean {
  if (rule.matches(rooted) || rule.matches(path)) return true;
  if (!partial) return false;
  if (rule.matches([...rooted, ""]) || rule.matches([...path, ""])) return true;
  if (rule.negated && (rule.matches(rooted, true) || rule.matches(path, true))) return true;
  if (name === undefined || !rule.bare) return false;
  const below = ["", ...name];
  return (
    rule.matches([...below, ""]) || rule.matches([...name, ""]) || (rule.negated && (rule.matches(below, true) || rule.matches(name, true)))
  );
}
