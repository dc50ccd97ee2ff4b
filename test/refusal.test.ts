/** What the operating system refused, in words for people. */
import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { refusalOf } from "../src/refusal.ts";
import { CLAUDE_FILE } from "../src/setup/claude.ts";
import { putEntries } from "../src/setup/settings.ts";
import { throwaway } from "./throwaway.ts";

const refused = (path: string, code = "EACCES") => Object.assign(new Error(`${code}: permission denied, open '${path}'`), { code, path });

test("a closed folder is named, with the command that opens it", () => {
  using machine = throwaway();
  const folder = machine.file("settings/x", "").replace(/\/x$/, "");
  chmodSync(folder, 0o555);
  expect(refusalOf(refused(`${folder}/x.1.tmp`), machine.system)).toEqual({
    words: `${folder} is closed to writing`,
    next: `chmod u+rwx '${folder}'`,
  });
  chmodSync(folder, 0o755);
});

test("somebody else's file is named as such", () => {
  using machine = throwaway();
  const file = machine.file("it's", "");
  const other = machine.reopen({ uid: 4_242 });
  expect(refusalOf(refused(file, "EPERM"), other)).toEqual({
    words: `${file} belongs to another user`,
    next: `sudo chown "$(id -un)" '${file.replace("'", "'\\''")}'`,
  });
});

test("setup says it in plain words", () => {
  using machine = throwaway();
  const system = machine.reopen({
    replace: (path) => {
      throw refused(path);
    },
  });
  const work = () => putEntries(system, CLAUDE_FILE, "/usr/local/bin/poisonzero", true, false);
  expect(work).toThrow(`${machine.home}/.claude/settings.json: `);
  expect(work).not.toThrow(/EACCES|permission denied/);
});
