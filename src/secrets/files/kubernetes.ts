/** Kubernetes and its relatives. */
import { at, fieldsAt, valueAt, wholeLine } from "./fields.ts";
import type { CredentialKind } from "./file.ts";
import { jsonLeaves } from "./json.ts";
import { secretObjects } from "./kubernetes-objects.ts";
import { fromBase64, isBase64Key, isJwt, isPassword, isToken } from "./literal.ts";
import { yamlLeaves } from "./tree.ts";

/** A user entry may name a program instead (`exec:`): no secret then. */
export const kubeconfig: CredentialKind = {
  id: "kubeconfig",
  title: "Kubernetes configuration",
  class: "PROVEN",
  places: [
    "**/.kube/config",
    "**/.kube/config.*",
    "**/*.kubeconfig",
    "**/kubeconfig",
    "**/kubeconfig.y*ml",
    "/etc/kubernetes/*.conf",
    "/etc/rancher/k3s/k3s.yaml",
    "/etc/rancher/rke2/rke2.yaml",
  ],
  markers: ["Config", "clusters", "users", "user"],
  confirm(text) {
    const leaves = (text.trimStart().startsWith("{") ? jsonLeaves(text) : yamlLeaves(text)) ?? [];
    if (valueAt(leaves, "kind") !== "Config" || at(leaves, "clusters.**").length === 0) return [];
    const found = [
      ...fieldsAt(leaves, ["users.*.user.client-key-data"], isBase64Key),
      ...fieldsAt(
        leaves,
        [
          "users.*.user.token",
          ...["access-token", "refresh-token", "id-token", "client-secret"].map((key) => `users.*.user.auth-provider.config.${key}`),
        ],
        (value) => isJwt(value) || isToken(value, 16),
      ),
      ...fieldsAt(leaves, ["users.*.user.password"], (value) => isPassword(value), true),
    ];
    return found;
  },
};

export const serviceAccountToken: CredentialKind = {
  id: "kubernetes-service-account",
  title: "Kubernetes service account token",
  class: "PROVEN",
  places: [
    "/var/run/secrets/kubernetes.io/serviceaccount/token",
    "/run/secrets/kubernetes.io/serviceaccount/token",
    "/var/run/secrets/**/serviceaccount/token",
  ],
  confirm: (text) =>
    wholeLine(text, (value) => {
      const payload = value.split(".")[1] ?? "";
      return isJwt(value) && (fromBase64(payload.replaceAll("-", "+").replaceAll("_", "/")) ?? "").includes("system:serviceaccount:");
    }),
};

/** Values are plain base64; sealed or SOPS-encrypted manifests hold none. */
export const secretManifest: CredentialKind = {
  id: "kubernetes-secret",
  title: "Kubernetes Secret manifest",
  class: "QUESTION",
  places: ["**/*.yaml", "**/*.yml"],
  confirm(text) {
    if (!/^kind:[ \t]*["']?Secret["']?[ \t\r]*$/m.test(text) || text.includes("\nsops:")) return [];
    return [...secretObjects(text)].map((value) => ({ ...value, password: false }));
  },
};

export const talos: CredentialKind = {
  id: "talos",
  title: "Talos configuration",
  class: "PROVEN",
  places: ["**/.talos/config", "**/talosconfig"],
  confirm: (text) =>
    at(yamlLeaves(text) ?? [], "contexts.*.ca").length === 0
      ? []
      : fieldsAt(yamlLeaves(text) ?? [], ["contexts.*.key"], (value) => isBase64Key(value) || isToken(value, 40)),
};

export const rancher: CredentialKind = {
  id: "rancher",
  title: "Rancher sign-in",
  class: "PROVEN",
  places: ["**/.rancher/cli2.json"],
  confirm: (text) =>
    fieldsAt(jsonLeaves(text) ?? [], ["Servers.*.tokenKey", "Servers.*.secretKey", "Servers.*.accessKey"], (value) => isToken(value, 20)),
};

export const argocd: CredentialKind = {
  id: "argocd",
  title: "Argo CD sign-in",
  class: "PROVEN",
  places: ["$XDG/argocd/config", "**/.argocd/config"],
  confirm: (text) =>
    fieldsAt(yamlLeaves(text) ?? [], ["users.*.auth-token", "users.*.refresh-token"], (value) => isJwt(value) || isToken(value, 30)),
};

export const helm: CredentialKind = {
  id: "helm",
  title: "Helm repository sign-in",
  class: "PROVEN",
  places: ["$XDG/helm/repositories.yaml", "$AS/helm/repositories.yaml"],
  confirm: (text) => fieldsAt(yamlLeaves(text) ?? [], ["repositories.*.password"], (value) => isPassword(value), true),
};
