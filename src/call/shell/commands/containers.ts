/** Containers and clusters: what runs inside cannot read files here; pushes leave. */
import type { Argument, Destination, Packing, Part, Source } from "../../effect.ts";
import { ANY_IMAGE, mayBeSameImage, ofService, plainImage } from "../../image.ts";
import { argumentSources, literal, sliceArgument, staticText, unique } from "../../source.ts";
import { baseName } from "../../path.ts";
import { trimEnd } from "../../text.ts";
import { isLoopback, targetOf, urlParts } from "../../url.ts";
import type { Made } from "../core.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { registryLogin, signIn } from "./logins.ts";
import { here } from "./publish.ts";
import { bindMounts, commandIn, Mounts } from "../mounts.ts";
import { type Options, readOptions } from "../options.ts";
import { quoted } from "../quoting.ts";

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
    case "k3s":
    case "minikube":
    case "microk8s":
      return (invocation) => {
        const at = invocation.args.findIndex(({ text }) => text === "kubectl");
        if (at < 0) return invocation.print([{ from: "unknown" }]);
        invocation.start(invocation.args.slice(at).filter(({ text }, index) => index !== 1 || text !== "--"));
      };
    case "kubectl":
    case "oc":
    case "k":
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

/** Options of `docker run`. */
export const RUN = {
  short: "aceHhlmpuvw",
  long: "add-host attach blkio-weight cap-add cap-drop cidfile cpus cpu-shares cpuset-cpus device dns entrypoint env env-file expose gpus group-add hostname ip label link log-driver log-opt mac-address memory memory-swap mount name network net network-alias pid pids-limit platform publish pull restart runtime secret security-opt shm-size stop-signal stop-timeout storage-opt sysctl tmpfs ulimit user userns volume volumes-from workdir",
  stop: true,
} as const;

/** Variables that a container is given: `-e NAME=value`, and `-e NAME` for the one of this machine, as this call may have set it. */
function given(invocation: Invocation, values: readonly Argument[]): ReadonlyMap<string, Argument> {
  return new Map(
    values.flatMap((value): readonly (readonly [string, Argument])[] => {
      const match = /^([A-Za-z_]\w{0,255})(=?)/.exec(value.text);
      if (match === null) return [];
      const name = match[1] ?? "";
      const own = invocation.variable(name) ?? { text: `$${name}`, exact: false, sources: [{ from: "environment", name, plain: true }] };
      return [[name, match[2] === "=" ? sliceArgument(value, match[0].length) : own]];
    }),
  );
}

/** Runs a command in a container that is there; of this machine it has what this call copied into it. */
function inside(
  invocation: Invocation,
  container: Argument | undefined,
  words: readonly Argument[],
  variables: readonly Argument[] = [],
): void {
  if (words.length === 0) return;
  const name = container?.text.replace(/^(?:pods?|po)\//, "");
  const places = invocation.shell.core.made.flatMap((made) => (made.what === "container" && made.name === name ? (made.places ?? []) : []));
  if (places.length > 0)
    invocation.shell.wrapped(() =>
      invocation.shell.contained(words, new Mounts(places, false), undefined, invocation.io, given(invocation, variables)),
    );
  const line = words.map(({ text }) => quoted(text)).join(" ");
  // Words an argument brings in from here (substitutions) travel with it; what it runs has no hold on local files.
  const sources = unique(words.flatMap((word) => [...word.sources]));
  invocation.elsewhere(
    line,
    sources.filter(({ from }) => from !== "text"),
    given(invocation, variables),
  );
  invocation.print(sources);
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
  const daemon = globals.value("H", "host", "url") ?? invocation.variable("DOCKER_HOST");
  if (daemon !== undefined && /^(?:tcp|https?|ssh):\/\//.test(daemon.text)) {
    const folder =
      verb === "build" || verb === "bud" ? args.filter(({ text }) => /^[./~]/.test(text)).flatMap((one) => [...invocation.read(one)]) : [];
    const copied =
      verb === "cp" && args[0] !== undefined && !isElsewhere(args[0].text, invocation.world.platform) ? invocation.read(args[0]) : [];
    const data = [...args.flatMap(argumentSources), ...folder, ...copied, ...invocation.stdin];
    const { host } = targetOf(daemon.text).destination;
    invocation.send(invocation.name, [{ sources: data, position: "data" }], { kind: "remote shell", host, url: undefined });
  }
  if (verb === "exec") {
    const exec = readOptions(args, EXEC);
    const [container, ...words] = exec.operands;
    return inside(invocation, container, words, exec.values("e", "env"));
  }
  if (verb === "build" || verb === "bud") return build(invocation, args);
  if (verb === "bake")
    return sendsComposed(invocation, readOptions(args, { short: "f", long: "file set metadata-file" }).value("f", "file"), args);
  if (verb === "push") return push(invocation, readOptions(args, { long: "authfile creds format platform cert-dir" }).operands);
  if (verb === "commit") return commit(invocation, readOptions(args, { short: "acm", long: "author change message format" }).operands);
  if (verb === "tag") return tag(invocation, readOptions(args, {}).operands);
  if (verb === "save" || verb === "export") {
    const output = readOptions(args, { short: "o", long: "output" }).value("o", "output");
    if (output !== undefined) return invocation.write(output, [{ from: "unknown" }]);
  }
  if (verb === "pull") for (const image of readOptions(args, { long: "platform authfile creds" }).operands) asksFor(invocation, image);
  if (verb === "login") return registryLogin(invocation, args, "docker.io");
  if (verb === "run" || verb === "create") return run(invocation, args);
  if (verb === "cp") return copy(invocation, args);
  if (verb === "inspect") return inspect(invocation, args);
  // The steps of a build are printed with the values they were given.
  if (verb === "history") return invocation.print([ENVIRONMENT, { from: "unknown" }]);
  invocation.print([{ from: "unknown" }]);
}

/** The name of an image is asked for at the registry that it begins with. */
function asksFor(invocation: Invocation, image: Argument): void {
  const [registry = ""] = image.text.split("/", 1);
  if (!image.text.includes("/") || !/[.:]/.test(registry)) return;
  const target = targetOf(image.text, "https");
  invocation.send(invocation.name, urlParts(image, target), target.destination);
}

/**
 * `docker run -v here:there image command`: the image's command runs apart from this machine. What it sends counts, and
 * what it does to the places it is given.
 */
function run(invocation: Invocation, args: readonly Argument[]): void {
  const options = readOptions(args, RUN);
  const [image, ...words] = options.operands;
  // What the command is given may come back.
  invocation.print(unique(words.flatMap((word) => [...word.sources])));
  const { shell } = invocation;
  const places = bindMounts(args.slice(0, args.length - options.operands.length)).flatMap(({ from, at, readOnly }) => {
    const { path } = shell.remote ? { path: undefined } : invocation.file(from);
    return path === undefined || !at.startsWith("/") ? [] : [{ from: path, at: at.length > 1 ? trimEnd(at, "/") : at, readOnly }];
  });
  const name = options.value("name");
  if (name !== undefined && places.length > 0) shell.core.made.push({ what: "container", name: name.text, places });
  const host = options.values("pid").some(({ text }) => text === "host") || places.some(({ from }) => from === "/");
  if (image !== undefined) {
    asksFor(invocation, image);
    const mounts = new Mounts(places, host);
    const folder = options.value("w", "workdir");
    const command = commandIn(image, words, options.value("entrypoint"));
    const variables = given(invocation, options.values("e", "env"));
    shell.wrapped(() => shell.contained(command, mounts, folder?.exact === true ? folder.text : undefined, invocation.io, variables));
  }
  invocation.print([{ from: "unknown" }]);
}

/** `docker inspect c`: the container's environment is part of what comes out, unless a template picks something else. */
function inspect(invocation: Invocation, args: readonly Argument[]): void {
  const template = readOptions(args, { short: "f", long: "format type" }).value("f", "format")?.text ?? "json";
  const picks = /\{\{/.test(template) && !/\.Env\b|\.Config\s{0,4}[|})]|\{\{\s{0,4}(?:json\s{1,4})?\.\s{0,4}[|}]|\.Spec\b/.test(template);
  invocation.print(picks ? [{ from: "unknown" }] : [ENVIRONMENT, { from: "unknown" }]);
}

/** The environment of a container. */
const ENVIRONMENT: Source = { from: "elsewhere", plain: true };

/** `docker commit c image`: the image holds what this call put into the container. */
function commit(invocation: Invocation, [container, image]: readonly Argument[]): void {
  if (container === undefined || image === undefined) return;
  const { made } = invocation.shell.core;
  const name = plainImage(image.text);
  made.push({ what: "image", name });
  for (const one of made.filter(({ what, name: into }) => what === "container" && into === container.text))
    nameImage(invocation, { ...one, name });
}

/** `docker cp c:/there here`: what lies in a container is not known. What is put into one may be made an image. */
function copy(invocation: Invocation, args: readonly Argument[]): void {
  const [from, to] = readOptions(args, { long: "namespace container retries" }).operands;
  const { platform } = invocation.world;
  if (from === undefined || to === undefined) return;
  if (isElsewhere(to.text, platform) && !isElsewhere(from.text, platform)) {
    const packing: Packing = { tool: "built", folder: here(invocation), members: [invocation.file(from).path ?? from.text] };
    const colon = to.text.indexOf(":");
    const at = trimEnd(to.text.slice(colon + 1), "/");
    const { path } = invocation.file(from);
    // A folder of the container takes it in under its own name.
    const places =
      path === undefined || !at.startsWith("/")
        ? []
        : [at, `${at}/${baseName(path)}`].map((there) => ({ from: path, at: there, readOnly: true }));
    invocation.shell.core.made.push({ what: "container", name: baseName(to.text.slice(0, colon)), packing, places });
  }
  if (!isElsewhere(from.text, platform) || isElsewhere(to.text, platform)) return;
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
  if (options.operands[0]?.text === "exec") {
    const [service, ...words] = readOptions(options.operands.slice(1), EXEC).operands;
    return inside(invocation, service, words);
  }
  if (options.operands[0]?.text === "cp") return copy(invocation, options.operands.slice(1));
  if (options.operands[0]?.text === "run") return run(invocation, options.operands.slice(1));
  if (options.operands[0]?.text === "push") return sendsComposed(invocation, options.value("f", "file"), undefined);
  if (options.operands[0]?.text === "build") return sendsComposed(invocation, options.value("f", "file"), options.operands);
  if (options.operands[0]?.text === "up" && options.operands.some(({ text }) => text === "--build"))
    return sendsComposed(invocation, options.value("f", "file"), options.operands);
  // `config` prints the values of the env file.
  if (
    options.operands[0]?.text === "config" &&
    !options.operands.some((operand) => /^(?:-q|--quiet|--services|--images|--no-interpolate)$/.test(operand.text))
  ) {
    const file = options.value("env-file") ?? { text: ".env", exact: true, sources: [] };
    return invocation.print([...invocation.read(file), ENVIRONMENT]);
  }
  invocation.print([{ from: "unknown" }]);
}

/** Registries where what is pushed is everybody's unless somebody pays or says otherwise; `ttl.sh` is nobody's. */
const HUB = /^(?:(?:index\.|registry-1\.|registry\.hub\.)?docker\.(?:io|com)|public\.ecr\.aws|ttl\.sh)$/;
/** Registries that hold both: what is pushed there is asked about. */
const SHARED_REGISTRY = /^(?:ghcr\.io|quay\.io|registry\.gitlab\.com)$/;

/** The registry in an image name; Docker Hub without one. */
function registryOf(image: string | undefined): Destination {
  if (image === undefined) return { kind: "web", host: undefined, url: undefined };
  const bare = image.replace(/^[a-z-]{3,20}:\/\//, "");
  const first = bare.split("/")[0] ?? "";
  const named = bare.includes("/") && /[.:]|^localhost$/.test(first);
  return { kind: "web", host: named ? targetOf(first, "https").destination.host : "docker.io", url: undefined };
}

/** Sends an image: a publication on a hub, otherwise to a registry that is somebody's own or may be. */
function toRegistry(
  invocation: Invocation,
  via: string,
  parts: readonly Part[],
  image: string | undefined,
  packing: Packing | undefined,
): void {
  const far = registryOf(image);
  if (far.host === undefined || HUB.test(far.host)) invocation.publish(via, parts, far, packing);
  else invocation.send(via, parts, SHARED_REGISTRY.test(far.host) ? far : { ...far, kind: "storage" }, packing);
}

const BUILD = {
  short: "tfomcw",
  long: "tag file build-arg build-context secret ssh platform output target cache-from cache-to label network builder progress metadata-file iidfile add-host cgroup-parent shm-size ulimit memory cpu-shares cpuset-cpus annotation attest provenance sbom allow no-cache-filter isolation authfile creds format volume layers from ignorefile env",
} as const;

function build(invocation: Invocation, args: readonly Argument[]): void {
  const options = readOptions(args, BUILD);
  const [context] = options.operands;
  const tags = options.values("t", "tag");
  const outputs = options.values("o", "output").map(({ text }) => text);
  const named = outputs.flatMap((text) => /(?:^|,)name=([^,]{1,500})/.exec(text)?.[1] ?? []);
  const pushes = options.has("push") || outputs.some((text) => /(?:^|,)type=registry(?:,|$)|(?:^|,)push=true(?:,|$)/.test(text));
  // A build argument without a value takes the variable of that name; both stay in the image's history.
  const parts: Part[] = options.values("build-arg", "label", "annotation", "env").map((value) => ({
    sources: value.text.includes("=") || !value.exact ? argumentSources(value) : [{ from: "environment", name: value.text, plain: true }],
    position: "data",
  }));
  const packing = imagePacking(invocation, options, context);
  const names = [...tags.map(({ text }) => text), ...named];
  for (const name of names.length > 0 ? names.map(plainImage) : [ANY_IMAGE])
    nameImage(invocation, { name, parts, ...(packing === undefined ? {} : { packing }) });
  if (pushes)
    for (const name of names.length > 0 ? names : [undefined])
      toRegistry(invocation, `${invocation.name} build --push`, parts, name, packing);
  else if (packing !== undefined) invocation.emit({ kind: "pack", via: `${invocation.name} build`, packing });
  invocation.print([{ from: "unknown" }]);
}

/** What is built; undefined where the context comes from somewhere else. */
function imagePacking(invocation: Invocation, options: Options, context: Argument | undefined): Packing | undefined {
  const target = options.value("target")?.text;
  const file = options.value("f", "file");
  const stdin = staticText(invocation.stdin);
  // `docker build - < Dockerfile` has no context.
  if (context === undefined || context.text === "-" || /^(?:https?|git|ssh):\/\/|^git@|\.git(?:#|$)/.test(context.text)) return undefined;
  const here =
    file?.text === "-" ? (stdin === undefined ? {} : { text: stdin }) : file === undefined ? {} : { file: invocation.file(file) };
  return { tool: "docker", folder: invocation.file(context), ...here, ...(target === undefined ? {} : { target }) };
}

function push(invocation: Invocation, operands: readonly Argument[]): void {
  const [image, to] = operands;
  const via = `${invocation.name} push`;
  if (image === undefined) return;
  const name = plainImage(image.text);
  const made = madeImages(invocation, name);
  const far = to?.text ?? image.text;
  for (const one of made) toRegistry(invocation, via, one.parts ?? [], far, one.packing);
  if (!made.some((one) => one.name === name)) toRegistry(invocation, via, [], far, earlier(invocation, name));
}

/** The images that this call made by a name. */
function madeImages({ shell: { core } }: Invocation, name: string): readonly Made[] {
  return core.made.flatMap((one) => {
    if (one.what !== "image" || !mayBeSameImage(one.name, name)) return [];
    return [one.packing === undefined ? one : { ...one, packing: ofService(one.packing, name) }];
  });
}

/** What an image of that name was built from before this call. */
function earlier(invocation: Invocation, name: string): Packing {
  return { tool: "image", folder: invocation.file(literal(".")), members: [name] };
}

/** Remembers an image, for later commands of this call and for later calls. */
function nameImage(invocation: Invocation, one: Omit<Made, "what">): void {
  invocation.shell.core.made.push({ ...one, what: "image" });
  if (one.packing !== undefined) invocation.emit({ kind: "image", name: one.name, packing: one.packing });
}

function tag(invocation: Invocation, [from, to]: readonly Argument[]): void {
  if (from === undefined || to === undefined) return;
  const [name, other] = [plainImage(from.text), plainImage(to.text)];
  const made = madeImages(invocation, name);
  for (const one of made) nameImage(invocation, { ...one, name: other });
  if (!made.some((one) => one.name === name)) invocation.emit({ kind: "image", name: other, packing: earlier(invocation, name) });
}

/** The images a compose file builds. `args`: only when they push. */
function sendsComposed(invocation: Invocation, file: Argument | undefined, args: readonly Argument[] | undefined): void {
  const pushes = args === undefined || args.some(({ text }) => text === "--push");
  const packing: Packing = {
    tool: "compose",
    folder: invocation.file(literal(".")),
    guessed: true,
    ...(file === undefined ? {} : { file: invocation.file(file) }),
  };
  if (pushes) invocation.publish("docker compose push", [], registryOf(undefined), packing);
  else nameImage(invocation, { name: ANY_IMAGE, packing });
  invocation.print([{ from: "unknown" }]);
}

function imageCopy(invocation: Invocation): void {
  const options = invocation.options({
    short: "u",
    long: "src-creds dest-creds authfile platform username password artifact-type annotation annotation-file config image base new_tag new_layer",
  });
  const verb = options.operands[0]?.text ?? "";
  // `skopeo login`, `crane auth login`, `regctl registry login`.
  const login = invocation.args.findIndex(({ text }) => text === "login");
  if (login >= 0 && login < 2) return registryLogin(invocation, invocation.args.slice(login + 1), undefined);
  if (!/^(?:copy|push|cp|append|attach)$/.test(verb)) return;
  const operands = options.operands.slice(1);
  const oras = invocation.name === "oras";
  // `oras push image file:type`, `crane push archive image`, `skopeo copy dir:x docker://image`.
  const files = oras ? operands.slice(1) : operands.slice(0, -1).filter(({ text }) => !/^[a-z-]{3,20}:\/\//.test(text));
  const name = (file: Argument): Argument =>
    oras
      ? { ...file, text: file.text.replace(/:[\w.+-]{1,100}\/[\w.+-]{1,100}$/, "") }
      : { ...file, text: file.text.replace(/^(?:dir|oci|oci-archive|docker-archive):/, "") };
  const sources = files.flatMap((file) => [...invocation.read(name(file))]);
  const image = oras ? operands[0] : (operands.at(-1) ?? options.value("new_tag"));
  toRegistry(invocation, `${invocation.name} ${verb}`, [{ sources, position: "data" }], image?.text, undefined);
}

function helm(invocation: Invocation): void {
  const options = invocation.options({
    short: "dnfu",
    long: "version app-version destination kubeconfig namespace values set username password context-path key keyring",
  });
  const [group = "", action = ""] = options.operands.map(({ text }) => text);
  if (group === "registry" && action === "login")
    return registryLogin(invocation, invocation.args.slice(invocation.args.findIndex(({ text }) => text === "login") + 1), undefined);
  if (group === "repo" && action === "add")
    return signIn(invocation, "helm repo add", options.operands[3]?.text, options.values("username", "password").flatMap(argumentSources));
  if (group === "package") {
    for (const chart of options.operands.slice(1)) {
      const packing: Packing = { tool: "helm", folder: invocation.file(chart) };
      invocation.shell.core.made.push({ what: "package", name: "helm", packing });
      invocation.emit({ kind: "pack", via: "helm package", packing });
    }
    return invocation.print([{ from: "unknown" }]);
  }
  if (group !== "push" && group !== "cm-push") return;
  const [, chart, to] = options.operands;
  const sources = chart === undefined ? [] : invocation.read(chart);
  // A repository of charts by its short name is one that somebody set up.
  const far = to === undefined || !to.text.includes("/") ? `${to?.text ?? "charts"}.internal/x` : `${to.text}/x`;
  toRegistry(invocation, "helm push", [{ sources, position: "data" }], far, undefined);
  for (const made of invocation.shell.core.made) if (made.name === "helm") toRegistry(invocation, "helm push", [], far, made.packing);
}

function kubectl(invocation: Invocation): void {
  const options = invocation.options({
    short: "nlofcs",
    long: "namespace context kubeconfig server token password env image user cluster output selector container filename from-file from-env-file from-literal template",
  });
  const words = options.operands.map((operand) => operand.text);
  clusterLogin(invocation, options);
  handsOver(invocation, options);
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
  if (words[0] === "create" && words[1] === "token")
    return invocation.print([{ from: "credential command", command: "kubectl create token", plain: true }]);
  if (words[0] === "whoami" && (options.has("t", "show-token") || words.includes("-t")))
    return invocation.print([{ from: "credential command", command: "oc whoami -t", plain: true }]);
  if (words[0] === "config" && words[1] === "view" && (options.has("raw") || options.has("flatten")) && !harmless) {
    return invocation.print([{ from: "credential command", command: "kubectl config view --raw", plain: true }]);
  }
  if (words[0] === "exec" || words[0] === "run" || words[0] === "debug") {
    const dashes = invocation.args.findIndex((argument) => argument.text === "--");
    const command = dashes >= 0 ? invocation.args.slice(dashes + 1) : words[0] === "exec" ? options.operands.slice(2) : [];
    return inside(invocation, words[0] === "exec" ? options.operands[1] : undefined, command, options.values("env"));
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
  // A workload's environment stands in its object; of a secret only the sizes are described.
  const shows = (words[0] === "describe" && !isSecretKind(words[1] ?? "")) || (words[0] === "get" && /^(?:yaml|json)/.test(output));
  if (shows || (words[0] === "set" && words[1] === "env" && options.has("list")))
    return invocation.print([ENVIRONMENT, { from: "unknown" }]);
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

/** `--server`, `oc login HOST`: what signs in there is the token given, otherwise what the configuration holds. */
function clusterLogin(invocation: Invocation, options: Options): void {
  const named = options.operands[0]?.text === "login" ? options.operands[1] : undefined;
  const server = options.value("server", "s") ?? named;
  // `kubectl proxy` signs in itself.
  if (server === undefined || isLoopback(server.text)) return;
  const token = options.values("token", "password").flatMap(argumentSources);
  const given = options.value("kubeconfig") ?? invocation.variable("KUBECONFIG");
  const configuration = given ?? (invocation.world.home === "" ? undefined : literal(`${invocation.world.home}/.kube/config`));
  // A server only the shell knows may be the one the configuration names.
  const signs = token.length === 0 && configuration !== undefined && named === undefined && server.exact;
  const sources = signs ? invocation.read(configuration) : token;
  signIn(invocation, invocation.name, server.exact ? server.text : undefined, sources);
}

/** Files that go to a server the command line itself names; a cluster of the configuration is the person's own. */
function handsOver(invocation: Invocation, options: Options): void {
  const server = options.value("server", "s");
  const files = options.values("from-file", "from-env-file", "f", "filename");
  if (server === undefined || files.length === 0) return;
  const sources = files.flatMap((file) => [
    ...invocation.read(/^[\w.-]{1,253}=/.test(file.text) ? sliceArgument(file, file.text.indexOf("=") + 1) : file),
  ]);
  invocation.send(`${invocation.name} --server`, [{ sources, position: "data" }], targetOf(server.text, "https").destination);
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
  if (invocation.args[at]?.text === "-c" && rest[0] !== undefined) invocation.elsewhere(rest[0].text, rest[0].sources);
  else inside(invocation, undefined, rest);
}
