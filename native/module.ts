/**
 * C into WebAssembly into a TypeScript file, so that the product needs no compiler and no file beside it. The same
 * compiler (clang-14 and lld-14) gives the same bytes in any folder.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The compiler whose output is committed. */
export const COMPILER = "clang-14";

/** What each module is compiled for: the name of its constant, and the compiler's options. */
const VARIANTS = {
  recall: { PROGRAM: [] },
  scan: { PROGRAM: [], SIMD_PROGRAM: ["-msimd128"] },
} as const;

/** The text of the TypeScript file for `native/<name>/<name>.c`. Throws when the compiler is missing or refuses. */
export async function buildModule(name: keyof typeof VARIANTS): Promise<string> {
  const lines = [
    `/** Generated from native/${name}/${name}.c by native/${name}/build.ts: WebAssembly modules in base64. Do not edit. */`,
  ];
  for (const [constant, options] of Object.entries(VARIANTS[name]))
    lines.push(`export const ${constant} =\n  "${(await compiled(name, options)).toBase64()}";`);
  return [...lines, ""].join("\n");
}

async function compiled(name: string, options: readonly string[]): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  try {
    const output = join(folder, `${name}.wasm`);
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
        ...options,
        "-Wl,--no-entry",
        "-Wl,-z,stack-size=8192",
        "-Wl,--strip-all",
        "-o",
        output,
        join(import.meta.dir, name, `${name}.c`),
      ],
      { stdout: "inherit", stderr: "inherit" },
    );
    if ((await compiler.exited) !== 0) throw new Error(`${COMPILER} failed`);
    return new Uint8Array(await Bun.file(output).arrayBuffer());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
