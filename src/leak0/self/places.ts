/**
 * Where PoisonZero itself lies on this machine (U-012, L-140): its data, the user's state with the key, its programs.
 *
 * Trust: paths come from the agent; links are followed on disk, so that a place counts under every name it has.
 */
import type { Case } from "../judgement.ts";
import { programsIn, realPath, settingsFiles } from "./settings.ts";

/** Data directories of every system, whatever this build's own is. */
const DATA_FOLDERS = ["/var/lib/poisonzero", "/Library/Application Support/PoisonZero", "C:/ProgramData/PoisonZero"];
const SERVICE_FOLDER = /^\/(?:etc|usr\/lib|lib)\/systemd\/system\/|^\/Library\/Launch(?:Daemons|Agents)\//i;

/** Whether a path is one of ours or lies in one. `takesAway`: a folder around one of ours counts as well. */
export function isOwn(at: Case, path: string, takesAway: boolean): boolean {
  const roots = [...folders(at), ...programFiles(), ...hookPrograms(at, path)];
  return [path, ...resolved(at, path)].some((name) => {
    const spelled = comparable(name);
    return (
      roots.some((root) => within(spelled, comparable(root)) || (takesAway && within(comparable(root), spelled))) ||
      (SERVICE_FOLDER.test(name) && /poisonzero/i.test(name))
    );
  });
}

/** Our folders below a folder, for what is copied or unpacked into it as a whole. */
export function ownBelow(at: Case, folder: string): readonly string[] {
  return [...folders(at), ...programFiles()].filter((place) => within(comparable(place), comparable(folder)));
}

/** Whether a path is a key of ours: with it the hashes in messages and log can be tried out against guessed values. */
export function isKey(at: Case, path: string): boolean {
  if (!/key$/i.test(path) && at.system.info(path)?.kind !== "link") return false;
  const keys = folders(at).map((folder) => comparable(`${folder}/key`));
  return [path, ...resolved(at, path)].some((name) => keys.includes(comparable(name)));
}

/** Whether a path is the folder such a key lies in. A home folder around it is packed for other reasons. */
export function holdsKey(at: Case, path: string): boolean {
  const own = folders(at).map(comparable);
  return [path, ...resolved(at, path)].some((name) => own.includes(comparable(name)));
}

/** Whether a path is the installed program: the one hooks are started with. */
export function isProgram(at: Case, path: string): boolean {
  const programs = [...programFiles(), ...hookPrograms(at, path)];
  return [path, ...resolved(at, path)].some((name) => programs.some((program) => within(name, program)));
}

/** Where the path leads once links are followed; of a file that does not exist yet, its folder's links. */
export function resolved(at: Case, path: string): readonly string[] {
  const real = realPath(at, path);
  if (real !== undefined) return real === path ? [] : [real];
  const slash = path.lastIndexOf("/");
  const folder = slash > 0 ? realPath(at, path.slice(0, slash)) : undefined;
  return folder === undefined ? [] : [`${folder}${path.slice(slash)}`];
}

/** Whether a path is `root` or lies in it. */
export function within(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);
}

/** Whether a path with parts that only the shell knows (a variable, a glob) can name one of our folders. */
export function mayBeOwn(at: Case, written: string): boolean {
  if (!/poison/i.test(written)) return false;
  // A glob alone says where it looks.
  if (!/[$`]/.test(written)) return written.startsWith("/") && folders(at).some((folder) => new Bun.Glob(written).match(folder));
  return written
    .toLowerCase()
    .split(/[\\/]/)
    .some((part) => {
      const pattern = part.replace(/\$\{[^{}]{0,100}\}|\$\([^()]{0,100}\)|\$\w{1,100}|`[^`]{0,100}`/g, "*");
      return part.includes("poison") && ["poisonzero", ".poisonzero"].some((name) => new Bun.Glob(pattern).match(name));
    });
}

function folders(at: Case): readonly string[] {
  const { home, dataFolder } = at.system;
  return [...DATA_FOLDERS, dataFolder, ...(home === "" ? [] : [`${home}/.poisonzero`])];
}

/** The programs our hook entries start (a link in /usr/local/bin): replacing one switches the hook off. */
function hookPrograms(at: Case, path: string): readonly string[] {
  if (!/(?:^|[\\/])poisonzero(?:\.exe)?$/i.test(path)) return [];
  return settingsFiles(at).flatMap((file) => programsIn(at, file));
}

/** The launcher and its program's folder, as this process was started from them; nothing when run from source. */
function programFiles(): readonly string[] {
  const program = process.execPath;
  const folder = program.slice(0, program.lastIndexOf("/"));
  return folder.endsWith("/libexec") && program.endsWith("/poisonzero")
    ? [folder, `${folder.slice(0, -"/libexec".length)}/poisonzero`]
    : [];
}

/** Case and slashes do not tell Windows and macOS paths apart. */
function comparable(path: string): string {
  return path.startsWith("/var/") || path.startsWith("/home/") ? path : path.replaceAll("\\", "/").toLowerCase();
}
