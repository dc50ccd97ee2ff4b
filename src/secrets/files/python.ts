/** Python's package tools. */
import { at, field, fieldsAt } from "./fields.ts";
import type { CredentialKind, Field, Leaf } from "./file.ts";
import { passwordInUrl } from "./entry-value.ts";
import { iniLeaves } from "./ini.ts";
import { isPassword, isToken } from "./literal.ts";
import { tomlLeaves, yamlLeaves } from "./tree.ts";

export const pypirc: CredentialKind = {
  id: "pypirc",
  title: "Python upload credentials",
  class: "PROVEN",
  places: ["**/.pypirc"],
  markers: ["username", "password", "pypi-AgE"],
  confirm(text) {
    const leaves = iniLeaves(text, { colon: true, fold: true });
    const signedIn = new Set(at(leaves, "*.username").map((leaf) => leaf.path[0]));
    return at(leaves, "*.password")
      .filter((leaf) => signedIn.has(leaf.path[0]) && leaf.path[0] !== "" && isPassword(leaf.value))
      .map((leaf) => field(leaf, !leaf.value.startsWith("pypi-")));
  },
};

/** The passwords in URLs that stand as values, continuation lines of a list included. */
function urlPasswords(leaves: readonly Leaf[]): readonly Field[] {
  return leaves.flatMap((leaf) => {
    const inside = passwordInUrl(leaf.value);
    if (inside === undefined) return [];
    const value = leaf.value.slice(inside.start, inside.end);
    return [{ value, start: leaf.start + inside.start, end: leaf.start + inside.end, password: !isToken(value, 20) }];
  });
}

export const pip: CredentialKind = {
  id: "pip",
  title: "pip configuration with a password",
  class: "PROVEN",
  places: ["$XDG/pip/pip.conf", "**/.pip/pip.conf", "$AS/pip/pip.conf", "%AD%/pip/pip.ini", "/etc/pip.conf"],
  confirm: (text) => urlPasswords(iniLeaves(text).filter((leaf) => (leaf.path[1] ?? "").endsWith("url"))),
};

export const poetry: CredentialKind = {
  id: "poetry",
  title: "Poetry sign-in",
  class: "PROVEN",
  places: ["$XDG/pypoetry/auth.toml", "$AS/pypoetry/auth.toml", "%AD%/pypoetry/auth.toml"],
  confirm(text) {
    const leaves = tomlLeaves(text) ?? [];
    return [
      ...fieldsAt(leaves, ["pypi-token.*"], (value) => isToken(value, 16)),
      ...fieldsAt(leaves, ["http-basic.*.password"], (value) => isPassword(value), true),
    ];
  },
};

export const uv: CredentialKind = {
  id: "uv",
  title: "uv sign-in",
  class: "PROVEN",
  places: ["$DATA/uv/credentials/credentials.toml", "$DATA/uv/credentials"],
  confirm: (text) => fieldsAt(tomlLeaves(text) ?? [], ["credential.*.password", "credential.*.token"], (value) => isPassword(value), true),
};

export const conda: CredentialKind = {
  id: "conda",
  title: "conda channel token",
  class: "PROVEN",
  places: ["**/.condarc", "$XDG/conda/.condarc"],
  confirm(text) {
    const leaves = yamlLeaves(text) ?? [];
    const tokens = leaves.flatMap((leaf) => {
      const hit = /^https?:\/\/[^\s/]{1,256}\/t\/([\w-]{10,512})(?:\/|$)/.exec(leaf.value);
      const value = hit?.[1] ?? "";
      if (!isToken(value, 10) || leaf.start < 0) return [];
      const start = leaf.start + leaf.value.indexOf("/t/") + 3;
      return [field({ value, start, end: start + value.length })];
    });
    return [...tokens, ...urlPasswords(leaves)];
  },
};
