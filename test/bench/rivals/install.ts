/**
 * Other scanners to compare with, installed from their own registries into a cache folder outside the repository:
 * `bun test/bench/rivals/install.ts` shows which are there. Each is pinned; one that cannot be had is skipped, and says so.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Where they live: `$XDG_CACHE_HOME/poisonzero-bench`. */
export const CACHE = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "poisonzero-bench");

/** One scanner, ready to run or with the reason why it is not. */
export interface Installed {
  readonly name: string;
  readonly version: string;
  readonly program: string;
  readonly missing: string | undefined;
}

interface Source {
  readonly name: string;
  readonly version: string;
  /** Its program, relative to the cache. */
  readonly program: string;
  readonly needs: readonly string[];
  install(): readonly (readonly string[])[];
}

const GO = join(CACHE, "go");
const PYTHON = join(CACHE, "python");
const NPM = join(CACHE, "npm");

const go = (name: string, module: string, version: string): Source => ({
  name,
  version,
  program: `go/${name}`,
  needs: ["go"],
  install: () => [["go", "install", `${module}@${version === "latest" ? version : `v${version}`}`]],
});

const python = (name: string, distribution: string, version: string): Source => ({
  name,
  version,
  program: `python/bin/${name}`,
  needs: ["python3"],
  install: () => [
    ...(existsSync(join(PYTHON, "bin/pip")) ? [] : [["python3", "-m", "venv", PYTHON]]),
    [join(PYTHON, "bin/pip"), "--quiet", "--disable-pip-version-check", "install", `${distribution}==${version}`],
  ],
});

/** The last one that Node 20 runs. */
const SECRETLINT = "12.0.0";

const SOURCES: readonly Source[] = [
  go("gitleaks", "github.com/zricethezav/gitleaks/v8", "8.30.1"),
  go("betterleaks", "github.com/betterleaks/betterleaks", "latest"),
  python("kingfisher", "kingfisher-bin", "2.14.0"),
  python("detect-secrets", "detect-secrets", "1.5.0"),
  {
    name: "secretlint",
    version: SECRETLINT,
    program: "npm/node_modules/.bin/secretlint",
    needs: ["npm", "node"],
    install() {
      mkdirSync(NPM, { recursive: true });
      // A package of its own: npm would otherwise install into the next one above.
      writeFileSync(join(NPM, "package.json"), '{ "private": true }\n');
      writeFileSync(join(NPM, ".secretlintrc.json"), '{ "rules": [{ "id": "@secretlint/secretlint-rule-preset-recommend" }] }\n');
      const packages = ["secretlint", "@secretlint/secretlint-rule-preset-recommend"].map((name) => `${name}@${SECRETLINT}`);
      return [["npm", "--prefix", NPM, "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", ...packages]];
    },
  },
];

function installed({ name, version, program, needs, install }: Source): Installed {
  const path = join(CACHE, program);
  const marker = join(CACHE, `${name}-${version}`);
  const answer = (missing: string | undefined): Installed => ({ name, version, program: path, missing });
  if (existsSync(path) && existsSync(marker)) return answer(undefined);
  const lacking = needs.filter((tool) => Bun.which(tool) === null);
  if (lacking.length > 0) return answer(`${lacking.join(" and ")} is not installed`);
  mkdirSync(CACHE, { recursive: true });
  for (const command of install()) {
    const done = Bun.spawnSync([...command], { cwd: CACHE, env: { ...process.env, GOBIN: GO } });
    if (done.exitCode !== 0) return answer(lastLine(`${done.stdout}${done.stderr}`) || `${command[0]} ended with ${done.exitCode}`);
  }
  if (!existsSync(path)) return answer("its package holds no such program");
  writeFileSync(marker, "");
  return answer(undefined);
}

/** The last line of a tool's output, without addresses. */
function lastLine(output: string): string {
  const line = output.trim().split("\n").at(-1) ?? "";
  return line
    .replace(/https?:\/\/\S+/g, "…")
    .trim()
    .slice(0, 160);
}

/** Every rival; what is missing is installed first. */
export function rivals(): readonly Installed[] {
  return SOURCES.map(installed);
}

if (import.meta.main) {
  for (const { name, version, missing } of rivals())
    console.log(`${name.padEnd(16)} ${version.padEnd(8)} ${missing === undefined ? "ready" : `MISSING: ${missing}`}`);
}
