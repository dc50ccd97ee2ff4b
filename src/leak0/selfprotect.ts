/**
 * Proof B5: switching leak0 off, or touching PoisonZero's hook entries and files, through the agent (L-023, L-024, U-012).
 *
 * Trust: the agent runs with the user's rights, so this stops the plain ways and says so; it is no boundary against a
 * program that writes these files by itself. The data directory is root's for that reason.
 */
import { resolvePath } from "../call/path.ts";
import type { Argument, Effect } from "../call/effect.ts";
import { holdsOurEntries, ourEntries, removesOurEntries, turnsHooksOff } from "../setup/entries.ts";
import { CHOSEN } from "../limits.ts";
import { decode } from "../secrets/decode.ts";
import type { Evidence, Finding, RuleClass } from "../verdict.ts";
import type { Words } from "./finding.ts";
import { matches } from "./hidden.ts";
import { shown } from "./finding.ts";
import type { Case } from "./judgement.ts";

/** Data directories of every system (L-140), whatever this build's own is. */
const DATA_FOLDERS = ["/var/lib/poisonzero", "/Library/Application Support/PoisonZero", "C:/ProgramData/PoisonZero"];
const SERVICE_FOLDER = /^\/(?:etc|usr\/lib|lib)\/systemd\/system\/|^\/Library\/Launch(?:Daemons|Agents)\//i;
const SETTINGS_FILE = /(?:^|\/)\.claude\/settings(?:\.local)?\.json$|^\/etc\/claude-code\/|^\/Library\/Application Support\/ClaudeCode\//;

/** Findings of B5. Checked before everything else (U-004). */
export function selfProtection(at: Case): readonly Finding[] {
  const findings: Finding[] = [];
  // An edit tool names the change itself, so the file after it is known; its effects would only say that it changes.
  const exact = at.call.action.kind === "edit" && settingsOf(at, at.call.action.path) !== undefined;
  for (const effect of at.effects) {
    if (effect.kind === "run") findings.push(...ofProgram(at, effect.name, effect.args));
    if ((effect.kind === "change" || effect.kind === "write" || effect.kind === "copy") && !exact) findings.push(...ofFile(at, effect));
  }
  findings.push(...ofEdit(at), ...together(at));
  return findings;
}

/** Subcommands that weaken or approve; the agent may run everything else (`status`, `audit`, `scan`, `check`, `--help`). */
const WEAKENING: Readonly<Record<string, ReadonlySet<string> | true>> = {
  leak0: new Set(["off", "observe", "clear", "allow", "exclude", "file"]),
  exec0: new Set(["off", "observe", "clear", "allow"]),
  notify: new Set(["off", "clear"]),
  quarantine: new Set(["restore", "false-alarm"]),
  uninstall: true,
};
const READING = new Set(["list", "--help", "-h"]);
/** Programs that print or look for their words and start nothing. */
const PRINTING = new Set(["echo", "printf", "grep", "egrep", "rg", "ag", "man", "whatis", "apropos", "git", "logger", "true", ":"]);

function ofProgram(at: Case, name: string, args: readonly Argument[]): readonly Finding[] {
  const words = args.map((argument) => argument.text);
  const ours = /^poisonzero(?:\.exe)?$/i.test(name);
  const [product = "", action = "", detail = ""] = words.filter((word) => word !== "--" && (!ours || !word.startsWith("-")));
  const weakening = WEAKENING[product];
  if (ours && args.slice(0, 2).some((argument) => !argument.exact)) {
    return [
      question("leak0:switch_off", at, {
        what: "run poisonzero with arguments that cannot be told before",
        next: "Write the subcommand out.",
      }),
    ];
  }
  const loosens = weakening === true ? ours : weakening?.has(action) === true && !READING.has(detail);
  const asksForHelp = words.includes("--help") || words.includes("-h");
  // Under another name (a link, a variable) the words give it away: nothing else is called with `leak0 off`.
  if (loosens && !asksForHelp && (ours || (product === "leak0" && words[0] === product && !PRINTING.has(name)))) {
    const allow = action === "allow";
    return [
      stop("leak0:switch_off", at, {
        what: allow
          ? "approve a secret file itself (poisonzero leak0 allow)"
          : `switch the protection off or loosen it (poisonzero ${product}${weakening === true ? "" : ` ${action}`})`,
        next: allow ? "Ask the person to run the command in their own terminal." : ONLY_THE_PERSON,
      }),
    ];
  }
  if (stopsService(name, words)) return [stop("leak0:switch_off", at, { what: "stop or remove PoisonZero", next: ONLY_THE_PERSON })];
  if (/^(?:mount|umount|losetup)$/.test(name) && words.some((word) => word.startsWith("/") && isOwn(at, word, true))) {
    return [stop("leak0:own_files", at, { what: "cover PoisonZero's own files with a mount", next: ONLY_THE_PERSON })];
  }
  return [];
}

const ONLY_THE_PERSON = "Tell the person why you wanted this; only they can do it.";

function stopsService(name: string, words: readonly string[]): boolean {
  if (!words.some((word) => /poisonzero/i.test(word))) return false;
  const any = (pattern: RegExp): boolean => words.some((word) => pattern.test(word));
  return (
    (name === "systemctl" && any(/^(?:stop|disable|mask|kill|revert|edit)$/)) ||
    (name === "service" && words.includes("stop")) ||
    (name === "launchctl" && any(/^(?:unload|bootout|disable|remove|kill|stop)$/)) ||
    (/^sc(?:\.exe)?$/i.test(name) && any(/^(?:stop|delete|config)$/i)) ||
    (/^(?:apt|apt-get|dnf|yum|zypper|brew|snap|winget|choco|scoop|pacman|apk)$/.test(name) &&
      any(/^(?:remove|purge|uninstall|autoremove|erase|del|-R[a-z]*)$/)) ||
    (name === "dpkg" && any(/^(?:-r|-P|--remove|--purge)$/)) ||
    /^(?:pkill|killall|taskkill|stop-service|remove-service|stop-process)(?:\.exe)?$/i.test(name)
  );
}

/** Ways to start Claude Code, or to have it start later, with no hook running. */
const WITHOUT_HOOKS = /disableAllHooks|\s--(?:bare|safe-mode)\b|\bCLAUDE_CODE_(?:SIMPLE|SAFE_MODE)=/;

/** What several effects of one call do together: a process found by our name and killed, a hidden path inside our folder. */
function together(at: Case): readonly Finding[] {
  const runs = at.effects.flatMap((effect) => (effect.kind === "run" ? [effect] : []));
  const finds = runs.some(
    (run) => /^(?:pgrep|pidof|ps|lsof|fuser|ss)$/.test(run.name) && run.args.some((argument) => /poisonzero/i.test(argument.text)),
  );
  if (finds && runs.some((run) => /^(?:kill|xargs)$/.test(run.name))) {
    return [question("leak0:switch_off", at, { what: "end a process of PoisonZero", next: ONLY_THE_PERSON })];
  }
  const inside = runs.some(
    (run) =>
      /^(?:cd|pushd)$/.test(run.name) &&
      run.args.some(({ text }) => text.startsWith("/") && (isOwn(at, text, false) || text.endsWith("/.claude"))),
  );
  if (at.call.action.kind === "shell" && runs.some((run) => run.name === "claude") && WITHOUT_HOOKS.test(at.call.action.command)) {
    return [
      question("leak0:switch_off", at, {
        what: "start Claude Code without its hooks",
        next: "Start it with its hooks, or let the person do it.",
      }),
    ];
  }
  for (const effect of at.effects) {
    if (
      effect.kind === "copy" &&
      effect.file.path !== undefined &&
      at.system.info(effect.file.path)?.kind === "folder" &&
      isOwn(at, effect.file.path, false)
    ) {
      return [
        question("leak0:own_files", at, {
          what: "copy or link PoisonZero's own folder",
          next: "Leave it alone; the person manages it with the poisonzero command.",
        }),
      ];
    }
    if (effect.kind === "copy" && effect.file.path !== undefined && /\/poisonzero(?:\.exe)?$/.test(effect.file.path)) {
      return [
        question("leak0:switch_off", at, { what: "copy or link the poisonzero program to another name", next: "Call it by its own name." }),
      ];
    }
    if ((effect.kind !== "change" && effect.kind !== "write") || effect.file.path !== undefined) continue;
    for (const path of matches(at, effect.file.written)) {
      const found = ofFile(at, { ...effect, file: { written: path, path } });
      if (found.length > 0) return found;
    }
    if (inside || /poison/i.test(effect.file.written)) {
      return [
        question("leak0:own_files", at, {
          what: "change files that may be PoisonZero's own (a path only the shell knows)",
          next: "Name the files.",
        }),
      ];
    }
  }
  return [];
}

type FileEffect = Extract<Effect, { kind: "change" | "write" | "copy" }>;

function ofFile(at: Case, effect: FileEffect): readonly Finding[] {
  const target = effect.kind === "copy" ? effect.to.path : effect.file.path;
  if (target === undefined) return [];
  const takesAway = effect.kind === "change" && (effect.how === "remove" || effect.how === "move");
  const words = {
    what: `change PoisonZero's own files (${shown(at, target)})`,
    next: "Leave them alone; the person manages them with the poisonzero command.",
  };
  if (isOwn(at, target, takesAway)) return [stop("leak0:own_files", at, words)];
  if (takesAway) {
    const targets = [target, ...resolved(at, target)];
    const lost = settingsFiles(at).find((file) => targets.some((name) => within(file, name)) && holds(at, file));
    return lost === undefined ? [] : [stop("leak0:hook_settings", at, settingsWords(at, lost))];
  }
  if (!isSettings(at, target)) return [];
  const named = ofSwitch(at, target);
  if (named.length > 0) return named;
  const before = contentOf(at, target) ?? "";
  if (effect.kind === "change") {
    if (effect.how === "truncate") return holdsOurEntries(before) ? [stop("leak0:hook_settings", at, settingsWords(at, target))] : [];
    return effect.how === "edit" && holdsOurEntries(before)
      ? [
          question("leak0:hook_settings", at, {
            ...settingsWords(at, target),
            what: `edit ${shown(at, target)}, which holds PoisonZero's hook entries, with a result that cannot be told before`,
          }),
        ]
      : [];
  }
  const after =
    effect.kind === "copy"
      ? effect.file.path === undefined
        ? undefined
        : contentOf(at, effect.file.path)
      : effect.append
        ? undefined
        : textOf(effect);
  if (after === undefined)
    return holdsOurEntries(before)
      ? [
          question("leak0:hook_settings", at, {
            ...settingsWords(at, target),
            what: `write ${shown(at, target)}, which holds PoisonZero's hook entries, with content that cannot be told before`,
          }),
        ]
      : [];
  return weakens(before, after) ? [stop("leak0:hook_settings", at, settingsWords(at, target))] : [];
}

/** A settings file written by a command that names the switch for all hooks: what it leaves there is for the person to see. */
function ofSwitch(at: Case, target: string): readonly Finding[] {
  const { action } = at.call;
  if (action.kind !== "shell" || !action.command.includes("disableAllHooks")) return [];
  return [
    question("leak0:hook_settings", at, {
      ...settingsWords(at, target),
      what: `write ${shown(at, target)} with a command that names the switch for all hooks`,
    }),
  ];
}

/** The edit tools give the change itself, so the file after it is known exactly. */
function ofEdit(at: Case): readonly Finding[] {
  const { action } = at.call;
  if (action.kind !== "edit") return [];
  const path = settingsOf(at, action.path);
  if (path === undefined) return [];
  const before = contentOf(at, path) ?? "";
  let after = before;
  for (const edit of action.edits) {
    if (edit.old === "") after = after === "" ? edit.new : after;
    else after = edit.all ? after.replaceAll(edit.old, () => edit.new) : after.replace(edit.old, () => edit.new);
  }
  return weakens(before, after) ? [stop("leak0:hook_settings", at, settingsWords(at, path))] : [];
}

/** The settings file a tool's path names, if it names one. */
function settingsOf(at: Case, written: string): string | undefined {
  const { path } = resolvePath(written, at.call.cwd, {
    home: at.system.home,
    environment: at.system.environment,
    platform: at.system.platform,
  });
  return path !== undefined && isSettings(at, path) ? path : undefined;
}

/** Entries lost or changed, or every hook switched off (a project's settings hold no entries of ours and can still do that). */
function weakens(before: string, after: string): boolean {
  return removesOurEntries(before, after) || turnsHooksOff(before, after);
}

/** Full content a `write` effect leaves, when every source is text of the call. */
function textOf(effect: Extract<Effect, { kind: "write" }>): string | undefined {
  let text = "";
  for (const source of effect.sources) {
    if (source.from !== "text") return undefined;
    text += source.text;
  }
  return text;
}

function isOwn(at: Case, path: string, takesAway: boolean): boolean {
  const { home, dataFolder } = at.system;
  const roots = [
    ...DATA_FOLDERS,
    dataFolder,
    ...(home === "" ? [] : [`${home}/.poisonzero`]),
    ...programFiles(),
    ...hookPrograms(at, path),
  ];
  return [path, ...resolved(at, path)].some((name) => {
    const spelled = comparable(name);
    return (
      roots.some((root) => within(spelled, comparable(root)) || (takesAway && within(comparable(root), spelled))) ||
      (SERVICE_FOLDER.test(name) && /poisonzero/i.test(name))
    );
  });
}

/** Where the path leads once links are followed; of a file that does not exist yet, its folder's links. */
function resolved(at: Case, path: string): readonly string[] {
  const real = at.system.realPath(path);
  if (real !== undefined) return real === path ? [] : [real];
  const slash = path.lastIndexOf("/");
  const folder = slash > 0 ? at.system.realPath(path.slice(0, slash)) : undefined;
  return folder === undefined ? [] : [`${folder}${path.slice(slash)}`];
}

/** The programs our hook entries start (a link in /usr/local/bin): replacing one switches the hook off. */
function hookPrograms(at: Case, path: string): readonly string[] {
  if (!/(?:^|[\\/])poisonzero(?:\.exe)?$/i.test(path)) return [];
  return settingsFiles(at).flatMap((file) => {
    const content = contentOf(at, file);
    return content === undefined
      ? []
      : ourEntries(content).flatMap(({ handler }) => (typeof handler.command === "string" ? [handler.command] : []));
  });
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

function within(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

function settingsFiles(at: Case): readonly string[] {
  const { home, environment } = at.system;
  const folders = [
    environment.CLAUDE_CONFIG_DIR,
    home === "" ? undefined : `${home}/.claude`,
    at.call.cwd === "" ? undefined : `${at.call.cwd}/.claude`,
  ];
  const user = folders.flatMap((folder) => (folder === undefined ? [] : [`${folder}/settings.json`, `${folder}/settings.local.json`]));
  return [...user, "/etc/claude-code/managed-settings.json"];
}

function isSettings(at: Case, path: string): boolean {
  if (SETTINGS_FILE.test(path) || settingsFiles(at).includes(path)) return true;
  const real = at.system.realPath(path);
  return real !== undefined && real !== path && (SETTINGS_FILE.test(real) || settingsFiles(at).includes(real));
}

function holds(at: Case, path: string): boolean {
  const content = contentOf(at, path);
  return content !== undefined && holdsOurEntries(content);
}

function contentOf(at: Case, path: string): string | undefined {
  const read = at.system.read(path, CHOSEN.agent_settings_bytes);
  // Nobody's settings are that long: what does not fit counts as unread, and the call is asked about (doubt.ts).
  if (read?.cut) at.files.unread ??= "it changes a settings file that is too long to compare";
  return read === undefined ? undefined : decode(read.bytes).text;
}

function settingsWords(at: Case, path: string): Words {
  return {
    what: `remove or change PoisonZero's hook entries in ${shown(at, path)}`,
    next: "Make your change and leave the poisonzero entries as they are.",
  };
}

/** B5 is proven by what the call names; there is no value, so the evidence carries the rule's own mark. */
function evidence(at: Case, rule: RuleClass): Evidence {
  return { family: "self-protection", title: "PoisonZero's own protection", kind: "resolved path", hash: at.session.shortHash(rule) };
}

function stop(rule: RuleClass, at: Case, words: Words): Finding {
  return { decision: "block", rule, proof: { name: "B5", evidence: evidence(at, rule) }, ...words };
}

function question(rule: RuleClass, at: Case, words: Words): Finding {
  return { decision: "ask", rule, evidence: evidence(at, rule), ...words };
}
