import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";

const ROOT = join(import.meta.dir, "../..");

test("L-010 L-114 L-168 nothing of leak0 opens a connection or asks a model", () => {
  const rooms = new Glob("src/{hook,agents,call,leak0,secrets,destinations,policy,session,audit}/**/*.ts");
  const files = [...rooms.scanSync(ROOT), "src/main.ts", "src/system.ts", "src/libc.ts"];
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) {
    const code = readFileSync(join(ROOT, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    const opens =
      /(?:await|return|=|=>)\s{1,4}fetch\s*\(|\bglobalThis\.fetch\b|\bBun\.(?:connect|listen|serve|udpSocket|dns)\s*[.(]|\bnew (?:WebSocket|XMLHttpRequest)\b|from "(?:onnx|node:(?:net|http|dns|tls))/.exec(
        code,
      );
    expect(opens?.[0], file).toBeUndefined();
  }
});

test("U-002 adapters translate and hold no rule: no evidence room is loaded by one", () => {
  for (const file of new Glob("src/agents/**/*.ts").scanSync(ROOT)) {
    const imports = [...readFileSync(join(ROOT, file), "utf8").matchAll(/^import (?!type ).*from "(.*)";/gm)].map((match) => match[1]);
    for (const from of imports) expect(from, file).not.toMatch(/secrets|destinations|policy|leak0|session|audit/);
  }
});
