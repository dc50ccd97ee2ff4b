import { expect, test } from "bun:test";
import { type HelperCommand, lookAtAll } from "../../src/scan/crew.ts";
import { filesOf } from "../../src/scan/tree.ts";
import { mint } from "../mint.ts";
import { throwaway } from "../throwaway.ts";

/** Starts this program's helper from its sources. */
const OWN: HelperCommand = [process.execPath, new URL("../../src/main.ts", import.meta.url).pathname, "scan-helper"];

test.each([
  ["none", undefined],
  ["this program", OWN],
  ["one that ends at once", ["false"]],
  ["one that ends in the middle", ["sh", "-c", "head -n 2 > /dev/null; exit 1"]],
  ["one that answers nonsense", ["sh", "-c", "echo nonsense; cat > /dev/null"]],
  ["one that answers for batches it was never given", ["sh", "-c", "echo '[99,{}]'; cat > /dev/null"]],
  ["one that is not there", ["/nowhere/at/all"]],
] as const)("every file is looked at once and in order, whatever becomes of the helpers: %s", async (_, command) => {
  using machine = throwaway();
  const token = mint.npm();
  const count = 600;
  for (let number = 0; number < count; number++)
    machine.file(`tree/${String(number).padStart(4, "0")}`, number % 50 === 0 ? `at ${token}` : "nothing");
  const entries = filesOf(["tree"], machine.home, true, { ignored: 0, unreadable: [] }, machine.system);
  let files = 0;
  const found: string[] = [];
  for await (const summary of lookAtAll(entries, machine.system, true, command)) {
    files += summary.files;
    found.push(...summary.results.flatMap(({ sightings }) => sightings.map(({ path }) => path)));
  }
  expect(files).toBe(count);
  expect(found).toEqual(Array.from({ length: count / 50 }, (_, number) => `tree/${String(number * 50).padStart(4, "0")}`));
});
