/**
 * The build as shipped, with the real data directory compiled in: run inside a mount namespace in which /var/lib is an
 * empty memory file system, so that this machine's own settings are neither read nor written.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { hostTarget } from "../../targets/all.ts";
import { build, shipped } from "../../targets/build.ts";
import type { Target } from "../../targets/target.ts";
import { temporaryFolder } from "../product.ts";

// Building takes longer than the default where the machine is busy.
setDefaultTimeout(120_000);

const EVENT = '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}';
const PRELUDE = "mount -t tmpfs -o mode=755 none /var/lib && mkdir -m 755 /var/lib/poisonzero && cd /var/lib/poisonzero";
/** Root needs no user namespace; everybody else becomes root in one of their own. */
const UNSHARE = process.getuid?.() === 0 ? ["unshare", "-m"] : ["unshare", "-rm"];
const POSSIBLE = Bun.spawnSync([...UNSHARE, "sh", "-c", PRELUDE]).exitCode === 0;

// Where containers forbid mounting there is no way to run this without touching the machine's own folder.
describe.if(POSSIBLE)("the shipped build", () => {
  let launcher: string;
  beforeAll(() => {
    const folder = join(temporaryFolder("shipped"), "linux-x64");
    build(hostTarget() as Target, folder, { ...shipped(), entry: join(import.meta.dir, "print-environment.ts") });
    launcher = join(folder, "poisonzero");
  });

  function hook(prepare: string, agent = "claude"): { code: number | null; stdout: string; stderr: string } {
    const script = `${PRELUDE} && { ${prepare} ; } && exec "$0" hook ${agent}`;
    const done = Bun.spawnSync([...UNSHARE, "sh", "-c", script, launcher], { stdin: Buffer.from(EVENT) });
    return { code: done.exitCode, stdout: done.stdout.toString(), stderr: done.stderr.toString() };
  }

  test("L-120: without any setting it is off", () => {
    expect(hook("true")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("L-140, L-141: /var/lib/poisonzero/leak0mode of root switches it on", () => {
    expect(JSON.parse(hook("echo enforce >leak0mode").stdout)).toMatchObject({ ran: true, input: EVENT });
    expect(hook("echo off >leak0mode")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("L-141: a file that everybody can write does not switch anything", () => {
    expect(hook("echo enforce >leak0mode; chmod 666 leak0mode").stdout).toBe("");
  });

  test("L-153: D-27's real time limit ends a program that hangs, and Claude Code is blocked", () => {
    const hung = `d=$(dirname "$0"); t=$(mktemp -d); mkdir $t/libexec; cp "$0" $t/poisonzero; printf '#!/bin/sh\\nexec sleep 60\\n' >$t/libexec/poisonzero; chmod +x $t/libexec/poisonzero; echo enforce >leak0mode`;
    const script = `${PRELUDE} && { ${hung}; } && $t/poisonzero hook claude; code=$?; rm -rf $t; exit $code`;
    const done = Bun.spawnSync([...UNSHARE, "sh", "-c", script, launcher], { stdin: Buffer.from(EVENT) });
    expect(done.exitCode).toBe(2);
    expect(done.stderr.toString()).toContain("did not finish in time");
  });
});
