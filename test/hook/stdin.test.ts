import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";

const MODULE = join(import.meta.dir, "../../src/hook/stdin.ts");
const PROGRAM = `
  const { readEvent } = await import(${JSON.stringify(MODULE)});
  const { state, text, bytes } = await readEvent(Number(process.argv[1]));
  console.log(JSON.stringify({ state, length: text.length, text: text.slice(0, 200), bytes: bytes && [...bytes.slice(0, 100)] }));
`;
const MIB = 1 << 20;

interface Answer {
  state: string;
  length: number;
  text: string;
  bytes?: number[];
}

const running = new Set<Bun.Subprocess<"pipe", "pipe", "inherit">>();
afterEach(() => {
  for (const child of running) child.kill();
  running.clear();
});

/** Sends the pieces one by one into a process that reads an event, closes the pipe or leaves it open, and waits for its end. */
async function read(pieces: readonly (string | Uint8Array)[], close: boolean, bytes_max = 64 * MIB): Promise<Answer> {
  const child = Bun.spawn([process.execPath, "-e", PROGRAM, String(bytes_max)], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  running.add(child);
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await Bun.sleep(20);
    child.stdin.write(piece);
    await child.stdin.flush();
  }
  if (close) await child.stdin.end();
  // Ends only when the process exits by itself: an open pipe must not keep it alive.
  const output = await new Response(child.stdout).text();
  await child.exited;
  running.delete(child);
  return JSON.parse(output) as Answer;
}

describe("readEvent", () => {
  test("D-27: answers once the pipe is closed", async () => {
    expect(await read(['{"a":1}'], true)).toEqual({ state: "complete", length: 7, text: '{"a":1}' });
  });

  test("D-27: answers once one value has arrived, though the pipe stays open", async () => {
    expect(await read(['{"a":"}\\"}"}\n'], false)).toEqual({ state: "complete", length: 13, text: '{"a":"}\\"}"}\n' });
  });

  test("D-27: a value that comes drop by drop is put together", async () => {
    const pieces = ['{"a":"\\', '"', "\\", "\\", '"', ',"é":"', Uint8Array.of(0xc3), Uint8Array.of(0xa9), '"}'];
    expect(await read(pieces, false)).toMatchObject({ state: "complete", text: '{"a":"\\"\\\\","é":"é"}' });
  });

  test("D-27: an unfinished value waits for the rest, and is handed over when the pipe is closed", async () => {
    expect(await read(['{"a":', "1"], true)).toMatchObject({ state: "complete", text: '{"a":1' });
  });

  test.each(['{"a":1}{"b":2}', '{"a":1}\n{"b":2}\n', '{"a":1}garbage'])("D-27: %j keeps what came behind the value", async (text) => {
    expect(await read([text], false)).toMatchObject({ state: "complete", text });
  });

  test("a byte order mark is kept, also when it is cut", async () => {
    const pieces = [Uint8Array.of(0xef), Uint8Array.of(0xbb), Uint8Array.of(0xbf, 0x7b), "}"];
    expect(await read(pieces, false)).toEqual({ state: "complete", length: 3, text: "\ufeff{}", bytes: [0xef, 0xbb, 0xbf, 0x7b, 0x7d] });
  });

  test("UTF-16 is handed over as it came", async () => {
    const bytes = [0xff, 0xfe, 0x7b, 0, 0x7d, 0];
    expect(await read([Uint8Array.from(bytes)], false)).toMatchObject({ state: "complete", bytes });
    expect(await read([Uint8Array.of(0x7b, 0, 0x7d, 0)], true)).toMatchObject({ state: "complete", text: "{\0}\0" });
  });

  test("broken UTF-8 comes with its bytes", async () => {
    const bytes = [0x7b, 0x22, 0xff, 0x22, 0x7d];
    expect(await read([Uint8Array.from(bytes)], true)).toEqual({ state: "complete", length: 5, text: '{"\ufffd"}', bytes });
  });

  test.each(["", " \r\n\t"])("%j and the end is empty", async (text) => {
    expect(await read([text], true)).toMatchObject({ state: "empty", length: 0 });
  });

  test("no-break spaces are not empty", async () => {
    expect(await read(["\u00a0"], true)).toMatchObject({ state: "complete" });
  });

  test("a large event is read to its last byte, the pipe closed or open", async () => {
    const event = JSON.stringify({ text: '"\\✓'.repeat(MIB) });
    expect(await read([event], true)).toMatchObject({ state: "complete", length: event.length });
    expect(await read([event], false)).toMatchObject({ state: "complete", length: event.length });
  });

  test("one byte above the limit is too large, the limit itself is not", async () => {
    const event = JSON.stringify("x".repeat(MIB - 2));
    expect(await read([event], false, MIB)).toMatchObject({ state: "complete", length: MIB });
    const cut: { state: string; length: number } = await read([event], false, MIB - 1);
    expect(cut.state).toBe("too large");
    expect(cut.length).toBeGreaterThan(0); // the beginning, so that the moment is known
    expect(cut.length).toBeLessThan(MIB);
  });

  test("a closed standard input is empty", () => {
    const shell = Bun.spawnSync(["sh", "-c", 'exec "$0" -e "$1" 100 <&-', process.execPath, PROGRAM]);
    expect(JSON.parse(shell.stdout.toString())).toMatchObject({ state: "empty" });
  });
});
