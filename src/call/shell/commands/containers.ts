/** Containers and clusters: what runs inside cannot read files here; pushes leave. */
import type { Argument, Part } from "../../effect.ts";
import { argumentSources, sliceArgument, unique } from "../../source.ts";
import { trimEnd } from "../../text.ts";
import { targetOf } from "../../url.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { bindMounts, commandIn, Mounts } from "../mounts.ts";
import { readOptions } from "../options.ts";

/** The handler of a container or cluster client. */
export function containerCommand(name: string): Handler | undefined {
  switch (name) {
    case "docker":
    case "podman":
    case "nerdctl":
    case "buildah":
      return docker;
    case "docker-compose":
    case "podman-compose":
      return compose;
    case "kubectl":
    case "oc":
    case "k":
    case "k3s":
      return kubectl;
    case "skopeo":
    case "oras":
    case "crane":
    case "regctl":
      return imageCopy;
    case "helm":
      return helm;
    case "lxc":
    case "incus":
    case "vagrant":
    case "limactl":
    case "multipass":
    case "wsl":
      return machine;
    default:
      return undefined;
  }
}

const EXEC = {
  short: "euwnc",
  long: "env user workdir namespace container context kubeconfig env-file detach-keys index file project-name",
  stop: true,
} as const;

const RUN = {
  short: "aceHhlmpuvw",
  long: "add-host attach blkio-weight cap-add cap-drop cidfile cpus cpu-shares cpuset-cpus device dns entrypoint env env-file expose gpus group-add hostname ip label link log-driver log-opt mac-address memory memory-swap mount name network net network-alias pid pids-limit platform publish pull restart runtime secret security-opt shm-size stop-signal stop-timeout storage-opt sysctl tmpfs ulimit user userns volume volumes-from workdir",
  stop: true,
} as const;

function inside(invocation: Invocation, words: readonly Argument[]): void {
  if (words.length === 0) return;
  const quoted = words.map((word) => `'${word.text.replaceAll("'", "'\\''")}'`).join(" ");
  // Words an argument brings in from here (substitutions) travel with it; what it runs has no hold on local files.
  const sources = unique(words.flatMap((word) => [...word.sources]));
  invocation.script({ text: quoted, exact: true, sources }, { remote: true, quiet: true });
  invocation.print(sources);
  invocation.print([{ from: "unknown" }]);
}

function docker(invocation: Invocation): void {
  const globals = invocation.options({
    short: "cHl",
    long: "context host config log-level tlscacert tlscert tlskey connection url",
    stop: true,
  });
  const [group, ...rest] = globals.operands;
  let verb = group?.text ?? "";
  let args: readonly Argument[] = rest;
  if (/^(?:container|image|buildx|compose)$/.test(verb)) {
    if (verb === "compose") return composeArgs(invocation, rest);
    verb = rest[0]?.text ?? "";
    args = rest.slice(1);
  }
  const daemon = globals.value("H", "host", "url") ?? invocation.environment.get("DOCKER_HOST");
  if (daemon !== undefined && /^(?:tcp|https?|ssh):\/\//.test(daemon.text)) {
    const folder =
      verb === "build" || verb === "bud" ? args.filter(({ text }) => /^[./~]/.test(text)).flatMap((one) => [...invocation.read(one)]) : [];
    const data = [...args.flatMap(argumentSources), ...folder, ...invocation.stdin];
    const { host } = targetOf(daemon.text).destination;
    invocation.send(invocation.name, [{ sources: data, position: "data" }], { kind: "remote shell", host, url: undefined });
  }
  if (verb === "exec") return inside(invocation, readOptions(args, EXEC).operands.slice(1));
  if (verb === "push")
    return push(invocation, `${invocation.name} push`, readOptions(args, { long: "authfile creds format platform" }).operands.at(-1));
  if ((verb === "build" || verb === "bud") && args.some((argument) => argument.text === "--push")) {
    const options = readOptions(args, { short: "tfo", long: "tag file build-arg secret platform output target cache-from cache-to label" });
    const parts: Part[] = options.values("build-arg").map((value) => ({ sources: argumentSources(value), position: "data" }));
    const folder = options.operands[0];
    invocation.publish(
      `${invocation.name} build --push`,
      parts,
      imageHost(options.value("t", "tag")),
      folder === undefined ? undefined : invocation.file(folder),
    );
    return;
  }
  if (verb === "save" || verb === "export") {
    const output = readOptions(args, { short: "o", long: "output" }).value("o", "output");
    if (output !== undefined) return invocation.write(output, [{ from: "unknown" }]);
  }
  if (verb === "login") return;
  if (verb === "run" || verb === "create") return run(invocation, args);
  if (verb === "cp") return copy(invocation, args);
  invocation.print([{ from: "unknown" }]);
}

/**
 * `docker run -v here:there image command`: the image's command runs apart from this machine. What it sends counts, and
 * what it does to the places it is given.
 */
function run(invocation: Invocation, args: readonly Argument[]): void {
  const options = readOptions(args, RUN);
  const [image, ...given] = options.operands;
  // What the command is given may come back.
  invocation.print(unique(given.flatMap((word) => [...word.sources])));
  const { shell } = invocation;
  const places = bindMounts(args.slice(0, args.length - options.operands.length)).flatMap(({ from, at, readOnly }) => {
    const { path } = shell.remote ? { path: undefined } : invocation.file(from);
    return path === undefined || !at.startsWith("/") ? [] : [{ from: path, at: at.length > 1 ? trimEnd(at, "/") : at, readOnly }];
  });
  const host = options.values("pid").some(({ text }) => text === "host") || places.some(({ from }) => from === "/");
  if (image !== undefined && (places.length > 0 || host)) {
    const mounts = new Mounts(places, host);
    const folder = options.value("w", "workdir");
    const words = commandIn(image, given, options.value("entrypoint"));
    shell.wrapped(() => shell.contained(words, mounts, folder?.exact === true ? folder.text : undefined, invocation.io));
  }
  invocation.print([{ from: "unknown" }]);
}

/** `docker cp c:/there here`: what lies in a container is not known. */
function copy(invocation: Invocation, args: readonly Argument[]): void {
  const [from, to] = readOptions(args, { long: "namespace container retries" }).operands;
  const { platform } = invocation.world;
  if (from === undefined || to === undefined || !isElsewhere(from.text, platform) || isElsewhere(to.text, platform)) return;
  if (to.text === "-") return invocation.print([{ from: "unknown" }]);
  invocation.write(to, [{ from: "unknown" }]);
}

/** `name:path`; a path here starts otherwise or holds no colon. */
function isElsewhere(text: string, platform: string): boolean {
  if (platform === "windows" && /^[A-Za-z]:[\\/]/.test(text)) return false;
  return /^[A-Za-z0-9][\w.-]{0,252}(?:\/[\w.-]{1,253})?:/.test(text);
}

function compose(invocation: Invocation): void {
  composeArgs(invocation, invocation.args);
}

function composeArgs(invocation: Invocation, args: readonly Argument[]): void {
  const options = readOptions(args, { short: "fp", long: "file project-name env-file profile project-directory", stop: true });
  if (options.operands[0]?.text === "exec") return inside(invocation, readOptions(options.operands.slice(1), EXEC).operands.slice(1));
  if (options.operands[0]?.text === "run") return run(invocation, options.operands.slice(1));
  if (options.operands[0]?.text === "push") return invocation.publish("docker compose push", [], imageHost(undefined));
  // `config` prints the values of the env file.
  if (
    options.operands[0]?.text === "config" &&
    !options.operands.some((operand) => /^(?:-q|--quiet|--services|--images|--no-interpolate)$/.test(operand.text))
  ) {
    const file = options.value("env-file") ?? { text: ".env", exact: true, sources: [] };
    return invocation.print(invocation.read(file));
  }
  invocation.print([{ from: "unknown" }]);
}

/** The registry in an image name; Docker Hub without one. */
function imageHost(image: Argument | undefined): { kind: "web"; host: string | undefined; url: string | undefined } {
  if (image === undefined) return { kind: "web", host: undefined, url: undefined };
  const first = image.text.replace(/^docker:\/\//, "").split("/")[0] ?? "";
  const named = image.text.includes("/") && /[.:]|^localhost$/.test(first);
  return { kind: "web", host: named ? targetOf(first, "https").destination.host : "docker.io", url: undefined };
}

function push(invocation: Invocation, via: string, image: Argument | undefined): void {
  invocation.publish(via, [], imageHost(image));
}

function imageCopy(invocation: Invocation): void {
  const options = invocation.options({ short: "u", long: "src-creds dest-creds authfile platform username password" });
  if (/^(?:copy|push|cp|append)$/.test(options.operands[0]?.text ?? "")) {
    const operands = options.operands.slice(1);
    const files = invocation.name === "oras" ? operands.slice(1) : [];
    invocation.publish(
      `${invocation.name} ${options.operands[0]?.text}`,
      [
        {
          sources: files.flatMap((file) => [
            ...invocation.read({ ...file, text: file.text.replace(/:[\w.+-]{1,100}\/[\w.+-]{1,100}$/, "") }),
          ]),
          position: "data",
        },
      ],
      imageHost(invocation.name === "oras" ? operands[0] : operands.at(-1)),
    );
  }
}

function helm(invocation: Invocation): void {
  const options = invocation.options({ long: "version kubeconfig namespace values set" });
  if (options.operands[0]?.text !== "push" && options.operands[0]?.text !== "cm-push") return;
  const chart = options.operands[1];
  const to = options.operands[2];
  invocation.publish(
    "helm push",
    [{ sources: chart === undefined ? [] : invocation.read(chart), position: "data" }],
    to === undefined ? imageHost(undefined) : targetOf(to.text, "https").destination,
  );
}

function kubectl(invocation: Invocation): void {
  const options = invocation.options({
    short: "nlofcs",
    long: "namespace context kubeconfig server token user cluster output selector container filename from-file from-env-file from-literal template",
  });
  const words = options.operands.map((operand) => operand.text);
  const output = `${options.value("o", "output")?.text ?? ""} ${options
    .values("template")
    .map(({ text }) => text)
    .join(" ")}`;
  const known = (options.value("o", "output")?.exact ?? true) && /^(?:jsonpath|go-template|custom-columns)/.test(output);
  // A template that picks addresses and names shows no secret.
  const harmless =
    /^(?:name|wide)\s?$/.test(output) ||
    (known &&
      !/token|passw|secret|key|cert|auth|\busers?\b|\bdata\b|\.\.|\*|@|=\{\.?\}|\{\{\s?\.\s?\}\}|stringData|json\b/i.test(
        output.replace(/^(?:jsonpath|go-template)(?:-as-json)?(?:-file)?/, ""),
      ));
  if (
    /^(?:get|describe|edit)$/.test(words[0] ?? "") &&
    isSecretKind(words[1] ?? "") &&
    words[0] === "get" &&
    /^(?:yaml|json|jsonpath|go-template|custom-columns|template)/.test(output) &&
    !harmless
  )
    return invocation.print([{ from: "credential command", command: "kubectl get secret", plain: true }]);
  if (words[0] === "config" && words[1] === "view" && (options.has("raw") || options.has("flatten")) && !harmless) {
    return invocation.print([{ from: "credential command", command: "kubectl config view --raw", plain: true }]);
  }
  if (words[0] === "exec" || words[0] === "run" || words[0] === "debug") {
    const dashes = invocation.args.findIndex((argument) => argument.text === "--");
    return inside(invocation, dashes >= 0 ? invocation.args.slice(dashes + 1) : words[0] === "exec" ? options.operands.slice(2) : []);
  }
  if (words[0] === "cp") {
    const [from, to] = options.operands.slice(1);
    if (from !== undefined && to?.text.includes(":") === true && !/^[^/]{1,255}:/.test(from.text)) {
      invocation.send("kubectl cp", [{ sources: invocation.read(from), position: "data" }], {
        kind: "remote shell",
        host: undefined,
        url: undefined,
      });
    }
    return copy(invocation, options.operands.slice(1));
  }
  // A cluster's own secrets and files stay between the person and the cluster; a client-side dry run prints them.
  const files = options.values("from-file", "from-env-file");
  if (files.length > 0 && options.options.some((option) => option.name === "dry-run") && printsObject(options.value("o", "output"))) {
    return invocation.printTransformed(
      files.flatMap((file) => [
        ...invocation.read(/^[\w.-]{1,253}=/.test(file.text) ? sliceArgument(file, file.text.indexOf("=") + 1) : file),
      ]),
    );
  }
  invocation.print([{ from: "unknown" }]);
}

/** `secret`, `secrets/x`, `cm,secret`. */
function isSecretKind(word: string): boolean {
  return word.split(",").some((kind) => /^(?:secrets?|sealedsecrets?)(?:\.v1)?(?:\/|$)/.test(kind));
}

/** `-o name` prints a name; every other form can print the object's data. */
function printsObject(output: Argument | undefined): boolean {
  return output !== undefined && output.text !== "name";
}

/** `lxc exec c -- cmd`, `vagrant ssh -c cmd`, `wsl cmd`. */
function machine(invocation: Invocation): void {
  if (invocation.name === "wsl") {
    const words = invocation.options({ short: "deu", long: "distribution exec user cd", stop: true });
    return invocation.start([...words.values("e", "exec"), ...words.operands]);
  }
  const at = invocation.args.findIndex((argument) => argument.text === "--" || argument.text === "-c");
  if (at < 0) return invocation.print([{ from: "unknown" }]);
  const rest = invocation.args.slice(at + 1);
  if (invocation.args[at]?.text === "-c" && rest[0] !== undefined) invocation.script(rest[0], { remote: true, quiet: true });
  else inside(invocation, rest);
}
