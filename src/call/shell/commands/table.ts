/** Which handler knows a program. Plain switches: nothing is built when the program starts. */
import type { Handler } from "../invocation.ts";
import { archiveCommand } from "./archives.ts";
import { builtinCommand } from "./builtins.ts";
import { fileCommand } from "./files.ts";
import { gitCommand } from "./git.ts";
import { interpreterCommand } from "./interpreters.ts";
import { remoteCommand } from "./remote.ts";
import { socketCommand } from "./sockets.ts";
import { textCommand } from "./text.ts";
import { toolCommand } from "./tools.ts";
import { webCommand } from "./web.ts";
import { wrapperCommand } from "./wrappers.ts";

/** The handler of a program by its name, undefined for one that is not known. */
export function handlerOf(name: string): Handler | undefined {
  return (
    builtinCommand(name) ??
    textCommand(name) ??
    fileCommand(name) ??
    wrapperCommand(name) ??
    gitCommand(name) ??
    webCommand(name) ??
    socketCommand(name) ??
    remoteCommand(name) ??
    archiveCommand(name) ??
    interpreterCommand(name) ??
    toolCommand(name)
  );
}
