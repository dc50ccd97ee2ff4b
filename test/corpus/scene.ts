/** A throwaway home folder, repository and data folder on disk, as a case's setup describes them. */
import { spawnSync } from "node:child_process";
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Case, Layer, Setup } from "./case.ts";
import { type Places, Template } from "./template.ts";

export interface Scene extends Places {
  readonly template: Template;
  /** What the agent's environment holds. */
  readonly environment: Readonly<Record<string, string>>;
  readonly mode: string | null;
  readonly local: unknown;
}

const GIT_CONFIG =
  "[user]\n\tname = Dev\n\temail = dev@acme.dev\n[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n[commit]\n\tgpgsign = false\n[gc]\n\tauto = 0\n";

/** Builds scenes and keeps them: cases with the same setup share one, and a shared setup is built once and copied. */
export class Stage {
  readonly #root: string;
  readonly #setups: ReadonlyMap<string, Setup>;
  readonly #scenes = new Map<string, Scene>();
  readonly #seed: string;
  #count = 0;

  /** `root` is an empty folder for everything that is built. */
  constructor(root: string, setups: ReadonlyMap<string, Setup>, seed: string) {
    this.#root = root;
    this.#setups = setups;
    this.#seed = seed;
  }

  /** The scene of a case. */
  of({ setup }: Case): Scene {
    return typeof setup === "string" ? this.#named(setup) : this.#kept(JSON.stringify(setup), setup);
  }

  #named(name: string): Scene {
    const setup = this.#setups.get(name);
    if (setup === undefined) throw new Error(`no setup named ${name}`);
    return this.#kept(name, setup);
  }

  #kept(key: string, setup: Layer & { readonly on?: string }): Scene {
    const known = this.#scenes.get(key);
    if (known !== undefined) return known;
    const made = setup.on === undefined ? this.#fresh(key, setup) : this.#upon(this.#named(setup.on), key, setup);
    this.#scenes.set(key, made);
    return made;
  }

  #fresh(key: string, layer: Layer): Scene {
    const folder = this.#folder();
    mkdirSync(join(folder, "home/proj"), { recursive: true });
    writeFileSync(join(folder, "home/.gitconfig"), GIT_CONFIG);
    // Without the sample hooks: hundreds of repositories are made.
    shell("git init -q --template= .", join(folder, "home/proj"), join(folder, "home"));
    const scene = this.#build(folder, layer, new Template(`${this.#seed}/${key}`));
    shell("git repack -adq && git prune-packed", scene.repo, scene.home);
    return scene;
  }

  #upon(base: Scene, key: string, layer: Layer): Scene {
    const folder = this.#folder();
    const left = join(base.home, ".poisonzero");
    cpSync(base.home, join(folder, "home"), { recursive: true, verbatimSymlinks: true, filter: (path) => path !== left });
    return this.#build(folder, layer, new Template(`${this.#seed}/${key}`, base.template));
  }

  #folder(): string {
    const folder = join(this.#root, String(this.#count++));
    mkdirSync(join(folder, "data"), { recursive: true, mode: 0o755 });
    return folder;
  }

  #build(folder: string, layer: Layer, template: Template): Scene {
    const home = join(folder, "home");
    const repo = join(home, layer.repo ?? "proj");
    if (layer.repo !== undefined) {
      mkdirSync(dirname(repo), { recursive: true });
      renameSync(join(home, "proj"), repo);
    }
    const places = { home, repo, data: join(folder, "data") };
    put(home, template.fill(layer.home ?? {}, places));
    put(repo, template.fill(layer.files ?? {}, places));
    for (const command of template.fill(layer.git ?? [], places)) shell(command, repo, home);
    put(repo, template.fill(layer.late ?? {}, places));
    for (const [path, target] of Object.entries(template.fill(layer.links ?? {}, places))) {
      mkdirSync(dirname(join(repo, path)), { recursive: true });
      symlinkSync(target, join(repo, path));
    }
    for (const command of template.fill(layer.then ?? [], places)) shell(command, repo, home);
    const scene: Scene = { ...places, template, environment: environmentOf(home), mode: layer.mode === undefined ? "enforce" : layer.mode, local: template.fill(layer.local, places) };
    settle(scene, places.data);
    return scene;
  }
}

/** Writes a scene's settings into a data folder. */
export function settle(scene: Pick<Scene, "mode" | "local">, data: string): void {
  const put = (name: string, content: string | undefined) => {
    const path = join(data, name);
    if (content === undefined) rmSync(path, { force: true });
    else writeFileSync(path, content, { mode: 0o644 });
  };
  put("leak0mode", scene.mode === null ? undefined : /^\w+$/.test(scene.mode) ? `${scene.mode}\n` : scene.mode);
  put("leak0.local.json", scene.local === undefined ? undefined : JSON.stringify(scene.local));
}

/** Every regular file below a folder with its size and time; links are not followed. `skip` names folders left out. */
export function snapshot(folder: string, skip: readonly string[] = []): ReadonlyMap<string, string> {
  const seen = new Map<string, string>();
  const walk = (at: string) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (!skip.includes(path)) walk(path);
      } else if (entry.isFile()) {
        const { size, mtimeMs, ino } = lstatSync(path);
        seen.set(path, `${size} ${mtimeMs} ${ino}`);
      }
    }
  };
  walk(folder);
  return seen;
}

/** Contents of the files that appeared or changed since a snapshot. */
export function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const changed = [...after].filter(([path, stamp]) => before.get(path) !== stamp).map(([path]) => [path, readFileSync(path, "latin1")] as const);
  return new Map(changed);
}

function put(folder: string, files: Readonly<Record<string, string | null>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    if (content === null) {
      rmSync(path, { recursive: true, force: true });
      continue;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: /(?:^|\/)\.(?:ssh|aws|netrc|npmrc|env)/.test(name) ? 0o600 : 0o644 });
  }
}

const environmentOf = (home: string) => ({ HOME: home, PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C.UTF-8", USER: "dev", SHELL: "/bin/bash" });

function shell(command: string, cwd: string, home: string): void {
  const { status, stderr } = spawnSync("bash", ["-c", command], { cwd, env: { ...environmentOf(home), GIT_CONFIG_NOSYSTEM: "1" }, encoding: "utf8" });
  if (status !== 0) throw new Error(`setup command failed: ${command}\n${stderr}`);
}
