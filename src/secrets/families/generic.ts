/** Secrets of no issuer: known by the place they stand in (token-families.md §7 and §11). */
import { isPlaceholder, isPlaceholderBody } from "../placeholders.ts";
import { type Family, format, looksRandom } from "./family.ts";

export const generic = (): readonly Family[] => [
  format({
    id: "jwt",
    title: "JSON Web Token",
    needles: ["eyJ"],
    pattern: /eyJ[\w-]{8,2048}\.eyJ[\w-]{2,16384}\.[\w-]{20,2048}/y,
    kind: "structure",
    plain: true,
    check: isSecretToken,
  }),
  format({
    id: "authorization",
    title: "Authorization header",
    needles: ["uthorization", "UTHORIZATION"],
    pattern:
      /(?:uthorization|UTHORIZATION)(?:\\?["'])?\s{0,4}[:=,]\s{0,4}(?:\\?["'])?(?:[Bb]earer|BEARER|[Bb]asic|BASIC|[Tt]oken|[Bb]ot|[Aa]pi[Kk]ey)(?:\s{1,4}|%20|\+)(?<value>[\w.~+/-]{16,4096}={0,2})/y,
    edge: "open",
    check: isCredential,
  }),
  format({
    id: "authorization",
    title: "bearer token",
    needles: ["Bearer ", "bearer "],
    pattern: /[Bb]earer (?<value>[\w.~+/-]{20,4096}={0,2})/y,
    edge: "open",
    check: (value) => (JSON_WEB_TOKEN.test(value) ? isSecretToken(value) : looksRandom(value) && /\d/.test(value)),
  }),
  format({
    id: "registry-auth",
    title: "registry password",
    needles: [":_authToken", ":_password", ":_auth", "_authToken=", "npmAuthToken"],
    pattern: /(?:(?::_|_)(?:authToken|password|auth)|npmAuthToken)\s{0,4}[=:]\s{0,4}["']?(?<value>[\w.~+/-]{8,2048}={0,2})/y,
    edge: "open",
    kind: "field",
    plain: true,
    check: (value) => new Set(value).size >= 8,
  }),
];

const JSON_WEB_TOKEN = /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]*$/;

/** The well-known debugger page's sample, `alg: none` and public roles are no secrets. */
function isSecretToken(value: string): boolean {
  const [head, payload, signature] = value.split(".", 3) as [string, string, string];
  if (isPlaceholderBody(signature)) return false;
  const header = json(head);
  const claims = json(payload);
  if (typeof header?.["alg"] !== "string" || claims === undefined) return false;
  if (header["alg"].toLowerCase() === "none" || claims["role"] === "anon") return false;
  return !(claims["sub"] === "1234567890" && (claims["name"] === "John Doe" || claims["name"] === undefined));
}

function json(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** A bearer value that looks random, or base64 of `user:secret` with a real secret. */
function isCredential(value: string): boolean {
  if (JSON_WEB_TOKEN.test(value)) return isSecretToken(value);
  if (/^[0-9A-Za-z+/]+={0,2}$/.test(value)) {
    const pair = Buffer.from(value, "base64").toString("latin1");
    const colon = pair.indexOf(":");
    if (colon > 0 && /^[\x20-\x7e]+$/.test(pair)) {
      const secret = pair.slice(colon + 1);
      const user = pair.slice(0, colon);
      return !isPlaceholder(secret) || (secret === "" && looksRandom(user));
    }
  }
  return looksRandom(value) && /\d/.test(value);
}
