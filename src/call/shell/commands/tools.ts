/** Tools with subcommands of many kinds: looked up after the plain ones. */
import type { Handler, Invocation } from "../invocation.ts";
import { containerCommand } from "./containers.ts";
import { credentialCommand } from "./credentials.ts";
import { deployCommand } from "./deploy.ts";
import { forgeCommand } from "./forge.ts";
import { runtimeEval } from "./interpreters.ts";
import { addressLogins } from "./logins.ts";
import { nodePackageCommand } from "./node-packages.ts";
import { publishCommand } from "./publish.ts";
import { pushingCommand } from "./pushes.ts";
import { serverCommand } from "./servers.ts";
import { sharingCommand } from "./sharing.ts";
import { storageCommand } from "./storage.ts";

/** A login in an address counts whatever else the tool makes of it. */
function withLogins(invocation: Invocation, handler: Handler): void {
  const since = invocation.shell.core.effects.length;
  handler(invocation);
  addressLogins(invocation, since);
}

/** The handler of a tool with subcommands. */
export function toolCommand(name: string): Handler | undefined {
  if (name === "deno" || name === "bun") {
    const other = nodePackageCommand(name) ?? publishCommand(name);
    return (invocation) => {
      if (!runtimeEval(invocation)) other?.(invocation);
    };
  }
  const handler =
    forgeCommand(name) ??
    storageCommand(name) ??
    containerCommand(name) ??
    credentialCommand(name) ??
    nodePackageCommand(name) ??
    publishCommand(name) ??
    deployCommand(name) ??
    sharingCommand(name) ??
    serverCommand(name) ??
    pushingCommand(name);
  return handler && ((invocation) => withLogins(invocation, handler));
}
