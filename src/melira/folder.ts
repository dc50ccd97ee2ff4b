/** Where the model lies: beside the built program; in the sources `models/melira` holds it, and the runtime is in its package. */
import { dirname, join } from "node:path";
import type { ModelPlace } from "./files.ts";

/** The place of the model's files for the program that runs. */
export function modelPlace(): ModelPlace {
  if (Bun.isStandaloneExecutable) return placeIn(join(dirname(process.execPath), "melira"));
  const root = join(import.meta.dir, "../..");
  return { folder: join(root, "models/melira/shipped"), runtime: join(root, RUNTIME) };
}

/** All files in one folder, as the build lays them. */
export function placeIn(folder: string): ModelPlace {
  return { folder, runtime: join(folder, "runtime.wasm") };
}

/** The runtime in its package, relative to the root of the sources. */
export const RUNTIME = "node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm";
