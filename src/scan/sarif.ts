/** Sightings as one SARIF 2.1.0 log, written piece by piece so that its size does not matter. */
import { RULES, type RuleClass } from "../verdict.ts";
import { isProven, type Sighting } from "./sighting.ts";

/** Rules a scan can name, in the order of their index in the log. */
const SCAN_RULES: readonly RuleClass[] = [
  "leak0:checksum_token_file",
  "leak0:credential_file_read",
  "leak0:credential_content_written",
  "leak0:secret_file_git",
  "leak0:vendor_token_file",
  "leak0:secret_in_output",
];

/** Everything in front of the first result. */
export function sarifHead(version: string): string {
  const rules = SCAN_RULES.map((id) => ({ id, name: nameOf(id), shortDescription: { text: RULES[id] } }));
  const driver = { name: "poisonzero", semanticVersion: version, rules };
  const schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return `{"$schema":"${schema}","version":"2.1.0","runs":[{"tool":${JSON.stringify({ driver })},"columnKind":"utf16CodeUnits","results":[`;
}

/** One result; the caller puts a comma between two. */
export function sarifResult(sighting: Sighting): string {
  const { path, line, column, end_column, family, title, proof, hash, rule } = sighting;
  return JSON.stringify({
    ruleId: rule,
    ruleIndex: SCAN_RULES.indexOf(rule),
    level: isProven(sighting) ? "error" : "warning",
    message: { text: `${title} (${proof}), hash ${hash}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(path) },
          region: { startLine: line, startColumn: column, ...(end_column === undefined ? {} : { endColumn: end_column }) },
        },
      },
    ],
    properties: { family, proof, hash },
  });
}

/** Everything behind the last result. `problems` are what could not be looked at, in words. */
export function sarifFoot(problems: readonly string[]): string {
  const notices = problems.map((text) => ({ level: "error", message: { text } }));
  const invocation = { executionSuccessful: problems.length === 0, toolExecutionNotifications: notices };
  return `],"invocations":[${JSON.stringify(invocation)}]}]}\n`;
}

/** `leak0:checksum_token_file` as `ChecksumTokenFile`, the form SARIF recommends. */
function nameOf(rule: RuleClass): string {
  return rule
    .slice(rule.indexOf(":") + 1)
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function uriOf(path: string): string {
  if (path === "-") return "stdin";
  const escaped = path.split("/").map(encodeURIComponent).join("/");
  return path.startsWith("/") ? `file://${escaped}` : escaped;
}
