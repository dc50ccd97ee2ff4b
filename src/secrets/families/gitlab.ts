/** GitLab (token-families.md §3 and §10). */
import { base36, crc32 } from "./check/crc32.ts";
import { type Family, format, vendor } from "./family.ts";

const ID = "gitlab";
const ROUTABLE = [
  "glpat-",
  "gloas-",
  "gldt-",
  "glrt-",
  "glrtr-",
  "glcbt-",
  "glptt-",
  "glft-",
  "glimt-",
  "glagent-",
  "glwt-",
  "glsoat-",
  "glffct-",
];

/** CRC-32 over everything before it, and a length field that tells the length of the payload (D-13). */
function isRoutable(value: string): boolean {
  if (base36(crc32(value.slice(0, -7))) !== value.slice(-7)) return false;
  const first = value.slice(0, value.indexOf("."));
  const prefix = ROUTABLE.find((one) => first.includes(one)) ?? "";
  const payload = first.slice(first.indexOf(prefix) + prefix.length);
  const length = Number.parseInt(value.slice(-9, -7), 36);
  // `glrt-t1_`: the runner's type is not part of the payload.
  return payload.length === length || (/^t\d_/.test(payload) && payload.length - 3 === length);
}

/** An instance may put its own text in front (`SIE-glpat-…`), which the check then covers: tried with and without. */
function withInstance(text: string, at: number): readonly number[] {
  if (text.charAt(at - 1) !== "-") return [at];
  let start = at;
  while (start > 0 && at - start < 32 && /[\w-]/.test(text.charAt(start - 1))) start--;
  return [start, at];
}

export const gitlab = (): readonly Family[] => [
  format({
    id: ID,
    title: "GitLab token",
    needles: ROUTABLE,
    pattern:
      /(?:[0-9A-Za-z][\w-]{0,31}-)?gl(?:pat|oas|dt|rtr?|cbt|ptt|ft|imt|agent|wt|soat|ffct)-(?<body>[\w-]{27,303}\.(?:01\.)?[\da-z]{9})/y,
    starts: withInstance,
    proof: isRoutable,
  }),
  vendor(
    ID,
    "GitLab token",
    ["glpat-", "gldt-", "glrtr-", "glft-", "glwt-", "glsoat-", "glffct-"],
    /(?:[0-9A-Za-z][\w-]{0,31}-)?gl(?:pat|dt|rtr|ft|wt|soat|ffct)-(?<body>[\w-]{20})/y,
    { starts: withInstance, plain: true },
  ),
  vendor(ID, "GitLab runner token", ["glrt-"], /(?:[0-9A-Za-z][\w-]{0,31}-)?glrt-(?:t\d_)?(?<body>[\w-]{20})/y, {
    starts: withInstance,
    plain: true,
  }),
  vendor(ID, "GitLab runner registration token", ["GR1348941"], /GR1348941[\w-]{20}/y),
  vendor(ID, "GitLab OAuth application secret", ["gloas-"], /gloas-[\da-f]{64}/y),
  vendor(ID, "GitLab CI job token", ["glcbt-"], /glcbt-[\da-zA-Z]{1,5}_[\w-]{20}/y),
  vendor(ID, "GitLab CI job token", ["glcbt-"], /glcbt-eyJ[\w-]{8,1024}\.eyJ[\w-]{8,4096}\.[\w-]{20,1024}/y, { kind: "structure" }),
  vendor(ID, "GitLab trigger token", ["glptt-"], /glptt-[\da-f]{40}/y),
  vendor(ID, "GitLab incoming mail token", ["glimt-"], /glimt-[\w-]{25}/y),
  vendor(ID, "GitLab agent token", ["glagent-"], /glagent-[\w-]{50}/y),
  vendor(ID, "GitLab session", ["_gitlab_session="], /_gitlab_session=(?<value>[\da-f]{32})/y, { edge: "open" }),
];
