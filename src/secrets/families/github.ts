/** GitHub (token-families.md §3). */
import { base62, crc32 } from "./check/crc32.ts";
import { base32OfFive } from "./check/base32.ts";
import { sha256 } from "./check/sha256.ts";
import { type Family, format, vendor } from "./family.ts";

const ID = "github";
/** The check covers the body only, so it is the written prefix that names the token. */
const checked = (_: string, body: string): boolean => base62(crc32(body.slice(0, -6))) === body.slice(-6);

export const github = (): readonly Family[] => [
  format({ id: ID, title: "GitHub personal access token", needles: ["ghp_"], pattern: /ghp_[0-9A-Za-z]{36}/y, proof: checked }),
  format({ id: ID, title: "GitHub OAuth token", needles: ["gho_"], pattern: /gho_[0-9A-Za-z]{36}/y, proof: checked }),
  format({ id: ID, title: "GitHub app user token", needles: ["ghu_"], pattern: /ghu_[0-9A-Za-z]{36}/y, proof: checked }),
  format({ id: ID, title: "GitHub app token", needles: ["ghs_"], pattern: /ghs_[0-9A-Za-z]{36}/y, proof: checked }),
  format({ id: ID, title: "GitHub refresh token", needles: ["ghr_"], pattern: /ghr_[0-9A-Za-z]{76}/y, proof: checked }),
  format({
    id: ID,
    title: "GitHub fine-grained token",
    needles: ["github_pat_"],
    pattern: /github_pat_[0-9A-Za-z]{22}_[0-9A-Za-z]{59}/y,
    // Eight base32 characters in front of the last eight, which are free.
    proof: (value) => base32OfFive(sha256(value.slice(0, 77))) === value.slice(77, 85),
  }),
  // Since April 2026: app id, then a JWT.
  vendor(ID, "GitHub app token", ["ghs_"], /ghs_\d{1,12}_eyJ[\w-]{8,1024}\.eyJ[\w-]{8,4096}\.[\w-]{20,1024}/y, { kind: "structure" }),
];
