import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Call } from "../../../src/call/effect.ts";
import { effectsOf } from "../../../src/call/effects.ts";
import { CHOSEN } from "../../../src/limits.ts";
import { committing } from "../../../src/leak0/committing.ts";
import { Files } from "../../../src/leak0/files.ts";
import { type Leak0Policy, resolveLeak0 } from "../../../src/policy/leak0.ts";
import { openSession } from "../../../src/session/session.ts";
import { mint } from "../../mint.ts";
import { Scratch } from "./scratch.ts";

let scratch: Scratch;
afterEach(() => scratch.remove());

/** A repository with more unpushed objects than are read again each time. */
const made = () => {
  scratch = new Scratch();
  scratch.commit({}, "first");
  scratch.git("remote", "add", "origin", "https://example.com/acme/app.git");
  scratch.git("update-ref", "refs/remotes/origin/main", "HEAD");
  scratch.commit(Object.fromEntries(Array.from({ length: CHOSEN.git_objects_remembered + 10 }, (_, at) => [`f${at}.txt`, `text ${at}\n`])));
  return scratch;
};

/** Decisions about a push, and whether contents were read for it. */
function push(
  at: Scratch,
  more: Partial<Leak0Policy> = {},
  build = "this build",
): { readonly decisions: string[]; readonly read: boolean } {
  const system = { ...at.system(), home: at.home, build };
  const call: Call = {
    agent: "claude",
    stage: "before",
    session: "x",
    cwd: at.root,
    tool: "Bash",
    action: { kind: "shell", dialect: "bash", command: "git push origin main" },
  };
  const effects = effectsOf(call, { home: at.home, environment: {}, platform: system.platform });
  const policy = { ...resolveLeak0(system), ...more };
  const session = openSession(system, "x");
  at.started.length = 0;
  const { findings } = committing({ call, effects, system, policy, session, files: new Files(system, policy, session) });
  return { decisions: findings.map(({ decision }) => decision), read: at.started.some((argv) => argv.includes("--batch")) };
}

/** What an output with the value leaves in the session. */
function remember(at: Scratch, value: string): void {
  const secret = {
    family: "aws",
    title: "AWS secret key",
    grade: "credential",
    kind: "structure",
    value,
    start: 0,
    end: value.length,
  } as const;
  openSession({ ...at.system(), home: at.home }, "x").remember([secret]);
}

const cacheOf = (at: Scratch): string => {
  const folder = join(at.home, ".poisonzero/clean");
  return join(folder, readdirSync(folder)[0] ?? "");
};

describe("contents found clean are not read again (L-045)", () => {
  test("the same push again, and what is new in the next one", () => {
    const at = made();
    expect(push(at)).toEqual({ decisions: [], read: true });
    expect(push(at)).toEqual({ decisions: [], read: false });
    at.commit({ "src/new.ts": `export const token = "${mint.github()}";\n` });
    expect(push(at).decisions).toEqual(["block"]);
    // What was found stays found.
    expect(push(at).decisions).toEqual(["block"]);
  });

  test("another build of the program and another list look at everything again", () => {
    const at = made();
    push(at);
    expect(push(at, {}, "the next build").read).toBe(true);
    expect(push(at, { exclusions: ["~/x"] }).read).toBe(true);
  });

  test("a value the session has seen since then is looked for, and again not twice", () => {
    const at = made();
    const value = mint.awsSecret();
    at.commit({ "notes.txt": `${value}\n` });
    expect(push(at).decisions).toEqual([]);
    remember(at, value);
    expect(push(at).decisions).not.toEqual([]);
    at.git("reset", "-q", "--hard", "HEAD~1");
    expect(push(at)).toEqual({ decisions: [], read: true });
    expect(push(at)).toEqual({ decisions: [], read: false });
  });

  test("a path the session knows as a copy is looked at", () => {
    const at = made();
    push(at);
    openSession({ ...at.system(), home: at.home }, "x").rememberCopies([
      { path: join(at.root, "f0.txt"), of: "/h/.aws/credentials", class: "PROVEN" },
    ]);
    expect(push(at).decisions).toEqual(["block"]);
  });

  test("entries count for their path only, and nobody without the key can make one", () => {
    const at = made();
    const token = mint.github();
    at.commit({ "tests/token.txt": token });
    expect(push(at).decisions).toEqual(["ask"]);
    at.git("mv", "tests/token.txt", "token.txt");
    at.git("commit", "-q", "-m", "moved");
    const known = readFileSync(cacheOf(at));
    const forged = Buffer.concat([known, Buffer.from(at.git("rev-parse", "HEAD:token.txt").trim(), "hex").subarray(0, 8)]);
    writeFileSync(cacheOf(at), forged);
    expect(push(at).decisions).not.toEqual([]);
    // Torn and foreign files make nothing clean.
    writeFileSync(cacheOf(at), forged.subarray(0, 13));
    expect(push(at).read).toBe(true);
    writeFileSync(cacheOf(at), Buffer.alloc(4_000, 7));
    expect(push(at).decisions).not.toEqual([]);
  });
});
