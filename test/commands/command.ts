/** The command line as its own process, with a data directory of the test's. */
import { runCommand } from "../../src/commands/program.ts";
import { openSystem } from "../../src/system.ts";

const [dataFolder = "", ...argv] = process.argv.slice(2);
const environment = { HOME: process.env.HOME ?? "" };
process.exit(await runCommand(argv, openSystem({ environment, dataFolder })));
