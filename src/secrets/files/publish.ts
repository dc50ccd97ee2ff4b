/** Package registries of the other languages. */
import { at, field, fieldsAt } from "./fields.ts";
import type { CredentialKind, Field } from "./file.ts";
import { iniLeaves } from "./ini.ts";
import { jsonLeaves } from "./json.ts";
import { isPassword, isToken } from "./literal.ts";
import { isSecretName } from "./name.ts";
import { isSecretValue } from "./entry-value.ts";
import { tomlLeaves, yamlLeaves } from "./tree.ts";
import { elements, withoutComments } from "./xml.ts";

export const cargo: CredentialKind = {
  id: "cargo",
  title: "Cargo registry sign-in",
  class: "PROVEN",
  places: ["**/.cargo/credentials.toml", "**/.cargo/credentials"],
  confirm: (text) =>
    fieldsAt(tomlLeaves(text) ?? [], ["registry.token", "registries.*.token"], (value) => isToken(value.replace(/^Bearer /, ""), 16)),
};

export const rubygems: CredentialKind = {
  id: "rubygems",
  title: "RubyGems sign-in",
  class: "PROVEN",
  places: ["**/.gem/credentials", "$DATA/gem/credentials"],
  confirm: (text) =>
    (yamlLeaves(text) ?? [])
      .filter((leaf) => /^rubygems_[\da-f]{48}$/.test(leaf.value) || (/api_key$/.test(leaf.path.at(-1) ?? "") && isToken(leaf.value, 16)))
      .map((leaf) => field(leaf)),
};

export const bundler: CredentialKind = {
  id: "bundler",
  title: "Bundler sign-in",
  class: "PROVEN",
  places: ["~/.bundle/config"],
  confirm: (text) =>
    (yamlLeaves(text) ?? []).flatMap((leaf) => {
      const colon = leaf.value.indexOf(":");
      const secret = leaf.value.slice(colon + 1);
      const host = (leaf.path[0] ?? "").startsWith("BUNDLE_") && (leaf.path[0] ?? "").includes("__");
      return host && colon > 0 && !secret.startsWith("//") && isPassword(secret)
        ? [field({ value: secret, start: leaf.start < 0 ? -1 : leaf.start + colon + 1, end: leaf.end }, !isToken(secret, 20))]
        : [];
    }),
};

/** `{…}` is Maven's own encryption; its master key lies in another file. */
export const maven: CredentialKind = {
  id: "maven",
  title: "Maven settings with a password",
  class: "PROVEN",
  places: ["**/.m2/settings.xml"],
  markers: ["<settings", "<server>", "<username>"],
  confirm(text) {
    const bare = withoutComments(text);
    if (!bare.includes("<server>") || !bare.includes("<settings")) return [];
    return [...elements(bare, "password"), ...elements(bare, "passphrase")]
      .filter((part) => isPassword(part.value))
      .map((part) => field(part, !isToken(part.value, 24)));
  },
};

export const nuget: CredentialKind = {
  id: "nuget",
  title: "NuGet sign-in",
  class: "PROVEN",
  places: ["**/.nuget/NuGet/NuGet.Config", "$XDG/NuGet/NuGet.Config", "%AD%/NuGet/NuGet.Config"],
  markers: ["packageSourceCredentials", "ClearTextPassword"],
  confirm(text) {
    const bare = withoutComments(text);
    if (!bare.includes("<packageSourceCredentials")) return [];
    const found: Field[] = [];
    for (const hit of bare.matchAll(/key="ClearTextPassword"\s{1,20}value="([^"\n]{4,2048})"/gi)) {
      const value = hit[1] ?? "";
      const start = hit.index + hit[0].length - value.length - 1;
      if (isPassword(value)) found.push(field({ value, start, end: start + value.length }, !isToken(value, 20)));
    }
    return found;
  },
};

export const gradle: CredentialKind = {
  id: "gradle",
  title: "Gradle properties with secrets",
  class: "PROVEN",
  places: ["~/.gradle/gradle.properties"],
  confirm: (text) => propertyFields(text),
};

export const gradleInProject: CredentialKind = {
  id: "gradle-project",
  title: "Gradle properties with secrets",
  class: "QUESTION",
  places: ["**/gradle.properties", "**/local.properties", "**/keystore.properties"],
  confirm: (text) => propertyFields(text),
};

function propertyFields(text: string): readonly Field[] {
  return iniLeaves(text)
    .filter((leaf) => isSecretName(leaf.path[1] ?? "") && isSecretValue(leaf.value))
    .map((leaf) => field(leaf, !isToken(leaf.value, 20)));
}

export const composer: CredentialKind = {
  id: "composer",
  title: "Composer sign-in",
  class: "PROVEN",
  places: ["**/.composer/auth.json", "$XDG/composer/auth.json", "%AD%/Composer/auth.json", "**/auth.json"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    return [
      ...fieldsAt(
        leaves,
        [
          "github-oauth.*",
          "gitlab-oauth.*",
          "gitlab-oauth.*.token",
          "gitlab-token.*",
          "gitlab-token.*.token",
          "bearer.*",
          "bitbucket-oauth.*.consumer-secret",
        ],
        (value) => isToken(value, 16),
      ),
      ...fieldsAt(leaves, ["http-basic.*.password"], (value) => isPassword(value), true),
    ];
  },
};

/** `realm= host= user= password=`, sbt's and Ivy's form. */
export const sbt: CredentialKind = {
  id: "sbt",
  title: "sbt repository credentials",
  class: "PROVEN",
  places: ["**/.sbt/.credentials", "**/.ivy2/.credentials", "**/.sbt/*/.credentials"],
  confirm(text) {
    const leaves = iniLeaves(text, { fold: true });
    return at(leaves, "*.host").length > 0 && at(leaves, "*.user").length > 0
      ? fieldsAt(leaves, ["*.password"], (value) => isPassword(value), true)
      : [];
  },
};

export const dartPub: CredentialKind = {
  id: "dart-pub",
  title: "Dart pub sign-in",
  class: "PROVEN",
  places: [
    "$XDG/dart/pub-credentials.json",
    "$AS/dart/pub-credentials.json",
    "%AD%/dart/pub-credentials.json",
    "**/.pub-cache/credentials.json",
  ],
  confirm: (text) => fieldsAt(jsonLeaves(text) ?? [], ["accessToken", "refreshToken"], (value) => isToken(value, 30)),
};

export const hex: CredentialKind = {
  id: "hex",
  title: "Hex sign-in",
  class: "PROVEN",
  places: ["**/.hex/hex.config"],
  confirm(text) {
    const found: Field[] = [];
    for (const hit of text.matchAll(/(?:api|read|write|auth)_key[^<\n]{0,20}<<"([^"\n]{20,1024})"/g)) {
      const value = hit[1] ?? "";
      const start = hit.index + hit[0].length - value.length - 1;
      if (isToken(value, 20)) found.push(field({ value, start, end: start + value.length }));
    }
    return found;
  },
};

export const terraform: CredentialKind = {
  id: "terraform",
  title: "Terraform sign-in",
  class: "PROVEN",
  places: ["**/.terraform.d/credentials.tfrc.json", "%AD%/terraform.d/credentials.tfrc.json"],
  confirm: (text) => fieldsAt(jsonLeaves(text) ?? [], ["credentials.*.token"], (value) => isToken(value, 20)),
};

export const terraformRc: CredentialKind = {
  id: "terraform-rc",
  title: "Terraform configuration with a token",
  class: "PROVEN",
  places: ["**/.terraformrc", "%AD%/terraform.rc"],
  confirm(text) {
    const found: Field[] = [];
    for (const hit of text.matchAll(/^[ \t]*credentials[ \t]+"[^"\n]{1,256}"[ \t]*\{\s{0,100}token[ \t]*=[ \t]*"([^"\n]{16,1024})"/gm)) {
      const value = hit[1] ?? "";
      const start = hit.index + hit[0].length - value.length - 1;
      if (isToken(value, 16)) found.push(field({ value, start, end: start + value.length }));
    }
    return found;
  },
};
