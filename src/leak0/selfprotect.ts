/**
 * Proof B5: switching leak0 off, or touching PoisonZero's hook entries and files, through the agent (L-023, L-024, U-012).
 *
 * Trust: the agent runs with the user's rights, so this stops the plain ways and says so; it is no boundary against a
 * program that writes these files by itself. The data directory is root's for that reason.
 */
import { resolvePath } from "../call/path.ts";
import type { Argument, Effect } from "../call/effect.ts";
import { holdsOurEntries, removesOurEntries, turnsHooksOff } from "../setup/entries.ts";
import { CHOSEN } from "../limits.ts";
import { decode } from "../secrets/decode.ts";
import type { Evidence, Finding, RuleClass } from "../verdict.ts";
import type { Words } from "./finding.ts";
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
  findings.push(...ofEdit(at));
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

function ofProgram(at: Case, name: string, args: readonly Argument[]): readonly Finding[] {
  const words = args.map((argument) => argument.text);
  if (/^poisonzero(?:\.exe)?$/i.test(name)) {
    const [product = "", action = "", detail = ""] = words.filter((word) => word !== "--");
    if (args.some((argument) => !argument.exact && argument === args[0]))
      return [
        question("leak0:switch_off", at, {
          what: "run poisonzero with arguments that cannot be told before",
          next: "Write the subcommand out.",
        }),
      ];
    const weakening = WEAKENING[product];
    const asksForHelp = words.includes("--help") || words.includes("-h");
    if (weakening === undefined || asksForHelp || (weakening !== true && (!weakening.has(action) || READING.has(detail)))) return [];
    const allow = action === "allow";
    return [
      stop("leak0:switch_off", at, {
        what: allow
          ? "approve a secret file itself (poisonzero leak0 allow)"
          : `switch the protection off or loosen it (poisonzero ${product}${weakening === true ? "" : ` ${action}`})`,
        next: allow
          ? "Ask the person to run the command in their own terminal."
          : "Tell the person why you wanted this; only they can do it.",
      }),
    ];
  }
  const aimed = words.some((word) => /poisonzero/i.test(word));
  if (!aimed) return [];
  const stopping =
    (name === "systemctl" && words.some((word) => /^(?:stop|disable|mask|kill|revert|edit)$/.test(word))) ||
    (name === "service" && words.includes("stop")) ||
    (name === "launchctl" && words.some((word) => /^(?:unload|bootout|disable|remove|kill|stop)$/.test(word))) ||
    (/^sc(?:\.exe)?$/i.test(name) && words.some((word) => /^(?:stop|delete|config)$/i.test(word))) ||
    /^(?:pkill|killall|taskkill|stop-service|remove-service|stop-process)(?:\.exe)?$/i.test(name);
  return stopping
    ? [
        stop("leak0:switch_off", at, {
          what: "stop PoisonZero's service",
          next: "Tell the person why you wanted this; only they can do it.",
        }),
      ]
    : [];
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
    const lost = settingsFiles(at).find((file) => (file === target || file.startsWith(`${target}/`)) && holds(at, file));
    return lost === undefined ? [] : [stop("leak0:hook_settings", at, settingsWords(at, lost))];
  }
  if (!isSettings(at, target)) return [];
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
  const roots = [...DATA_FOLDERS, dataFolder, ...(home === "" ? [] : [`${home}/.poisonzero`]), ...programFiles()];
  const spelled = comparable(path);
  return (
    roots.some((root) => within(spelled, comparable(root)) || (takesAway && within(comparable(root), spelled))) ||
    (SERVICE_FOLDER.test(path) && /poisonzero/i.test(path))
  );
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
  const read = at.system.read(path, CHOSEN.credential_file_bytes);
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
