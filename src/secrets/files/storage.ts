/** Storage and backup clients. */
import { at, field, fieldsAt, span } from "./fields.ts";
import type { CredentialKind, Field } from "./file.ts";
import { iniLeaves } from "./ini.ts";
import { jsonLeaves } from "./json.ts";
import { isPassword, isToken, passwordInBase64 } from "./literal.ts";
import { elements, withoutComments } from "./xml.ts";

/** `pass` is only obscured; `token` is JSON with the tokens inside. An encrypted file starts `RCLONE_ENCRYPT_V0:`. */
export const rclone: CredentialKind = {
  id: "rclone",
  title: "rclone remotes",
  class: "PROVEN",
  places: ["$XDG/rclone/rclone.conf", "%AD%/rclone/rclone.conf", "**/.rclone.conf", "**/rclone.conf"],
  confirm(text) {
    const leaves = iniLeaves(text);
    const remotes = new Set(at(leaves, "*.type").map((leaf) => leaf.path[0]));
    return leaves
      .filter((leaf) => remotes.has(leaf.path[0]) && leaf.path[0] !== "")
      .flatMap((leaf): readonly Field[] => {
        const key = leaf.path[1] ?? "";
        if (key === "token") {
          return [...leaf.value.matchAll(/"(?:access_token|refresh_token)":"([^"]{16,4096})"/g)].flatMap((hit) => {
            const value = hit[1] ?? "";
            const start = leaf.start + hit.index + hit[0].length - value.length - 1;
            return isToken(value, 16) ? [field({ value, start, end: start + value.length })] : [];
          });
        }
        if (
          /^(?:pass|password|password2|key_file_pass|bearer_token|client_secret|secret_access_key|service_account_credentials|key|account_key|sas_url|auth|api_password)$/.test(
            key,
          )
        ) {
          return isPassword(leaf.value, 8) ? [field(leaf, !isToken(leaf.value, 20))] : [];
        }
        return [];
      });
  },
};

export const minio: CredentialKind = {
  id: "minio",
  title: "MinIO client configuration",
  class: "PROVEN",
  places: ["**/.mc/config.json", "**/.mcli/config.json"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    return at(leaves, "aliases.*.url").length === 0
      ? []
      : fieldsAt(leaves, ["aliases.*.secretKey", "aliases.*.sessionToken"], (value) => isToken(value, 8));
  },
};

export const fileZilla: CredentialKind = {
  id: "filezilla",
  title: "FileZilla sites",
  class: "PROVEN",
  places: ["$XDG/filezilla/*.xml", "%AD%/FileZilla/*.xml", "**/sitemanager.xml", "**/recentservers.xml"],
  markers: ["<FileZilla3", '<Pass encoding="base64">'],
  confirm(text) {
    const bare = withoutComments(text);
    const found: Field[] = [];
    for (const hit of bare.matchAll(/<Pass encoding="base64">([A-Za-z0-9+/=]{4,2048})</g)) {
      const value = hit[1] ?? "";
      const start = hit.index + hit[0].length - value.length - 1;
      if (passwordInBase64(value) !== undefined) found.push(span(text, start, start + value.length, true));
    }
    return [
      ...found,
      ...elements(bare, "Pass")
        .filter((leaf) => isPassword(leaf.value))
        .map((leaf) => field(leaf, true)),
    ];
  },
};
