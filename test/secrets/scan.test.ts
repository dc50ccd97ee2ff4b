import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CHOSEN } from "../../src/limits.ts";
import { scan, scanDecoded } from "../../src/secrets/scan.ts";
import { mint, seeded } from "../mint.ts";

describe("scan", () => {
  test("several secrets in order, each once, with their ranges", () => {
    const file = mint.dotenv();
    const { secrets, complete } = scan(file.text);
    expect(complete).toBe(true);
    expect(secrets.map((secret) => secret.value)).toEqual(file.secrets.slice(0, 2));
    for (const secret of secrets) expect(file.text.slice(secret.start, secret.end)).toBe(secret.value);
  });

  test("of two findings at one place the proven one counts, then the longer one", () => {
    const token = mint.github();
    expect(scan(`https://dev:${token}@github.com`).secrets).toMatchObject([{ family: "github", grade: "token" }]);
    expect(scan(`Authorization: Bearer ${token}`).secrets).toMatchObject([{ family: "github", grade: "token" }]);
    expect(scan(`//registry.npmjs.org/:_authToken=${mint.npm()}`).secrets).toMatchObject([{ family: "npm", grade: "token" }]);
    expect(scan(`Authorization: Bearer ${mint.jwt()}`).secrets).toMatchObject([{ family: "jwt" }]);
  });

  test("empty and short texts, and texts of needles alone", () => {
    for (const text of ["", "a", "ghp_", "sk-", "-----BEGIN ", "eyJ", "://:@"]) expect(scan(text)).toEqual({ secrets: [], complete: true });
  });

  test("L-114: nothing but the text decides; the same text gives the same answer", () => {
    const text = mint.kubeconfig().text + mint.claudeCredentials().text;
    expect(scan(text)).toEqual(scan(text));
  });

  test("found at every place of a text and in every company", () => {
    const random = seeded("places");
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.string({ unit: "binary", maxLength: 200 }), (before, after) => {
        fc.pre(!/[\w-]$|\p{Surrogate}$/u.test(before) && !/^[\w-]/.test(after));
        const token = random.github();
        const { secrets } = scan(before + token + after);
        expect(secrets.find((secret) => secret.value === token)).toMatchObject({ grade: "token", start: before.length });
      }),
    );
  });

  test("a long text is searched as well as a short one", () => {
    const token = mint.gitlab();
    const line = "2026-01-12 INFO worker-3 processed batch 17 in 42 ms, see https://ci.acme.dev/jobs/17\n";
    const text = `${line.repeat(20_000)}${token}\n${line.repeat(20_000)}`;
    expect(scan(text)).toMatchObject({ complete: true, secrets: [{ value: token, start: line.length * 20_000 }] });
  });
});

describe("D-12: hostile texts end soon, and say so when a limit ended them", () => {
  const MIB = 1024 * 1024;
  const fill = (piece: string) => piece.repeat(Math.ceil(MIB / piece.length));
  test.each([
    ["prefixes", "ghp_"],
    ["prefixes and bodies", `ghp_${"a1B2".repeat(9)} `],
    ["JWT heads", "eyJ"],
    ["JWT heads with dots", "eyJhbGciOi.eyJhbGciOi."],
    ["beginnings", "-----BEGIN RSA PRIVATE KEY-----\n"],
    ["beginnings and base64", `-----BEGIN RSA PRIVATE KEY-----\n${"QUJD".repeat(16)}\n`],
    ["endings", `${"QUJD".repeat(16)}\n-----END RSA PRIVATE KEY-----\n`],
    ["base64 in base64", "LS0tLS1CRUdJTi"],
    ["addresses", "://a:b"],
    ["addresses without an end", "://"],
    ["authorization", "uthorization: Bearer "],
    ["instances", "a-glpat-"],
    ["escapes", "\u001b[31m"],
    ["open escapes", "\u001b]"],
    ["arrays", "[1,"],
    ["nested arrays", "["],
    ["runs", "5K"],
    ["one run", "a"],
    ["signatures", "+ASt"],
    ["queries", "?sv=1&sig="],
    ["fields", "secret_access_key = "],
    ["percent", "%41%"],
    ["backslashes", "\\"],
    ["options", " -a"],
  ])("%s", (_, piece) => {
    const { complete } = scan(fill(piece));
    expect(typeof complete).toBe("boolean");
  });

  test("too many candidates are uncertain, never clean", () => {
    expect(scan(`ghp_${"a1B2".repeat(9)} `.repeat(CHOSEN.filter_hits + 1)).complete).toBe(false);
  });

  test("too many key pairs are uncertain", () => {
    const pair = JSON.stringify([...mint.bytes(64)]);
    expect(scan(`${pair}\n`.repeat(CHOSEN.curve_checks)).complete).toBe(true);
    expect(scan(`${pair}\n`.repeat(CHOSEN.curve_checks + 1)).complete).toBe(false);
  });
});

describe("scanDecoded: encodings of outgoing data", () => {
  const token = mint.github();
  const pem = mint.opensshKey().trim();
  const b64 = (text: string) => Buffer.from(text).toString("base64");
  const percent = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  test.each([
    ["percent", (text: string) => percent(text)],
    ["percent twice", (text: string) => encodeURIComponent(percent(text))],
    ["URL component", (text: string) => `q=${encodeURIComponent(`"${text}"`)}`],
    ["JSON escapes", (text: string) => [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")],
    ["base64", (text: string) => `data=${b64(`token ${text}\n`)}`],
    ["base64url", (text: string) => Buffer.from(`??>>${text}`).toString("base64url")],
    ["base64url in a path", (text: string) => `https://acme.dev/collect/x/${Buffer.from(text).toString("base64url")}/y`],
    ["base64 in lines", (text: string) => (b64(`a: ${text}; `.repeat(4)).match(/.{1,76}/g) as string[]).join("\n")],
    ["base64 twice", (text: string) => b64(b64(`x ${text} y`))],
    ["base64 in percent", (text: string) => encodeURIComponent(b64(`x ${text} y`))],
    ["hex", (text: string) => Buffer.from(` ${text} `).toString("hex")],
    ["JSON in base64", (text: string) => b64(JSON.stringify({ body: JSON.stringify({ token: text }) }))],
  ])("%s", (_, encode) => {
    for (const value of [token, pem]) {
      const { secrets, complete } = scanDecoded(encode(value));
      expect(complete).toBe(true);
      const found = secrets.find((secret) => secret.value === value);
      expect(found).toBeDefined();
      expect(found?.grade === "token" || found?.grade === "credential").toBe(true);
    }
    // Its twin: the same encoding of something harmless.
    expect(scanDecoded(encode("a harmless sentence without any secret in it")).secrets).toEqual([]);
  });

  test("what stands in the text itself keeps its place and is listed once", () => {
    const { secrets } = scanDecoded(`Authorization: ${token} and again ${encodeURIComponent(` ${token} `)} %20`);
    expect(secrets.filter((secret) => secret.start === -1)).toEqual([]);
    const decoded = scanDecoded(b64(`x ${token} y`)).secrets;
    expect(decoded).toMatchObject([{ value: token, start: -1, end: -1 }]);
  });

  test("user and token of a Basic header", () => {
    const { secrets } = scanDecoded(`Authorization: Basic ${b64(`dev:${token}`)}`);
    expect(secrets.find((secret) => secret.value === token)).toMatchObject({ grade: "token", start: -1 });
  });

  test("large data and bombs end soon", () => {
    for (const piece of ["%25", "QUFB", "\\\\", "%2525252525", "6161"]) {
      const { complete } = scanDecoded(piece.repeat(Math.floor((2 * 1024 * 1024) / piece.length)));
      expect(typeof complete).toBe("boolean");
    }
  });
});

test("a vendor's format in the middle of base64 is chance, and a finding everywhere else", () => {
  const token = mint.googleApi();
  const blob = `${mint.base62(100)}+/${mint.base62(100)}`;
  expect(scan(`${blob}+${token}/${blob}`).secrets).toEqual([]);
  expect(scan(`${blob}\n${blob} ${token} ${blob}`).secrets.map(({ value }) => value)).toEqual([token]);
  expect(scan(`${mint.base62(200)} key=${token}&x=1`).secrets.map(({ value }) => value)).toEqual([token]);
  const proven = mint.github("ghp_");
  expect(scan(`${blob}+${proven}/${blob}`).secrets.map(({ grade }) => grade)).toEqual(["token"]);
});
