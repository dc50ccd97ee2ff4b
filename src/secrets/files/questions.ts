/** Project and start-up files that are half configuration, half secret: never a block (L-033). */
import { field } from "./fields.ts";
import type { CredentialKind, Field, Leaf } from "./file.ts";
import { loginsIn } from "./command-line.ts";
import { isSecretFileName } from "./dotenv.ts";
import { isSecretValue, passwordInUrl } from "./entry-value.ts";
import { secretEntries, secretLines } from "./environment.ts";
import { iniLeaves } from "./ini.ts";
import { jsonLeaves } from "./json.ts";
import { isSecretName } from "./name.ts";
import { yamlLeaves } from "./tree.ts";
import type { Secret } from "../secret.ts";

const asFields = (secrets: readonly Secret[]): Field[] => secrets.map(({ value, start, end }) => ({ value, start, end, password: true }));

export const dotenv: CredentialKind = {
  id: "env",
  title: "Environment file",
  class: "QUESTION",
  places: ["**/.env", "**/.env.*", "**/.env-*", "**/.env_*", "**/*.env", "**/.envrc", "**/.dev.vars", "**/.dev.vars.*", "**/.flaskenv"],
  confirm: (text, path) => (isSecretFileName(path) ? asFields(secretEntries(text)) : []),
};

const START_UP =
  "~/.bashrc ~/.bash_profile ~/.bash_login ~/.bash_aliases ~/.profile ~/.zshrc ~/.zshenv ~/.zprofile ~/.zlogin ~/.kshrc ~/.xprofile ~/.xsessionrc ~/.pam_environment ~/.xonshrc";

export const shellStartUp: CredentialKind = {
  id: "shell-start-up",
  title: "Shell start-up file with a secret",
  class: "QUESTION",
  places: [
    ...START_UP.split(" "),
    "$XDG/fish/config.fish",
    "$XDG/fish/conf.d/*.fish",
    "$XDG/environment.d/*.conf",
    "/etc/environment",
    "/etc/profile",
    "/etc/profile.d/*",
    "/etc/default/*",
  ],
  confirm: (text) => asFields(secretLines(text)),
};

export const shellHistory: CredentialKind = {
  id: "shell-history",
  title: "Shell history with a secret",
  class: "QUESTION",
  places: ["~/.bash_history", "~/.zsh_history", "~/.history", "~/.sh_history", "**/ConsoleHost_history.txt", "$DATA/fish/fish_history"],
  confirm(text) {
    const lines = text.replace(/^(?:: \d{1,12}:\d{1,6};|- cmd: )/gm, (stamp) => " ".repeat(stamp.length));
    // What stands behind an unquoted value is the command.
    const found = asFields(secretLines(lines).filter(({ value, start }) => !/\s/.test(value) || /["']/.test(lines[start - 1] ?? "")));
    let at = 0;
    for (const line of lines.split("\n")) {
      for (const login of loginsIn(line, at)) found.push(field(login, true));
      at += line.length + 1;
    }
    return found;
  },
};

/** Configuration whose field names tell which values are secret. */
export const projectConfig: CredentialKind = {
  id: "project-config",
  title: "Project configuration with a secret",
  class: "QUESTION",
  places: [
    "**/local.settings.json",
    "**/appsettings.*.json",
    "**/secrets.json",
    "**/secrets.yml",
    "**/secrets.yaml",
    "**/*.tfvars",
    "**/*.tfvars.json",
    "**/sftp-config.json",
    "**/terraform.tfstate",
    "**/terraform.tfstate.backup",
  ],
  confirm(text, path) {
    if (text.includes("\nsops:") || text.startsWith("$ANSIBLE_VAULT")) return [];
    const leaves = /\.ya?ml$/.test(path) ? yamlLeaves(text) : /\.tfvars$/.test(path) ? iniLeaves(text) : jsonLeaves(text);
    const marked = /\.tfstate(?:\.backup)?$/.test(path) ? sensitiveIn(leaves ?? []) : undefined;
    return (leaves ?? []).flatMap((leaf) => {
      if (marked?.has(leaf.path.join("/")) === true && isSecretValue(leaf.value)) return [field(leaf, true)];
      const url = passwordInUrl(leaf.value);
      if (url !== undefined && leaf.end - leaf.start === leaf.value.length)
        return [field({ value: leaf.value.slice(url.start, url.end), start: leaf.start + url.start, end: leaf.start + url.end }, true)];
      return isSecretName(leaf.path.at(-1) ?? "") && isSecretValue(leaf.value) ? [field(leaf, true)] : [];
    });
  },
};

/** Places of values that Terraform itself calls sensitive in its state: outputs, attributes of resources, drawn passwords. */
function sensitiveIn(leaves: readonly Leaf[]): ReadonlySet<string> {
  const places = new Set<string>();
  const drawn = new Set<string>();
  for (const { path, value } of leaves) {
    const [room, resource, key] = path;
    if (room === "outputs" && path.at(-1) === "sensitive" && value === "true") places.add([...path.slice(0, -1), "value"].join("/"));
    if (room !== "resources") continue;
    if (key === "type" && value === "random_password") drawn.add(`${resource}`);
    if (drawn.has(`${resource}`) && path.at(-1) === "result") places.add(path.join("/"));
    // A list of paths, each a list of steps: only a name at the top is followed.
    const at = path.indexOf("sensitive_attributes");
    if (at > 0 && path.length === at + 4 && path[at + 2] === "0" && path.at(-1) === "value")
      places.add([...path.slice(0, at), "attributes", value].join("/"));
  }
  return places;
}

export const wordpress: CredentialKind = {
  id: "wp-config",
  title: "WordPress configuration",
  class: "QUESTION",
  places: ["**/wp-config.php"],
  confirm(text) {
    const found: Field[] = [];
    for (const hit of text.matchAll(
      /\bdefine\(\s{0,10}(['"])(DB_PASSWORD|[A-Z_]{1,30}_(?:KEY|SALT))\1\s{0,10},\s{0,10}(?:'([^'\n]{8,256})'|"([^"\n]{8,256})")/g,
    )) {
      const value = hit[3] ?? hit[4] ?? "";
      const start = hit.index + hit[0].length - value.length - 1;
      if (isSecretValue(value)) found.push(field({ value, start, end: start + value.length }, true));
    }
    return found;
  },
};

/** Server-side hashes of passwords. */
export const htpasswd: CredentialKind = {
  id: "htpasswd",
  title: "Web server password hashes",
  class: "QUESTION",
  places: ["**/.htpasswd", "**/htpasswd"],
  confirm(text) {
    const found: Field[] = [];
    for (const line of text.matchAll(/^[^:\s#]{1,128}:((?:\$(?:2[aby]|apr1|5|6)\$|\{SHA\})[^\s:]{20,128})[ \t\r]*$/gm)) {
      const value = line[1] ?? "";
      const start = line.index + line[0].indexOf(value);
      found.push(field({ value, start, end: start + value.length }, true));
    }
    return found;
  },
};
