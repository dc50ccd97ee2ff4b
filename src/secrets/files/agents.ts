/** What AI agents sign in with: the first thing an injected instruction asks for. */
import { at, field, fieldsAt, valueAt } from "./fields.ts";
import type { CredentialKind, Field, Leaf } from "./file.ts";
import { isSecretValue } from "./entry-value.ts";
import { jsonLeaves } from "./json.ts";
import { isJwt, isToken } from "./literal.ts";
import { isSecretName } from "./name.ts";
import { yamlLeaves } from "./tree.ts";

const isLong = (value: string): boolean => isJwt(value) || isToken(value, 20);

export const claude: CredentialKind = {
  id: "claude-code",
  title: "Claude Code sign-in",
  class: "PROVEN",
  places: ["**/.claude/.credentials.json"],
  markers: ["claudeAiOauth", "accessToken", "expiresAt"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    if (valueAt(leaves, "claudeAiOauth.expiresAt") === undefined) return [];
    return fieldsAt(
      leaves,
      [
        "claudeAiOauth.accessToken",
        "claudeAiOauth.refreshToken",
        "mcpOAuth.*.accessToken",
        "mcpOAuth.*.refreshToken",
        "mcpOAuth.*.clientSecret",
      ],
      isLong,
    );
  },
};

export const claudeConfig: CredentialKind = {
  id: "claude-code-config",
  title: "Claude Code configuration with a key",
  class: "PROVEN",
  places: ["~/.claude.json", "~/.claude/.claude.json"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    return [
      ...fieldsAt(leaves, ["primaryApiKey"], (value) => value.startsWith("sk-ant-") && isToken(value, 40)),
      ...serverFields(leaves, hasTokenForm),
    ];
  },
};

export const codex: CredentialKind = {
  id: "codex",
  title: "Codex sign-in",
  class: "PROVEN",
  places: ["**/.codex/auth.json"],
  markers: ["OPENAI_API_KEY", "id_token", "refresh_token"],
  confirm: (text) =>
    fieldsAt(jsonLeaves(text) ?? [], ["OPENAI_API_KEY", "tokens.access_token", "tokens.refresh_token", "tokens.id_token"], isLong),
};

export const gemini: CredentialKind = {
  id: "gemini",
  title: "Gemini CLI sign-in",
  class: "PROVEN",
  places: ["**/.gemini/oauth_creds.json", "**/.gemini/antigravity*/oauth_creds.json", "**/.qwen/oauth_creds.json"],
  markers: ["access_token", "refresh_token", "expiry_date"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    return valueAt(leaves, "expiry_date") === undefined ? [] : fieldsAt(leaves, ["access_token", "refresh_token", "id_token"], isLong);
  },
};

/** MCP sign-ins cached by agents: Gemini's list, mcp-remote's one file per server. */
export const mcpTokens: CredentialKind = {
  id: "mcp-oauth",
  title: "MCP sign-in cache",
  class: "PROVEN",
  places: ["**/.gemini/mcp-oauth-tokens.json", "**/.mcp-auth/**/*_tokens.json"],
  confirm: (text) =>
    fieldsAt(jsonLeaves(text) ?? [], ["access_token", "refresh_token", "*.token.accessToken", "*.token.refreshToken"], isLong),
};

export const copilot: CredentialKind = {
  id: "copilot",
  title: "GitHub Copilot sign-in",
  class: "PROVEN",
  places: [
    "$XDG/github-copilot/hosts.json",
    "$XDG/github-copilot/apps.json",
    "%LAD%/github-copilot/hosts.json",
    "%LAD%/github-copilot/apps.json",
    "**/.copilot/config.json",
  ],
  confirm: (text) =>
    (jsonLeaves(text) ?? [])
      .filter(
        (leaf) =>
          (leaf.path[0] ?? "").startsWith("github.com") &&
          leaf.path[1] === "oauth_token" &&
          /^(?:gh[opu]_|github_pat_)/.test(leaf.value) &&
          isToken(leaf.value, 30),
      )
      .map((leaf) => field(leaf)),
};

export const cursor: CredentialKind = {
  id: "cursor",
  title: "Cursor sign-in",
  class: "PROVEN",
  places: ["$XDG/cursor/auth.json", "**/.cursor/auth.json", "**/.cursor/cli-config.json"],
  confirm: (text) =>
    fieldsAt(jsonLeaves(text) ?? [], ["accessToken", "refreshToken", "authInfo.accessToken", "authInfo.refreshToken", "apiKey"], isLong),
};

export const opencode: CredentialKind = {
  id: "opencode",
  title: "opencode sign-in",
  class: "PROVEN",
  places: ["$DATA/opencode/auth.json", "%LAD%/opencode/auth.json", "$DATA/kilo/auth.json"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    const typed = new Set(
      at(leaves, "*.type")
        .filter((leaf) => /^(?:api|oauth|wellknown)$/.test(leaf.value))
        .map((leaf) => leaf.path[0]),
    );
    return fieldsAt(
      leaves.filter((leaf) => typed.has(leaf.path[0])),
      ["*.key", "*.refresh", "*.access", "*.token"],
      isLong,
    );
  },
};

export const otherAgents: CredentialKind = {
  id: "agent-sign-in",
  title: "Agent sign-in",
  class: "PROVEN",
  places: ["**/.factory/auth.json", "$DATA/amp/secrets.json", "$DATA/crush/*.json", "**/.aws/sso/cache/kiro-*", "**/.continue/.auth*.json"],
  confirm: (text) =>
    (jsonLeaves(text) ?? [])
      .filter((leaf) => (isSecretName(leaf.path.at(-1) ?? "") || /^apiKey@/.test(leaf.path.at(-1) ?? "")) && isLong(leaf.value))
      .map((leaf) => field(leaf)),
};

export const gooseSecrets: CredentialKind = {
  id: "goose",
  title: "Goose secrets",
  class: "PROVEN",
  places: ["$XDG/goose/secrets.yaml", "%AD%/Block/goose/config/secrets.yaml"],
  confirm: (text) =>
    (yamlLeaves(text) ?? []).filter((leaf) => isSecretName(leaf.path.at(-1) ?? "") && isLong(leaf.value)).map((leaf) => field(leaf)),
};

/** `mcpServers.*.env` and `headers` (VS Code: `servers`), inside projects too. */
function serverFields(leaves: readonly Leaf[], test: (value: string, name: string) => boolean): readonly Field[] {
  return leaves.flatMap((leaf) => {
    const from = leaf.path.findIndex((key) => key === "mcpServers" || key === "servers");
    const place = leaf.path[from + 2] ?? "";
    if (from < 0 || !/^(?:env|headers|http_headers)$/.test(place) || leaf.path.length !== from + 4) return [];
    const scheme = /^(?:Bearer|Basic|token) +/i.exec(leaf.value)?.[0].length ?? 0;
    const value = leaf.value.slice(scheme);
    return test(value, leaf.path.at(-1) ?? "") ? [field({ value, start: leaf.start + scheme, end: leaf.end })] : [];
  });
}

/** Prefixes of issuers whose tokens stand in such files; the token is then a fact besides the layout. */
const hasTokenForm = (value: string): boolean =>
  /^(?:gh[opsu]_|github_pat_|glpat-|sk-|xox[abp]-|npm_|hf_|dop_v1_|sbp_|ntn_|secret_|lin_api_|figd_|pat-|rk_live_|sk_live_|AIza|ya29\.|eyJ|dapi|glsa_|sntryu_|pplx-|gsk_|xai-|fc-|tvly-|BSA|ATATT3|pypi-)/.test(
    value,
  ) && isToken(value, 20);

const MCP_PLACES = [
  "**/.mcp.json",
  "**/mcp.json",
  "**/claude_desktop_config.json",
  "**/mcp_config.json",
  "**/mcp_settings.json",
  "**/cline_mcp_settings.json",
];

export const mcpConfig: CredentialKind = {
  id: "mcp-config",
  title: "MCP configuration with a token",
  class: "PROVEN",
  places: MCP_PLACES,
  confirm: (text) => serverFields(jsonLeaves(text) ?? [], hasTokenForm),
};

export const mcpConfigUnproven: CredentialKind = {
  id: "mcp-config-values",
  title: "MCP configuration with values",
  class: "QUESTION",
  places: [...MCP_PLACES, "~/.claude.json"],
  confirm: (text) =>
    serverFields(jsonLeaves(text) ?? [], (value, name) => (isSecretName(name) || /^authorization$/i.test(name)) && isSecretValue(value)),
};
