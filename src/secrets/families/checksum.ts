/** Further issuers whose tokens carry a check that anyone can recompute: the closed list of D-13 (token-families.md §3). */
import { base62, crc32, hex, hexReversed, littleEndian } from "./check/crc32.ts";
import { sha256 } from "./check/sha256.ts";
import { type Family, format, vendor } from "./family.ts";

/** Six base62 digits over the body. */
const overBody = (_: string, body: string): boolean => base62(crc32(body.slice(0, -6))) === body.slice(-6);
/** The same over prefix and body; `joint` characters between body and check are covered by neither. */
const overWhole =
  (joint = 0) =>
  (value: string): boolean =>
    base62(crc32(value.slice(0, -6 - joint))) === value.slice(-6);

const swapCase = (text: string): string =>
  text.replace(/[a-zA-Z]/g, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()));

/** `=` may be written `%3D`, `\=` or `\u003d` where the token was put into a URL or a settings file. */
const unescapeEquals = (value: string): string => value.replace(/%3D|\\=|\\u003d/i, "=");

export const checksum = (): readonly Family[] => [
  format({ id: "npm", title: "npm token", needles: ["npm_"], pattern: /npm_[0-9A-Za-z]{36}/y, proof: overBody }),
  format({
    id: "grafana",
    title: "Grafana service account token",
    needles: ["glsa_"],
    pattern: /glsa_[0-9A-Za-z]{32}_[\da-f]{8}/y,
    proof: (value) => hexReversed(crc32(value.slice(0, -9))) === value.slice(-8),
  }),
  format({
    id: "atlassian",
    title: "Atlassian token",
    needles: ["ATATT3xFfGF0", "ATCTT3xFfGN0"],
    pattern: /AT(?:ATT3xFfGF0|CTT3xFfGN0)[\w-]{100,300}(?:=|%3[Dd]|\\=|\\u003[dD])[\dA-F]{8}/y,
    unescape: unescapeEquals,
    proof: (value) => hex(crc32(value.slice(0, -8))).toUpperCase() === value.slice(-8),
  }),
  format({
    id: "bitbucket",
    title: "Bitbucket app password",
    needles: ["ATBB"],
    pattern: /ATBB[0-9A-Za-z]{24}[\dA-F]{8}/y,
    proof: (value) => hex(crc32(value.slice(0, -8))).toUpperCase() === value.slice(-8),
  }),
  format({
    id: "confluent",
    title: "Confluent Cloud secret",
    needles: ["cflt"],
    pattern: /cflt[0-9A-Za-z+/]{60}/y,
    edge: "base64",
    proof: (_, body) =>
      littleEndian(crc32(body.slice(0, 54)))
        .toBase64()
        .slice(0, 6) === body.slice(54),
  }),
  format({
    id: "cloudflare",
    title: "Cloudflare token",
    needles: ["cfut_", "cfk_"],
    pattern: /cf(?:ut|k)_[0-9A-Za-z]{40}[\da-f]{8}/y,
    proof: (_, body) => hex(crc32(body.slice(0, 40))) === body.slice(40),
  }),
  // Account tokens look the same but are not on the list.
  vendor("cloudflare", "Cloudflare account token", ["cfat_", "cfast_"], /cfas?t_[0-9A-Za-z]{40}[\da-f]{8}/y),
  format({
    id: "vercel",
    title: "Vercel token",
    needles: ["vcp_", "vci_", "vca_", "vcr_", "vck_"],
    pattern: /vc[piark]_[\w-]{50}[0-9A-Za-z]{6}/y,
    proof: overBody,
  }),
  format({
    id: "zuplo",
    title: "Zuplo API key",
    needles: ["zpka_"],
    pattern: /zpka_[\da-z]{32}_[\da-fA-F]{8}/y,
    // The issuer may write the check in either case.
    proof: (_, body) => hex(crc32(body.slice(0, 32))) === body.slice(33).toLowerCase(),
  }),
  format({ id: "jsr", title: "JSR token", needles: ["jsrd_", "jsrp_", "jsrw_"], pattern: /jsr[dpw]_[0-9A-Za-z]{35}/y, proof: overWhole() }),
  // `polar_ci_`, `polar_cl_` and `polar_c_` are public identifiers.
  format({
    id: "polar",
    title: "Polar token",
    needles: ["polar_"],
    pattern: /polar_(?:oat|pat|at_u|at_o|rt_u|rt_o|cs|crt|us|mst|cst)_(?<body>[0-9A-Za-z]{43})/y,
    proof: overBody,
  }),
  format({
    id: "matrix",
    title: "Matrix Synapse token",
    needles: ["syt_", "syr_"],
    pattern: /sy[tr]_[0-9A-Za-z+/]{1,344}_(?<body>[A-Za-z]{20}_[0-9A-Za-z]{6})/y,
    proof: overWhole(1),
  }),
  format({
    id: "matrix",
    title: "Matrix token",
    needles: ["mat_", "mar_", "mct_", "mcr_"],
    pattern: /m(?:at|ar|ct|cr)_[0-9A-Za-z]{30}_[0-9A-Za-z]{6}/y,
    proof: overWhole(1),
  }),
  vendor("matrix", "Matrix personal token", ["mpt_"], /mpt_[0-9A-Za-z]{30}_[0-9A-Za-z]{6}/y),
  format({
    id: "review-board",
    title: "Review Board token",
    needles: ["rbp_"],
    pattern: /rbp_[0-9A-Za-z]{251}/y,
    // Release 5.0 wrote the check with the letters' case swapped.
    proof: (_, body) => [body.slice(-6), swapCase(body.slice(-6))].includes(base62(crc32(body.slice(0, -6)))),
  }),
  format({
    id: "supabase",
    title: "Supabase secret key",
    needles: ["sb_secret_"],
    pattern: /sb_secret_[\w-]{22}_[\w-]{8}/y,
    plain: true,
    // Self-hosted keys only: hosted ones hash the project's name instead, which is not in the key.
    proof: (value) =>
      sha256(`supabase-self-hosted|${value.slice(0, -9)}`)
        .toBase64({ alphabet: "base64url" })
        .slice(0, 8) === value.slice(-8),
  }),
];
