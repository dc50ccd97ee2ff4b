/** Which handler knows a program. Plain switches: nothing is built when the program starts. */
import type { Handler } from "../invocation.ts";
import { archiveCommand } from "./archives.ts";
import { builtinCommand } from "./builtins.ts";
import { contactCommand } from "./contact.ts";
import { credentialCommand } from "./credentials.ts";
import { nodePackageCommand } from "./node-packages.ts";
import { fileCommand } from "./files.ts";
import { unrelated } from "./filter.ts";
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
  // The programs agents start most are found at once: each room that is asked costs its first run.
  switch (name) {
    case "git":
      return gitCommand(name);
    case "curl":
      return webCommand(name);
    case "mkdir":
      return unrelated;
    case "ls":
    case "find":
    case "cp":
    case "mv":
    case "rm":
      return fileCommand(name);
    case "cat":
    case "head":
    case "tail":
    case "grep":
    case "rg":
    case "sed":
      return textCommand(name);
    case "node":
    case "python":
    case "python3":
      return interpreterCommand(name);
    case "npm":
    case "pnpm":
    case "yarn":
      return nodePackageCommand(name);
    case "cargo":
      return toolCommand(name);
    case "make":
    case "go":
    case "tsc":
    case "pytest":
      return credentialCommand(name);
  }
  return (
    builtinCommand(name) ??
    textCommand(name) ??
    fileCommand(name) ??
    wrapperCommand(name) ??
    webCommand(name) ??
    socketCommand(name) ??
    remoteCommand(name) ??
    archiveCommand(name) ??
    interpreterCommand(name) ??
    gitCommand(name) ??
    contactCommand(name) ??
    toolCommand(name)
  );
}
