/** Who may change leak0's setting on this device (L-131, L-135, L-139). */
import { CHOSEN } from "../limits.ts";
import { onCloud } from "../policy/mode.ts";
import type { System } from "../system.ts";
import { CommandError, EXIT } from "./outcome.ts";

/** How a person runs a command with administrator rights. */
export function asAdministrator(system: System, command: string): string {
  return system.platform === "windows" ? `in a terminal opened as administrator: ${command}` : `sudo ${command}`;
}

/** Refuses unless the caller is the administrator: root, or the owner a test build names. */
export function requireAdministrator(system: System, command: string): void {
  if (system.platform === "windows" ? isWindowsAdministrator(system) : system.uid === 0 || system.uid === system.ownerUid) return;
  throw new CommandError("only an administrator can change this setting", asAdministrator(system, command), EXIT.refused);
}

/** Refuses on a device whose setting comes from the console. */
export function requirePrivateDevice(system: System): void {
  if (!onCloud(system)) return;
  throw new CommandError(
    "this device takes its leak0 setting from the console",
    "change it in the console under Settings, Profiles",
    EXIT.refused,
  );
}

/** `net session` answers administrators only; it changes nothing. */
function isWindowsAdministrator(system: System): boolean {
  const root = system.environment.SystemRoot ?? "C:\\Windows";
  const options = {
    cwd: root,
    environment: { SystemRoot: root },
    time_ms_max: CHOSEN.administrator_check_ms,
    stdout_bytes_max: CHOSEN.administrator_check_bytes,
  };
  return system.run([`${root}\\System32\\net.exe`, "session"], options).code === 0;
}
