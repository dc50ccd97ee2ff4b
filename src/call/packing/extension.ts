/** What `vsce package` takes of an editor extension: everything but what `.vscodeignore` or the list of files leaves out. */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Chosen } from "./chosen.ts";
import { Pattern, type Work } from "./pattern.ts";
import { jsonOf, textOf, textsOf } from "./text.ts";
import { walk } from "./walk.ts";

const NEVER =
  /(?:^|\/)(?:\.git|\.DS_Store|\.vscode-test|\.vscode-test-web)(?:\/|$)|\.(?:vsix|vsixmanifest)$|^(?:\.npmrc|\.yarnrc|\.vscodeignore|\.editorconfig|\.gitattributes|package-lock\.json|yarn\.lock|npm-shrinkwrap\.json|\.github)(?:\/|$)|^node_modules\//;

/** The files of an extension; its dependencies come on top and are other people's. */
export function extension(folder: string, system: System, work: Work): Chosen {
  const written = textOf(`${folder}/.vscodeignore`, system);
  const listed = textsOf(jsonOf(`${folder}/package.json`, system)["files"]);
  const lines =
    written === undefined
      ? listed === undefined
        ? []
        : [...listed.map((file) => `!${file}`), "**"]
      : written
          .split(/[\n\r]/, CHOSEN.ignore_lines)
          .map((line) => line.trim())
          .filter((line) => line !== "" && !line.startsWith("#"));
  // A line may name a folder: what lies in it goes with it. Lines that take something back win wherever they stand.
  const rules = [...lines, "!package.json", "!README.md"]
    .flatMap((line) => (/(?:^|\/)[^/*]*\*[^/]*$/.test(line) ? [line] : [line, `${line.replace(/\/$/, "")}/**`]))
    .map((line) => new Pattern(line, { whole: true, work }));
  const { files, cut } = walk(folder, { never: NEVER }, system, work);
  const chosen = files.filter((relative) => {
    if (work.spent) return false;
    const path = relative.split("/");
    return rules.some((rule) => rule.negated && rule.matches(path)) || !rules.some((rule) => !rule.negated && rule.matches(path));
  });
  return { files: chosen.map((relative) => ({ relative, surely: true })), cut: cut || work.spent };
}
