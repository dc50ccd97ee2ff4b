/** Whether a value in a file is written out, and what shape it has. Everything here is linear in the value. */
import { isPlaceholder, isPlaceholderBody } from "../placeholders.ts";

/** `${VAR}`, `$(cmd)`, `%VAR%`, `{{ … }}`, `<…>`, `op://…`, `env:…`, `!cmd`, SOPS and Vault ciphertext, Maven's `{…}`. */
const REFERENCE =
  /^(?:\$|!|@|%[A-Za-z_(]|\{(?!")|<|\[|\/dev\/|-$|(?:op|vault|ref\+[a-z]{1,20}|keyring|keychain|file|secretref|aws-sm|gcp-sm|azkv|bws|doppler|infisical):|env[:.]|process\.env|os\.environ|ENC[[(]|AQICAH|encrypted:|age:|pass:|exec:)/;

/** True for a value that is written out in the file: no reference, no ciphertext, no placeholder (D-20). */
export function isLiteral(value: string): boolean {
  return value.length >= 4 && !REFERENCE.test(value) && !value.includes("${") && !isPlaceholder(value);
}

/** A password as people and servers choose them: literal, of at least `least` characters. */
export function isPassword(value: string, least = 4): boolean {
  return value.length >= least && value.length <= 1024 && !/[\r\n]/.test(value) && isLiteral(value);
}

/** A machine-made token: one run of token characters, at least `least` of them, neither a word nor a number. */
export function isToken(value: string, least = 16): boolean {
  return value.length >= least && /^[\w+/=.~:|-]+$/.test(value) && isMixed(value) && isUnplanned(value);
}

/** Literal, and its characters differ enough to have been drawn (D-20). */
function isUnplanned(value: string): boolean {
  return !isPlaceholderBody(value) && isLiteral(value);
}

/** Letters and digits, or both cases of letters with another sign: not a word, a number or a constant's name. */
export function isMixed(value: string): boolean {
  const lower = /[a-z]/.test(value);
  const upper = /[A-Z]/.test(value);
  const digit = /\d/.test(value);
  const sign = /[^A-Za-z0-9_\-./]/.test(value);
  return Number(lower) + Number(upper) + Number(digit) + Number(sign) >= 2 && (digit || sign || (lower && upper && value.length >= 20));
}

/** Standard base64 of a PEM private key, as kubeconfig holds it. */
export function isBase64Key(value: string): boolean {
  if (!value.startsWith("LS0tLS1CRUdJTi")) return false;
  const text = fromBase64(value);
  return text !== undefined && /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/.test(text) && !text.includes("ENCRYPTED");
}

/** The secret half of base64 `user:secret`; undefined when the value is not that. */
export function secretOfPair(value: string): string | undefined {
  if (value.length < 8 || value.length > 16_384) return undefined;
  const text = fromBase64(value);
  if (text === undefined) return undefined;
  const colon = text.indexOf(":");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a decoded pair holds none
  if (colon < 1 || /[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text)) return undefined;
  const secret = text.slice(colon + 1);
  return isPassword(secret) || (secret.length > 1024 && isLiteral(secret)) ? secret : undefined;
}

/** The password a field holds in base64; undefined when the field is a sample or holds no readable text. */
export function passwordInBase64(value: string): string | undefined {
  if (!isLiteral(value)) return undefined;
  const text = fromBase64(value)?.trim();
  return text !== undefined && isPassword(text) && !/[\u0000-\u001f\u007f-\u009f\ufffd]/.test(text) ? text : undefined;
}

/** Base64 (standard alphabet, padding optional) decoded as UTF-8; undefined when it is not base64. */
export function fromBase64(value: string): string | undefined {
  const body = value.replace(/\s/g, "");
  if (body.length < 4 || !/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return undefined;
  return Buffer.from(body, "base64").toString("utf8");
}

export const isUuid = (value: string): boolean =>
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(value) && isUnplanned(value);
export const isHex = (value: string, length: number): boolean => value.length === length && /^[\da-f]+$/i.test(value) && isUnplanned(value);
/** A compact JSON Web Token or JWE: dot-separated base64url parts, the first a JSON object. */
export const isJwt = (value: string): boolean => /^eyJ[\w-]{8,}(?:\.[\w-]*){2,4}$/.test(value) && isUnplanned(value);
/** AWS secret access key: 40 base64 characters of mixed kind (a SHA-1 in hex is not one). */
export const isAwsSecret = (value: string): boolean =>
  /^[A-Za-z0-9/+]{40}$/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value) && /\d|[+/]/.test(value) && isUnplanned(value);
export const isAwsKeyId = (value: string): boolean =>
  /^(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z2-7]{16}$/.test(value) && !isPlaceholder(value);
