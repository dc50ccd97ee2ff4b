/** Real events of every agent (and composed ones where no client could be run), decoded as they are meant. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { AGENTS } from "../../src/agents/capabilities.ts";
import { adapterOf } from "../../src/agents/table.ts";
import type { Agent } from "../../src/call/effect.ts";
import { tell } from "./notation.ts";

interface Payload {
  readonly from: string;
  /** The event as the entry's command names it. */
  readonly event?: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly decoded: readonly string[];
}

function payloads(agent: Agent): readonly Payload[] {
  const lines = readFileSync(join(import.meta.dir, `payloads/${agent}.jsonl`), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Payload);
}

for (const agent of AGENTS.filter((one) => one !== "claude")) {
  describe(`L-086 ${agent}`, () => {
    for (const { from, event, payload, decoded } of payloads(agent)) {
      test(from, async () => {
        const adapter = await adapterOf(agent);
        expect(tell(adapter.decode(JSON.stringify(payload), { event: event ?? "", platform: "linux" }))).toEqual([...decoded]);
      });
    }

    test("a field of another type, a field less, or other bytes never throw", async () => {
      const adapter = await adapterOf(agent);
      for (const { event, payload } of payloads(agent)) {
        const told = { event: event ?? "", platform: "linux" } as const;
        for (const name of Object.keys(payload)) {
          for (const value of [null, 7, "text", [], [[]], {}, undefined]) {
            const text = JSON.stringify({ ...payload, [name]: value });
            for (const call of callsOf(adapter.decode(text, told))) expect(call.agent).toBe(agent);
          }
        }
        const text = JSON.stringify(payload);
        expect("unreadable" in adapter.decode(text.slice(0, -1), told)).toBe(true);
        expect("unreadable" in adapter.decode(`${text}x`, told)).toBe(true);
      }
    });
  });
}

function callsOf(event: ReturnType<Awaited<ReturnType<typeof adapterOf>>["decode"]>) {
  return "calls" in event ? event.calls : [];
}
