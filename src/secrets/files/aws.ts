/** AWS: shared credentials, configuration, SSO and command-line caches, console exports. */
import { at, field, fieldsAt, valueAt } from "./fields.ts";
import type { CredentialKind, Field, Leaf } from "./file.ts";
import { iniLeaves } from "./ini.ts";
import { jsonLeaves } from "./json.ts";
import { isAwsKeyId, isAwsSecret, isLiteral, isToken } from "./literal.ts";

/** Sections that hold a real key id and a fitting secret: two facts, neither of them alone. */
function keyPairs(text: string): readonly Field[] {
  const bySection = new Map<string, Leaf[]>();
  for (const leaf of iniLeaves(text)) {
    const section = leaf.path[0] ?? "";
    const known = bySection.get(section);
    if (known === undefined) bySection.set(section, [leaf]);
    else known.push(leaf);
  }
  const found: Field[] = [];
  for (const [section, leaves] of bySection) {
    const named = (key: string) => leaves.filter((leaf) => leaf.path[1]?.toLowerCase() === key);
    if (section === "" || !named("aws_access_key_id").some((leaf) => isAwsKeyId(leaf.value))) continue;
    const secrets = named("aws_secret_access_key").filter((leaf) => isAwsSecret(leaf.value));
    if (secrets.length === 0) continue;
    const session = named("aws_session_token").filter((leaf) => isToken(leaf.value, 100));
    found.push(...[...secrets, ...session].map((leaf) => field(leaf)));
  }
  return found;
}

export const awsCredentials: CredentialKind = {
  id: "aws-credentials",
  title: "AWS credentials file",
  class: "PROVEN",
  places: ["**/.aws/credentials", "**/.aws/credentials.*"],
  markers: ["aws_access_key_id", "aws_secret_access_key", "["],
  confirm: keyPairs,
};

export const awsConfig: CredentialKind = {
  id: "aws-config",
  title: "AWS configuration with keys",
  class: "PROVEN",
  places: ["**/.aws/config"],
  confirm: keyPairs,
};

export const awsSsoCache: CredentialKind = {
  id: "aws-sso-cache",
  title: "AWS sign-in cache",
  class: "PROVEN",
  places: ["**/.aws/sso/cache/*.json"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    const session = valueAt(leaves, "expiresAt") !== undefined && valueAt(leaves, "accessToken") !== undefined;
    const client = valueAt(leaves, "registrationExpiresAt") !== undefined || valueAt(leaves, "clientId") !== undefined;
    return session || client ? fieldsAt(leaves, ["accessToken", "refreshToken", "clientSecret"], (value) => isToken(value, 20)) : [];
  },
};

/** The command line's cache, `aws sts … --output json`, and the answer of an instance's metadata service. */
export const awsSession: CredentialKind = {
  id: "aws-session",
  title: "AWS session credentials",
  class: "PROVEN",
  places: ["**/.aws/cli/cache/*.json", "**/.aws/login/cache/*.json"],
  markers: ["AccessKeyId", "SecretAccessKey"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    return at(leaves, "**.AccessKeyId").flatMap((id) => {
      if (!isAwsKeyId(id.value)) return [];
      const beside = (key: string) =>
        leaves.filter(
          (leaf) =>
            leaf.path.length === id.path.length &&
            leaf.path.at(-1) === key &&
            id.path.slice(0, -1).every((name, at) => leaf.path[at] === name),
        );
      const secret = beside("SecretAccessKey").filter((leaf) => isAwsSecret(leaf.value));
      const session = [...beside("SessionToken"), ...beside("Token")].filter((leaf) => isToken(leaf.value, 100));
      return secret.length === 0 ? [] : [...secret, ...session].map((leaf) => field(leaf));
    });
  },
};

export const awsConsoleExport: CredentialKind = {
  id: "aws-access-keys",
  title: "AWS access key export",
  class: "PROVEN",
  places: ["**/*accessKeys.csv", "**/rootkey.csv", "**/credentials.csv"],
  markers: ["Access key ID", "Secret access key"],
  confirm(text) {
    const found: Field[] = [];
    for (const row of text.matchAll(/((?:AKIA|ASIA)[A-Z2-7]{16})"?,"?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/g)) {
      const [whole, id = "", secret = ""] = row;
      const end = row.index + whole.length;
      if (isAwsKeyId(id) && isAwsSecret(secret)) found.push({ value: secret, start: end - secret.length, end, password: false });
    }
    return found;
  },
};

/** boto's and s3cmd's files: their own key names, the same secrets. */
export const boto: CredentialKind = {
  id: "boto",
  title: "Storage credentials (boto)",
  class: "PROVEN",
  places: ["**/.boto", "/etc/boto.cfg"],
  confirm: (text) =>
    fieldsAt(
      iniLeaves(text, { colon: true }),
      ["Credentials.aws_secret_access_key", "Credentials.gs_secret_access_key", "Credentials.gs_oauth2_refresh_token"],
      (value) => isToken(value, 36),
    ),
};

export const s3cmd: CredentialKind = {
  id: "s3cmd",
  title: "s3cmd configuration",
  class: "PROVEN",
  places: ["**/.s3cfg", "**/.s3cfg-*"],
  confirm(text) {
    const leaves = iniLeaves(text);
    const id = valueAt(leaves, "*.access_key");
    return id !== undefined && isLiteral(id) ? fieldsAt(leaves, ["*.secret_key", "*.access_token"], (value) => isToken(value, 16)) : [];
  },
};
