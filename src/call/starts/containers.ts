/** Scripts of this machine that a container is given to run: `docker run -v .:/w image sh /w/s.sh`. */
import type { System } from "../../system.ts";
import type { Argument } from "../effect.ts";
import { baseName, resolvePath } from "../path.ts";
import { RUN } from "../shell/commands/containers.ts";
import { bindMounts, commandIn, Mounts } from "../shell/mounts.ts";
import { readOptions } from "../shell/options.ts";
import { quoted } from "../shell/quoting.ts";
import { literal } from "../source.ts";
import { trimEnd } from "../text.ts";
import { fileStart } from "./file.ts";
import { languageRunBy } from "./operands.ts";
import { shellStart, spelled, type Start, type Started } from "./start.ts";

/** What a container's command runs out of a folder it is given, as the same container started with the script's own text. */
export function containedScript(start: Start, system: System): readonly Started[] {
  const at = start.args.findIndex(({ text }) => text === "run");
  // Behind `exec` and `compose` it is not told here what the container sees.
  if (at < 0 || at > 1) return [];
  const given = start.args.slice(at + 1);
  const options = readOptions(given, RUN);
  const [image, ...words] = options.operands;
  if (image === undefined) return [];
  const head = given.slice(0, given.length - options.operands.length);
  const places = bindMounts(head).flatMap(({ from, at: there, readOnly }) => {
    const path = from.exact ? resolvePath(from.text, start.cwd, system).path : undefined;
    return path === undefined || !there.startsWith("/") ? [] : [{ from: path, at: trimEnd(there, "/") || "/", readOnly }];
  });
  if (places.length === 0) return [];
  const mounts = new Mounts(places, false);
  const folder = options.value("w", "workdir");
  const cwd = folder === undefined ? undefined : mounts.resolve(folder.text, undefined);
  const [program, ...args] = commandIn(image, words, options.value("entrypoint"));
  if (program === undefined) return [];
  const language = languageRunBy(baseName(program.text));
  const script = language !== undefined ? args.findIndex(({ text }) => !text.startsWith("-")) : -1;
  // `sh -c '…'` says itself what it runs.
  if (language !== undefined && (script < 0 || args.slice(0, script).some(({ text }) => /^-\w{0,8}[ce]$/.test(text)))) return [];
  const file = language !== undefined ? args[script] : program;
  const path = file?.exact === true && (language !== undefined || file.text.includes("/")) ? mounts.resolve(file.text, cwd) : undefined;
  if (path === undefined) return [];
  const started = fileStart({ cwd: cwd ?? "" }, path, language !== undefined ? args.slice(script + 1) : args, language, system);
  if (started === undefined) return [];
  const line = [start.name, "run", ...withoutEntry(head).map(spelled), quoted(image.text), "sh", "-c", quoted(started.command)];
  return [{ ...shellStart(start, path, line.join(" ")), program: started.program }];
}

/** The client's options without its own entry point, in whose place the script stands. */
function withoutEntry(head: readonly Argument[]): readonly Argument[] {
  return head.flatMap((word, at) => {
    if (word.text.startsWith("--entrypoint")) return [];
    return head[at - 1]?.text === "--entrypoint" ? [] : [word.exact ? literal(word.text) : word];
  });
}
