/** Programs around logins: those that print a stored credential, and those that only use one (credential-files.md §15). */
import type { Source } from "../../effect.ts";
import { argumentSources, literal, sliceArgument, staticText } from "../../source.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { contact } from "./contact.ts";
import { embeddedDatabase, shellEscapes } from "./embedded-databases.ts";
import { silent } from "./filter.ts";
import { frameworkCode } from "./interpreters.ts";

/** The handler of a login tool. */
export function credentialCommand(name: string): Handler | undefined {
  if (name.startsWith("docker-credential-") && /^docker-credential-[\w-]{1,64}$/.test(name))
    return when((words) => words[0] === "get", `${name} get`);
  if (name.startsWith("git-credential-") && /^git-credential-[\w-]{1,64}$/.test(name))
    return when((words) => words.includes("get"), `${name} get`);
  switch (name) {
    case "printenv":
      return printenv;
    case "security":
      return when(
        (words, flags) =>
          (/^find-(?:generic|internet)-password$/.test(words[0] ?? "") && flags.some((flag) => /^-[a-z]*[wg]/.test(flag))) ||
          words[0] === "export" ||
          (words[0] === "dump-keychain" && flags.includes("-d")),
        "security find-generic-password -w",
      );
    case "secret-tool":
      return when((words) => words[0] === "lookup" || (words[0] === "search" && words.includes("--unlock")), "secret-tool lookup");
    case "kwallet-query":
      return when((_words, flags) => flags.includes("-r"), "kwallet-query");
    case "op":
      return when(
        (words, flags) =>
          words[0] === "read" ||
          (words[0] === "item" &&
            words[1] === "get" &&
            (flags.some((flag) => /^--(?:reveal|fields|otp)/.test(flag)) || flags.length === 0)) ||
          words[0] === "inject",
        "op read",
      );
    case "pass":
    case "gopass":
    case "passage":
      return pass;
    case "bw":
      return when((words) => words[0] === "get" || words[0] === "export" || words[0] === "list", "bw get");
    case "lpass":
      return when((words) => words[0] === "show" || words[0] === "export", "lpass show");
    case "keepassxc-cli":
      return when(
        (words, flags) =>
          words[0] === "clip" ||
          words[0] === "export" ||
          (words[0] === "show" && flags.some((flag) => /^-(?:s|a|-show-protected)/.test(flag))),
        "keepassxc-cli show",
      );
    case "vault":
    case "bao":
      return vault;
    case "keyring":
      return when((words) => words[0] === "get", "keyring get");
    case "heroku":
      return when(
        (words) =>
          words[0] === "auth:token" ||
          words[0] === "config" ||
          (words[0] === "config:get" && !isPlainField(words[1] ?? "")) ||
          words[0] === "redis:credentials" ||
          words[0] === "pg:credentials:url",
        "heroku config",
      );
    case "doppler":
      return when(
        (words, flags) =>
          (words[0] === "secrets" &&
            !flags.includes("--only-names") &&
            !/^(?:set|delete|upload|notes)$/.test(words[1] ?? "") &&
            !(words[1] === "get" && words.length > 2 && words.slice(2).every(isPlainField))) ||
          (words[0] === "configure" && words[1] === "get" && words[2] === "token"),
        "doppler secrets",
      );
    case "infisical":
      return when((words) => words[0] === "export" || words[0] === "secrets", "infisical secrets");
    case "chamber":
      return when((words) => /^(?:read|export|env)$/.test(words[0] ?? ""), "chamber read");
    case "doctl":
      return when((words) => words[0] === "auth" && words[1] === "token", "doctl auth token");
    case "databricks":
      return when((words) => words[0] === "auth" && (words[1] === "token" || words[1] === "env"), "databricks auth token");
    case "stripe":
      return when((words, flags) => words[0] === "config" && flags.includes("--list"), "stripe config --list");
    case "pulumi":
      return when(
        (words, flags) =>
          flags.includes("--show-secrets") || (words[0] === "config" && words[1] === "get" && isSecretField(words[2] ?? "")),
        "pulumi config get",
      );
    case "terraform":
    case "tofu":
      return terraform;
    case "wg":
      return when(
        (words) => words[0] === "showconf" || (words[0] === "show" && /^(?:private-key|preshared-keys|dump)$/.test(words[2] ?? "")),
        "wg showconf",
      );
    case "nmcli":
      return when(
        (words, flags) => words.includes("show-password") || flags.some((flag) => flag === "-s" || flag === "--show-secrets"),
        "nmcli --show-secrets",
      );
    case "launchctl":
      return when((words) => words[0] === "getenv" && isSecretField(words[1] ?? ""), "launchctl getenv");
    case "systemctl":
      return (invocation) => {
        const words = invocation.args.map(({ text }) => text);
        const shows = words.includes("show-environment") || (words.includes("show") && words.some((word) => /environment/i.test(word)));
        invocation.print([shows ? { from: "environment", name: undefined, plain: true } : { from: "unknown" }]);
      };
    case "sops":
    case "ansible-vault":
    case "age":
    case "rage":
    case "gpg":
    case "gpg2":
    case "openssl":
      return (require("./ciphers.ts") as typeof import("./ciphers.ts")).cipherCommand(name);
    case "pm2":
      return listsEnvironment((words) => /^(?:env|jlist|prettylist|describe|show|info)$/.test(words[0] ?? ""));
    case "redis-cli":
    case "valkey-cli":
      return listsEnvironment((words) => words.some((word, at) => /^config$/i.test(word) && /^get$/i.test(words[at + 1] ?? "")));
    case "rails":
      return (invocation) => {
        if (!frameworkCode(invocation)) railsCredentials(invocation);
      };
    case "wp":
    case "drush":
      return (invocation) => {
        if (!frameworkCode(invocation)) uses(invocation);
      };
    case "make":
    case "gmake":
      return make;
    case "go":
      return go;
    case "ansible":
      return ansible;
    case "sqlite3":
    case "sqlite":
    case "sqlcipher":
    case "duckdb":
      return embeddedDatabase;
    case "ssh-agent":
    case "gpg-agent":
    case "keychain":
      return silent;
    case "brew":
      return taps;
    case "ssh-keygen":
    case "ssh-add":
    case "gpgconf":
    case "certbot":
    case "mkcert":
    case "psql":
    case "pg_dump":
    case "pg_restore":
    case "mysql":
    case "mysqldump":
    case "mongosh":
    case "ansible-playbook":
    case "cmake":
    case "ninja":
    case "service":
    case "journalctl":
    case "apt":
    case "apt-get":
    case "apk":
    case "dnf":
    case "yum":
    case "mongo":
    case "mariadb":
    case "pip":
    case "pip3":
    case "rustc":
    case "tsc":
    case "jest":
    case "vitest":
    case "pytest":
    case "eslint":
      return uses;
    case "prettier":
      return shows;
    default:
      return undefined;
  }
}

const railsCredentials = when(
  (words) => words[0] === "credentials:show" || words[0] === "secrets:show" || words[0] === "encrypted:show",
  "rails credentials:show",
);

/** A tool that may read a file or standard input for itself; its own output is not known. */
const uses: Handler = (invocation) => {
  contact(invocation);
  if (/^(?:psql|mysql|mariadb)$/.test(invocation.name)) shellEscapes(invocation);
  invocation.print([{ from: "unknown" }]);
};

/** The same, of one that may print what it is given. */
const shows: Handler = (invocation) => {
  contact(invocation);
  invocation.print([...invocation.given(), { from: "unknown" }]);
};

/** `brew tap a/b URL` asks for that address. */
function taps(invocation: Invocation): void {
  if (invocation.text(0) === "tap") contact(invocation);
}

/** `ansible HOSTS -m copy -a 'src=f dest=g'`: a file is put onto other machines. */
function ansible(invocation: Invocation): void {
  const options = invocation.options({ short: "maiulfCMeBPt", long: "module-name args inventory user limit forks extra-vars private-key" });
  const sent = /^(?:ansible\.(?:builtin|posix)\.)?(?:copy|template|unarchive|synchronize|script|assemble)$/;
  const args = options.value("a", "args");
  const file = /(?:^|\s)src=(?:"([^"]{1,4096})"|'([^']{1,4096})'|(\S{1,4096}))/.exec(args?.text ?? "");
  if (args !== undefined && file !== null && sent.test(options.value("m", "module-name")?.text ?? "")) {
    const hosts = options.operands[0]?.text ?? "";
    invocation.send("ansible", [{ sources: invocation.read({ ...args, text: file[1] ?? file[2] ?? file[3] ?? "" }), position: "data" }], {
      kind: "remote shell",
      host: /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}$/.test(hosts) ? hosts : undefined,
      url: undefined,
    });
  }
  uses(invocation);
}

/** `go test -exec cmd`, `go build -toolexec cmd`: the command starts around what is built. */
function go(invocation: Invocation): void {
  const runs = invocation.text(0) === "run";
  const options = invocation.options(
    {
      single: true,
      stop: runs,
      long: "exec toolexec vettool o p C tags mod modfile overlay ldflags gcflags asmflags buildmode compiler pkgdir pgo coverpkg covermode run bench count timeout",
    },
    1,
  );
  const end = invocation.args.findIndex(({ text }) => /^--?args$/.test(text));
  for (const command of options.values("exec", "toolexec", "vettool"))
    if (end < 0 || invocation.args.findIndex(({ text }) => text.endsWith(command.text)) < end) invocation.script(command);
  uses(invocation);
}

/** Variables of make's own rules that hold a program. */
const PROGRAMS = /^(?:CC|CXX|CPP|LD|AR|AS|FC|LEX|YACC|RM|INSTALL|MAKE|SHELL)$/;

/** `make -f f` quotes the line it does not understand. */
function make(invocation: Invocation): void {
  const options = invocation.options({ short: "fCIoWE", long: "file makefile directory include-dir old-file what-if new-file eval" });
  const texts = options.values("E", "eval").map(({ text }) => text);
  for (const file of options.values("f", "file", "makefile")) {
    if (!/makefile|\.mk$|\.mak$/i.test(file.text)) invocation.complain(file);
    if (file.text !== "-" && !file.text.startsWith("/dev/")) continue;
    const content = file.text === "-" ? invocation.stdin : invocation.read(file);
    const [only] = content;
    const text = staticText(content);
    if (text !== undefined) texts.push(text);
    else if (content.length === 1 && only?.from === "file" && only.file.path !== undefined) {
      const path = literal(only.file.path);
      invocation.start([literal("make"), ...invocation.args.map((word) => (word === file ? path : word))], { stdin: [] });
    } else if (content.length > 0) invocation.doubt("a script is computed at run time");
  }
  const given = new Map<string, string>();
  const targets: string[] = [];
  for (const word of options.operands) {
    const [head, name] = /^(\w{1,200}):{0,3}=/.exec(word.text) ?? [];
    if (head === undefined || name === undefined) {
      targets.push(word.text);
      continue;
    }
    given.set(name, word.text.slice(head.length));
    if (PROGRAMS.test(name) && /\s|\//.test(word.text)) invocation.script(sliceArgument(word, head.length));
  }
  const text = texts.join("\n");
  if (text !== "") invocation.script(literal(makefile().makeRecipes(text, { targets, given, include: () => undefined })));
  invocation.print([{ from: "unknown" }]);
}

/** Loaded at first use: most calls bring no rules of their own. */
function makefile(): typeof import("../../makefile.ts") {
  return require("../../makefile.ts");
}

/** What a command prints that shows a credential; `command` is how a reason names it. */
export function secret(command: string): Source[] {
  return [{ from: "credential command", command, plain: true }];
}

function when(test: (words: readonly string[], flags: readonly string[]) => boolean, command: string): Handler {
  return (invocation) => {
    contact(invocation);
    const texts = invocation.args.map((argument) => argument.text);
    const words = texts.filter((text) => !text.startsWith("-"));
    const flags = texts.filter((text) => text.startsWith("-"));
    if (!flags.includes("--help") && test(words, flags)) invocation.print(secret(command));
    else invocation.print([{ from: "unknown" }]);
  };
}

/** A tool some of whose commands print settings with their values. */
function listsEnvironment(test: (words: readonly string[]) => boolean): Handler {
  return (invocation) => {
    if (test(invocation.args.map(({ text }) => text).filter((text) => !text.startsWith("-"))))
      invocation.print([{ from: "elsewhere", plain: true }]);
    uses(invocation);
  };
}

function printenv(invocation: Invocation): void {
  const names = invocation.options({}).operands;
  if (names.length === 0) return invocation.print([{ from: "environment", name: undefined, plain: true }]);
  for (const name of names) {
    const own = invocation.shell.state.variables.get(name.text)?.values[0];
    if (own !== undefined) invocation.print(argumentSources(own));
    else invocation.print([{ from: "environment", name: name.exact ? name.text : undefined, plain: true }]);
  }
}

function pass(invocation: Invocation): void {
  const verb = invocation.text(0);
  if (
    verb === "" ||
    /^(?:ls|list|find|search|insert|add|edit|generate|rm|remove|delete|mv|rename|cp|copy|git|init|help|version|--help|--version)$/.test(
      verb,
    )
  )
    return invocation.print([{ from: "unknown" }]);
  if (invocation.args.some((argument) => /^(?:-c|--clip)/.test(argument.text))) return;
  invocation.print(secret("pass show"));
}

/** `terraform state pull` prints the state file; one output as it is is told by its name. */
function terraform(invocation: Invocation): void {
  const words = invocation.args.map(({ text }) => text).filter((text) => !text.startsWith("-"));
  if (words[0] === "state" && words[1] === "pull") return invocation.print(invocation.read(literal("terraform.tfstate")));
  const raw = invocation.args.some(({ text }) => /^--?raw$/.test(text));
  const json = invocation.args.some(({ text }) => /^--?json$/.test(text));
  if (json && (words[0] === "output" || words[0] === "show")) invocation.print([{ from: "elsewhere", plain: true }]);
  if (words[0] === "output" && raw && isSecretField(words[1] ?? "")) return invocation.print(secret("terraform output -raw"));
  uses(invocation);
}

/** `vault kv get` prints. */
function vault(invocation: Invocation): void {
  const words = invocation.args.filter((argument) => !argument.text.startsWith("-"));
  const [first = "", second = ""] = words.map((word) => word.text);
  if (
    (first === "kv" && second === "get") ||
    first === "read" ||
    (first === "print" && second === "token") ||
    (first === "token" && second === "create")
  ) {
    const field = /^--?field(?:=(.*))?$/;
    const at = invocation.args.findIndex((argument) => field.test(argument.text));
    const named = at < 0 ? undefined : (field.exec(invocation.text(at))?.[1] ?? invocation.text(at + 1));
    // A field that is a place or a name by its own name is no secret.
    if (named !== undefined && isPlainField(named)) return invocation.print([{ from: "unknown" }]);
    return invocation.print(secret("vault kv get"));
  }
}

/** Whether a field's name says that its value is no secret: a region, a user, an address. */
function isPlainField(name: string): boolean {
  return (
    /(?:^|[_-])(?:region|zone|host|hostname|port|user|username|name|db|database|url|endpoint|bucket|email|project|version|created|updated|id|ttl|type|env|environment|role|account|description|enabled|cluster|namespace)$/i.test(
      name,
    ) && !/secret|token|pass|private|credential|database_url|(?:^|_)dsn/i.test(name)
  );
}

/** Whether a field's name says that its value is a secret. */
function isSecretField(name: string): boolean {
  return /secret|token|passw|private|credential|(?:^|[_-])(?:key|dsn|auth)(?:$|[_-])|api_?key/i.test(name) && !isPlainField(name);
}
