/** Google Cloud: service account keys, application default credentials, Firebase's sign-in. */
import { at, fieldsAt, valueAt } from "./fields.ts";
import type { CredentialKind, Field } from "./file.ts";
import { jsonLeaves } from "./json.ts";
import { isHex, isToken } from "./literal.ts";
import { isKeyText } from "./key-text.ts";

const isRefresh = (value: string): boolean => value.startsWith("1//") && isToken(value, 30);

export const gcpServiceAccount: CredentialKind = {
  id: "gcp-service-account",
  title: "Google service account key",
  class: "PROVEN",
  places: [],
  markers: ["private_key", "service_account", ".iam.gserviceaccount.com"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    return at(leaves, "**.type").flatMap((type): readonly Field[] => {
      if (type.value !== "service_account") return [];
      const inside = type.path.slice(0, -1);
      const own = leaves
        .filter((leaf) => leaf.path.length === type.path.length && inside.every((name, at) => leaf.path[at] === name))
        .map((leaf) => ({ ...leaf, path: leaf.path.slice(-1) }));
      const fits =
        (valueAt(own, "client_email") ?? "").endsWith(".iam.gserviceaccount.com") && isHex(valueAt(own, "private_key_id") ?? "", 40);
      return fits ? fieldsAt(own, ["private_key"], isKeyText) : [];
    });
  },
};

export const gcpUser: CredentialKind = {
  id: "gcp-user",
  title: "Google application default credentials",
  class: "PROVEN",
  places: [
    "$XDG/gcloud/application_default_credentials.json",
    "%AD%/gcloud/application_default_credentials.json",
    "$XDG/gcloud/legacy_credentials/*/adc.json",
    "%AD%/gcloud/legacy_credentials/*/adc.json",
  ],
  markers: ["authorized_user", "refresh_token", "client_secret"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    if (valueAt(leaves, "type") !== "authorized_user" || valueAt(leaves, "client_id") === undefined) return [];
    const refresh = fieldsAt(leaves, ["refresh_token"], isRefresh);
    return refresh.length === 0 ? [] : [...fieldsAt(leaves, ["client_secret"], (value) => isToken(value, 12)), ...refresh];
  },
};

/** SQLite; the values inside are found by their formats, the header proves the store. */
export const gcloudStore: CredentialKind = {
  id: "gcloud-store",
  title: "gcloud credential store",
  class: "PROVEN",
  places: ["$XDG/gcloud/credentials.db", "$XDG/gcloud/access_tokens.db", "%AD%/gcloud/credentials.db", "%AD%/gcloud/access_tokens.db"],
  confirm(text) {
    if (!text.startsWith("SQLite format 3")) return [];
    const found: Field[] = [];
    for (const hit of text.matchAll(/"refresh_token":\s?"(1\/\/[\w-]{30,512})"|ya29\.[\w-]{30,2048}/g)) {
      const value = hit[1] ?? hit[0];
      const start = hit.index + hit[0].indexOf(value);
      found.push({ value, start, end: start + value.length, password: false });
    }
    return found;
  },
};

export const firebase: CredentialKind = {
  id: "firebase",
  title: "Firebase sign-in",
  class: "PROVEN",
  places: ["$XDG/configstore/firebase-tools.json"],
  confirm: (text) => fieldsAt(jsonLeaves(text) ?? [], ["tokens.refresh_token", "tokens.access_token"], (value) => isToken(value, 30)),
};
