import { describe, expect, test } from "bun:test";
import { CHOSEN } from "../../src/limits.ts";
import { NO_LISTS } from "../../src/policy/lists.ts";
import { Looker } from "../../src/scan/look.ts";
import { mint } from "../mint.ts";
import { type Throwaway, throwaway } from "../throwaway.ts";

const HASH = (value: string): string => Bun.hash(value).toString(16).padStart(16, "0").slice(0, 8);

function look(machine: Throwaway, name: string, content: string | Uint8Array, lists = NO_LISTS) {
  const absolute = machine.file(name, content);
  return new Looker({ system: machine.system, lists, hash: HASH, exempting: true }).file({ path: name, absolute, root: undefined });
}

/** Nothing that is reported holds a piece of the value. */
function expectHidden(reported: unknown, value: string): void {
  const text = JSON.stringify(reported);
  for (let at = 4; at + 8 <= value.length; at++) expect(text).not.toContain(value.slice(at, at + 8));
}

describe("a finding", () => {
  test("has its place, its proof and its rule, and never its value", () => {
    using machine = throwaway();
    const token = mint.github();
    const looked = look(machine, "src/a.ts", `// ünïcode 😀\n\tconst t = "${token}"; // twice: ${token}\n`);
    expect(looked.sightings).toMatchObject([
      { path: "src/a.ts", line: 2, column: 13, family: "github", proof: "checksum", hash: HASH(token), rule: "leak0:checksum_token_file" },
      { line: 2, end_column: 13 + 2 * token.length + 13 },
    ]);
    expect(looked.sightings[0]?.excerpt).toBe(`const t = "[leak0:github:${HASH(token)}]"; // twice: [leak0:github:${HASH(token)}]`);
    expectHidden(looked, token);
  });

  test("in a file of a known kind is proven by that, under the rule for reading it; in a .env it is a field", () => {
    using machine = throwaway();
    const aws = mint.awsCredentials();
    const { sightings } = look(machine, ".aws/credentials", aws.text);
    expect(sightings.some(({ proof, rule }) => proof === "resolved path" && rule === "leak0:credential_file_read")).toBe(true);
    const environment = look(machine, ".env", "DB_PASSWORD=vF7-kq2Lw9-Zp4\nPORT=80\n").sightings;
    expect(environment).toMatchObject([{ line: 1, column: 13, family: "env", proof: "field", rule: "leak0:secret_file_git" }]);
    for (const secret of aws.secrets) expectHidden(sightings, secret);
  });

  test("is found encoded, in UTF-16 and in binary content", () => {
    using machine = throwaway();
    const token = mint.npm();
    const encoded = look(machine, "a", `x: ${Buffer.from(`token ${token} end`).toString("base64")}\n`);
    expect(encoded.sightings).toMatchObject([{ line: 1, column: 4, proof: "checksum" }]);
    expect(look(machine, "b", Buffer.from(`\ufeffa\nb ${token}\n`, "utf16le")).sightings).toMatchObject([{ line: 2, column: 3 }]);
    const binary = look(machine, "c", Buffer.concat([Buffer.alloc(64), Buffer.from(token), Buffer.alloc(64)]));
    expect(binary.sightings).toMatchObject([{ line: 1, column: 65, proof: "checksum" }]);
    expect(binary.sightings[0]?.excerpt).toBeUndefined();
  });

  test("is none for a placeholder, and none in a file the administrator excluded", () => {
    using machine = throwaway();
    expect(look(machine, ".env", "API_KEY=your-api-key-here\nTOKEN=<token>\nKEY=${API_KEY}\n").sightings).toEqual([]);
    const excluded = { secretFiles: [], exclusions: ["**/fixtures/**"] };
    expect(look(machine, "fixtures/a.ts", mint.github(), excluded).sightings).toEqual([]);
    const long = `${"x = 1\n".repeat(CHOSEN.credential_file_bytes / 4)}${mint.github()}\n`;
    expect(look(machine, "fixtures/long.ts", long, excluded).sightings).toEqual([]);
    expect(look(machine, "src/long.ts", long, excluded).sightings).toHaveLength(1);
    const listed = { secretFiles: [{ path: "*.vars", keys: ["door"] }], exclusions: [] };
    expect(look(machine, "house.vars", "door: opensesame-42\nwall: opensesame-42\n", listed).sightings).toMatchObject([{ line: 1 }]);
    const far = `${"wall: opensesame-42\n".repeat(CHOSEN.credential_file_bytes / 8)}door: opensesame-42\n`;
    expect(look(machine, "far.vars", far, listed).sightings).toHaveLength(1);
  });
});

test("a file longer than one part is looked at to its end, with its lines and columns", () => {
  using machine = throwaway();
  const token = mint.gitlab();
  const line = "an ordinary line of text that says nothing in particular, again and again\n";
  const first = CHOSEN.credential_file_bytes;
  const lines = Math.ceil((2.2 * first) / line.length);
  const places = [0.2, 0.999, 1, 1.01, 1.5, 2.1].map((part) => Math.floor((part * first) / line.length));
  const text = Array.from({ length: lines }, (_, number) => (places.includes(number) ? `é ${token}\n` : line)).join("");
  const { sightings, bytes, open } = look(machine, "long", text);
  expect({ open, bytes }).toEqual({ open: undefined, bytes: Buffer.byteLength(text) });
  expect(sightings.map((one) => [one.line, one.column])).toEqual(places.map((number) => [number + 1, 3]));
});

test("one line without an end, with a value over the border of two parts", () => {
  using machine = throwaway();
  const token = mint.npm();
  const first = CHOSEN.credential_file_bytes;
  const before = ". ".repeat((first - CHOSEN.scan_behind_bytes - 20) / 2);
  const { sightings } = look(machine, "line", `${before}${token} ${". ".repeat(first / 2)}${token}`);
  expect(sightings.map((one) => [one.line, one.column])).toEqual([
    [1, before.length + 1],
    [1, before.length + token.length + 2 + first],
  ]);
});

test("a stream gives the same however it is cut", () => {
  const token = mint.github();
  const text = Buffer.from(`one\ntwo ${token}\n`.repeat(50));
  const whole = new Looker({ system: {} as never, lists: NO_LISTS, hash: HASH, exempting: true }).stream("-").take(text, true);
  expect(whole).toHaveLength(50);
  for (const size of [1, 7, 100]) {
    const parts = new Looker({ system: {} as never, lists: NO_LISTS, hash: HASH, exempting: true }).stream("-");
    const found = [];
    for (let at = 0; at < text.length; at += size) found.push(...parts.take(text.subarray(at, at + size), at + size >= text.length));
    expect(found).toEqual([...whole]);
  }
});

test("what cannot be read, or only in part, is said", () => {
  using machine = throwaway();
  const looker = new Looker({ system: machine.system, lists: NO_LISTS, hash: HASH, exempting: true });
  expect(looker.file({ path: "gone", absolute: `${machine.home}/gone`, root: undefined })).toMatchObject({
    open: "unreadable",
    sightings: [],
  });
  expect(look(machine, "film", new Uint8Array(CHOSEN.git_binary_bytes + 1))).toMatchObject({ open: "binary beyond its beginning" });
  const deep = Buffer.concat([Buffer.alloc(CHOSEN.git_binary_bytes - 100), Buffer.from(mint.github()), Buffer.alloc(100)]);
  expect(look(machine, "clip", deep)).toMatchObject({ sightings: [{ line: 1 }], open: "binary beyond its beginning" });
});
