/** One of many hooks at once: appends `count` events and fails when one could not be written. */
import { record } from "../../src/audit/log.ts";
import { openSystem } from "../../src/system.ts";

const [home = "", dataFolder = "", tool = "", count = "1"] = process.argv.slice(2);
const system = openSystem({ environment: { HOME: home }, dataFolder });
for (let n = 0; n < Number(count); n++) {
  const problem = record(system, { action: "leak0_blocked", agent: "claude", tool, rule: "leak0:checksum_token_push", mode: "enforce" });
  if (problem) throw new Error(problem);
}
