/** Backup programs and two-way copies: what is named goes to the repository, unless that lies on this machine. */
import type { Argument, Destination, Source } from "../../effect.ts";
import { transformed, unique } from "../../source.ts";
import { targetOf } from "../../url.ts";
import type { Handler, Invocation } from "../invocation.ts";

/** The handler of a backup program. */
export function backupCommand(name: string): Handler | undefined {
  switch (name) {
    case "restic":
    case "rustic":
      return restic;
    case "borg":
      return borg;
    case "duplicity":
    case "unison":
      return pair;
    default:
      return undefined;
  }
}

/** Where a repository lies, undefined for one on this machine: `sftp:user@host:/f`, `rest:https://host/`, `ssh://host/f`, `user@host:f`. */
function farEnd({ text }: Argument): Destination | undefined {
  const bare = text.replace(/^(?:rest|sftp|s3|swift|b2|azure|gs|rclone):(?=[^/\s])/, "");
  const url = /^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(bare);
  if (/^file:/i.test(bare)) return undefined;
  if (url) return { kind: "storage", host: targetOf(bare.replace(/^[a-z0-9]{1,10}\+(?=[a-z])/i, "")).destination.host, url: undefined };
  const peer = /^(?:[^@/:]{1,64}@)?([\w-]{1,63}(?:\.[\w-]{1,63}){1,8}):/.exec(bare);
  return peer === null ? undefined : { kind: "remote shell", host: peer[1], url: undefined };
}

function back(invocation: Invocation, repository: Argument | undefined, files: readonly Argument[]): void {
  const to = repository === undefined ? undefined : farEnd(repository);
  const sources: Source[] = unique(files.filter((file) => !isEverything(invocation, file)).flatMap((file) => [...invocation.read(file)]));
  if (to !== undefined) invocation.send(invocation.name, [{ sources: transformed(sources), position: "data" }], to);
  invocation.print([{ from: "unknown" }]);
}

/** A backup of the whole home folder or machine is what such a program is for. */
function isEverything(invocation: Invocation, file: Argument): boolean {
  const { path } = invocation.file(file);
  return path === undefined || path === "/" || path === invocation.world.home || invocation.world.home.startsWith(`${path}/`);
}

function restic(invocation: Invocation): void {
  const options = invocation.options({
    short: "rpeo",
    long: "repo repository-file password-file password-command key-hint exclude exclude-file exclude-if-present exclude-larger-than iexclude iexclude-file files-from files-from-raw files-from-verbatim tag host cache-dir cacert tls-client-cert limit-upload limit-download compression pack-size option parent time retry-lock stdin-filename",
  });
  const repository = options.value("r", "repo") ?? invocation.variable("RESTIC_REPOSITORY");
  const [verb, ...files] = options.operands;
  if (verb?.text !== "backup") return invocation.print([{ from: "unknown" }]);
  back(invocation, repository, files);
  if (options.has("stdin") && repository !== undefined) {
    const to = farEnd(repository);
    if (to !== undefined) invocation.send(invocation.name, [{ sources: transformed(invocation.stdin), position: "data" }], to);
  }
}

/** `borg create REPO::NAME f …`, `borg -r REPO create NAME f …`. */
function borg(invocation: Invocation): void {
  const options = invocation.options({
    short: "rCeo",
    long: "repo compression exclude exclude-from pattern patterns-from remote-path rsh lock-wait umask comment timestamp chunker-params files-cache keep-exclude-tags",
  });
  const [verb, archive, ...files] = options.operands;
  if (verb?.text !== "create" || archive === undefined) return invocation.print([{ from: "unknown" }]);
  const at = archive.text.indexOf("::");
  const named = at > 0 ? { ...archive, text: archive.text.slice(0, at) } : undefined;
  back(invocation, named ?? options.value("r", "repo") ?? invocation.variable("BORG_REPO"), files);
}

/** `duplicity [full] FOLDER URL`, `unison ROOT ROOT`. */
function pair(invocation: Invocation): void {
  const operands = invocation.options({
    long: "encrypt-key sign-key exclude include exclude-filelist include-filelist volsize archive-dir name ssh-options path sshargs",
  }).operands;
  const [to, from] = operands.toReversed();
  if (to === undefined || from === undefined) return invocation.print([{ from: "unknown" }]);
  // Unison takes both ways in either order.
  back(invocation, farEnd(to) === undefined && invocation.name === "unison" ? from : to, [farEnd(to) === undefined ? to : from]);
}
