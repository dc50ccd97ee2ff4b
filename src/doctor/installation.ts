/**
 * What every agent's entry depends on: the program and who may change it, the data directory, the user's own folder, the
 * clock and the disk (U-016). Nothing is run; the one thing written is a small file in `~/.poisonzero`, and it goes again.
 *
 * Trust: the paths come from PATH, from settings and from this installation; looked at with the caller's own rights.
 */
import { dirname, join } from "node:path";
import { auditTail } from "../audit/reading.ts";
import { CHOSEN } from "../limits.ts";
import { resolveExec0 } from "../policy/exec0.ts";
import { resolveLeak0 } from "../policy/leak0.ts";
import { trustsDataFolder } from "../policy/settings-file.ts";
import { dayOf } from "../session/seen.ts";
import { installationProblem } from "../setup/launcher.ts";
import { refusalOf } from "../refusal.ts";
import type { FileInfo, System } from "../system.ts";
import { type Fact, fine, note, problem } from "./fact.ts";

const AGAIN = "install poisonzero again";

/** Everything but the agents. `launcher`: this installation's, undefined when the program was started without one. */
export function installationFacts(system: System, launcher: string | undefined, version: string): readonly Fact[] {
  return [
    ...programFacts(system, launcher, version),
    ...pathFacts(system, launcher),
    ...dataFacts(system),
    ...ownFolderFacts(system),
    clockFact(system, launcher),
    ...diskFacts(system),
  ];
}

function programFacts(system: System, launcher: string | undefined, version: string): readonly Fact[] {
  if (launcher === undefined) return [problem("program", "this program was not started by an installed launcher", AGAIN)];
  const broken = installationProblem(system, launcher);
  if (broken !== undefined) return [problem("program", broken, AGAIN)];
  return [fine("program", `PoisonZero ${version} at ${launcher}`), ...rightsFacts(system, launcher)];
}

/** Who else could put another program in the place of a launcher's; a problem when somebody can. Windows says it elsewhere. */
export function rightsFacts(system: System, launcher: string): readonly Fact[] {
  if (system.platform === "windows") return [];
  const real = system.realPath(launcher) ?? launcher;
  const folder = dirname(real);
  const paths = [folder, real, join(folder, "libexec"), join(folder, "libexec", "poisonzero")];
  const facts: Fact[] = [];
  let own = false;
  for (const path of paths.map((one) => system.realPath(one) ?? one)) {
    const info = system.info(path);
    if (info === undefined) continue;
    if ((info.mode & 0o022) !== 0)
      facts.push(problem("program rights", `${path} can be changed by other users`, `sudo chmod go-w ${path}`));
    if (!isOurs(system, info)) facts.push(problem("program rights", `${path} belongs to another user`, `sudo chown root ${path}`));
    own ||= info.uid !== 0 && info.uid !== system.ownerUid;
  }
  if (facts.length === 0 && own)
    return [note("program rights", `${real} belongs to you, so whatever runs as you can replace it; root's is safer`)];
  return facts.length > 0 ? facts : [fine("program rights", "nobody but the administrator can change the program")];
}

function isOurs(system: System, { uid }: FileInfo): boolean {
  return uid === 0 || uid === system.ownerUid || uid === system.uid;
}

/** Several programs of the name on PATH: what people type is then not what they think. */
function pathFacts(system: System, launcher: string | undefined): readonly Fact[] {
  const windows = system.platform === "windows";
  const name = windows ? "poisonzero.exe" : "poisonzero";
  const folders = (system.environment.PATH ?? "").split(windows ? ";" : ":").filter((folder) => /^(?:\/|[A-Za-z]:[\\/])/.test(folder));
  const found = new Map<string, string>();
  for (const folder of folders) {
    const path = `${folder.replace(/[\\/]$/, "")}/${name}`;
    const real = system.realPath(path);
    if (real !== undefined && system.info(real)?.kind === "file" && !found.has(real)) found.set(real, path);
  }
  const [first, ...others] = found.values();
  if (first === undefined) return [note("path", "poisonzero is not on PATH; agents call it by its absolute path")];
  if (others.length > 0)
    return [
      problem(
        "path",
        `several installations are on PATH: ${first} comes first, then ${others.join(", ")}`,
        `remove all but one; agents call ${launcher ?? "the one in their entries"}`,
      ),
    ];
  if (launcher !== undefined && system.realPath(first) !== system.realPath(launcher))
    return [problem("path", `PATH leads to another installation: ${first}`, `remove one of the two: ${first} or ${launcher}`)];
  return [fine("path", `one installation is on PATH: ${first}`)];
}

/** D-05 waits for the signed configuration itself. */
function dataFacts(system: System): readonly Fact[] {
  const { dataFolder } = system;
  const leak0 = resolveLeak0(system);
  if (system.info(dataFolder) === undefined)
    return [note("data directory", `${dataFolder} is not there: leak0 is off, nobody has decided yet`)];
  if (!trustsDataFolder(system))
    return [
      problem(
        "data directory",
        `${dataFolder} is not the administrator's alone, so no setting in it counts`,
        `sudo chown root ${dataFolder} && sudo chmod 755 ${dataFolder}`,
      ),
    ];
  const ignored = [...new Set([...leak0.problems, ...resolveExec0(system).problems])];
  const next = `correct it in ${dataFolder}, or set it anew: sudo poisonzero leak0 enforce`;
  return [
    ...ignored.map((what) => problem("data directory", `does not count: ${what}`, next)),
    ...(ignored.length === 0 ? [fine("data directory", `${dataFolder} is the administrator's alone; leak0: ${leak0.mode}`)] : []),
  ];
}

/** `~/.poisonzero`: without it values seen earlier are forgotten and nothing is logged. */
function ownFolderFacts(system: System): readonly Fact[] {
  const path = `${system.home}/.poisonzero`;
  let info = system.info(path);
  if (info?.kind === "link") info = system.info(system.realPath(path) ?? "");
  if (info === undefined) return [note("own folder", `${path} is not there yet: it is made when there is something to keep`)];
  if (info.kind !== "folder") return [problem("own folder", `${path} is no folder`, `move it away: mv ${path} ${path}.old`)];
  const facts: Fact[] = [];
  if (system.platform !== "windows") {
    if (info.uid !== system.uid)
      return [problem("own folder", `${path} belongs to another user, so nothing is kept or logged`, `sudo chown -R $(id -un) ${path}`)];
    for (const name of ["", "/key", "/audit", "/sessions"]) {
      const { mode = 0 } = system.info(`${path}${name}`) ?? {};
      if ((mode & 0o077) !== 0) facts.push(problem("own folder", `${path}${name} is open to other users`, `chmod go= ${path}${name}`));
    }
  }
  try {
    system.replace(`${path}/doctor`, "", 0o600);
    system.remove(`${path}/doctor`);
  } catch (error) {
    const { words, next = `df -h ${path}; ls -ld ${path}` } = refusalOf(error, system);
    facts.push(
      problem("own folder", `nothing can be kept in ${path}, so values seen earlier are forgotten and nothing is logged: ${words}`, next),
    );
  }
  return facts.length > 0 ? facts : [fine("own folder", `${path} is yours alone and can be written`)];
}

/** Nothing on this machine can be from tomorrow: then the clock was right at that time and is wrong now, or the other way round. */
function clockFact(system: System, launcher: string | undefined): Fact {
  const now = system.now();
  const marks: (readonly [what: string, time_ms: number])[] = [];
  const program = launcher === undefined ? undefined : system.info(system.realPath(launcher) ?? launcher);
  if (program) marks.push(["the program", program.mtime_ms]);
  const last = auditTail(system, 1).entries[0];
  if (last) marks.push(["the log's last entry", Date.parse(last.time)]);
  const ahead = marks.find(([, time]) => time > now + CHOSEN.doctor_clock_ms);
  if (ahead === undefined) return fine("clock", `the clock says ${dayOf(now)}, and nothing here is newer`);
  const text = `the clock says ${dayOf(now)}, and ${ahead[0]} is from ${dayOf(ahead[1])}`;
  return problem("clock", text, system.platform === "linux" ? "sudo timedatectl set-ntp true, or set the clock by hand" : "set the clock");
}

function diskFacts(system: System): readonly Fact[] {
  const places = [system.home, system.dataFolder].filter((path) => path !== "" && system.info(path) !== undefined);
  const facts = places.flatMap((path) => {
    const free = system.free_bytes(path);
    if (free === undefined || free >= CHOSEN.doctor_free_bytes) return [];
    return [
      problem("disk", `${megabytes(free)} are free at ${path}: soon nothing can be remembered or logged`, `free some space: df -h ${path}`),
    ];
  });
  if (facts.length > 0) return facts;
  const free = system.free_bytes(system.home);
  return [free === undefined ? note("disk", "the free space cannot be told here") : fine("disk", `${megabytes(free)} are free`)];
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1_000_000).toLocaleString("en-US")} MB`;
}
