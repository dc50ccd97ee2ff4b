import { describe, expect, test } from "bun:test";
import { CHOSEN } from "../../src/limits.ts";
import { scan } from "../../src/secrets/scan.ts";
import { mint } from "../mint.ts";

const PLAIN = [
  ["OpenSSH Ed25519", () => mint.opensshKey("ed25519"), "credential"],
  ["OpenSSH RSA", () => mint.opensshKey("rsa"), "credential"],
  ["OpenSSH ECDSA", () => mint.opensshKey("ecdsa"), "credential"],
  ["PKCS#8 RSA", () => mint.pemRsa(), "vendor"],
  ["PKCS#8 Ed25519", () => mint.pemEd25519(), "vendor"],
  ["PKCS#1", () => mint.pemRsaPkcs1(), "vendor"],
  ["SEC 1", () => mint.pemEc(), "vendor"],
  ["PGP", () => mint.pgpKey(), "credential"],
] as const;

/** The ways a key is printed; `undo` tells which part of the text the key is. */
const PRINTED: readonly (readonly [name: string, print: (pem: string) => string])[] = [
  ["as it is", (pem) => pem],
  ["in a log", (pem) => `start\n${pem}\nend\n`],
  ["CRLF", (pem) => `a\r\n${pem.replaceAll("\n", "\r\n")}\r\nb`],
  ["indented", (pem) => `key: |\n${pem.replace(/^/gm, "    ")}\nnext: 1\n`],
  ["diff", (pem) => `@@ -0,0 +1,9 @@\n${pem.replace(/^/gm, "+")}\n+end`],
  ["quoted", (pem) => pem.replace(/^/gm, "> ")],
  [
    "numbered",
    (pem) =>
      pem
        .split("\n")
        .map((line, at) => `${String(at + 1).padStart(6)}→${line}`)
        .join("\n"),
  ],
  [
    "numbered with tabs",
    (pem) =>
      pem
        .split("\n")
        .map((line, at) => `${String(at + 1).padStart(6)}\t${line}`)
        .join("\n"),
  ],
  [
    "grep",
    (pem) =>
      pem
        .split("\n")
        .map((line, at) => `deploy/key.pem:${at + 1}:${line}`)
        .join("\n"),
  ],
  ["JSON", (pem) => JSON.stringify({ key: pem, next: "x" })],
  ["JSON in JSON", (pem) => JSON.stringify(JSON.stringify({ key: pem, next: "x" }))],
  ["JSON, CRLF", (pem) => JSON.stringify({ key: pem.replaceAll("\n", "\r\n") })],
  [
    "source code",
    (pem) =>
      pem
        .trim()
        .split("\n")
        .map((line) => `  "${line}\\n" +`)
        .join("\n"),
  ],
  ["one line", (pem) => `KEY="${pem.trim().replaceAll("\n", " ")}"`],
];

/** Body lines that must be inside the range, wherever escapes and prefixes stand. */
const bodyLines = (pem: string): readonly string[] => pem.split("\n").filter((line) => /^[A-Za-z0-9+/=]{40,}$/.test(line));

describe("X-049 B1: a private key is one span", () => {
  for (const [kind, make, grade] of PLAIN) {
    for (const [name, print] of PRINTED) {
      test(`${kind}, ${name}`, () => {
        const pem = make();
        const text = print(pem);
        const { secrets, complete } = scan(text);
        expect(complete).toBe(true);
        expect(secrets.map((secret) => [secret.family, secret.grade, secret.kind])).toEqual([["private-key", grade, "structure"]]);
        const [secret] = secrets;
        const span = text.slice(secret?.start, secret?.end);
        expect(span).toStartWith("-----BEGIN ");
        expect(span).toEndWith("-----");
        const rest = text.slice(0, secret?.start) + text.slice(secret?.end);
        for (const line of bodyLines(pem)) expect(rest).not.toContain(line.slice(0, 20));
      });
    }
  }

  test("the same key in a file and in JSON has one value, so one hash", () => {
    const pem = mint.opensshKey().trim();
    const values = [pem, JSON.stringify(pem), JSON.stringify(JSON.stringify(pem))].map((text) => scan(text).secrets[0]?.value);
    expect(values).toEqual([pem, pem, pem]);
  });
});

describe("a cut key", () => {
  // Of an Ed25519 or EC key in PEM nothing is left without its last line of base64 that would be a key.
  const LONG = PLAIN.filter(([name]) => name !== "PKCS#8 Ed25519" && name !== "SEC 1");

  test.each(LONG)("%s: without its last line it reaches to its last line of base64", (_, make) => {
    const pem = make();
    const cut = pem.trim().split("\n").slice(0, -1).join("\n");
    const [secret] = scan(`${cut}\n[output cut]\nNothing more here.\nAnd here.\nAnd here.\n`).secrets;
    expect(secret).toMatchObject({ family: "private-key", grade: "vendor", start: 0 });
    expect(bodyLines(pem).every((line) => (secret?.end ?? 0) >= cut.indexOf(line) + line.length || !cut.includes(line))).toBe(true);
    expect(secret?.end).toBeLessThanOrEqual(cut.length + 1);
  });

  test("the last lines of a key without its first are found by the last", () => {
    const pem = mint.pemRsa();
    const lines = pem.trim().split("\n");
    const text = `…\n${lines.slice(8).join("\n")}\nafter`;
    const [secret] = scan(text).secrets;
    expect(secret).toMatchObject({ family: "private-key", grade: "vendor", kind: "pattern", start: 2 });
    expect(text.slice(secret?.end)).toBe("\nafter");
  });

  test("L-094: noise in the middle does not split it", () => {
    const lines = mint.pemRsa().trim().split("\n");
    const text = [...lines.slice(0, 10), "user@host:~$ ", "", ...lines.slice(10), "done"].join("\n");
    const { secrets } = scan(text);
    expect(secrets).toMatchObject([{ family: "private-key", start: 0, end: text.length - "\ndone".length }]);
  });

  test("L-094: noise in the middle of a key without an end", () => {
    const lines = mint.pemRsa().trim().split("\n").slice(0, -1);
    const text = [...lines.slice(0, 10), "user@host:~$ ", ...lines.slice(10)].join("\n");
    expect(scan(text).secrets).toMatchObject([{ family: "private-key", start: 0, end: text.length }]);
  });

  test("two keys are two spans, also when the first has no end", () => {
    const one = mint.pemRsa();
    const two = mint.opensshKey();
    expect(scan(one + two).secrets.map((secret) => secret.grade)).toEqual(["vendor", "credential"]);
    const cut = one.trim().split("\n").slice(0, -3).join("\n");
    expect(scan(`${cut}\n${two}`).secrets.map((secret) => secret.grade)).toEqual(["vendor", "credential"]);
  });

  test("cut anywhere, nothing of it is left over", () => {
    const pem = mint.opensshKey("rsa");
    for (let length = 400; length < pem.length; length += 97) {
      const text = pem.slice(0, length);
      const [secret] = scan(text).secrets;
      expect(secret?.start).toBe(0);
      expect(
        text
          .slice(secret?.end)
          .replace(/-+\w*$/, "")
          .trim(),
      ).toBe("");
    }
  });
});

describe("no finding", () => {
  test.each([
    ["encrypted OpenSSH", () => mint.opensshEncrypted()],
    ["encrypted PKCS#8", () => mint.pemEncrypted()],
    ["public key", () => mint.pemPublic()],
    ["OpenSSH public key", () => mint.opensshPublic()],
    ["certificate", () => mint.certificate()],
    ["label alone", () => "A PEM file starts with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----."],
    ["removed body", () => "-----BEGIN RSA PRIVATE KEY-----\n(removed)\n-----END RSA PRIVATE KEY-----"],
    ["elided body", () => "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA...\n-----END RSA PRIVATE KEY-----"],
    ["placeholder body", () => `-----BEGIN RSA PRIVATE KEY-----\n${`${"x".repeat(64)}\n`.repeat(20)}-----END RSA PRIVATE KEY-----`],
    ["code", () => 'if (text.startsWith("-----BEGIN OPENSSH PRIVATE KEY-----")) return "key";\nconst next = 1;\n'],
    [
      "traditional encryption",
      () =>
        mint
          .pemRsaPkcs1()
          .replace("KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF\n\n"),
    ],
  ])("%s", (_, make) => {
    expect(scan(make()).secrets).toEqual([]);
  });

  test("an OpenSSH key whose check numbers differ is no proof", () => {
    const lines = mint.opensshKey("rsa").trim().split("\n");
    const bytes = Buffer.from(lines.slice(1, -1).join(""), "base64");
    const numbers = bytes.indexOf("ssh-rsa", bytes.indexOf("ssh-rsa") + 1) - 12;
    bytes[numbers] = (bytes[numbers] as number) ^ 1;
    const broken = [lines[0], ...(bytes.toString("base64").match(/.{1,70}/g) as string[]), lines.at(-1)].join("\n");
    expect(scan(broken).secrets.map((secret) => secret.grade)).toEqual(["vendor"]);
  });
});

test("a key in base64, as kubeconfig keeps it, is the whole run; a certificate there is none", () => {
  const run = Buffer.from(mint.pemRsa()).toString("base64");
  const text = `    client-certificate-data: ${Buffer.from(mint.certificate()).toString("base64")}\n    client-key-data: ${run}\n`;
  expect(scan(text).secrets).toMatchObject([{ family: "private-key", value: run, grade: "vendor", kind: "structure" }]);
});

test("an unencrypted PuTTY key to its check line; an encrypted one is none", () => {
  const file = (encryption: string) =>
    [
      "PuTTY-User-Key-File-3: ssh-ed25519",
      `Encryption: ${encryption}`,
      "Comment: dev",
      "Public-Lines: 2",
      mint.bytes(48).toString("base64"),
      mint.bytes(20).toString("base64"),
      "Private-Lines: 1",
      mint.bytes(36).toString("base64"),
      `Private-MAC: ${mint.hex(64)}`,
    ].join("\n");
  const text = `${file("none")}\nafter`;
  expect(scan(text).secrets).toMatchObject([{ family: "private-key", start: 0, end: text.length - 6 }]);
  expect(scan(file("aes256-cbc")).secrets).toEqual([]);
});

test("many beginnings without an end cost one pass", () => {
  const { secrets } = scan("-----BEGIN PRIVATE KEY-----\n".repeat(16_000));
  expect(secrets).toEqual([]);
  const long = `-----BEGIN PRIVATE KEY-----\n${`${mint.base62(64)}\n`.repeat(3_000)}`;
  expect(scan(long).secrets[0]?.end).toBeGreaterThan(CHOSEN.private_key_chars - 200);
});
