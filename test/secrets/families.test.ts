import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { families } from "../../src/secrets/families/index.ts";
import type { Family, Format } from "../../src/secrets/families/family.ts";
import { scan } from "../../src/secrets/scan.ts";
import type { Secret } from "../../src/secrets/secret.ts";
import { AZURE_SERVICES, mint, seeded } from "../mint.ts";

/** What the whole scan says of a value in the middle of an ordinary line. */
function found(value: string, before = 'token = "', after = '"\n'): readonly Secret[] {
  return scan(`# settings\n${before}${value}${after}`).secrets;
}
const proven = (value: string): string | undefined =>
  found(value).find((secret) => secret.grade === "token" && secret.value === value)?.family;

/** The closed list of D-13: family and a maker of one token of it. */
const LISTED: readonly (readonly [family: string, make: () => string])[] = [
  ["github", () => mint.github("ghp_")],
  ["github", () => mint.github("gho_")],
  ["github", () => mint.github("ghu_")],
  ["github", () => mint.github("ghs_")],
  ["github", () => mint.githubRefresh()],
  ["github", () => mint.githubFineGrained()],
  ["npm", () => mint.npm()],
  ["gitlab", () => mint.gitlab()],
  ["gitlab", () => mint.gitlab("glrt-t1_")],
  ["gitlab", () => mint.gitlab("gldt-")],
  ["gitlab", () => mint.gitlab("glagent-")],
  ["gitlab", () => mint.gitlab("glpat-", "SIE-")],
  ["gitlab", () => mint.gitlabUnversioned()],
  ["grafana", () => mint.grafana()],
  ["atlassian", () => mint.atlassian("ATATT3xFfGF0")],
  ["atlassian", () => mint.atlassian("ATCTT3xFfGN0")],
  ["bitbucket", () => mint.bitbucket()],
  ["confluent", () => mint.confluent()],
  ["cloudflare", () => mint.cloudflare("cfut_")],
  ["cloudflare", () => mint.cloudflare("cfk_")],
  ...(["vcp_", "vci_", "vca_", "vcr_", "vck_"] as const).map((prefix) => ["vercel", () => mint.vercel(prefix)] as const),
  ["zuplo", () => mint.zuplo()],
  ["zuplo", () => mint.zuplo().replace(/[\da-f]{8}$/, (check) => check.toUpperCase())],
  ...(["jsrd_", "jsrp_", "jsrw_"] as const).map((prefix) => ["jsr", () => mint.jsr(prefix)] as const),
  ...["oat", "pat", "at_u", "at_o", "rt_u", "rt_o", "cs", "crt", "us", "mst", "cst"].map(
    (kind) => ["polar", () => mint.polar(`polar_${kind}_`)] as const,
  ),
  ["matrix", () => mint.synapse("syt_")],
  ["matrix", () => mint.synapse("syr_")],
  ...(["mat_", "mar_", "mct_", "mcr_"] as const).map((prefix) => ["matrix", () => mint.matrixAuth(prefix)] as const),
  ["review-board", () => mint.reviewBoard()],
  ["supabase", () => mint.supabaseSelfHosted()],
  ...AZURE_SERVICES.map((service) => ["azure", () => mint.azure(service)] as const),
  ["azure", () => mint.azure("functions").replace(/=+$/, "")],
  ["azure", () => mint.azureDevOps()],
  ["age", () => mint.age()],
  ["age", () => mint.agePostQuantum()],
  ["nostr", () => mint.nsec()],
  ["bitcoin", () => mint.wif()],
  ["bip32", () => mint.xprv()],
  ["xrp", () => mint.xrp()],
  ["xrp", () => mint.xrpEd25519()],
  ["eos", () => mint.eos("K1")],
  ["eos", () => mint.eos("R1")],
  ["tezos", () => mint.tezos("edsk")],
  ["tezos", () => mint.tezos("spsk")],
  ["tezos", () => mint.tezos("p2sk")],
  ["sui", () => mint.sui()],
  ...(["ed25519_sk", "ed25519e_sk", "root_xsk", "acct_xsk", "addr_xsk"] as const).map(
    (hrp) => ["cardano", () => mint.cardano(hrp)] as const,
  ),
  ["zcash", () => mint.zcash()],
  ["paserk", () => mint.paserk()],
  ["solana", () => mint.solanaJson()],
];

describe("L-019 D-13: the closed list is proven by its checks", () => {
  test.each(LISTED)("%s", (family, make) => {
    for (let round = 0; round < 5; round++) {
      const token = make();
      expect(proven(token)).toBe(family);
      expect(found(token).every((secret) => secret.kind === "checksum")).toBe(true);
    }
  });

  test("one changed character proves nothing, and what still looks random is a pattern", () => {
    for (const [family, make] of LISTED) {
      if (family === "solana") continue;
      const token = make();
      const broken = mint.broken(token);
      expect(broken).not.toBe(token);
      for (const secret of found(broken)) {
        expect(secret.grade).toBe("vendor");
        expect(secret.kind).not.toBe("checksum");
      }
    }
    const pattern = found(mint.broken(mint.github()));
    expect(pattern).toHaveLength(1);
    expect(pattern[0]).toMatchObject({ family: "github", grade: "vendor", kind: "pattern" });
  });

  test("a Solana pair counts in its key file and behind its name, not bare", () => {
    const key = mint.solanaBase58();
    expect(found(key, 'SOLANA_PRIVATE_KEY="')[0]).toMatchObject({ family: "solana", grade: "token" });
    expect(found(key, 'address = "')).toEqual([]);
    const array = [...mint.ed25519Pair()];
    array[3] = (array[3] as number) ^ 1;
    expect(found(JSON.stringify(array))).toEqual([]);
  });

  test("checks outside the list never prove", () => {
    for (const make of [
      () => mint.deno(),
      () => mint.apify(),
      () => mint.saladCloud(),
      () => mint.cratesIo(),
      () => mint.cloudflare("cfat_"),
    ]) {
      const secrets = found(make());
      expect(secrets.map((secret) => secret.grade)).toEqual(["vendor"]);
    }
    // Polar's public identifiers pass the check and are no secrets.
    for (const prefix of ["polar_ci_", "polar_cl_", "polar_c_"]) expect(found(mint.polar(prefix))).toEqual([]);
  });
});

describe("L-019 published examples, none of them made here", () => {
  // Split, so that no live-looking token stands in the repository.
  const EXAMPLES: readonly (readonly [family: string, token: string])[] = [
    ["github", `ghp_${"cyyP5FR3HzXxbd5DvqE3EueKTRfiw40WOauw"}`],
    ["github", `github_pat_${"19KX8FXBDK0sqburXxl3nN_jGhjVHcytyRZq60iUuWH9qykICI2K161KVchB31xppKRVMZW5OHkCaZENuh"}`],
    ["npm", `npm_${"bt7fDsPZf3BqIRqnqLPrkBWcuYCh8D3MZli6"}`],
    ["gitlab", `gldt-${"_DBOxejX1roFVS2J8F_BlW86M3pwCnU6MjVqOTQN.01.140o6ckv7"}`],
    ["grafana", `glsa_${"t9Jw5USOt299TCjubwXwHAHmNJkfmzq0_2b9ae464"}`],
    ["bitbucket", `ATBB${"EOkMEFk6YrBhWoan9eVi6yW1AB4DA46D"}`],
    ["confluent", `cflt${"V8w6lyEhTrynoc1XiZbdXdEwwZeD//3RvPmtd7qTblthwNIzFUw3vVf4GFDQ"}`],
    ["cloudflare", `cfut_${"wSvTbMKPAT34fYMU0FTdhm7CSTJPL60b5XVRtDHGfa9dd3a7"}`],
    ["vercel", `vcp_${"5vPUsRSrtauXdA0UolY4nE08jIMpio6enRCZQWiRvfzwvXRgYj1beuMM"}`],
    ["zuplo", `zpka_${"f9c0edafc05d50dfe5320c4cc641d4de_216cb5b1"}`],
    ["jsr", `jsrp_${"cEByzzDX6zU206xgK9rHV6qpx839v0qIeYU"}`],
    ["polar", `polar_oat_${"IeJi8pE9Y2juhXaoBkQHRQCOCp6aRe35Su5oW34pKLi"}`],
    ["matrix", `mat_${"JsRaL4AOO3vVo5IcHA72gSWVlNYtKY_13jmq5"}`],
    ["supabase", `sb_secret_${"mC8eWgLHSoURxiVc_z4fYx_ytvXb6XM"}`],
    // BIP-32, test vector 1.
    ["bip32", `xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqj${"iChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi"}`],
    // The documentation sample of NIP-19.
    ["nostr", `nsec1${"vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"}`],
    // The development key of every Antelope tutorial.
    ["eos", `PVT_K1_${"2bfGi9rYsXQSXXTvJbDAPhHLQUojjaNLomdm3cEJ1XTzMqUt3V"}`],
  ];
  test.each(EXAMPLES)("%s", (family, token) => {
    expect(proven(token)).toBe(family);
    expect(proven(mint.broken(token))).toBeUndefined();
  });

  test("the vendor's vectors for Azure keys hold, though as repeated characters they are placeholders", async () => {
    const { azure } = await import("../../src/secrets/families/azure.ts");
    const vectors: readonly (readonly [signature: string, key: string])[] = [
      ["+ASt", `${"a".repeat(76)}+ASt5mnCaw==`],
      ["AIoT", `${"a".repeat(33)}AIoTOumzco=`],
      ["AzFu", `${"d".repeat(44)}AzFu182vhA==`],
      ["AzSe", `${"a".repeat(42)}AzSeCjhzCu`],
      ["+ACR", `${"d".repeat(42)}+ACRCUDxQE`],
      ["ACDb", `${"a".repeat(76)}ACDbOpqrYA==`],
      ["APIM", `${"a".repeat(76)}APIMHbKhsQ==`],
    ];
    for (const [signature, key] of vectors) {
      const family = azure().find((one) => one.needles.includes(signature)) as Family & Format;
      expect(family.proof?.(key, key, { curves: 0 })).toBe(true);
      expect(family.proof?.(mint.broken(key), key, { curves: 0 })).toBe(false);
    }
  });
});

describe("D-13: chance alone proves nothing", () => {
  test("100 000 random strings of the right shape", () => {
    const random = seeded("right shape, wrong check");
    const shapes = [
      () => `ghp_${random.base62(36)}`,
      () => `npm_${random.base62(36)}`,
      () => `glsa_${random.base62(32)}_${random.hex(8)}`,
      () => `cfut_${random.base62(40)}${random.hex(8)}`,
      () => `jsrp_${random.base62(35)}`,
    ];
    for (let round = 0; round < 10; round++) {
      const lines: string[] = [];
      for (let line = 0; line < 2_000; line++) lines.push(...shapes.map((shape) => shape()));
      const { secrets, complete } = scan(lines.join("\n"));
      expect(complete).toBe(true);
      expect(secrets.length).toBeGreaterThan(9_900);
      expect(secrets.filter((secret) => secret.grade !== "vendor")).toEqual([]);
    }
  });
});

describe("token-families §9: boundaries", () => {
  const token = mint.github();

  test("a valid check is boundary enough: whatever touches the token is not part of it", () => {
    for (const [before, after] of [
      ["x", ""],
      ["", "x"],
      ["_", ""],
      ["", "_"],
      ["-", ""],
      ["", "-a"],
      ["x-", "-x"],
      ["0", "0"],
    ] as const) {
      expect(found(`${before}${token}${after}`)).toMatchObject([{ value: token, grade: "token" }]);
    }
  });

  test("a longer run is not the token when nothing proves it", () => {
    const wrong = `${token.slice(0, -1)}${token.endsWith("x") ? "y" : "x"}`;
    for (const [before, after] of [
      ["x", ""],
      ["", "x"],
      ["_", ""],
      ["", "_"],
      ["-", ""],
      ["", "-a"],
      ["0", "0"],
    ] as const) {
      expect(found(`${before}${wrong}${after}`)).toEqual([]);
    }
    expect(found(wrong)).toMatchObject([{ grade: "vendor" }]);
  });

  test("a hundred thousand random runs hold no proven token", () => {
    const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-";
    const bytes = mint.bytes(100_000 * 44);
    let text = "";
    for (let at = 0; at < bytes.length; at++) {
      // Every other run looks like a token to the last character.
      if (at % 88 === 0) text += " ghp_";
      else if (at % 88 === 44) text += " ";
      text += letters[(bytes[at] as number) % 62];
    }
    for (let from = 0; from < text.length; from += 500_000) {
      expect(scan(text.slice(from, from + 500_000)).secrets.filter((secret) => secret.grade === "token")).toEqual([]);
    }
  });

  test.each([
    ["quotes", '"', '"'],
    ["assignment", "GITHUB_TOKEN=", ""],
    ["user info", "https://dev:", "@github.com"],
    ["full stop", "It is ", "."],
    ["escaped line breaks", "a\\n", "\\nb"],
    ["percent escape", "a%3D", "%26b"],
    ["terminal colour", "\u001b[31m", "\u001b[0m"],
    ["terminal colour, printed", "\\x1b[31m", "\\x1b[0m"],
    ["one-letter option", "curl -d", ""],
    ["full-width letters", "トークン", "です"],
    ["an accent", "é", "é"],
    ["emoji", "🔑", "🔑"],
    ["NUL", "\0", "\0"],
    ["markup", "<b>", "</b>"],
  ])("%s", (_, before, after) => {
    expect(scan(`${before}${token}${after}`).secrets).toMatchObject([
      { value: token, grade: "token", start: before.length, end: before.length + token.length },
    ]);
  });

  test("a colour in the middle does not hide it, and its range covers the colour", () => {
    const text = `a \u001b[01;31m\u001b[Kghp_\u001b[m\u001b[K${token.slice(4)} b`;
    const [secret] = scan(text).secrets;
    expect(secret).toMatchObject({ value: token, grade: "token" });
    expect(text.slice(secret?.start, secret?.end)).toBe(`ghp_\u001b[m\u001b[K${token.slice(4)}`);
  });

  test("the escaped sign in Atlassian tokens is undone before the check", () => {
    for (const escape of ["%3D", "%3d", "\\=", "\\u003d"]) {
      const plain = mint.atlassian();
      const [secret] = found(plain.replace("=", escape));
      expect(secret).toMatchObject({ family: "atlassian", grade: "token", value: plain });
    }
  });

  test("the stateless GitHub app token is one pattern, not a short token and a rest", () => {
    const long = mint.githubAppToken();
    expect(found(long)).toMatchObject([{ family: "github", grade: "vendor", kind: "structure", value: long }]);
  });

  test("an instance's own text is part of a GitLab token when the check covers it", () => {
    const whole = mint.gitlab("glpat-", "SIE-");
    expect(found(whole)).toMatchObject([{ value: whole, grade: "token" }]);
    const apart = mint.gitlab();
    // Text that the check does not cover is not part of it.
    expect(found(`my-${apart}`)).toMatchObject([{ value: apart, grade: "token" }]);
  });
});

describe("D-20: a placeholder with a valid check is a placeholder", () => {
  test("few different characters, or a run", async () => {
    const { crc32, inBase } = await import("../mint.ts");
    const check = (body: string) => inBase(crc32(body), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 6);
    for (const body of ["0".repeat(30), "abcdefghijklmnopqrstuvwxyz0123", "0123456789ABCDEFGHIJKLMNOPQRST"]) {
      expect(found(`ghp_${body}${check(body)}`)).toEqual([]);
    }
    const body = "exampletestdummy0placeholderX7";
    expect(proven(`ghp_${body}${check(body)}`)).toBe("github");
  });
});

/** One of each vendor format that tests make themselves because a random string does not satisfy its inner structure. */
const MADE: Readonly<Record<string, () => string>> = {
  jwt: () => mint.jwt(),
  "github app": () => mint.githubAppToken(),
};

describe("vendor formats", () => {
  const formats = families().filter((family): family is Family & Format => "pattern" in family);

  test("ids are lower case with digits and hyphens, needles are three characters or more and ASCII", () => {
    for (const family of families()) {
      expect(family.id).toMatch(/^[a-z][a-z\d]*(?:-[a-z\d]+)*$/);
      expect(family.title).not.toBe("");
      for (const needle of family.needles) expect(needle).toMatch(/^[\x20-\x7e]{3,200}$/);
    }
    for (const family of formats) expect(family.pattern.flags).toBe("y");
  });

  // A sample is made from the pattern itself, so every format is tried; whether the pattern is right is for the makers above and below.
  test.each(formats.map((family, at) => [family.title, at] as const))("%s: found in a line, not inside a longer run", (_, at) => {
    const family = formats[at] as Family & Format;
    const source = family.pattern.source.replace(/\(\?<\w+>/g, "(").replace(/\(\?![^)]*\)/g, "");
    const samples = fc.sample(fc.stringMatching(new RegExp(`^(?:${source})$`)), { numRuns: 40, seed: 7 });
    const inner = Object.values(MADE).map((make) => make());
    let matched = 0;
    for (const sample of [...samples, ...inner]) {
      const needle = family.needles.find((one) => sample.includes(one));
      if (needle === undefined) continue;
      const text = `?sv=1&${sample}`;
      const match = [...indices(text, needle)]
        .map((place) => family.find(text, place, needle, { curves: 4 }))
        .find((one) => one !== undefined);
      if (match === undefined) continue;
      matched++;
      expect(match.end).toBeGreaterThan(match.start);
      if (family.edge === "open") continue;
      const glued = `Q${sample}Q`;
      for (const place of indices(glued, needle)) {
        const inside = family.find(glued, place, needle, { curves: 4 });
        // A value of variable length may reach over the glued letter; it never stops in front of it.
        if (inside !== undefined) expect(inside.end === glued.length && inside.start > 0).toBe(true);
      }
    }
    if (!INNER.has(family.title)) expect(matched).toBeGreaterThan(0);
  });
  /** Formats whose inner structure random strings do not have. */
  const INNER = new Set(["Discord bot token", "age plugin identity", "Authorization header", "Coinbase API key", "Salesforce session"]);

  test.each([
    ["openai", () => mint.openai("sk-")],
    ["openai", () => mint.openai("sk-proj-")],
    ["openai", () => mint.openai("sk-svcacct-")],
    ["openai", () => mint.openai("sk-admin-")],
    ["anthropic", () => mint.anthropic("api03")],
    ["anthropic", () => mint.anthropic("oat01")],
    ["anthropic", () => mint.anthropic("ort01")],
    ["stripe", () => mint.stripe("sk_live_")],
    ["stripe", () => mint.stripe("rk_live_")],
    ["stripe", () => mint.stripe("sk_test_")],
    ["slack", () => mint.slackBot()],
    ["hugging-face", () => mint.huggingFace()],
    ["google", () => mint.googleApi()],
    ["google", () => mint.googleRefresh()],
    ["sendgrid", () => mint.sendGrid()],
    ["pypi", () => mint.pypi()],
    ["gitlab", () => mint.gitlabOld()],
    ["gitlab", () => mint.gitlabOld("glrt-")],
    ["aws", () => mint.awsSessionToken()],
    ["jwt", () => mint.jwt()],
    ["supabase", () => mint.broken(mint.supabaseSelfHosted())],
    ["discord", () => `MTA${"4Nzk5MDEyMzQ1Njc4OTAx".slice(0, 21)}.${mint.base62(6)}.${mint.base62(35)}7a`],
    ["telegram", () => `${mint.text("123456789", 10)}:AA${mint.base64url(32)}x`],
    ["digitalocean", () => `dop_v1_${mint.hex(64)}`],
    ["databricks", () => `dapi${mint.hex(32)}`],
    ["terraform", () => `${mint.base62(14)}.atlasv1.${mint.base62(67)}`],
    ["vault", () => `hvs.CAES${mint.base62(90)}`],
    ["tailscale", () => `tskey-auth-${mint.base62(12)}CNTRL-${mint.base62(32)}`],
    ["linear", () => `lin_api_${mint.base62(40)}`],
    ["shopify", () => `shpat_${mint.hex(32)}`],
    ["mailchimp", () => `${mint.hex(32)}-us14`],
    ["fly", () => `fm2_${mint.base62(200)}`],
    ["hubspot", () => `pat-na1-${mint.uuid()}`],
  ] as const)("%s", (family, make) => {
    const value = make();
    expect(found(value)).toMatchObject([{ family, grade: "vendor", value }]);
    expect(scan(`say "${value}x9Zq8" and`).secrets.every((secret) => secret.value !== value)).toBe(true);
  });

  test("an AWS secret counts by its field only; the key id beside it is none", () => {
    const secret = mint.awsSecret();
    const id = mint.awsKeyId();
    for (const text of [
      `aws_secret_access_key = ${secret}\n`,
      `export AWS_SECRET_ACCESS_KEY="${secret}"`,
      `{"SecretAccessKey": "${secret}"}`,
      `{\\"secretAccessKey\\":\\"${secret}\\"}`,
      `secret_access_key: '${secret}'`,
    ]) {
      expect(scan(text).secrets).toMatchObject([{ family: "aws", grade: "vendor", kind: "field", value: secret }]);
    }
    expect(scan(`sha = ${secret}\nid = ${id}\n`).secrets).toEqual([]);
    expect(scan(`aws_secret_access_key = ${mint.hex(40)}\n`).secrets).toEqual([]);
    expect(scan(`aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfi${"CYEXAMPLEKEY"}\n`).secrets).toEqual([]);
  });

  test("headers, registry lines and addresses: the value only", () => {
    // A bearer value counts only with a digit.
    const value = `${mint.password()}7`;
    const basic = Buffer.from(`dev:${value}`).toString("base64");
    const cases: readonly (readonly [text: string, value: string])[] = [
      [`curl -H "Authorization: Bearer ${value}"`, value],
      [`{"authorization":"Basic ${basic}"}`, basic],
      [`//registry.acme.dev/:_authToken=${value}\n`, value],
      [`//registry.acme.dev/:_password="${value}"\n`, value],
      [`DATABASE_URL=postgres://app:${value}@db.acme.dev:5432/app`, value],
      [`redis://:${value}@cache:6379`, value],
      [`AccountKey=${Buffer.from(mint.bytes(64)).toString("base64")};EndpointSuffix=core.windows.net`, ""],
      [`https://hooks.slack.com/services/T0ABCDEF1/B0ABCDEF2/${mint.base62(24)}`, ""],
      [`PrivateKey = ${mint.bytes(32).toString("base64")}\n`, ""],
    ];
    for (const [text, expected] of cases) {
      const { secrets } = scan(text);
      expect(secrets).toHaveLength(1);
      if (expected !== "") expect(secrets[0]?.value).toBe(expected);
      expect(text.slice(secrets[0]?.start, secrets[0]?.end)).toBe(secrets[0]?.value as string);
    }
  });

  // A miss and its false alarm: the same mark, once with a value behind it and once in front of somebody's own name or number.
  const pairs: readonly (readonly [what: string, secret: string, harmless: string])[] = [
    ["short prefix and identifier", `fw_${mint.base62(22)}1a`, "fw_updateFirmwareVersion2"],
    ["named prefix and request id", `LAUNCHDARKLY_SDK_KEY=sdk-${mint.uuid()}`, `pod sdk-${mint.uuid()} restarted`],
    ["Zhipu key and chunk name", `zaiApiKey: "${mint.hex(32)}.${mint.base62(14)}7a"`, `src="/main.${mint.hex(32)}.${mint.base62(14)}7a"`],
    ["Airtable token and digest", `pat${mint.base62(14)}.${mint.hex(64)}`, `map${mint.base62(14)}.${mint.hex(64)}`],
    [
      "token as the user, and nobody",
      `https://glpat-${mint.base62(20)}:x-oauth-basic@git.acme.dev/a.git`,
      "https://git:x-oauth-basic@git.acme.dev/a.git",
    ],
    ["base64 token as the user, and in a path", `https://fm2_${mint.base62(200)}@acme.dev/`, `https://acme.dev/afm2_${mint.base62(200)}`],
    ["bearer value and one cut short", `Authorization: Bearer ${mint.base62(30)}7`, `Authorization: Bearer ${mint.base62(30)}7…`],
    ["Asaas key and a variable", `KEY=$aact_prod_${mint.base62(80)}`, "KEY=$aact_prod_key_of_the_account"],
    [
      "Discord token of 2026 and digits in base64",
      `${Buffer.from(`15${mint.text("123456789", 17)}`).toString("base64url")}.Gk3xQz.${mint.base62(36)}7a`,
      `${Buffer.from(`15${mint.text("123456789", 17)}`).toString("base64url")}.Gk3xQz`,
    ],
    [
      "Telegram token and its documentation's",
      `${mint.text("123456789", 10)}:AA${mint.base64url(32)}x`,
      `110201543:AAHdqTcvCH1v${"GWJxfSeofSAs0K5PALDsaw"}`,
    ],
    [
      "storage key and the emulator's",
      `AccountKey=${mint.bytes(64).toString("base64")}`,
      `AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsu${"Fq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="}`,
    ],
  ];
  test.each(pairs)("%s", (_, secret, harmless) => {
    expect(scan(`${secret}\n`).secrets).toHaveLength(1);
    expect(scan(`${harmless}\n`).secrets).toEqual([]);
  });

  test.each([
    ["URL without password", "https://github.com/acme/app:latest@2"],
    ["placeholder user info", "postgres://user:password@localhost/db"],
    ["computed user info", "postgres://app:${DB_PASSWORD}@db/app"],
    ["template user info", "mysql://app:{password}@db/app, https://x:$(cat token)@host/"],
    ["bearer in prose", "Bearer authentication is required; Authorization: Bearer YOUR_ACCESS_TOKEN"],
    ["npm reference", "//registry.npmjs.org/:_authToken=${NPM_TOKEN}"],
    ["CSS and file names", "sk-circle-fade-dot-long-name task-queue-handler-1 pat-na1-x npm_config_registry_url_override"],
    ["identifiers", "re_compile_pattern_for_names key_derivation_function hf_transformers_cache_directory"],
    ["digests", `sha256:${"0f1e2d3c4b5a".repeat(5)}0f1e integrity sha512-${"Q".repeat(86)}==`],
    ["uuid", "123e4567-e89b-42d3-a456-426614174000"],
    [
      "debugger sample",
      [
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
        "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ",
        "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
      ].join("."),
    ],
    ["elided", "Authorization: Bearer eyJhbGciOiJSUzI1NiIs..."],
  ])("nothing in %s", (_, text) => {
    expect(scan(text).secrets).toEqual([]);
  });

  test("a JWT without a signature algorithm, with a public role or without JSON is none", () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const signature = mint.base64url(43);
    const payload = { sub: mint.base62(12), iat: 1 };
    expect(found(`${part({ alg: "HS256" })}.${part(payload)}.${signature}`)).toHaveLength(1);
    expect(found(`${part({ alg: "none" })}.${part(payload)}.${signature}`)).toEqual([]);
    expect(found(`${part({ alg: "HS256" })}.${part({ ...payload, role: "anon" })}.${signature}`)).toEqual([]);
    expect(found(`${part({ alg: "HS256" })}.eyJ${mint.base62(40)}.${signature}`)).toEqual([]);
  });
});

function* indices(text: string, needle: string): Generator<number> {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) yield at;
}
