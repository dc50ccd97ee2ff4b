/** Object storage and cloud command lines: what they upload, and what they print of their own logins. */
import type { Argument, Destination, Part, SelectionRule, Source } from "../../effect.ts";
import { serve } from "./servers.ts";
import { argumentSources, literal, selected, sliceArgument, unique } from "../../source.ts";
import { isLoopback, hostOf, targetOf } from "../../url.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { type Options, readOptions } from "../options.ts";

/** The handler of a cloud or storage client. */
export function storageCommand(name: string): Handler | undefined {
  switch (name) {
    case "aws":
    case "awslocal":
    case "aws2":
      return aws;
    case "gcloud":
      return gcloud;
    case "gsutil":
      return gsutil;
    case "az":
      return azure;
    case "rclone":
      return rclone;
    case "mc":
    case "mcli":
      return minio;
    case "s3cmd":
    case "s5cmd":
    case "b2":
    case "s4cmd":
    case "ossutil":
    case "coscli":
    case "azcopy":
      return bucketClient;
    case "restic":
    case "rustic":
    case "borg":
    case "duplicity":
    case "unison":
      return (require("./backups.ts") as typeof import("./backups.ts")).backupCommand(name);
    default:
      return undefined;
  }
}

function storage(host: string | undefined, url?: string): Destination {
  return { kind: "storage", host, url };
}

/** Uploads, or publishes when the object is made readable for everyone, by this command or another of the call. */
function upload(
  invocation: Invocation,
  via: string,
  parts: readonly Part[],
  destination: Destination,
  open: boolean,
  object?: string,
): void {
  const { made } = invocation.shell.core;
  const name = object ?? destination.url;
  const opened = name !== undefined && made.some((one) => one.what === "object" && one.parts === undefined && covers(one.name, name));
  if (name !== undefined) made.push({ what: "object", name, parts });
  if (open || opened) invocation.publish(via, parts, destination);
  else invocation.send(via, parts, destination);
}

/** Makes an object, a folder or a bucket readable for everyone, or makes a link to it: what this call put there is published. */
function openUp(invocation: Invocation, via: string, name: string, host: string | undefined): void {
  const { made } = invocation.shell.core;
  for (const one of made)
    if (one.what === "object" && one.parts !== undefined && (covers(name, one.name) || covers(one.name, name)))
      invocation.publish(via, one.parts, storage(host, name));
  // What is put there later in the call is published as well.
  made.push({ what: "object", name });
}

/** Whether an object lies at or below a name; schemes and trailing signs set aside. */
function covers(name: string, object: string): boolean {
  const plain = (text: string): string => text.replace(/^[a-z0-9]{2,10}:\/\//i, "").replace(/[/*]{1,8}$/, "");
  const [outer, inner] = [plain(name), plain(object)];
  return inner === outer || inner.startsWith(`${outer}/`) || inner.startsWith(`${outer}:`);
}

/** `--exclude` and `--include` of tools whose wildcards stand for `/` too; the last that fits decides. */
function rulesOf(options: Options, how: SelectionRule["how"] = "crossing"): readonly SelectionRule[] {
  return options.options.flatMap(({ name, value }) =>
    value !== undefined && value.exact && (name === "exclude" || name === "include")
      ? [{ takes: name === "include", pattern: value.text, how }]
      : [],
  );
}

function below(sources: readonly Source[], rules: readonly SelectionRule[], first = false): readonly Source[] {
  return selected(sources, { rules, first, prunes: false, prefix: "" });
}

const AWS_LONG =
  "profile region endpoint-url output query acl body bucket key content-type metadata exclude include storage-class sse sse-kms-key-id cache-control content-disposition content-encoding ca-bundle cli-read-timeout cli-connect-timeout grants expires source-region request-payer secret-string secret-id secret-binary name value type message topic-arn queue-url message-body payload function-name zip-file cli-input-json parameters template-body template-file stack-name policy policy-document filter filters";

function aws(invocation: Invocation): void {
  const options = readOptions(invocation.args, { long: AWS_LONG });
  const [service = "", action = "", third = ""] = options.operands.map((operand) => operand.text);
  if (third === "help" || options.has("help")) return invocation.print([{ from: "unknown" }]);
  const endpoint = options.value("endpoint-url");
  const host = endpoint === undefined ? "s3.amazonaws.com" : targetOf(endpoint.text).destination.host;
  const open = /^public-/.test(options.value("acl")?.text ?? "") || options.values("grants").some((grant) => /AllUsers/.test(grant.text));
  if (service === "configure") {
    if ((action === "get" && /secret|token|password/i.test(options.operands[2]?.text ?? "")) || action === "export-credentials") {
      invocation.print([{ from: "credential command", command: `aws configure ${action}`, plain: true }]);
    }
    return;
  }
  if ((service === "ecr" || service === "ecr-public") && action === "get-login-password")
    return invocation.print([{ from: "credential command", command: `aws ${service} ${action}`, plain: true }]);
  if (
    (service === "secretsmanager" && /^(?:get-secret-value|batch-get-secret-value)$/.test(action)) ||
    (service === "ssm" && /^get-parameters?(?:-by-path|-history)?$/.test(action) && options.has("with-decryption")) ||
    (service === "kms" && action === "decrypt") ||
    (service === "sts" && /^(?:get-session-token|get-federation-token|assume-role)/.test(action)) ||
    (service === "sso" && action === "get-role-credentials") ||
    (service === "codeartifact" && action === "get-authorization-token") ||
    (service === "iam" && /^create-(?:access-key|service-specific-credential)$/.test(action)) ||
    (service === "rds" && action === "generate-db-auth-token")
  ) {
    // `--query Name`, `--query 'Parameter.Version'` choose what is no secret.
    const query = options.value("query");
    const harmless = query !== undefined && query.exact && !/secret|value|token|plaintext|credential|password|key\b|[*@]/i.test(query.text);
    return invocation.print(
      harmless ? [{ from: "unknown" }] : [{ from: "credential command", command: `aws ${service} ${action}`, plain: true }],
    );
  }
  if (service === "s3" && /^(?:cp|mv|sync)$/.test(action)) {
    const [from, to] = options.operands.slice(2);
    if (from === undefined || to === undefined) return;
    if (/^s3:\/\//.test(to.text) || (!to.exact && !/^s3:\/\//.test(from.text))) {
      if (/^s3:\/\//.test(from.text)) return;
      const parts: Part[] = [{ sources: unique([...below(invocation.read(from), rulesOf(options)), ...to.sources]), position: "data" }];
      return upload(invocation, `aws s3 ${action}`, parts, storage(host, to.text), open);
    }
    if (to.text === "-") invocation.print([{ from: "unknown" }]);
    else if (/^s3:\/\//.test(from.text))
      invocation.emit({ kind: "write", file: invocation.file(to), sources: [{ from: "unknown" }], append: false });
    return;
  }
  const bucket = options.value("bucket")?.text;
  const object = bucket === undefined ? undefined : `s3://${bucket}/${options.value("key")?.text ?? ""}`;
  if (service === "s3" && action === "presign") {
    openUp(invocation, "aws s3 presign", options.operands[2]?.text ?? "", host);
    return invocation.print([{ from: "unknown" }]);
  }
  // A policy, a list of rights or the end of a bar that lets everybody read.
  const policy = options
    .values("policy", "public-access-block-configuration")
    .map(({ text }) => text)
    .join(" ");
  const everybody =
    open ||
    (action === "put-bucket-policy" &&
      (/"Principal"\s{0,8}:\s{0,8}(?:"\*"|\{\s{0,8}"AWS"\s{0,8}:\s{0,8}"\*")/.test(policy) || policy.startsWith("file:"))) ||
    action === "delete-public-access-block";
  if (
    service === "s3api" &&
    everybody &&
    object !== undefined &&
    /^(?:put-(?:object|bucket)-(?:acl|policy)|delete-public-access-block)$/.test(action)
  ) {
    openUp(invocation, `aws s3api ${action}`, object, host);
    return invocation.print([{ from: "unknown" }]);
  }
  if (endpoint === undefined && storesSecret(service, action, options)) return invocation.print([{ from: "unknown" }]);
  const parts: Part[] = [];
  for (const { value, name } of options.options) {
    if (value === undefined || /^(?:profile|region|endpoint-url|output|query|ca-bundle)$/.test(name)) continue;
    parts.push({ sources: named(invocation, value, name === "body"), position: "data" });
  }
  for (const operand of options.operands.slice(2)) parts.push({ sources: named(invocation, operand, false), position: "data" });
  if (service !== "s3" && parts.some((part) => part.sources.length > 0))
    upload(invocation, `aws ${service} ${action}`.trim(), parts, storage(endpoint === undefined ? "amazonaws.com" : host), open, object);
  invocation.print([{ from: "unknown" }]);
}

/** Whether a call puts something into the account's own store of secrets, which is the place for it: nothing leaves to a reader. */
function storesSecret(service: string, action: string, options: Options): boolean {
  return (
    (service === "secretsmanager" && /^(?:create-secret|put-secret-value|update-secret)$/.test(action)) ||
    (service === "ssm" && action === "put-parameter" && options.value("type")?.text === "SecureString")
  );
}

/** `file://p`, `fileb://p` or a plain value; `always`: the value is a path. */
function named(invocation: Invocation, value: Argument, always: boolean): readonly Source[] {
  const match = /^fileb?:\/\//.exec(value.text);
  if (match !== null) return invocation.read(sliceArgument(value, match[0].length));
  return always ? invocation.read(value) : argumentSources(value);
}

function gcloud(invocation: Invocation): void {
  const options = invocation.options({
    long: "project account configuration format filter region zone data-file verbosity impersonate-service-account predefined-acl canned-acl member role add-acl-grant predefined-default-object-acl source image tag config substitutions version trigger-http runtime entry-point duration private-key-file exclude set-env-vars service-account",
  });
  const words = options.operands.map((operand) => operand.text);
  const at = words.findIndex((word) => word === "storage");
  if (
    words.some((word) => /^print-(?:access|identity|refresh)-token$/.test(word)) ||
    (words[0] === "config" && words[1] === "config-helper")
  ) {
    return invocation.print([{ from: "credential command", command: "gcloud auth print-access-token", plain: true }]);
  }
  if (words[0] === "secrets" && words[1] === "versions" && words[2] === "access")
    return invocation.print([{ from: "credential command", command: "gcloud secrets versions access", plain: true }]);
  if (at >= 0 && /^(?:cp|mv|rsync)$/.test(words[at + 1] ?? ""))
    return copies(
      invocation,
      `gcloud storage ${words[at + 1]}`,
      options.operands.slice(at + 2),
      /public/i.test(options.value("predefined-acl", "canned-acl")?.text ?? ""),
    );
  if (at >= 0 && /^(?:objects|buckets)$/.test(words[at + 1] ?? "") && /^(?:update|add-iam-policy-binding)$/.test(words[at + 2] ?? "")) {
    const open = options
      .values("member", "add-acl-grant", "predefined-acl", "canned-acl", "predefined-default-object-acl")
      .some(({ text }) => /allUsers|allAuthenticatedUsers|public/i.test(text));
    if (open) openUp(invocation, "gcloud storage", words[at + 3] ?? "", "storage.googleapis.com");
    return invocation.print([{ from: "unknown" }]);
  }
  if (at >= 0 && words[at + 1] === "sign-url") {
    openUp(invocation, "gcloud storage sign-url", words[at + 2] ?? "", "storage.googleapis.com");
    return invocation.print([{ from: "unknown" }]);
  }
  const [group = "", action = ""] = words.filter((word) => word !== "beta" && word !== "alpha");
  const source =
    options.value("source") ??
    (`${group} ${action}` === "builds submit"
      ? (options.operands[2] ?? literal("."))
      : group === "app" && action === "deploy"
        ? literal(".")
        : undefined);
  if (source !== undefined && /^(?:builds submit|app deploy|run deploy|functions deploy)$/.test(`${group} ${action}`))
    invocation.send(`gcloud ${group} ${action}`, [], storage("googleapis.com"), { tool: "gcloud", folder: invocation.file(source) });
  const secret = options.value("data-file");
  // `gcloud secrets create`: the place where a secret is meant to be kept.
  if (secret !== undefined && group !== "secrets")
    invocation.send("gcloud", [{ sources: invocation.read(secret), position: "data" }], storage("googleapis.com"));
  if (words[0] === "compute" && words[1] === "scp") {
    const operands = options.operands.slice(2);
    const to = operands[operands.length - 1];
    if (to?.text.includes(":") === true)
      invocation.send(
        "gcloud compute scp",
        [{ sources: operands.slice(0, -1).flatMap((file) => [...invocation.read(file)]), position: "data" }],
        { kind: "remote shell", host: to.text.replace(/^[^@]{0,255}@/, "").split(":")[0], url: undefined },
      );
  }
  invocation.print([{ from: "unknown" }]);
}

function gsutil(invocation: Invocation): void {
  const options = readOptions(invocation.args, { short: "hoipau" });
  const at = options.operands.findIndex((operand) => /^(?:cp|mv|rsync)$/.test(operand.text));
  if (at >= 0)
    return copies(
      invocation,
      `gsutil ${options.operands[at]?.text}`,
      options.operands.slice(at + 1).filter((operand) => operand.text !== "public-read"),
      options.values("a").some((acl) => /public/.test(acl.text)),
    );
  const [verb = "", action = "", ...rest] = options.operands.map(({ text }) => text);
  const open =
    (verb === "acl" || verb === "defacl" || verb === "iam") &&
    invocation.args.some(({ text }) => /allUsers|allAuthenticatedUsers|^public-read/i.test(text));
  if ((open && /^(?:ch|set)$/.test(action)) || verb === "signurl")
    for (const name of [action, ...rest]) if (/^gs:/.test(name)) openUp(invocation, `gsutil ${verb}`, name, "storage.googleapis.com");
  if (verb === "cat") invocation.print([{ from: "unknown" }]);
}

const BUCKET = /^(?:gs|s3|b2|oss|cos|r2|az|azure|swift|minio):\/\//i;

function copies(invocation: Invocation, via: string, operands: readonly Argument[], open: boolean): void {
  const to = operands[operands.length - 1];
  if (to === undefined) return;
  const from = operands.slice(0, -1);
  if (BUCKET.test(to.text) || /^https?:\/\//.test(to.text)) {
    const sources = unique(from.filter((one) => !BUCKET.test(one.text)).flatMap((one) => [...invocation.read(one)]));
    const url = /^https?:/.test(to.text) ? targetOf(to.text).destination : undefined;
    if (sources.length > 0)
      upload(
        invocation,
        via,
        [{ sources, position: "data" }],
        storage(url?.host ?? bucketHost(to.text), to.text.replace(/\?.*$/s, "")),
        open,
      );
  } else if (to.text === "-") invocation.print([{ from: "unknown" }]);
  else if (from.some((one) => BUCKET.test(one.text)))
    invocation.emit({ kind: "write", file: invocation.file(to), sources: [{ from: "unknown" }], append: false });
}

function bucketHost(text: string): string | undefined {
  if (/^gs:/i.test(text)) return "storage.googleapis.com";
  if (/^s3:/i.test(text)) return "s3.amazonaws.com";
  return undefined;
}

function azure(invocation: Invocation): void {
  const options = invocation.options({
    short: "fcnsdgo",
    long: "file container-name name source destination account-name account-key connection-string sas-token resource-group output query subscription value vault-name body uri url method headers content public-access src-path src type",
  });
  const words = options.operands.map((operand) => operand.text).join(" ");
  if (/^account get-access-token/.test(words) || (/^acr login/.test(words) && options.has("expose-token")))
    return invocation.print([{ from: "credential command", command: "az account get-access-token", plain: true }]);
  if (
    /^(?:keyvault secret show|keyvault secret download|storage account keys list|storage account show-connection-string|acr credential show|ad sp create-for-rbac|ad sp credential reset|webapp deployment list-publishing|cosmosdb keys list|redis list-keys|webapp config appsettings list|functionapp keys list)/.test(
      words,
    )
  ) {
    const query = options.value("query");
    const harmless =
      query !== undefined &&
      query.exact &&
      /^[\w.[\]]{1,200}$/.test(query.text) &&
      !/value|key|secret|password|connection/i.test(query.text);
    return invocation.print(
      harmless ? [{ from: "unknown" }] : [{ from: "credential command", command: `az ${words}`.slice(0, 60), plain: true }],
    );
  }
  const file = options.value("file", "f", "source", "s");
  const container = (options.value("container-name", "c") ?? options.value("destination", "d") ?? options.value("name", "n"))?.text ?? "";
  if (/^storage container (?:create|set-permission)/.test(words) && /^(?:blob|container)$/.test(options.value("public-access")?.text ?? ""))
    openUp(invocation, `az ${words}`, options.value("name", "n", "container-name")?.text ?? "", "blob.core.windows.net");
  if (/^storage (?:blob|container) generate-sas/.test(words))
    openUp(invocation, "az storage generate-sas", container, "blob.core.windows.net");
  const destination = storage(`${options.value("account-name")?.text ?? "account"}.blob.core.windows.net`);
  if (/^storage \w+ (?:upload|upload-batch|copy|sync)/.test(words) && file !== undefined)
    return upload(
      invocation,
      `az ${words}`,
      [{ sources: invocation.read(file), position: "data" }],
      { ...destination, host: hostOf(destination.host ?? "") },
      // The container of a static web site.
      container === "$web",
      container,
    );
  const site = options.value("src-path", "src");
  if (/^(?:webapp|functionapp) deploy/.test(words) && site !== undefined)
    invocation.send(`az ${words}`, [{ sources: invocation.read(site), position: "data" }], storage("azurewebsites.net"));
  if (/^acr build/.test(words))
    invocation.send("az acr build", [], storage("azurecr.io"), {
      tool: "docker",
      folder: invocation.file(options.operands[2] ?? literal(".")),
      ...(options.value("file", "f") === undefined ? {} : { file: invocation.file(options.value("file", "f") as Argument) }),
    });
  if (/^rest\b/.test(words)) {
    const url = options.value("uri", "url");
    const body = options.value("body");
    if (url !== undefined)
      invocation.send(
        "az rest",
        [
          { sources: argumentSources(url), position: "data" },
          ...(body === undefined
            ? []
            : [
                {
                  sources: body.text.startsWith("@") ? invocation.read(sliceArgument(body, 1)) : argumentSources(body),
                  position: "data",
                } as const,
              ]),
        ],
        targetOf(url.text, "https").destination,
      );
  }
  invocation.print([{ from: "unknown" }]);
}

function rclone(invocation: Invocation): void {
  const options = invocation.options({
    short: "f",
    long: "config transfers checkers exclude include exclude-from include-from filter-from filter files-from max-size min-size bwlimit log-file log-level s3-acl addr",
  });
  const [action, ...rest] = options.operands;
  const verb = action?.text ?? "";
  // One letter is a drive on Windows only.
  const name = invocation.world.platform === "windows" ? /^:?[\w.-]{2,64}(?:,[^:]{0,512})?:/ : /^:?[\w.-]{1,64}(?:,[^:]{0,512})?:/;
  const remote = (argument: Argument | undefined): boolean => argument !== undefined && name.test(argument.text);
  if (/^(?:copy|copyto|sync|bisync|move|moveto)$/.test(verb) && remote(rest[1]) && rest[0] !== undefined && !remote(rest[0])) {
    return upload(
      invocation,
      `rclone ${verb}`,
      [{ sources: below(invocation.read(rest[0]), rcloneRules(invocation, options), true), position: "data" }],
      storage(undefined),
      /public/.test(options.value("s3-acl")?.text ?? ""),
      rest[1]?.text,
    );
  }
  if (verb === "rcat" && remote(rest[0]))
    return upload(invocation, "rclone rcat", [{ sources: invocation.stdin, position: "data" }], storage(undefined), false, rest[0]?.text);
  if (verb === "cat" && rest[0] !== undefined) return invocation.print(remote(rest[0]) ? [{ from: "unknown" }] : invocation.read(rest[0]));
  if (verb === "config" && /^(?:show|dump)$/.test(rest[0]?.text ?? ""))
    return invocation.print([{ from: "credential command", command: "rclone config show", plain: true }]);
  // Without an address it serves this machine alone.
  if (verb === "serve" && rest[1] !== undefined && !remote(rest[1])) {
    const address = options.value("addr")?.text;
    return serve(invocation, rest[1], address !== undefined && !isLoopback(address));
  }
  if (verb === "link") openUp(invocation, "rclone link", rest[0]?.text ?? "", undefined);
}

/** The first rule that fits decides; a list of what goes leaves out everything else. */
function rcloneRules(invocation: Invocation, options: Options): readonly SelectionRule[] {
  const rules = options.options.flatMap(({ name, value }): readonly SelectionRule[] => {
    if (value === undefined || !value.exact) return [];
    const signed = name === "filter" || name === "f" ? /^([+-]) (.{1,4000})$/.exec(value.text) : null;
    if (signed !== null) return [{ takes: signed[1] === "+", pattern: (signed[2] ?? "").replace(/\/\*\*$/, ""), how: "anywhere" }];
    if (name === "exclude" || name === "include")
      return [{ takes: name === "include", pattern: value.text.replace(/\/\*\*$/, ""), how: "anywhere" }];
    if (name === "exclude-from" || name === "filter-from") return [{ takes: false, pattern: invocation.file(value), how: "anywhere" }];
    return [];
  });
  return options.has("include") ? [...rules, { takes: false, pattern: "*", how: "anywhere" }] : rules;
}

function minio(invocation: Invocation): void {
  const options = invocation.options({ short: "q", long: "attr storage-class encrypt exclude" });
  const [action, ...rest] = options.operands;
  const verb = action?.text ?? "";
  const to = rest[rest.length - 1];
  if (/^(?:cp|mv|mirror|put)$/.test(verb) && to !== undefined && rest.length > 1) {
    // `alias/bucket`: an alias is a bare name; a local path says so.
    const local = (argument: Argument): boolean => /^[./~]/.test(argument.text) || !argument.text.includes("/");
    if (!local(to))
      upload(
        invocation,
        `mc ${verb}`,
        [
          {
            sources: rest.slice(0, -1).flatMap((file) => [...below(invocation.read(file), rulesOf(options, "anywhere"))]),
            position: "data",
          },
        ],
        storage(undefined),
        false,
        to.text,
      );
  } else if (verb === "pipe")
    upload(invocation, "mc pipe", [{ sources: invocation.stdin, position: "data" }], storage(undefined), false, to?.text);
  else if (
    ((verb === "anonymous" || verb === "policy") &&
      /^(?:set|set-json)$/.test(rest[0]?.text ?? "") &&
      !/^(?:none|private)$/.test(rest[1]?.text ?? "")) ||
    (verb === "share" && rest[0]?.text === "download")
  )
    openUp(invocation, `mc ${verb}`, to?.text ?? "", undefined);
}

function bucketClient(invocation: Invocation): void {
  const options: Options = invocation.options({
    short: "c",
    long: "config host host-bucket access_key secret_key endpoint-url storage-class acl-grant acl exclude include rexclude rinclude exclude-from content-type cache-control info threads",
  });
  const [action, ...rest] = options.operands;
  const verb = action?.text ?? "";
  const endpoint = options.value("endpoint-url", "host");
  // `b2 file upload bucket path name` and the older `b2 upload-file …`.
  if (invocation.name === "b2" && (/^(?:upload-file|upload_file|sync)$/.test(verb) || (verb === "file" && rest[0]?.text === "upload"))) {
    const files = verb === "sync" ? rest.slice(0, 1) : verb === "file" ? rest.slice(2, 3) : rest.slice(1, 2);
    return upload(
      invocation,
      "b2",
      [{ sources: files.flatMap((file) => [...invocation.read(file)]), position: "data" }],
      storage("backblazeb2.com"),
      false,
    );
  }
  if (/^(?:put|cp|sync|copy|mv|upload|pipe)$/.test(verb)) {
    const to = rest[rest.length - 1];
    if (to === undefined) return;
    const sources =
      verb === "pipe"
        ? invocation.stdin
        : rest
            .slice(0, -1)
            .filter((one) => !BUCKET.test(one.text) && !/^https?:/.test(one.text))
            .flatMap((one) => [...below(invocation.read(one), rulesOf(options))]);
    if ((BUCKET.test(to.text) || /^https?:/.test(to.text)) && sources.length > 0)
      upload(
        invocation,
        `${invocation.name} ${verb}`,
        [{ sources, position: "data" }],
        storage(
          endpoint === undefined ? (bucketHost(to.text) ?? targetOf(to.text).destination.host) : targetOf(endpoint.text).destination.host,
        ),
        options.has("acl-public", "P") || /^public-/.test(options.value("acl")?.text ?? ""),
        to.text,
      );
  }
  const last = rest[rest.length - 1]?.text ?? "";
  if ((verb === "setacl" && options.has("acl-public", "P")) || verb === "signurl" || verb === "presign")
    openUp(invocation, `${invocation.name} ${verb}`, last, undefined);
}
