/** Command lines of source hosts. Newer installs keep the token in the keychain: then the file holds none. */
import { fieldsAt } from "./fields.ts";
import type { CredentialKind } from "./file.ts";
import { jsonLeaves } from "./json.ts";
import { isToken } from "./literal.ts";
import { tomlLeaves, yamlLeaves } from "./tree.ts";

/** Host entries may nest accounts: `github.com.users.dev.oauth_token`. */
export const gh: CredentialKind = {
  id: "gh",
  title: "GitHub command line sign-in",
  class: "PROVEN",
  places: ["$XDG/gh/hosts.yml", "%AD%/GitHub CLI/hosts.yml", "$AS/gh/hosts.yml", "**/gh/hosts.yml"],
  markers: ["oauth_token:", "git_protocol", "github.com:"],
  confirm: (text) =>
    fieldsAt(hostEntries(text), ["**.oauth_token"], (value) => /^(?:gh[opus]_|github_pat_)/.test(value) && isToken(value, 36)),
};

/** Only top-level keys that look like hosts count. */
function hostEntries(text: string) {
  return (yamlLeaves(text) ?? []).filter((leaf) => /^[\w-]+(?:\.[\w-]+)+$/.test(leaf.path[0] ?? ""));
}

export const glab: CredentialKind = {
  id: "glab",
  title: "GitLab command line sign-in",
  class: "PROVEN",
  places: ["$XDG/glab-cli/config.yml", "$AS/glab-cli/config.yml", "%LAD%/glab-cli/config.yml", "**/glab-cli/config.yml"],
  confirm: (text) => fieldsAt(yamlLeaves(text) ?? [], ["hosts.*.token", "hosts.*.oauth2_refresh_token"], (value) => isToken(value, 20)),
};

export const hub: CredentialKind = {
  id: "hub",
  title: "hub sign-in",
  class: "PROVEN",
  places: ["$XDG/hub"],
  confirm: (text) => fieldsAt(hostEntries(text), ["**.oauth_token"], (value) => isToken(value, 36)),
};

export const tea: CredentialKind = {
  id: "tea",
  title: "Gitea command line sign-in",
  class: "PROVEN",
  places: ["$XDG/tea/config.yml"],
  confirm: (text) => fieldsAt(yamlLeaves(text) ?? [], ["logins.*.token"], (value) => isToken(value, 36)),
};

export const ciRunner: CredentialKind = {
  id: "gitlab-runner",
  title: "CI runner registration",
  class: "PROVEN",
  places: ["/etc/gitlab-runner/config.toml", "**/.gitlab-runner/config.toml"],
  confirm: (text) => fieldsAt(tomlLeaves(text) ?? [], ["runners.*.token"], (value) => isToken(value, 20)),
};

export const actionsRunner: CredentialKind = {
  id: "actions-runner",
  title: "CI runner key",
  class: "PROVEN",
  places: ["**/.credentials_rsaparams"],
  confirm: (text) => fieldsAt(jsonLeaves(text) ?? [], ["d", "p", "q"], (value) => isToken(value, 60)),
};
