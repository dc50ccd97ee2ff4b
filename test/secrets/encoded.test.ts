import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import { scanEncoded } from "../../src/secrets/encoded.ts";
import { mint, seeded } from "../mint.ts";

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
  ])("%s", (_, write) => {
    const text = `Here it is:\n${write()}\nDone.`;
    const found = scanEncoded(text).secrets;
    expect(found).toMatchObject([{ family: "github", grade: "token", kind: "checksum", value: token }]);
    const left = text.slice(0, found[0]?.start) + text.slice(found[0]?.end);
    expect(scanEncoded(left).secrets).toEqual([]);
    expect(text.slice(0, found[0]?.start)).toStartWith("Here it is:\n");
  });

  for (const command of ["xxd", "hexdump -C", "hexdump", "xxd -p", "xxd -c 8"]) {
    test.skipIf(tool(command) === "")(command, () => {
      for (const shown of [tool(command), tool(`${command} | sed 1d`), tool(`${command} | cat -n`)]) {
        expect({ shown, values: scanEncoded(shown).secrets.map((secret) => secret.value) }).toEqual({ shown, values: [token] });
      }
    });
  }

  test("a private key's bytes in base64, without its armour", () => {
    for (const key of [mint.pemRsa(), mint.pemRsaPkcs1(), mint.pemEc(), mint.pemEd25519()]) {
      const bare = key
        .split("\n")
        .filter((line) => !line.startsWith("-----"))
        .join("\n");
      expect(scanEncoded(`key:\n${bare}\n`).secrets).toMatchObject([{ family: "private-key" }]);
    }
  });

  test("a file with a key in base64, wrapped", () => {
    const wrapped = Buffer.from(`user: dev\n${mint.opensshKey()}`).toString("base64").replace(/.{76}/g, "$&\n");
    expect(scanEncoded(wrapped).secrets.map((secret) => secret.family)).toContain("private-key");
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
    ["placeholders", () => Buffer.from(`GITHUB_TOKEN=ghp_${"x".repeat(36)}\n`).toString("base64")],
    [
      "an address with escapes",
      () => "https://acme.dev/search?q=%5B%22a%22%2C%22b%22%5D&next=%2Fhome%2Fsettings%3Ftab%3Dprofile\n".repeat(300),
    ],
  ])("%s", (_, make) => expect(scanEncoded(make())).toEqual({ secrets: [], complete: true }));

  test("D-12: past a limit it says that it did not finish", () => {
    expect(scanEncoded(`${Buffer.from("plain words in a row").toString("base64")} `.repeat(300_000)).complete).toBe(false);
  });
});
