/** npm, Yarn and pnpm registry sign-ins. In a project the file is shared on purpose; a recognised token inside is the scan's. */
import { fieldsAt } from "./fields.ts";
import type { CredentialKind, Field } from "./file.ts";
import { iniLeaves } from "./ini.ts";
import { isPassword, isToken, passwordInBase64, secretOfPair } from "./literal.ts";
import { yamlLeaves } from "./tree.ts";

/** Keys by registry (`//host/:_authToken`) or, in old files, alone. */
function npmFields(text: string): readonly Field[] {
  return iniLeaves(text).flatMap((leaf): readonly Field[] => {
    const key = leaf.path[1] ?? "";
    const scoped = key.startsWith("//");
    const name = scoped ? key.slice(key.lastIndexOf(":") + 1) : key;
    const real =
      name === "_authToken" || name === "tokenHelper"
        ? name === "_authToken" && isPassword(leaf.value, 8)
        : name === "_auth"
          ? secretOfPair(leaf.value) !== undefined
          : name === "_password" && passwordInBase64(leaf.value) !== undefined;
    return real
      ? [{ value: leaf.value, start: leaf.start, end: leaf.end, password: name !== "_authToken" || !isToken(leaf.value, 16) }]
      : [];
  });
}

export const npm: CredentialKind = {
  id: "npm",
  title: "npm sign-in",
  class: "PROVEN",
  places: [
    "~/.npmrc",
    "/etc/npmrc",
    "/usr/etc/npmrc",
    "/usr/local/etc/npmrc",
    "/opt/homebrew/etc/npmrc",
    "~/.npm-global/etc/npmrc",
    "$XDG/pnpm/rc",
    "$XDG/pnpm/auth.ini",
  ],
  confirm: npmFields,
};

export const npmInProject: CredentialKind = {
  id: "npm-project",
  title: "npm configuration with a token",
  class: "QUESTION",
  places: ["**/.npmrc"],
  confirm: npmFields,
};

function yarnFields(text: string): readonly Field[] {
  const leaves = yamlLeaves(text) ?? [];
  return [
    ...fieldsAt(leaves, ["**.npmAuthToken"], (value) => isToken(value, 16)),
    ...fieldsAt(
      leaves,
      ["**.npmAuthIdent"],
      (value) => secretOfPair(value) !== undefined || (value.includes(":") && isPassword(value, 8)),
      true,
    ),
  ];
}

export const yarn: CredentialKind = {
  id: "yarn",
  title: "Yarn sign-in",
  class: "PROVEN",
  places: ["~/.yarnrc.yml"],
  confirm: yarnFields,
};

export const yarnInProject: CredentialKind = {
  id: "yarn-project",
  title: "Yarn configuration with a token",
  class: "QUESTION",
  places: ["**/.yarnrc.yml"],
  confirm: yarnFields,
};
