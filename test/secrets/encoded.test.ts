import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import { type Known, scanEncoded } from "../../src/secrets/encoded.ts";
import { mint, seeded } from "../mint.ts";

/** As a tool printed it. */
const printed = (text: string, known: Known = () => ({ secrets: [], complete: true })) => scanEncoded(text, { known, printed: true });

const token = mint.github();
const file = `# settings\nNAME=acme\nGITHUB_TOKEN=${token}\nMODE=production\n`;
const tool = (command: string, input = file) => spawnSync("sh", ["-c", command], { input, encoding: "latin1" }).stdout;

describe("a secret in another writing", () => {
  test.each([
    ["base64", () => tool("base64 -w0")],
    ["base64 wrapped at 76", () => tool("base64", file.repeat(3))],
    ["base64 wrapped at 64", () => tool("openssl base64", file.repeat(3))],
    ["base64 with CRLF", () => tool("base64", file.repeat(3)).replaceAll("\n", "\r\n")],
    ["base64 behind line numbers", () => tool("base64 | cat -n", file.repeat(3))],
    ["base64 in a diff", () => tool("base64", file.repeat(3)).replace(/^/gm, "+")],
    ["base64 in a JSON string", () => JSON.stringify({ out: tool("base64", file.repeat(3)) })],
    ["base64 of the token", () => `value: ${Buffer.from(token).toString("base64")}`],
    ["base64url of x and the token", () => Buffer.from(`x${token}`).toString("base64url")],
    ["base64 behind bytes", () => Buffer.concat([mint.bytes(301), Buffer.from(token)]).toString("base64")],
    ["base64 twice", () => Buffer.from(Buffer.from(file).toString("base64")).toString("base64")],
    ["hex", () => Buffer.from(file).toString("hex")],
    ["hex in capitals", () => Buffer.from(token).toString("hex").toUpperCase()],
    ["hex of gzip's input in base64", () => gzipSync(file).toString("base64")],
    ["escapes", () => [...Buffer.from(token)].map((byte) => `\\x${byte.toString(16)}`).join("")],
    ["numbers", () => [...Buffer.from(token)].map((byte) => `0x${byte.toString(16)}`).join(", ")],
    ["pairs with colons", () => [...Buffer.from(token)].map((byte) => byte.toString(16)).join(":")],
    ["od -c", () => tool("od -c")],
    ["od -An -c", () => tool("od -An -c")],
    ["od -tx1", () => tool("od -A x -t x1")],
    ["od -x", () => tool("od -x")],
    ["percent escapes of the joint", () => token.replace("_", "%5F")],
    ["percent escapes everywhere", () => [...Buffer.from(token)].map((byte) => `%${byte.toString(16)}`).join("")],
    ["backwards", () => [...file].reverse().join("")],
    [
      "line by line backwards",
      () =>
        file
          .split("\n")
          .map((line) => [...line].reverse().join(""))
          .join("\n"),
    ],
    ["one character at a time", () => [...token].join(" ")],
    ["one character a line", () => [...token].join("\n")],
    ["a list of characters", () => [...token].join(", ")],
    ["base32", () => tool("base32")],
    ["base32 in small letters, without padding", () => tool("base32 -w0").replace(/=+$/, "").toLowerCase()],
    ["base64 backwards", () => [...tool("base64 -w0")].reverse().join("")],
    ["hex backwards", () => [...Buffer.from(token).toString("hex")].reverse().join("")],
    ["base64 with colours in it", () => Buffer.from(token).toString("base64").replace(/.{5}/g, "$&\u001b[31m")],
    ["a list of bytes", () => JSON.stringify([...Buffer.from(file)])],
    ["a list of bytes, one a line", () => JSON.stringify([...Buffer.from(file)], null, 2)],
    ["od -b", () => tool("od -b")],
    ["od", () => tool("od")],
    ["od -An -tu1", () => tool("od -An -tu1")],
    ["od -tu1", () => tool("od -tu1")],
    ["bits", () => tool("xxd -b")],
  ])("%s", (_, write) => {
    const text = `Here it is:\n${write()}\nDone.`;
    const found = printed(text).secrets;
    expect(found).toMatchObject([{ family: "github", grade: "token", kind: "checksum", value: token }]);
    const left = text.slice(0, found[0]?.start) + text.slice(found[0]?.end);
    expect(printed(left).secrets).toEqual([]);
    expect(text.slice(0, found[0]?.start)).toStartWith("Here it is:\n");
  });

  const each = (write: (code: number) => string) => [...Buffer.from(token)].map(write).join("");
  const hex = (code: number, digits: number) => code.toString(16).padStart(digits, "0");
  test.each([
    ["JSON", () => each((code) => `\\u${hex(code, 4)}`)],
    ["JSON in a string", () => each((code) => `\\\\u${hex(code, 4)}`)],
    ["JSON of every third", () => [...token].map((one, at) => (at % 3 ? one : `\\u${hex(one.charCodeAt(0), 4)}`)).join("")],
    ["a code point", () => each((code) => `\\u{${hex(code, 2)}}`)],
    ["octal", () => each((code) => `\\${code.toString(8)}`)],
    ["entities", () => each((code) => `&#${code};`)],
    ["entities in hex", () => each((code) => `&#x${hex(code, 2)};`)],
    ["colours written out", () => [...token].join("\\u001b[31m")],
    ["colours of cat -v", () => [...token].join("^[[0;1m")],
    ["printed over, of cat -v", () => [...token].map((one) => `${one}^H${one}`).join("")],
    ["printed over, in JSON", () => [...token].map((one) => `${one}\\b${one}`).join("")],
    ["joiners written out", () => [...token].join("\\u200b")],
    ["folded", () => token.replace(/.{15}/g, "$&\n")],
    ["folded in its prefix", () => `${token.slice(0, 2)}\n    ${token.slice(2)}`],
    ["folded in a frame", () => `│ ${token.replace(/.{15}/g, "$& │\n│ ")} │`],
    ["folded behind line numbers", () => `     7\t${token.replace(/.{20}/g, "$&\n     8\t")}`],
    ["folded in a JSON string", () => token.replace(/.{15}/g, "$&\\n")],
    ["base64 in narrow lines", () => Buffer.from(file).toString("base64").replace(/.{16}/g, "$&\n")],
    ["hex in narrow lines", () => Buffer.from(token).toString("hex").replace(/.{20}/g, "$&\n  ")],
  ])("%s: only what is written so is replaced", (_, write) => {
    const text = `Here it is:\nTOKEN= ${write()} \nDone.`;
    const [found, ...more] = printed(text).secrets;
    expect(found).toMatchObject({ family: "github", grade: "token", value: token });
    expect(more).toEqual([]);
    expect(text.slice(0, found?.start)).toStartWith("Here it is:\nTOKEN= ");
    expect(text.slice(found?.end)).toEndWith(" \nDone.");
  });

  test("what lies in a file is not folded", () => {
    expect(scanEncoded(token.replace(/.{15}/g, "$&\n")).secrets).toEqual([]);
    expect(scanEncoded(Buffer.from(token).toString("base64")).secrets).toMatchObject([{ value: token }]);
  });

  test("a value that is known is found in all of these, and nothing is made of others", () => {
    const value = `q-${mint.base62(16)}_x`;
    const known = (text: string) => {
      const at = text.indexOf(value);
      const secret = { family: "env", title: "", grade: "field", kind: "hash match", value, start: at, end: at + value.length } as const;
      return { secrets: at < 0 ? [] : [secret], complete: true };
    };
    const writings = [
      (text: string) => Buffer.from(Buffer.from(text).toString("base64")).toString("base64"),
      (text: string) => [...Buffer.from(text)].join(" "),
      (text: string) => [...Buffer.from(text)].map((code) => `&#${code};`).join(""),
      (text: string) => tool("base32 -w0", `name: ${text}\n`),
      (text: string) => tool("xxd", `name: ${text}\n`),
    ];
    for (const write of writings) {
      expect(printed(write(value), known).secrets).toMatchObject([{ value }]);
      expect(printed(write(`q-${mint.base62(16)}_x`), known).secrets).toEqual([]);
    }
  });

  for (const command of ["xxd", "hexdump -C", "hexdump", "xxd -p", "xxd -c 8"]) {
    test.skipIf(tool(command) === "")(command, () => {
      for (const shown of [tool(command), tool(`${command} | sed 1d`), tool(`${command} | cat -n`)]) {
        expect({ shown, values: printed(shown).secrets.map((secret) => secret.value) }).toEqual({ shown, values: [token] });
      }
    });
  }

  test("a private key's bytes in base64, without its armour", () => {
    for (const key of [mint.pemRsa(), mint.pemRsaPkcs1(), mint.pemEc(), mint.pemEd25519()]) {
      const bare = key
        .split("\n")
        .filter((line) => !line.startsWith("-----"))
        .join("\n");
      expect(printed(`key:\n${bare}\n`).secrets).toMatchObject([{ family: "private-key" }]);
    }
  });

  test("a file with a key in base64, wrapped", () => {
    const wrapped = Buffer.from(`user: dev\n${mint.opensshKey()}`).toString("base64").replace(/.{76}/g, "$&\n");
    expect(printed(wrapped).secrets.map((secret) => secret.family)).toContain("private-key");
  });
});

describe("nothing to find", () => {
  const random = seeded("encoded");
  test.each([
    ["an image", () => `data:image/png;base64,${random.bytes(90_000).toString("base64")}`],
    [
      "digests",
      () =>
        Array.from({ length: 2_000 }, () => `sha512-${random.bytes(64).toString("base64")} ${random.bytes(20).toString("hex")}`).join("\n"),
    ],
    ["UUIDs", () => Array.from({ length: 2_000 }, () => crypto.randomUUID()).join("\n")],
    ["prose in base64", () => Buffer.from("The quick brown fox jumps over the lazy dog. ".repeat(200)).toString("base64")],
    ["identifiers", () => "getElementsByClassNameAndTagName isInstanceOfTheSameConstructor CONFIGURATION_DIRECTORY_LOCATION\n".repeat(500)],
    ["a matrix", () => "1 0 0 1 0 1 1 0 1 0 1 0 0 0 1 1 0 1 0 1 1 0 0 1\n".repeat(500)],
    ["numbers in hex", () => Array.from({ length: 4_000 }, (_, at) => `0x${(at * 40_503).toString(16)}`).join(", ")],
    ["a dump of a program", () => tool("od -A x -t x1z | head -c 200000", random.bytes(40_000).toString("latin1"))],
    ["a public key", () => Buffer.from("ssh-ed25519 public").toString("base64").repeat(9)],
    ["base32 of bytes", () => tool("base32", random.bytes(40_000).toString("latin1"))],
    ["lists of numbers", () => JSON.stringify(Array.from({ length: 4_000 }, (_, at) => 32 + ((at * 37) % 94)))],
    ["od of a program", () => tool("od | head -c 200000", random.bytes(40_000).toString("latin1"))],
    ["JSON with escapes", () => '{"a":"\\u003cb\\u003e caf\\u00e9 \\u0041\\u0042","c":"\\u001b[32mok\\u001b[39m"}\n'.repeat(2_000)],
    ["patterns", () => String.raw`const word = /\bghp_[\x41-\x5a]+\b|\u{1F600}|\101/u;`.concat("\n").repeat(500)],
    ["names in lines", () => "AccountOverviewPanel2024\nAccountSettingsPanel2025\nB2BInvoiceTable\n".repeat(500)],
    ["base64 in narrow lines", () => random.bytes(30_000).toString("base64").replace(/.{20}/g, "$&\n")],
    ["placeholders", () => Buffer.from(`GITHUB_TOKEN=ghp_${"x".repeat(36)}\n`).toString("base64")],
    [
      "an address with escapes",
      () => "https://acme.dev/search?q=%5B%22a%22%2C%22b%22%5D&next=%2Fhome%2Fsettings%3Ftab%3Dprofile\n".repeat(300),
    ],
  ])("%s", (_, make) => expect(printed(make())).toEqual({ secrets: [], complete: true }));

  test("D-12: past a limit it says that it did not finish", () => {
    expect(printed(`${Buffer.from("plain words in a row").toString("base64")} `.repeat(300_000)).complete).toBe(false);
  });
});
