import { describe, expect, test } from "bun:test";
import { identify } from "../../../src/secrets/files/index.ts";
import { kinds } from "../../../src/secrets/files/kinds.ts";
import { mint } from "../../mint.ts";
import { type Fixture, fixtures } from "./fixtures.ts";

const home = { folder: "/home/dev", environment: {} };
const all = fixtures(mint);

/** The fixture with other text where its secrets stand, as the format would write it. */
function replaced(fixture: Fixture, replacement: string): string {
  const values =
    fixture.secrets.length > 0
      ? fixture.secrets
      : (identify(fixture.path, fixture.text, home)?.secrets.map((secret) => secret.value) ?? []);
  return values.reduce(
    (text, value) => text.replaceAll(JSON.stringify(value).slice(1, -1), replacement).replaceAll(value, replacement),
    fixture.text,
  );
}

test("L-016 every kind has a fixture", () => {
  const known = new Set(all.map((fixture) => fixture.id));
  expect(
    kinds()
      .map((kind) => kind.id)
      .filter((id) => !known.has(id)),
  ).toEqual([]);
});

test("L-016 kind ids are distinct and fit a message's family", () => {
  const ids = kinds().map((kind) => kind.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z\d]+(?:-[a-z\d]+)*$/.test(id))).toEqual([]);
});

describe.each(all.map((fixture) => [fixture.id, fixture] as const))("%s", (id, fixture) => {
  const kind = kinds().find((one) => one.id === id);

  test("L-016 D-17 is confirmed, with every secret at its position", () => {
    const found = identify(fixture.path, fixture.text, home);
    expect(found?.id).toBe(id);
    expect(found?.class).toBe(kind?.class as "PROVEN" | "QUESTION");
    expect(found?.secrets.length).toBeGreaterThan(0);
    const values = found?.secrets.map((secret) => secret.value.trim()) ?? [];
    for (const secret of fixture.secrets) expect(values).toContain(secret.trim());
    for (const secret of found?.secrets ?? []) {
      const written = fixture.text.slice(secret.start, secret.end);
      expect([secret.value, JSON.stringify(secret.value).slice(1, -1)]).toContain(written);
      expect(secret.family).toBe(id);
      if (kind?.class === "QUESTION") expect(secret.grade).toBe("field");
    }
  });

  if (!fixture.whole) {
    test("L-016 is confirmed with CRLF and a byte order mark", () => {
      for (const text of [fixture.text.replaceAll("\n", "\r\n"), `\ufeff${fixture.text}`]) {
        const found = identify(fixture.path, text, home);
        expect(found?.id).toBe(id);
        for (const secret of found?.secrets ?? []) expect(secret.value).not.toMatch(/[\r\ufeff]/);
      }
    });

    test("L-009 D-20 placeholders and references are no secret", () => {
      for (const sample of [
        "",
        "changeme",
        "your-api-key-here",
        "<token>",
        "${API_TOKEN}",
        "xxxxxxxxxxxxxxxxxxxx",
        "op://vault/item/field",
      ]) {
        expect(identify(fixture.path, replaced(fixture, sample), home)?.secrets.map((secret) => secret.value) ?? []).toEqual([]);
      }
    });
  }

  test("L-016 the place without the content is nothing", () => {
    for (const text of [
      "",
      "\n",
      "hello world, this is a note\n",
      "[section]\nkey = value\n",
      "{}",
      '{"a": {"b": [1, 2, "three"]}}',
      "a: b\nc:\n  - d\n",
      "<a><b>c</b></a>",
      "\0\0\0\0\0\0\0\0\0\0\0\0",
    ]) {
      expect(identify(fixture.path, text, home)).toBeUndefined();
    }
  });

  test("credential-files.md §14.4 content without the place is proof only for strong layouts", () => {
    const found = identify("src/notes.txt", fixture.text, home);
    if (kind?.markers !== undefined) expect(found).toMatchObject({ id, proof: "structure" });
    else expect(found?.proof === "resolved path" ? "place" : (found?.id ?? "none")).not.toBe(id);
  });
});
