/** Redirections, and the paths that are descriptors in disguise (`/dev/stdin`, `/proc/self/environ`). */
import type { Argument, Source } from "../effect.ts";
import { argumentSources, asWhole, handled, literal } from "../source.ts";
import type { Shell } from "./interpret.ts";
import type { Redirection } from "./parse.ts";
import { type Io, NULL_SINK, type Sink } from "./sink.ts";
import type { Overlay } from "./state.ts";

/** `1`, `12`, `3-`; no pattern, since `2>&1` is everywhere. */
function isDescriptor(text: string): boolean {
  const first = text.charCodeAt(0);
  return first >= 48 && first <= 57 && (text.length === 1 || /^\d{1,6}-?$/.test(text));
}

/** The descriptors a command runs with; files it opens for writing are added to `opened`, for the caller to close. */
export function redirect(shell: Shell, redirects: readonly Redirection[], start: Io, opened: Sink[]): Io {
  let { stdin } = start;
  const out = new Map(start.out);
  const inputs = new Map(start.inputs);
  const input = (descriptor: number, sources: readonly Source[]): void => {
    if (descriptor === 0) stdin = sources;
    else inputs.set(descriptor, sources);
  };
  for (const redirect of redirects) {
    const written = redirect.descriptor;
    const descriptor = written === undefined ? undefined : written.type === "FileDescriptor" ? written.value : shell.core.descriptor++;
    if (written?.type === "FileDescriptorVariable")
      shell.state.variables.set(written.name, { values: [literal(String(descriptor))], exported: false, array: false });
    const io: Io = { stdin, out, inputs };
    if (redirect.type === "HereDoc") {
      input(descriptor ?? 0, shell.words.body(redirect.body.text, redirect.body.parts));
      continue;
    }
    if (redirect.target === undefined) {
      shell.doubt("a redirection has no target");
      continue;
    }
    const target = shell.words.one(redirect.target);
    if (redirect.type === "HereString") {
      input(descriptor ?? 0, handled(argumentSources(target), false));
      continue;
    }
    switch (redirect.operator) {
      case "<":
        shell.complain(target.sources, io);
        input(descriptor ?? 0, asWhole(shell.read(target, io), shell.file(target).path));
        break;
      case "<>": {
        const sink = shell.openOutput(target, true, io);
        if (sink.kind === "send") {
          out.set(descriptor ?? 0, sink);
          input(descriptor ?? 0, [{ from: "unknown" }]);
        } else if ((descriptor ?? 0) === 0) input(0, shell.read(target, io));
        else {
          // `1<>f` writes into the file as it stands.
          input(descriptor ?? 0, shell.read(target, io));
          out.set(descriptor ?? 0, sink);
          if (sink.kind === "file") opened.push(sink);
        }
        break;
      }
      case "<&":
        if (isDescriptor(target.text))
          input(descriptor ?? 0, target.text === "0" ? stdin : (inputs.get(Number.parseInt(target.text, 10)) ?? []));
        break;
      case ">&":
        if (isDescriptor(target.text)) out.set(descriptor ?? 1, out.get(Number.parseInt(target.text, 10)) ?? NULL_SINK);
        else if (target.text === "-") out.set(descriptor ?? 1, NULL_SINK);
        else output(shell, target, false, io, opened, out, descriptor === undefined ? [1, 2] : [descriptor]);
        break;
      case "&>":
      case "&>>":
        output(shell, target, redirect.operator === "&>>", io, opened, out, [1, 2]);
        break;
      default:
        output(shell, target, redirect.operator === ">>", io, opened, out, [descriptor ?? 1]);
    }
  }
  return { stdin, out, inputs };
}

function output(
  shell: Shell,
  target: Argument,
  append: boolean,
  io: Io,
  opened: Sink[],
  out: Map<number, Sink>,
  descriptors: readonly number[],
): void {
  const sink = shell.openOutput(target, append, io);
  if (sink.kind === "file") opened.push(sink);
  for (const descriptor of descriptors) out.set(descriptor, sink);
}

/** Content of the paths that are no files of their own; undefined for an ordinary one. */
export function specialContent(path: string, io: Io, overlay: Overlay): readonly Source[] | undefined {
  if (path.startsWith("/dev/")) {
    if (path === "/dev/stdin" || path === "/dev/fd/0") return io.stdin;
    if (path === "/dev/null") return [];
    if (/^\/dev\/(?:zero|urandom|random|full|tty)$/.test(path)) return [{ from: "unknown" }];
    const descriptor = /^\/dev\/fd\/(\d{1,6})$/.exec(path);
    if (descriptor !== null) return io.inputs.get(Number(descriptor[1])) ?? overlay.read(path) ?? [];
    return undefined;
  }
  if (!path.startsWith("/proc/")) return undefined;
  if (/^\/proc\/(?:self|thread-self|\d{1,10})\/(?:task\/\d{1,10}\/)?environ$/.test(path))
    return [{ from: "environment", name: undefined, plain: true }];
  const open = /^\/proc\/(?:self|thread-self|\d{1,10})\/fd\/(\d{1,6})$/.exec(path);
  if (open !== null) return open[1] === "0" ? io.stdin : (io.inputs.get(Number(open[1])) ?? overlay.read(`/dev/fd/${open[1]}`) ?? []);
  return undefined;
}
