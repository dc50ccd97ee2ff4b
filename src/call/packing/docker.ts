/**
 * What an image keeps: the files of the context that reach its last stage, and the values that stand in its Dockerfile.
 * Build secrets and what only an earlier stage held are not in it.
 * Trust: Dockerfile and `.dockerignore` are repository content. A layer keeps what a later one deletes, so `RUN rm` changes
 * nothing; what a `RUN` writes is not known.
 */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Packing } from "../effect.ts";
import type { Packed } from "./chosen.ts";
import { mayBeSameImage, plainImage } from "../image.ts";
import { baseName } from "../path.ts";
import { Pattern, type Work } from "./pattern.ts";
import { type Fields, fieldsOf, joined, textOf } from "./text.ts";

/** The image that is built from `folder`; none where there is no Dockerfile. */
export function image(packing: Packing, folder: string, system: System, work: Work): readonly Packed[] {
  const written = packing.text ?? dockerfile(packing, folder, system);
  if (written === undefined) return [];
  work.spend(written.length);
  const stages = stagesOf(written);
  const last = packing.target === undefined ? stages.length - 1 : stages.findIndex(({ name }) => name === packing.target?.toLowerCase());
  const stage = stages[last < 0 ? stages.length - 1 : last];
  if (stage === undefined) return [];
  const { copies, cut: copiesCut } = copiedInto(stages, work);
  const copied = copies[stages.indexOf(stage)] ?? [];
  const name = packing.file?.path ?? `${folder}/Dockerfile`;
  const ignore = textOf(`${name}.dockerignore`, system) ?? textOf(`${folder}/.dockerignore`, system) ?? "";
  const { files, cut } = contextFiles(folder, dockerIgnore(ignore, work), work, system);
  const sources = [...new Set(copied.map(({ source }) => source))].map((source) => covering(source, work));
  const taken = files.filter((file) => sources.some((covers) => covers(file)));
  return [
    {
      folder,
      files: taken.map((relative) => ({ relative, surely: packing.guessed !== true })),
      cut: cut || copiesCut || work.spent,
      image: true,
      text: keptText(stages, stages.indexOf(stage)),
    },
  ];
}

/** Names of compose files, in the order in which they are looked for. */
const COMPOSE = ["compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"];

/** The images of the services that a compose file builds. */
export function composed(packing: Packing, folder: string, system: System, work: Work): readonly Packed[] {
  const text =
    packing.file?.path === undefined
      ? COMPOSE.map((name) => textOf(`${folder}/${name}`, system)).find((one) => one !== undefined)
      : textOf(packing.file.path, system);
  if (text === undefined) return [];
  let project: Fields = {};
  try {
    project = fieldsOf(Bun.YAML.parse(text));
  } catch {
    return []; // Compose refuses it as well.
  }
  const given = project["name"];
  const prefix = typeof given === "string" ? given : baseName(folder).toLowerCase();
  return Object.entries(fieldsOf(project["services"])).flatMap(([service, fields]) => {
    work.entry();
    const { build, image: named } = fieldsOf(fields);
    if (build === undefined || build === null || work.spent) return [];
    // Without a name of its own an image is called after the project and the service.
    const names = typeof named === "string" ? [plainImage(named)] : ["-", "_"].map((between) => `${prefix}${between}${service}:latest`);
    const counts = ({ members }: Packing): boolean =>
      !Array.isArray(members) || members.some((one: string) => names.some((name) => mayBeSameImage(name, one)));
    if (!counts(packing)) return [];
    const {
      context,
      dockerfile: file,
      dockerfile_inline: inline,
      target,
    } = typeof build === "string" ? ({ context: build } as Fields) : fieldsOf(build);
    const place = joined(folder, typeof context === "string" ? context : ".");
    const one: Packing = {
      tool: "docker",
      folder: { written: place, path: place },
      guessed: true,
      ...(typeof file === "string" ? { file: { written: file, path: joined(place, file) } } : {}),
      ...(typeof inline === "string" ? { text: inline } : {}),
      ...(typeof target === "string" ? { target } : {}),
    };
    return image(one, place, system, work);
  });
}

function dockerfile(packing: Packing, folder: string, system: System): string | undefined {
  if (packing.file !== undefined) return packing.file.path === undefined ? undefined : textOf(packing.file.path, system);
  return textOf(`${folder}/Dockerfile`, system) ?? textOf(`${folder}/Containerfile`, system);
}

/** A `.dockerignore`: the last line that fits a path or a folder above it decides. */
export function dockerIgnore(text: string, work: Work): (path: string) => boolean {
  work.spend(text.length);
  const rules: Pattern[] = [];
  for (const line of text.split("\n", CHOSEN.ignore_lines)) {
    if (line.startsWith("#")) continue;
    const trimmed = line.trim();
    const negated = trimmed.startsWith("!");
    const clean = joined("", negated ? trimmed.slice(1).trim() : trimmed).replace(/^\//, "");
    if (trimmed === "" || trimmed === "!") continue;
    // `.` and `/` stand for the context itself, which nothing leaves out.
    if (clean !== "") rules.push(new Pattern(`${negated ? "!" : ""}${clean}`, { whole: true, plain: true, work }));
  }
  return (path) => {
    const parts = path.split("/");
    let hidden = false;
    for (const rule of rules) {
      if (rule.negated !== hidden) continue;
      for (let depth = parts.length; depth > 0; depth--) {
        if (!rule.matches(parts.slice(0, depth))) continue;
        hidden = !rule.negated;
        break;
      }
    }
    return hidden;
  };
}

/** Other people's files by the thousand, and what a repository keeps for itself. */
const SKIPPED = new Set(["node_modules", ".git", "__pycache__", ".venv"]);

/** The files of the context. Folders of dependencies are not looked into. */
function contextFiles(
  folder: string,
  ignored: (path: string) => boolean,
  work: Work,
  system: System,
): { readonly files: readonly string[]; readonly cut: boolean } {
  const found: string[] = [];
  let entries = 0;
  let cut = false;
  const into = (relative: string): void => {
    for (const name of system.list(relative === "" ? folder : `${folder}/${relative}`)) {
      work.entry();
      if (++entries > CHOSEN.packed_entries || work.spent) {
        cut = true;
        return;
      }
      const path = relative === "" ? name : `${relative}/${name}`;
      const kind = system.info(`${folder}/${path}`)?.kind;
      // What lies in an ignored folder may be taken back, so it is looked at as well.
      if (kind === "folder") {
        if (!SKIPPED.has(name)) into(path);
      } else if (kind === "file" && !ignored(path)) found.push(path);
    }
  };
  into("");
  return { files: found, cut };
}

interface Copy {
  /** A path or pattern of the context, or of the stage it comes from. */
  readonly source: string;
  /** Where it lies in the image, absolute. */
  readonly target: string;
  /** The stage it comes from, undefined for the context. */
  readonly from: string | undefined;
}

interface Stage {
  readonly name: string | undefined;
  readonly base: string;
  readonly copies: Copy[];
  /** Lines whose values stay in the image's description. */
  readonly kept: string[];
  folder: string;
}

/** Stages a Dockerfile may have. */
const STAGES_MAX = 200;
/** What comparing two copies costs, as characters of a pattern. */
const COPY_WORK = 20;

function stagesOf(text: string): readonly Stage[] {
  const stages: Stage[] = [];
  const lines = text.split(/\r?\n/);
  const escape = /^#\s{0,8}escape\s{0,8}=\s{0,8}`/im.test(text.slice(0, 500)) ? "`" : "\\";
  for (let at = 0; at < lines.length; at++) {
    let line = (lines[at] ?? "").trim();
    if (line === "" || line.startsWith("#")) continue;
    while (line.endsWith(escape) && at + 1 < lines.length) {
      const next = (lines[++at] ?? "").trim();
      if (!next.startsWith("#")) line = `${line.slice(0, -1)} ${next}`;
    }
    const space = line.search(/\s/);
    const word = (space < 0 ? line : line.slice(0, space)).toUpperCase();
    const rest = space < 0 ? "" : line.slice(space).trim();
    if (word === "FROM") {
      if (stages.length >= STAGES_MAX) break;
      const words = rest.split(/\s+/).filter((one) => !one.startsWith("--"));
      stages.push({
        base: (words[0] ?? "").toLowerCase(),
        name: words[1]?.toLowerCase() === "as" ? words[2]?.toLowerCase() : undefined,
        copies: [],
        kept: [],
        folder: "/",
      });
      continue;
    }
    const stage = stages[stages.length - 1];
    if (stage === undefined) continue;
    const here = /<<-?\s{0,4}["']?([A-Za-z_]\w{0,60})["']?/.exec(rest);
    if (here !== null && /^(?:COPY|ADD|RUN)$/.test(word)) {
      const body: string[] = [];
      while (at + 1 < lines.length && (lines[++at] ?? "").trim() !== here[1]) body.push(lines[at] ?? "");
      stage.kept.push(line, ...body);
      continue;
    }
    if (word === "COPY" || word === "ADD") stage.copies.push(...copiesOf(rest, stage.folder));
    else if (word === "WORKDIR") stage.folder = joined(rest.startsWith("/") ? "" : stage.folder, rest) || "/";
    // The history of the last stage shows every line; of earlier ones only what it inherits.
    if (/^(?:ENV|ARG|LABEL|RUN|CMD|ENTRYPOINT|HEALTHCHECK|ONBUILD)$/.test(word)) stage.kept.push(line);
  }
  return stages;
}

function copiesOf(rest: string, folder: string): readonly Copy[] {
  let words = rest.startsWith("[") ? jsonWords(rest) : undefined;
  let from: string | undefined;
  words ??= rest.split(/\s+/).map((word) => word.replace(/^["'](.{0,4000})["']$/, "$1"));
  while (words[0]?.startsWith("--") === true) {
    if (words[0].startsWith("--from=")) from = words[0].slice(7).toLowerCase();
    words = words.slice(1);
    if (words[0]?.startsWith("[") === true) words = jsonWords(words.join(" ")) ?? words;
  }
  const target = words[words.length - 1];
  if (target === undefined || words.length < 2) return [];
  const to = joined(target.startsWith("/") ? "" : folder, target) || "/";
  return words
    .slice(0, -1)
    .filter((source) => !/^[a-z]{2,8}:\/\//i.test(source))
    .map((source) => ({ source: joined("", source).replace(/^\//, ""), target: to, from }));
}

function jsonWords(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.map(String) : undefined;
  } catch {
    return undefined;
  }
}

/** Everything of the context that each stage holds: its own copies, its base's, and what it takes from the stages before it. */
function copiedInto(stages: readonly Stage[], work: Work): { readonly copies: readonly (readonly Copy[])[]; readonly cut: boolean } {
  const all: (readonly Copy[])[] = [];
  let cut = false;
  for (const [index, stage] of stages.entries()) {
    const earlier = (is: (other: Stage, at: number) => boolean): readonly Copy[] => all[stages.slice(0, index).findIndex(is)] ?? [];
    const found: Copy[] = [...earlier(({ name }) => name !== undefined && name === stage.base)];
    for (const copy of stage.copies) {
      if (copy.from === undefined) {
        found.push(copy);
        continue;
      }
      const path = `/${copy.source}`;
      // What comes from another image is nobody's here.
      for (const inner of earlier(({ name }, at) => name === copy.from || String(at) === copy.from)) {
        work.spend(COPY_WORK);
        const part = within(path, inner);
        if (part !== undefined) found.push({ source: part, target: copy.target, from: undefined });
      }
      if (found.length > CHOSEN.glob_matches || work.spent) break;
    }
    cut ||= found.length > CHOSEN.glob_matches || work.spent;
    all.push(found.slice(0, CHOSEN.glob_matches));
  }
  return { copies: all, cut };
}

/** The part of a copy that a path of its stage stands for. */
function within(path: string, copy: Copy): string | undefined {
  const wanted = path === "/" ? "" : path;
  const target = copy.target === "/" ? "" : copy.target;
  // The whole copy lies below the path.
  if (target === wanted || target.startsWith(`${wanted}/`)) return copy.source;
  if (!wanted.startsWith(`${target}/`)) return undefined;
  const rest = wanted.slice(target.length + 1);
  if (/[*?[]/.test(copy.source)) return copy.source;
  // `COPY src /app` puts what lies in src into /app; a file lies there by its name.
  return copy.source.slice(copy.source.lastIndexOf("/") + 1) === rest ? copy.source : copy.source === "" ? rest : `${copy.source}/${rest}`;
}

/** Which files of the context a path or pattern of a COPY line takes; every file once there is no work left. */
function covering(source: string, work: Work): (file: string) => boolean {
  // A build argument may stand for any name.
  const known = source.split("/").map((part) => (part.includes("$") ? "**" : part));
  const pattern = /[*?[$]/.test(source) ? new Pattern(known.join("/"), { whole: true, plain: true, work }) : undefined;
  return (file) => {
    work.spend(COPY_WORK);
    if (source === "" || source === file || file.startsWith(`${source}/`) || work.spent) return true;
    const parts = file.split("/");
    return pattern !== undefined && parts.some((_, depth) => pattern.matches(parts.slice(0, depth + 1)));
  };
}

/** The lines an image keeps: the stage's own, behind those of the stages it is built on. */
function keptText(stages: readonly Stage[], index: number): string {
  const texts: string[] = [];
  for (let at = index; at >= 0; ) {
    const stage = stages[at];
    if (stage === undefined) break;
    texts.unshift(...stage.kept);
    at = stages.slice(0, at).findIndex(({ name }) => name !== undefined && name === stage.base);
  }
  return texts.join("\n");
}
