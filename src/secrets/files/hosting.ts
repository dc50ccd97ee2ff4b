/** Hosting and SaaS command-line tools: one token at a known key of a known file. One row each. */
import { at, field, fieldsAt, wholeLine } from "./fields.ts";
import type { CredentialKind, Leaf } from "./file.ts";
import { iniLeaves } from "./ini.ts";
import { jsonLeaves } from "./json.ts";
import { isHex, isPassword, isToken } from "./literal.ts";
import { tomlLeaves, yamlLeaves } from "./tree.ts";

interface Row {
  readonly id: string;
  readonly title: string;
  readonly places: readonly string[];
  readonly format: "json" | "yaml" | "toml" | "ini";
  readonly keys: readonly string[];
  /** Shortest token, in characters. */
  readonly least?: number;
  /** What every value of the kind starts with, when it has a prefix. */
  readonly prefix?: RegExp;
}

const READERS: Readonly<Record<Row["format"], (text: string) => readonly Leaf[] | undefined>> = {
  json: jsonLeaves,
  yaml: yamlLeaves,
  toml: tomlLeaves,
  ini: (text) => iniLeaves(text),
};

const ROWS: readonly Row[] = [
  {
    id: "vercel",
    title: "Vercel sign-in",
    places: ["$DATA/com.vercel.cli/auth.json", "$AS/com.vercel.cli/auth.json", "%AD%/com.vercel.cli/Data/auth.json"],
    format: "json",
    keys: ["token", "refreshToken"],
    least: 24,
  },
  {
    id: "netlify",
    title: "Netlify sign-in",
    places: ["$XDG/netlify/config.json", "**/Library/Preferences/netlify/config.json", "%AD%/netlify/Config/config.json"],
    format: "json",
    keys: ["users.*.auth.token"],
    least: 30,
  },
  {
    id: "fly",
    title: "Fly sign-in",
    places: ["**/.fly/config.yml"],
    format: "yaml",
    keys: ["access_token"],
    least: 30,
    prefix: /^(?:fm[12][ar]?_|fo1_|FlyV1 )/,
  },
  {
    id: "wrangler",
    title: "Cloudflare sign-in",
    places: [
      "**/.wrangler/config/default.toml",
      "$XDG/.wrangler/config/default.toml",
      "**/Library/Preferences/.wrangler/config/default.toml",
    ],
    format: "toml",
    keys: ["oauth_token", "refresh_token", "api_token"],
    least: 30,
  },
  {
    id: "cloudflared",
    title: "Cloudflare tunnel credentials",
    places: ["**/.cloudflared/*.json"],
    format: "json",
    keys: ["TunnelSecret"],
    least: 32,
  },
  {
    id: "stripe-cli",
    title: "Stripe sign-in",
    places: ["$XDG/stripe/config.toml"],
    format: "toml",
    keys: ["*.live_mode_api_key"],
    least: 20,
    prefix: /^[rs]k_live_/,
  },
  {
    id: "doppler",
    title: "Doppler sign-in",
    places: ["**/.doppler/.doppler.yaml"],
    format: "yaml",
    keys: ["scoped.*.token"],
    least: 30,
    prefix: /^dp\./,
  },
  {
    id: "pulumi",
    title: "Pulumi sign-in",
    places: ["**/.pulumi/credentials.json"],
    format: "json",
    keys: ["accessTokens.*"],
    least: 40,
    prefix: /^pul-/,
  },
  {
    id: "railway",
    title: "Railway sign-in",
    places: ["**/.railway/config.json"],
    format: "json",
    keys: ["user.token", "projects.*.token"],
    least: 20,
  },
  {
    id: "render",
    title: "Render sign-in",
    places: ["**/.render/cli.yaml"],
    format: "yaml",
    keys: ["api.key", "key"],
    least: 20,
    prefix: /^rnd_/,
  },
  { id: "koyeb", title: "Koyeb sign-in", places: ["**/.koyeb.yaml"], format: "yaml", keys: ["token"], least: 30 },
  {
    id: "neon",
    title: "Neon sign-in",
    places: ["$XDG/neonctl/credentials.json"],
    format: "json",
    keys: ["access_token", "refresh_token"],
    least: 30,
  },
  {
    id: "turso",
    title: "Turso sign-in",
    places: ["$XDG/turso/settings.json", "$AS/turso/settings.json"],
    format: "json",
    keys: ["token"],
    least: 30,
  },
  { id: "upstash", title: "Upstash sign-in", places: ["**/.upstash.json"], format: "json", keys: ["apiKey"], least: 20 },
  { id: "sentry", title: "Sentry sign-in", places: ["~/.sentryclirc"], format: "ini", keys: ["auth.token"], least: 32 },
  {
    id: "datadog",
    title: "Datadog keys",
    places: ["**/.dogrc"],
    format: "ini",
    keys: ["Connection.apikey", "Connection.appkey"],
    least: 32,
  },
  {
    id: "newrelic",
    title: "New Relic keys",
    places: ["**/.newrelic/credentials.json"],
    format: "json",
    keys: ["*.apiKey", "*.licenseKey", "*.insightsInsertKey"],
    least: 30,
  },
  {
    id: "grafanactl",
    title: "Grafana sign-in",
    places: ["$XDG/grafanactl/config.yaml"],
    format: "yaml",
    keys: ["contexts.*.grafana.token", "**.token"],
    least: 40,
    prefix: /^gl(?:sa|c)_/,
  },
  {
    id: "llm-keys",
    title: "Model provider keys",
    places: ["$XDG/io.datasette.llm/keys.json", "$AS/io.datasette.llm/keys.json"],
    format: "json",
    keys: ["*"],
    least: 20,
  },
  { id: "expo", title: "Expo sign-in", places: ["**/.expo/state.json"], format: "json", keys: ["auth.sessionSecret"], least: 30 },
  {
    id: "twilio-cli",
    title: "Twilio profiles",
    places: ["**/.twilio-cli/config.json"],
    format: "json",
    keys: ["profiles.*.apiKeySecret"],
    least: 30,
  },
  {
    id: "ngrok",
    title: "ngrok sign-in",
    places: ["$XDG/ngrok/ngrok.yml", "$AS/ngrok/ngrok.yml", "%LAD%/ngrok/ngrok.yml", "**/.ngrok2/ngrok.yml"],
    format: "yaml",
    keys: ["authtoken", "api_key", "agent.authtoken", "agent.api_key"],
    least: 40,
  },
];

export const hosting: readonly CredentialKind[] = ROWS.map((row) => ({
  id: row.id,
  title: row.title,
  class: "PROVEN",
  places: row.places,
  confirm(text) {
    const isOne = (value: string) =>
      (row.prefix?.test(value) ?? true) && isToken(value.replace(/^FlyV1 /, ""), row.least ?? 16) && !/[/:]{2}/.test(value);
    return fieldsAt(READERS[row.format](text) ?? [], row.keys, isOne);
  },
}));

/** Files that hold one token and nothing else; the place is half of the proof, the token's form the other. */
const SINGLE: readonly { readonly id: string; readonly title: string; readonly places: readonly string[]; readonly form: RegExp }[] = [
  { id: "supabase", title: "Supabase sign-in", places: ["**/.supabase/access-token"], form: /^sbp_[\da-f]{40}$/ },
  { id: "vault-token", title: "Vault token", places: ["**/.vault-token"], form: /^(?:hv[sbr]\.[\w-]{24,512}|[sb]\.[A-Za-z0-9]{24})$/ },
  { id: "planetscale", title: "PlanetScale sign-in", places: ["$XDG/planetscale/access-token"], form: /^[\w.-]{30,1024}$/ },
  {
    id: "hugging-face",
    title: "Hugging Face token",
    places: ["**/.cache/huggingface/token", "**/.huggingface/token"],
    form: /^hf_[A-Za-z0-9]{30,64}$/,
  },
];

export const singleTokens: readonly CredentialKind[] = SINGLE.map(({ id, title, places, form }) => ({
  id,
  title,
  class: "PROVEN",
  places,
  confirm: (text) => wholeLine(text, (value) => form.test(value) && isToken(value, 20)),
}));

export const huggingFaceStored: CredentialKind = {
  id: "hugging-face-stored",
  title: "Hugging Face tokens",
  class: "PROVEN",
  places: ["**/.cache/huggingface/stored_tokens"],
  confirm: (text) => fieldsAt(iniLeaves(text), ["*.hf_token"], (value) => /^hf_[A-Za-z0-9]{30,64}$/.test(value) && isToken(value, 30)),
};

export const kaggle: CredentialKind = {
  id: "kaggle",
  title: "Kaggle API key",
  class: "PROVEN",
  places: ["**/.kaggle/kaggle.json", "**/kaggle.json"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    return at(leaves, "username").length === 0 ? [] : fieldsAt(leaves, ["key"], (value) => isHex(value, 32));
  },
};

export const railsKey: CredentialKind = {
  id: "rails-key",
  title: "Rails master key",
  class: "QUESTION",
  places: ["**/config/master.key", "**/config/credentials/*.key"],
  confirm: (text) => wholeLine(text, (value) => isHex(value, 32)),
};

export const onePasswordConnect: CredentialKind = {
  id: "onepassword-connect",
  title: "1Password Connect credentials",
  class: "PROVEN",
  places: ["**/1password-credentials.json"],
  markers: ["encCredentials", "uniqueKey", "verifier"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    return at(leaves, "verifier.**").length === 0 ? [] : fieldsAt(leaves, ["uniqueKey.k"], (value) => isToken(value, 20));
  },
};

export const cloudflaredCert: CredentialKind = {
  id: "cloudflared-cert",
  title: "Cloudflare tunnel certificate",
  class: "PROVEN",
  places: ["**/.cloudflared/cert.pem"],
  confirm(text) {
    const head = "-----BEGIN ARGO TUNNEL TOKEN-----";
    const open = text.indexOf(head);
    const close = open < 0 ? -1 : text.indexOf("-----END ARGO TUNNEL TOKEN-----", open);
    if (close < 0) return [];
    const value = text.slice(open + head.length, close).trim();
    const start = text.indexOf(value, open + head.length);
    return isToken(value.replace(/\s/g, ""), 40) ? [field({ value, start, end: start + value.length })] : [];
  },
};

/** `user = name:secret` for curl, `password=` for wget. */
export const curlrc: CredentialKind = {
  id: "curlrc",
  title: "curl or wget configuration with a password",
  class: "PROVEN",
  places: ["~/.curlrc", "~/_curlrc", "~/.wgetrc"],
  confirm(text) {
    const leaves = iniLeaves(text, { colon: false });
    const users = leaves.flatMap((leaf) => {
      const colon = leaf.value.indexOf(":");
      if (!/^-{0,2}(?:user|u|proxy-user)$/.test(leaf.path[1] ?? "") || colon < 1) return [];
      const value = leaf.value.slice(colon + 1);
      return isPassword(value) ? [field({ value, start: leaf.start + colon + 1, end: leaf.end }, true)] : [];
    });
    return [
      ...users,
      ...leaves
        .filter((leaf) => /^(?:http_|ftp_|proxy_)?password$/.test(leaf.path[1] ?? "") && isPassword(leaf.value))
        .map((leaf) => field(leaf, true)),
    ];
  },
};
