/** Builds `scan.c` as `src/secrets/filter/program.ts`. Run: `bun native/scan/build.ts`. With an argument it writes there instead. */
import { join } from "node:path";
import { buildModule } from "../module.ts";

await Bun.write(process.argv[2] ?? join(import.meta.dir, "../../src/secrets/filter/program.ts"), await buildModule("scan"));
