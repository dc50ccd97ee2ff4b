import { expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { resolveExec0 } from "../../src/policy/exec0.ts";
import { readLists, resolveLeak0 } from "../../src/policy/leak0.ts";
import { MODES, onCloud } from "../../src/policy/mode.ts";
import { clearLeak0Mode, writeLeak0Mode } from "../../src/policy/switch.ts";
import { throwaway } from "../throwaway.ts";

const SETTINGS = [undefined, ...MODES] as const;
const TABLE = [false, true].flatMap((cloud) => SETTINGS.flatMap((local) => SETTINGS.map((profile) => ({ cloud, local, profile }))));

test.each(TABLE)("L-117 L-118 L-119 L-121 L-127 L-133 L-143 U-008 order of settings: %j", ({ cloud, local, profile }) => {
  using machine = throwaway();
  if (cloud) machine.setting("cloud", "");
  if (local) machine.setting("leak0mode", `${local}\n`);
  if (profile) machine.setting("leak0.profile", JSON.stringify({ mode: profile }));
  const counts = cloud ? profile : local;
  const source = counts === undefined ? "default" : cloud ? "profile" : "local";
  expect(resolveLeak0(machine.system)).toMatchObject({ mode: counts ?? "off", source, cloud, problems: [] });
});

test.each(TABLE)("E-046 L-122 exec0 follows the same order under its own names: %j", ({ cloud, local, profile }) => {
  using machine = throwaway();
  if (cloud) machine.setting("cloud", "");
  machine.setting("leak0mode", "enforce\n");
  if (local) machine.setting("exec0mode", `${local}\n`);
  if (profile) machine.setting("exec0.profile", JSON.stringify({ mode: profile }));
  expect(resolveExec0(machine.system).mode).toBe((cloud ? profile : local) ?? "off");
});

test("L-120 a fresh device is off, and nothing is made by asking", () => {
  using machine = throwaway();
  rmSync(machine.data, { recursive: true });
  expect(resolveLeak0(machine.system)).toEqual({
    mode: "off",
    source: "default",
    cloud: false,
    problems: [],
    userMayApprove: true,
    secretFiles: [],
    exclusions: [],
  });
  expect(machine.system.info(machine.data)).toBeUndefined();
});

test.each(["enforce", "enforce\n", "enforce\r\n", " enforce \n"])("L-141 the switch file holds one word: %j", (text) => {
  using machine = throwaway();
  machine.setting("leak0mode", text);
  expect(resolveLeak0(machine.system).mode).toBe("enforce");
});

test.each(["", "\n", "enf", "Enforce\n", "enforce off\n", "enforce\0", '{"mode":"enforce"}', "x".repeat(600_000)])(
  "L-141 a torn, foreign or oversized switch file reads as not set, with a reason (%#)",
  (text) => {
    using machine = throwaway();
    machine.setting("leak0mode", text);
    const { mode, source, problems } = resolveLeak0(machine.system);
    expect({ mode, source, problems: problems.length }).toEqual({ mode: "off", source: "default", problems: 1 });
  },
);

test("L-140 a settings file others may write, a link and a FIFO do not count; one that is readable by all does", () => {
  using machine = throwaway();
  machine.setting("leak0mode", "enforce\n", 0o644);
  expect(resolveLeak0(machine.system).mode).toBe("enforce");
  for (const mode of [0o666, 0o664, 0o646]) {
    chmodSync(join(machine.data, "leak0mode"), mode);
    expect(resolveLeak0(machine.system)).toMatchObject({ mode: "off", problems: [expect.stringContaining("administrator alone")] });
  }
  rmSync(join(machine.data, "leak0mode"));
  symlinkSync(machine.file("mode", "enforce\n"), join(machine.data, "leak0mode"));
  expect(resolveLeak0(machine.system)).toMatchObject({ mode: "off", problems: [expect.stringContaining("regular file")] });
  rmSync(join(machine.data, "leak0mode"));
  expect(Bun.spawnSync(["mkfifo", join(machine.data, "leak0mode")]).exitCode).toBe(0);
  expect(resolveLeak0(machine.system).mode).toBe("off");
});

test("L-140 settings in a data directory that others may write do not count", () => {
  using machine = throwaway();
  machine.setting("leak0mode", "enforce\n");
  chmodSync(machine.data, 0o777);
  expect(resolveLeak0(machine.system)).toMatchObject({ mode: "off", problems: [expect.stringContaining("data directory")] });
  chmodSync(machine.data, 0o755);
  expect(resolveLeak0(machine.system).mode).toBe("enforce");
});

test.skipIf(process.getuid?.() !== 0)("L-140 settings of another user do not count, root's do", () => {
  using machine = throwaway();
  machine.setting("leak0mode", "enforce\n");
  chownSync(join(machine.data, "leak0mode"), 65534, 65534);
  expect(resolveLeak0(machine.system).mode).toBe("off");
  expect(resolveLeak0(machine.reopen({ ownerUid: 65534 })).mode).toBe("enforce");
});

test("L-142 L-128 L-129 own lists: 200 entries count, 201 do not, keys are optional", () => {
  using machine = throwaway();
  machine.setting("leak0mode", "enforce\n");
  const files = Array.from({ length: 200 }, (_, n) =>
    n % 2 ? { path: `~/secrets/${n}.json`, keys: ["a", "b"] } : { path: `**/${n}.key` },
  );
  const exclusions = Array.from({ length: 200 }, (_, n) => `fixtures/${n}/**`);
  machine.setting("leak0.local.json", JSON.stringify({ secretFiles: files, exclusions }));
  expect(resolveLeak0(machine.system)).toMatchObject({ secretFiles: files, exclusions, problems: [] });
  for (const lists of [{ secretFiles: [...files, { path: "x" }] }, { exclusions: [...exclusions, "x"] }]) {
    machine.setting("leak0.local.json", JSON.stringify(lists));
    expect(resolveLeak0(machine.system)).toMatchObject({
      mode: "enforce",
      secretFiles: [],
      exclusions: [],
      problems: [expect.stringContaining("200")],
    });
  }
});

test.each([
  '{"secretFiles":[{"path":"a"}',
  "[]",
  "null",
  '{"secretFiles":{}}',
  '{"exclusions":"a"}',
  '{"exclusions":[""]}',
  '{"exclusions":[1]}',
  '{"secretFiles":["a"]}',
  '{"secretFiles":[{"path":1}]}',
  '{"secretFiles":[{"path":"a","keys":"b"}]}',
  '{"secretFiles":[{"path":"a","keys":[null]}]}',
  "[".repeat(100_000),
])("L-142 a torn or foreign list counts as not set, with a reason without content (%#)", (text) => {
  using machine = throwaway();
  machine.setting("leak0mode", "observe\n");
  machine.setting("leak0.local.json", text);
  const policy = resolveLeak0(machine.system);
  expect(policy).toMatchObject({ mode: "observe", secretFiles: [], exclusions: [] });
  expect(policy.problems).toHaveLength(1);
});

test("L-128 L-130 L-077 L-080 a Cloud device takes lists and approval from the profile, a private one ignores them", () => {
  using machine = throwaway();
  machine.setting("leak0mode", "enforce\n");
  machine.setting("leak0.local.json", '{"exclusions":["local/**"]}');
  machine.setting("leak0.profile", JSON.stringify({ mode: "observe", exclusions: ["cloud/**"], userMayApprove: false }));
  expect(resolveLeak0(machine.system)).toMatchObject({ mode: "enforce", exclusions: ["local/**"], userMayApprove: true });
  machine.setting("cloud", "");
  expect(onCloud(machine.system)).toBe(true);
  expect(resolveLeak0(machine.system)).toMatchObject({ mode: "observe", exclusions: ["cloud/**"], userMayApprove: false });
  machine.setting("leak0.profile", JSON.stringify({ mode: "enforce" }));
  expect(resolveLeak0(machine.system)).toMatchObject({ mode: "enforce", exclusions: [], userMayApprove: true });
});

test.each(['{"mode":"on"}', '{"mode":', '{"mode":7}', "[]"])(
  "L-127 a profile that is torn or names no mode is off, with a reason: %s",
  (text) => {
    using machine = throwaway();
    machine.setting("cloud", "");
    machine.setting("leak0mode", "enforce\n");
    machine.setting("leak0.profile", text);
    expect(resolveLeak0(machine.system)).toMatchObject({ mode: "off", source: "default", problems: [expect.any(String)] });
  },
);

test("L-134 the lists can be counted while leak0 is off", () => {
  using machine = throwaway();
  machine.setting("leak0.local.json", '{"secretFiles":[{"path":"a"}],"exclusions":["b","c"]}');
  expect(readLists(machine.system)).toEqual({ secretFiles: [{ path: "a" }], exclusions: ["b", "c"] });
  expect(resolveLeak0(machine.system).secretFiles).toEqual([]);
});

test("L-135 L-136 L-141 the switch writes exactly one word, readable by every hook whatever the umask; clear removes it", () => {
  using machine = throwaway();
  rmSync(machine.data, { recursive: true });
  const before = process.umask(0o077);
  try {
    for (const mode of MODES) {
      writeLeak0Mode(machine.system, mode);
      expect(readFileSync(join(machine.data, "leak0mode"), "utf8")).toBe(`${mode}\n`);
      expect(resolveLeak0(machine.system)).toMatchObject({ mode, source: "local" });
    }
  } finally {
    process.umask(before);
  }
  expect(statSync(machine.data).mode & 0o777).toBe(0o755);
  expect(statSync(join(machine.data, "leak0mode")).mode & 0o777).toBe(0o644);
  clearLeak0Mode(machine.system);
  clearLeak0Mode(machine.system);
  expect(resolveLeak0(machine.system).source).toBe("default");
});

test("L-135 a setting that would not count is an error", () => {
  using machine = throwaway();
  rmSync(machine.data, { recursive: true });
  mkdirSync(machine.data);
  chmodSync(machine.data, 0o777);
  expect(() => writeLeak0Mode(machine.system, "enforce")).toThrow("must belong to root");
});
