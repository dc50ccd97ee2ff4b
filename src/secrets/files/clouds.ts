/** Smaller clouds' command-line files, each with its own layout. */
import { at, field, fieldsAt, valueAt } from "./fields.ts";
import type { CredentialKind } from "./file.ts";
import { iniLeaves } from "./ini.ts";
import { jsonLeaves } from "./json.ts";
import { isLiteral, isPassword, isToken, isUuid } from "./literal.ts";
import { tomlLeaves, yamlLeaves } from "./tree.ts";

export const oracle: CredentialKind = {
  id: "oci",
  title: "Oracle Cloud configuration",
  class: "PROVEN",
  places: ["**/.oci/config"],
  confirm(text) {
    const leaves = iniLeaves(text);
    return at(leaves, "*.user").some((leaf) => leaf.value.startsWith("ocid1.user."))
      ? fieldsAt(leaves, ["*.pass_phrase"], (value) => isPassword(value), true)
      : [];
  },
};

export const ibm: CredentialKind = {
  id: "ibmcloud",
  title: "IBM Cloud sign-in",
  class: "PROVEN",
  places: ["**/.bluemix/config.json"],
  confirm: (text) =>
    fieldsAt(jsonLeaves(text) ?? [], ["IAMToken", "IAMRefreshToken"], (value) => isToken(value.replace(/^Bearer /, ""), 30)),
};

export const alibaba: CredentialKind = {
  id: "aliyun",
  title: "Alibaba Cloud profile",
  class: "PROVEN",
  places: ["**/.aliyun/config.json"],
  markers: ["access_key_secret", "LTAI", "profiles"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    const real = at(leaves, "profiles.*.access_key_id").some((leaf) => /^LTAI[A-Za-z0-9]{12,26}$/.test(leaf.value));
    return real ? fieldsAt(leaves, ["profiles.*.access_key_secret", "profiles.*.sts_token"], (value) => isToken(value, 30)) : [];
  },
};

export const tencent: CredentialKind = {
  id: "tencent",
  title: "Tencent Cloud credential",
  class: "PROVEN",
  places: ["**/.tccli/*.credential"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    return (valueAt(leaves, "secretId") ?? "").startsWith("AKID")
      ? fieldsAt(leaves, ["secretKey", "token"], (value) => isToken(value, 32))
      : [];
  },
};

export const digitalocean: CredentialKind = {
  id: "doctl",
  title: "DigitalOcean sign-in",
  class: "PROVEN",
  places: ["$XDG/doctl/config.yaml", "$AS/doctl/config.yaml", "%AD%/doctl/config.yaml"],
  confirm: (text) =>
    fieldsAt(
      yamlLeaves(text) ?? [],
      ["access-token", "auth-contexts.*"],
      (value) => /^do[opr]_v1_[\da-f]{64}$/.test(value) && isLiteral(value),
    ),
};

export const hetzner: CredentialKind = {
  id: "hcloud",
  title: "Hetzner Cloud sign-in",
  class: "PROVEN",
  places: ["$XDG/hcloud/cli.toml", "%AD%/hcloud/cli.toml"],
  confirm: (text) => fieldsAt(tomlLeaves(text) ?? [], ["contexts.*.token"], (value) => value.length === 64 && isToken(value, 64)),
};

export const scaleway: CredentialKind = {
  id: "scaleway",
  title: "Scaleway sign-in",
  class: "PROVEN",
  places: ["$XDG/scw/config.yaml"],
  confirm(text) {
    const leaves = yamlLeaves(text) ?? [];
    return at(leaves, "**.access_key").some((leaf) => /^SCW[A-Z0-9]{17}$/.test(leaf.value))
      ? fieldsAt(leaves, ["**.secret_key"], isUuid)
      : [];
  },
};

/** Tools whose file is a flat list of settings with one token among them. */
const SIMPLE: readonly (readonly [id: string, title: string, places: readonly string[], keys: readonly string[]])[] = [
  ["linode", "Linode sign-in", ["$XDG/linode-cli"], ["token"]],
  ["ovh", "OVH sign-in", ["**/.ovh.conf", "/etc/ovh.conf"], ["application_secret", "consumer_key"]],
];

export const simpleClouds: readonly CredentialKind[] = SIMPLE.map(([id, title, places, keys]) => ({
  id,
  title,
  class: "PROVEN",
  places,
  confirm: (text) =>
    fieldsAt(
      iniLeaves(text),
      keys.map((key) => `*.${key}`),
      (value) => isToken(value, 20),
    ),
}));

export const vultr: CredentialKind = {
  id: "vultr",
  title: "Vultr sign-in",
  class: "PROVEN",
  places: ["**/.vultr-cli.yaml", "$XDG/vultr-cli.yaml"],
  confirm: (text) => fieldsAt(yamlLeaves(text) ?? [], ["api-key"], (value) => isToken(value, 30)),
};

export const exoscale: CredentialKind = {
  id: "exoscale",
  title: "Exoscale sign-in",
  class: "PROVEN",
  places: ["$XDG/exoscale/exoscale.toml"],
  confirm(text) {
    const leaves = tomlLeaves(text) ?? [];
    return at(leaves, "accounts.*.key").some((leaf) => leaf.value.startsWith("EXO"))
      ? fieldsAt(leaves, ["accounts.*.secret"], (value) => isToken(value, 30))
      : [];
  },
};

export const civo: CredentialKind = {
  id: "civo",
  title: "Civo sign-in",
  class: "PROVEN",
  places: ["**/.civo.json"],
  confirm: (text) => fieldsAt(jsonLeaves(text) ?? [], ["apikeys.*"], (value) => isToken(value, 30)),
};

const OPENSTACK_FIELDS = ["password", "application_credential_secret", "token"].map((key) => `clouds.*.auth.${key}`);

function openStackFields(text: string) {
  const leaves = yamlLeaves(text) ?? [];
  return at(leaves, "clouds.*.auth.auth_url").length === 0 ? [] : fieldsAt(leaves, OPENSTACK_FIELDS, (value) => isPassword(value), true);
}

export const openstack: CredentialKind = {
  id: "openstack",
  title: "OpenStack clouds file",
  class: "PROVEN",
  places: ["$XDG/openstack/clouds.yaml", "$XDG/openstack/secure.yaml", "/etc/openstack/clouds.yaml"],
  confirm: openStackFields,
};

export const openstackInProject: CredentialKind = {
  id: "openstack-project",
  title: "OpenStack clouds file in a project",
  class: "QUESTION",
  places: ["**/clouds.yaml", "**/clouds.yml"],
  confirm: openStackFields,
};

export const yandex: CredentialKind = {
  id: "yandex",
  title: "Yandex Cloud sign-in",
  class: "PROVEN",
  places: ["$XDG/yandex-cloud/config.yaml"],
  confirm: (text) =>
    at(yamlLeaves(text) ?? [], "**.token")
      .filter((leaf) => /^(?:y[0-3]_|t1\.)/.test(leaf.value) && isToken(leaf.value, 30))
      .map((leaf) => field(leaf)),
};
