/**
 * Types, lint, format and the house rules that no tool knows: `bun run check`.
 * Exit codes: 0 clean, 1 something is wrong (each finding with file and line).
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { scan } from "../../src/secrets/scan.ts";
import { hookImports } from "./hook-imports.ts";
import { NOTICES_FILE, notices } from "./notices.ts";
import { README_FILE, readme } from "./readme.ts";

const ROOT = resolve(import.meta.dir, "../..");

/** What may stand at the top of the repository; dot entries may as well. */
const TOP_LEVEL = [
  "package.json",
  "bunfig.toml",
  "bun.lock",
  "src",
  "native",
  "targets",
  "models",
  "test",
  "install",
  "README.md",
  "LICENSE",
];

/** Texts that have no place here. Written in two halves so that this file does not hold them itself. */
const FORBIDDEN: readonly { readonly what: string; readonly pattern: RegExp; readonly where: RegExp }[] = [
  { what: "a path of one particular machine", pattern: new RegExp(`(^|[^\\w.-])/${"wo"}rk/[a-z.]`), where: /./ },
  {
    what: "a registry's host",
    pattern: new RegExp(`registry\\.npm${"js"}|pypi\\.${"org"}|deb\\.debian\\.${"org"}|proxy\\.go${"lang"}|crates\\.io/${"api"}`),
    where: /^(install|targets|native|\.ci|test\/scripts)\/|^[^/]+$/,
  },
  { what: "an unfinished mark", pattern: new RegExp(`\\b(TO${"DO"}|FIX${"ME"}|XX${"X"}|HA${"CK"})\\b`), where: /\.(ts|c|h|sh|json)$/ },
  { what: "a lone or skipped test", pattern: new RegExp(`\\b(test|it|describe)\\.(on${"ly"}|to${"do"}|sk${"ip"})\\(`), where: /\.ts$/ },
  {
    what: "Node stdio on the hook path",
    pattern: /process\.(stdin|stdout|stderr)/,
    where: /^src\/(hook|call|agents|leak0|secrets|destinations|policy|session)\//,
  },
];

/** Files under version control or about to be, relative to the root. */
function files(): string[] {
  const listed = Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard", "-z"], { cwd: ROOT });
  if (listed.exitCode !== 0) throw new Error(`git ls-files: ${listed.stderr}`);
  return listed.stdout
    .toString()
    .split("\0")
    .filter((name) => name !== "" && existsSync(join(ROOT, name)));
}

/** A development tool's own findings, one a line. */
function tool(name: string, ...args: string[]): string[] {
  const done = Bun.spawnSync([process.execPath, join(ROOT, "node_modules/.bin", name), ...args], { cwd: ROOT });
  if (done.exitCode === 0) return [];
  return `${done.stdout}${done.stderr}`.trim().split("\n");
}

function unformatted(): string[] {
  const output = tool("biome", "format", "--max-diagnostics=none", "--colors=off").join("\n");
  const named = [...output.matchAll(/^(\S+) format /gm)].map((match) => `${match[1]}: not formatted. Next step: biome format --write`);
  return named.length > 0 || output === "" ? named : [output];
}

function strayEntries(all: readonly string[]): string[] {
  const tops = new Set(all.map((file) => file.split("/", 1)[0] as string));
  return [...tops]
    .filter((entry) => !entry.startsWith(".") && !TOP_LEVEL.includes(entry))
    .map((entry) => `${entry}: does not belong at the top level`);
}

/** Every line of a text file; binary files have none. */
function lines(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  return text.includes("\0") ? [] : text.split("\n");
}

function forbiddenText(all: readonly string[]): string[] {
  return all.flatMap((file) => {
    const rules = FORBIDDEN.filter((rule) => rule.where.test(file));
    return lines(file).flatMap((line, i) =>
      rules.filter((rule) => rule.pattern.test(line)).map((rule) => `${file}:${i + 1}: ${rule.what}`),
    );
  });
}

/** The product looks at its own sources: no value of a recognised form may stand in them; made-up passwords may. */
function secrets(all: readonly string[]): string[] {
  return all
    .filter((file) => file !== "bun.lock")
    .flatMap((file) => {
      const text = lines(file).join("\n");
      const found = scan(text).secrets.filter((secret) => secret.grade !== "field" && secret.family !== "uri-password");
      return found.map(
        (secret) => `${file}:${text.slice(0, secret.start).split("\n").length}: looks like a live secret (${secret.family})`,
      );
    });
}

function noticesCurrent(): string[] {
  const file = join(ROOT, NOTICES_FILE);
  return existsSync(file) && readFileSync(file, "utf8") === notices(ROOT)
    ? []
    : [`${NOTICES_FILE} is not current. Next step: bun test/scripts/notices.ts`];
}

function readmeCurrent(): string[] {
  const text = readFileSync(join(ROOT, README_FILE), "utf8");
  return text === readme(text) ? [] : [`${README_FILE}: its tables are not current. Next step: bun test/scripts/readme.ts`];
}

const all = files();
const checks: Readonly<Record<string, () => string[]>> = {
  types: () => tool("tsc", "-p", "src/tsconfig.json"),
  lint: () => tool("oxlint", "-c", ".oxlintrc.json", "--format=unix"),
  format: unformatted,
  "top level": () => strayEntries(all),
  "forbidden text": () => forbiddenText(all),
  "no live-looking secret": () => secrets(all),
  "hook path imports": () => hookImports(ROOT).problems,
  "third-party notices": noticesCurrent,
  "README's tables": readmeCurrent,
};

let wrong = 0;
for (const [name, check] of Object.entries(checks)) {
  const problems = check();
  wrong += problems.length === 0 ? 0 : 1;
  console.log(`${problems.length === 0 ? "ok    " : "wrong "} ${name}`);
  for (const problem of problems) console.log(`       ${problem}`);
}
console.log(wrong === 0 ? "all checks passed" : `${wrong} of ${Object.keys(checks).length} checks failed`);
process.exitCode = wrong === 0 ? 0 : 1;
