/** How each scanner is called on a file or a folder, without network or verification, and how its findings are read. */
import { relative } from "node:path";
import type { Finding } from "../../labelled/score.ts";
import { CACHE, type Installed } from "./install.ts";

/** A scanner as the bench runs it. */
export interface Scanner {
  readonly name: string;
  readonly version: string;
  /** The folder it has to be started in; the one that is scanned unless said. */
  readonly cwd?: string;
  /** Its whole command for one file or folder, findings on standard output. */
  command(path: string): readonly string[];
  /** Findings below `root` in what it printed. */
  findings(output: string, root: string): readonly Finding[];
}

type Row = Readonly<Record<string, unknown>>;
const rows = (value: unknown): readonly Row[] => (Array.isArray(value) ? (value as Row[]) : []);
const lines = (output: string): readonly Row[] =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Row);

/** The product itself, by its launcher. */
export function product(launcher: string, version: string): Scanner {
  return {
    name: "poisonzero",
    version,
    command: (path) => [launcher, "scan", "--json", path],
    findings: (output, root) =>
      lines(output).map((row) => ({ path: below(root, row["path"]), line: Number(row["line"]), rule: String(row["family"]) })),
  };
}

/** A rival by its name. */
export function scanner({ name, version, program }: Installed): Scanner {
  switch (name) {
    case "gitleaks":
    case "betterleaks":
      return {
        name,
        version,
        command: (path) => [program, "dir", "--no-banner", "-l", "error", "--exit-code", "0", "-f", "json", "-r", "-", path],
        findings: (output, root) =>
          rows(JSON.parse(output === "" ? "[]" : output)).map((row) => ({
            path: below(root, row["File"]),
            line: Number(row["StartLine"]),
            rule: String(row["RuleID"]),
          })),
      };
    case "kingfisher":
      return {
        name,
        version,
        // Every occurrence is wanted, as all the others report it.
        command: (path) => [
          program,
          "scan",
          "--no-validate",
          "--no-update-check",
          "--git-history",
          "none",
          "--no-dedup",
          "-f",
          "jsonl",
          path,
        ],
        findings: (output, root) =>
          lines(output).flatMap((row) => {
            const finding = row["finding"] as Row | undefined;
            const rule = row["rule"] as Row | undefined;
            return finding === undefined
              ? []
              : [{ path: below(root, finding["path"]), line: Number(finding["line"]), rule: String(rule?.["name"]) }];
          }),
      };
    case "detect-secrets":
      return {
        name,
        version,
        command: (path) => [program, "scan", "-n", "--all-files", path],
        findings: (output, root) =>
          Object.entries((JSON.parse(output) as { results: Row }).results).flatMap(([path, found]) =>
            rows(found).map((row) => ({ path: below(root, path), line: Number(row["line_number"]), rule: String(row["type"]) })),
          ),
      };
    case "secretlint":
      return {
        name,
        version,
        // Its rules are found from where it is started.
        cwd: `${CACHE}/npm`,
        command: (path) => [
          program,
          "--secretlintrc",
          `${CACHE}/npm/.secretlintrc.json`,
          "--format",
          "json",
          /\.\w+$/.test(path) ? path : `${path}/**/*`,
        ],
        findings: (output, root) =>
          rows(JSON.parse(output === "" ? "[]" : output)).flatMap((file) =>
            rows(file["messages"]).map((message) => ({
              path: below(root, file["filePath"]),
              line: (message["loc"] as { start: { line: number } }).start.line,
              rule: String(message["ruleId"]).replace(/^.*secretlint-rule-/, ""),
            })),
          ),
      };
    default:
      throw new Error(`no way to call ${name} is known`);
  }
}

function below(root: string, path: unknown): string {
  const text = String(path).replace(/^\.\//, "");
  return text.startsWith("/") ? relative(root, text) : text;
}
