/** Microsoft Azure: token caches and service principals. */
import { at, field, fieldsAt, valueAt } from "./fields.ts";
import type { CredentialKind } from "./file.ts";
import { jsonLeaves } from "./json.ts";
import { isLiteral, isToken, isUuid } from "./literal.ts";

export const azureTokens: CredentialKind = {
  id: "azure-tokens",
  title: "Azure token cache",
  class: "PROVEN",
  places: ["**/.azure/msal_token_cache.json", "**/.azure/msal_http_cache.json", "**/.IdentityService/*.json"],
  markers: ["credential_type", '"secret"', "RefreshToken"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    const typed = new Set(at(leaves, "*.*.credential_type").map((leaf) => leaf.path[1]));
    return at(leaves, "*.*.secret")
      .filter((leaf) => typed.has(leaf.path[1]) && isToken(leaf.value, 30))
      .map((leaf) => field(leaf));
  },
};

export const azureTokensOld: CredentialKind = {
  id: "azure-access-tokens",
  title: "Azure access tokens",
  class: "PROVEN",
  places: ["**/.azure/accessTokens.json"],
  markers: ["tokenType", "accessToken", "refreshToken", "_authority"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    return at(leaves, "*.tokenType").length === 0
      ? []
      : fieldsAt(leaves, ["*.accessToken", "*.refreshToken"], (value) => isToken(value, 30));
  },
};

const SECRET_NAMES = ["client_secret", "clientSecret", "password", "secret", "servicePrincipalKey"];

export const azurePrincipal: CredentialKind = {
  id: "azure-service-principal",
  title: "Azure service principal",
  class: "PROVEN",
  places: ["**/.azure/service_principal_entries.json", "**/.azure/servicePrincipal*.json", "**/azureauth.json", "**/my.azureauth"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    const named = (...names: string[]) => names.flatMap((name) => at(leaves, `**.${name}`)).some((leaf) => isUuid(leaf.value));
    const principal = named("client_id", "clientId", "appId") && named("tenant", "tenantId", "tenant_id");
    return principal
      ? fieldsAt(
          leaves,
          SECRET_NAMES.map((name) => `**.${name}`),
          (value) => isToken(value, 30),
        )
      : [];
  },
};

/** `az ad sp create-for-rbac --sdk-auth` and its like, under any name: the endpoints beside the secret are the container. */
export const azureSdkAuth: CredentialKind = {
  id: "azure-sdk-auth",
  title: "Azure service principal",
  class: "PROVEN",
  places: [],
  markers: ["clientSecret", "tenantId", "activeDirectoryEndpointUrl"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    return isUuid(valueAt(leaves, "clientId") ?? "") && isUuid(valueAt(leaves, "tenantId") ?? "")
      ? fieldsAt(leaves, ["clientSecret"], (value) => isToken(value, 30))
      : [];
  },
};

export const azurePowerShell: CredentialKind = {
  id: "azure-powershell",
  title: "Azure PowerShell context",
  class: "PROVEN",
  places: ["**/.Azure/AzureRmContext.json", "**/.azure/AzureRmContext.json"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    const secrets = leaves.filter((leaf) => leaf.path.at(-1) === "ServicePrincipalSecret" || leaf.path.at(-1) === "CacheData");
    return at(leaves, "Contexts.**").length === 0
      ? []
      : secrets.filter((leaf) => leaf.value.length >= 20 && isLiteral(leaf.value)).map((leaf) => field(leaf));
  },
};
