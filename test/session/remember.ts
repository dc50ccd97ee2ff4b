/** One of many hooks at once: remembers a value in the session `shared` and prints a short hash under the user's key. */
import { openSession } from "../../src/session/session.ts";
import { openSystem } from "../../src/system.ts";

const [home = "", dataFolder = "", value = ""] = process.argv.slice(2);
const session = openSession(openSystem({ environment: { HOME: home }, dataFolder }), "shared");
session.remember([{ family: "github", title: "GitHub token", grade: "token", kind: "checksum", value, start: 0, end: value.length }]);
console.log(session.shortHash("probe"));
