/** Commands that run apart from this call: in a window of their own, or later. */
import type { Source } from "../../effect.ts";
import { scheduledCommands } from "../../recipes.ts";
import { literal, staticText } from "../../source.ts";
import type { Invocation } from "../invocation.ts";
import { readOptions } from "../options.ts";

/** A window with a command in it: behind `-e`, `-x` or `--`, or as the rest of the words. What it prints stays there. */
export function terminal(invocation: Invocation): void {
  const at = invocation.args.findIndex(({ text }) => /^(?:-e|-x|--|--command|--execute)$/.test(text));
  const rest =
    at < 0 && /^(?:kitty|foot)$/.test(invocation.name) ? invocation.options({ stop: true }).operands : invocation.args.slice(at + 1);
  const [first] = rest;
  if (first === undefined || (at < 0 && !/^(?:kitty|foot)$/.test(invocation.name))) return;
  if (rest.length === 1) invocation.script(first, { quiet: true });
  else invocation.start(rest);
}

/** `tmux new -d 'cmd'`, `split-window cmd`, `send-keys 'cmd' Enter`: nothing of it is printed here. */
export function tmux(invocation: Invocation): void {
  const globals = invocation.options({ short: "cfLST", stop: true });
  const command = globals.value("c");
  if (command !== undefined) return invocation.script(command);
  const [verb, ...rest] = globals.operands;
  const name = verb?.text ?? "";
  if (
    /^(?:new|new-session|neww|new-window|splitw|split-window|respawn-pane|respawn-window|popup|display-popup|run|run-shell|if|if-shell|pipep|pipe-pane)$/.test(
      name,
    )
  ) {
    const options = readOptions(rest, { short: "censtxyFlTw", stop: true });
    if (options.operands.length === 0) return;
    const shown = /^(?:run|run-shell|if|if-shell)$/.test(name);
    if (options.operands.length > 1 && !/^if/.test(name)) return invocation.start(options.operands);
    for (const text of options.operands) invocation.script(text, { quiet: !shown });
  } else if (/^send(?:-keys)?$/.test(name)) {
    const words = readOptions(rest, { short: "tN", stop: true }).operands.filter(
      ({ text }) => !/^(?:Enter|C-\w|Escape|Space|Tab)$/.test(text),
    );
    for (const text of words) invocation.script(text);
  } else invocation.print([{ from: "unknown" }]);
}

/** `screen -dm cmd`, `screen -X stuff 'cmd'`. */
export function screen(invocation: Invocation): void {
  const options = invocation.options({ short: "cehpsStTX", stop: true });
  const at = invocation.args.findIndex(({ text }) => text === "stuff");
  const typed = at < 0 ? undefined : invocation.args[at + 1];
  if (typed !== undefined) return invocation.script({ ...typed, text: withoutReturn(typed.text) });
  if (options.operands.length > 0) invocation.start(options.operands);
}

/** A typed text without the keys that send it off. */
function withoutReturn(text: string): string {
  let rest = text.trimEnd();
  while (/(?:\\n|\\r|\^M)$/.test(rest.slice(-2))) rest = rest.slice(0, -2).trimEnd();
  return rest;
}

/** Commands that run later, from standard input. */
export function scheduled(invocation: Invocation, sources: readonly Source[]): void {
  const options = invocation.options({ short: "fqtv" });
  const file = options.value("f");
  invocation.scriptFlow(file === undefined ? sources : invocation.readScript(file));
}

/** `crontab -`: the command of each line. */
export function crontab(invocation: Invocation): void {
  const options = invocation.options({ short: "uT" });
  // Its lines set variables before they start anything.
  if (options.has("l")) return invocation.print([{ from: "environment", name: undefined, plain: true }]);
  if (options.has("r", "e")) return invocation.print([{ from: "unknown" }]);
  const [file] = options.operands;
  const table = file === undefined || file.text === "-" ? invocation.stdin : invocation.readScript(file);
  // `(crontab -l; echo 'new line') | crontab -`: what this call adds is known, the old table is the person's.
  const text = table.flatMap((source) => (source.from === "text" && source.plain ? [source.text] : [])).join("\n");
  if (staticText(table) === undefined) invocation.doubt("a script is computed at run time");
  const lines = scheduledCommands(text);
  if (lines !== "") invocation.script(literal(lines));
}
