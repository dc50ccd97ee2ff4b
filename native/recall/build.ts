/** Builds `recall.c` as `src/session/program.ts`. Run: `bun native/recall/build.ts`. With an argument it writes there instead. */
import { join } from "node:path";
import { buildModule } from "../module.ts";

await Bun.write(process.argv[2] ?? join(import.meta.dir, "../../src/session/program.ts"), await buildModule("recall"));
