/**
 * Builds `scan.c` into WebAssembly and writes it as `src/secrets/filter/program.ts`, so that the product needs no
 * compiler and no file beside it. The same compiler gives the same bytes in any folder.
 *
 * Run: `bun native/scan/build.ts` (needs clang-14 and lld-14). With an argument it writes there instead.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The compiler whose output is committed. */
export const COMPILER = "clang-14";

/** The text of `program.ts` for the present `scan.c`. Throws when the compiler is missing or refuses. */
export async function buildProgram(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "scan-"));
  try {
    const output = join(folder, "scan.wasm");
    const compiler = Bun.spawn(
      [
        COMPILER,
        "-O2",
        "--target=wasm32",
        "-nostdlib",
        "-ffreestanding",
        "-fno-unroll-loops",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wl,--no-entry",
        "-Wl,-z,stack-size=8192",
        "-Wl,--strip-all",
        "-o",
        output,
        join(import.meta.dir, "scan.c"),
      ],
      { stdout: "inherit", stderr: "inherit" },
    );
    if ((await compiler.exited) !== 0) throw new Error(`${COMPILER} failed`);
    const program = new Uint8Array(await Bun.file(output).arrayBuffer());
    return [
      "/** Generated from native/scan/scan.c by native/scan/build.ts: a WebAssembly module in base64. Do not edit. */",
      `export const PROGRAM =\n  "${program.toBase64()}";`,
      "",
    ].join("\n");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const target = process.argv[2] ?? join(import.meta.dir, "../../src/secrets/filter/program.ts");
  await Bun.write(target, await buildProgram());
}
