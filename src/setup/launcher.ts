/** Where the launcher lies: the program agents call and people type (D-28). */
import { basename, dirname, join } from "node:path";
import type { System } from "../system.ts";

/**
 * The absolute path of the launcher of this installation, which stays the same across updates: `poisonzero` beside the
 * `libexec` folder this program runs from. Undefined when this program was started in another way.
 */
export function installedLauncher(system: System): string | undefined {
  const folder = dirname(process.execPath);
  if (basename(folder) !== "libexec") return undefined;
  const path = join(dirname(folder), system.platform === "windows" ? "poisonzero.exe" : "poisonzero");
  return launcherProblem(system, path) === undefined ? path : undefined;
}

/** Why nothing would run when an agent calls this launcher: itself, or the program beside it (D-28); undefined when both are there. */
export function installationProblem(system: System, path: string): string | undefined {
  const problem = launcherProblem(system, path);
  if (problem !== undefined) return problem;
  const name = system.platform === "windows" ? "poisonzero.exe" : "poisonzero";
  return programProblem(system, join(dirname(system.realPath(path) ?? path), "libexec", name));
}

/** Why a path cannot be the launcher, in words for a person; undefined when it can. */
export function launcherProblem(system: System, path: string): string | undefined {
  if (!(path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path))) return "the launcher must be named by its absolute path";
  if (!/[\\/]poisonzero(?:\.exe)?$/.test(path)) return "the launcher must be called poisonzero";
  return programProblem(system, path);
}

function programProblem(system: System, path: string): string | undefined {
  const info = system.info(system.realPath(path) ?? "");
  if (info?.kind !== "file") return `there is no program at ${path}`;
  if (system.platform !== "windows" && (info.mode & 0o111) === 0) return `${path} is not executable`;
  return undefined;
}
