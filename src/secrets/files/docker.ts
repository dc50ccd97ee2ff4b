/** Docker's and Podman's registry sign-ins, Compose files. */
import { at, fieldsAt } from "./fields.ts";
import type { CredentialKind } from "./file.ts";
import { jsonLeaves } from "./json.ts";
import { isToken, secretOfPair } from "./literal.ts";
import { isSecretName } from "./name.ts";
import { isSecretValue } from "./entry-value.ts";
import { yamlLeaves } from "./tree.ts";

/** `credsStore` and `credHelpers` alone name programs: no secret. */
export const docker: CredentialKind = {
  id: "docker",
  title: "Docker registry sign-in",
  class: "PROVEN",
  places: [
    "**/.docker/config.json",
    "**/.dockercfg",
    "**/.dockerconfigjson",
    "$XDG/containers/auth.json",
    "/run/user/*/containers/auth.json",
    "/run/containers/*/auth.json",
    "$XDG/helm/registry/config.json",
  ],
  markers: ["auth"],
  confirm(text) {
    if (!text.includes('"auths"') && !text.includes('"auth"')) return [];
    const leaves = jsonLeaves(text) ?? [];
    // The oldest form has the hosts at the top; anywhere else `auth` is a common word.
    const pairs = [...at(leaves, "auths.*.auth"), ...at(leaves, "*.auth").filter((leaf) => /[.:]/.test(leaf.path[0] ?? ""))];
    return [
      ...fieldsAt(pairs, ["**"], (value) => secretOfPair(value) !== undefined),
      ...fieldsAt(leaves, ["auths.*.identitytoken", "auths.*.registrytoken"], (value) => isToken(value, 20)),
      ...fieldsAt(leaves, ["auths.*.password"], (value) => isSecretValue(value), true),
    ];
  },
};

export const compose: CredentialKind = {
  id: "compose",
  title: "Compose file with passwords",
  class: "QUESTION",
  places: [
    "**/docker-compose*.yml",
    "**/docker-compose*.yaml",
    "**/compose.yml",
    "**/compose.yaml",
    "**/compose.*.yml",
    "**/compose.*.yaml",
  ],
  confirm(text) {
    const leaves = yamlLeaves(text) ?? [];
    const named = at(leaves, "services.*.environment.*").filter(
      (leaf) => !/^\d+$/.test(leaf.path.at(-1) ?? "") && isSecretName(leaf.path.at(-1) ?? ""),
    );
    // The list form: `- NAME=value`.
    const listed = at(leaves, "services.*.environment.*").flatMap((leaf) => {
      const equals = leaf.value.indexOf("=");
      if (!/^\d+$/.test(leaf.path.at(-1) ?? "") || equals < 1 || !isSecretName(leaf.value.slice(0, equals))) return [];
      return [
        { path: leaf.path, value: leaf.value.slice(equals + 1), start: leaf.start < 0 ? -1 : leaf.start + equals + 1, end: leaf.end },
      ];
    });
    return fieldsAt([...named, ...listed], ["**"], (value) => isSecretValue(value), true);
  },
};
