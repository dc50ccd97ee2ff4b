/**
 * Call and Effect: the heart. An adapter decodes an agent's event into a `Call`; this room turns a call
 * into effects; products judge effects and never see a command string.
 */

/** The moments an agent tells us of. */
export type Stage = "before" | "after" | "failed" | "batch" | "prompt" | "session start" | "session end";

/** The coding agents whose hooks are spoken. */
export type Agent = "claude" | "codex" | "cursor" | "gemini" | "antigravity";

/** What an agent is about to do or just did, in the terms of no particular agent. */
export type Action =
  | { readonly kind: "shell"; readonly dialect: "bash" | "powershell"; readonly command: string }
  /** `more`: further files or patterns the same call reads. */
  | { readonly kind: "read"; readonly path: string; readonly more?: readonly string[] }
  /** `only`: a literal text, where nothing but the lines that hold it is shown. */
  | { readonly kind: "search"; readonly path: string; readonly showsContent: boolean; readonly only?: Literal }
  | { readonly kind: "write"; readonly path: string; readonly content: string }
  /** `loose`: the tool finds its places leniently, so a text that does not stand in the file as it is may still be replaced. */
  | { readonly kind: "edit"; readonly path: string; readonly edits: readonly Edit[]; readonly loose?: true }
  | { readonly kind: "patch"; readonly files: readonly PatchedFile[] }
  | { readonly kind: "remove"; readonly path: string }
  /** `more`: further addresses the same call opens. */
  | { readonly kind: "fetch"; readonly url: string; readonly text: string; readonly more?: readonly string[] }
  | { readonly kind: "search web"; readonly text: string }
  | { readonly kind: "mcp"; readonly server: string; readonly tool: string; readonly input: unknown }
  /** A sub-agent's task, or a tool this product does not know: its strings stay inside the agent. */
  | { readonly kind: "other"; readonly input: unknown };

/** A text that is looked for as it stands. */
export interface Literal {
  readonly text: string;
  readonly ignoreCase: boolean;
}

/** Edits are made in order; an `old` of "" inserts or creates. */
export interface Edit {
  readonly old: string;
  readonly new: string;
  readonly all: boolean;
}

/** One file of a patch. `text` is what it adds; `edits` are its hunks, context included; `to` where the file is moved. */
export interface PatchedFile {
  readonly how: "add" | "update" | "remove";
  readonly path: string;
  readonly text: string;
  readonly edits: readonly Edit[];
  readonly to?: string;
}

/** One event of one agent. */
export interface Call {
  readonly agent: Agent;
  readonly stage: Stage;
  /** The agent's session id, any string; hashed before it names a file. */
  readonly session: string;
  /** Absolute folder the action runs in; "" when the event named none or a relative one. */
  readonly cwd: string;
  /** The agent's own name for the tool, for messages and audit. */
  readonly tool: string;
  readonly action: Action;
  /** The tool's result as the agent delivered it (stages after, failed, batch); any JSON. */
  readonly response?: unknown;
  /** The tool's result reaches the model and is not delivered to the hook (stage after). */
  readonly unseen?: true;
  /** The person's text (stage prompt). */
  readonly prompt?: string;
  /** Absolute paths of files that go with the prompt, beside those its text names. */
  readonly attached?: readonly string[];
}

/**
 * A path as a call names it.
 * `path` is absolute and free of `.`/`..`/`~` (symbolic links are not followed here), or undefined when the
 * shell would compute it at run time (glob, variable, substitution): a hidden path proves nothing (L-109).
 */
export interface PathRef {
  readonly written: string;
  readonly path: string | undefined;
}

/** A pattern that is compared with each line: a regular expression that costs at most the square of a line's length. */
export interface LinePattern {
  readonly source: string;
  readonly ignoreCase: boolean;
}

/** First and last of a run, counted from 1; 0 as the last: to the end. */
export type Span = readonly [number, number];

/** The part of a file that a command lets through, where its options tell that exactly. */
export type Excerpt =
  /** Lines that hold a literal text, or begin with it (`start`). */
  | { readonly kind: "lines with"; readonly text: string; readonly start: boolean; readonly ignoreCase: boolean }
  | { readonly kind: "lines matching"; readonly pattern: LinePattern; readonly inverted: boolean }
  | { readonly kind: "first lines" | "last lines" | "first bytes"; readonly count: number }
  | { readonly kind: "lines"; readonly span: Span }
  /** Only what the pattern finds in each line. */
  | { readonly kind: "matches"; readonly pattern: LinePattern }
  /** What the pattern finds in each line, once or every time, gives way to texts and to its own groups, by number (0: all of it). */
  | { readonly kind: "replaced"; readonly pattern: LinePattern; readonly by: readonly (string | number)[]; readonly all: boolean }
  /** Fields of each line; `separator` "" stands for white space. `whole`: a line without a separator comes through as it is. */
  | { readonly kind: "fields"; readonly separator: string; readonly spans: readonly Span[]; readonly whole: boolean }
  /** Characters of each line. */
  | { readonly kind: "columns"; readonly spans: readonly Span[] }
  /** One member of a JSON document: names and indexes from the top, at least one. */
  | { readonly kind: "member"; readonly path: readonly string[] }
  /** One entry of an archive. */
  | { readonly kind: "entry"; readonly name: string }
  /** What a program of jq or yq chooses of a document. */
  | { readonly kind: "query"; readonly program: string; readonly language: "JSON" | "YAML" }
  /** One after the other, each of what the one before it let through. */
  | { readonly kind: "then"; readonly steps: readonly Excerpt[] };

/** One option that leaves files out of a folder that travels, or takes them back in. */
export interface SelectionRule {
  readonly takes: boolean;
  /** A pattern, or the file whose lines are patterns. */
  readonly pattern: string | PathRef;
  /**
   * What it is compared with: `path` from the folder that travels, `anywhere` also any part of it that begins at a component,
   * `crossing` the whole path with wildcards that stand for `/` too, `crossing anywhere` both.
   */
  readonly how: "path" | "anywhere" | "crossing" | "crossing anywhere";
}

/** Which files below a folder travel. */
export interface Selection {
  readonly rules: readonly SelectionRule[];
  /** The first rule that fits decides, otherwise the last. */
  readonly first: boolean;
  /** A folder that is left out takes with it all that lies in it. */
  readonly prunes: boolean;
  /** What stands before the path below the folder when rules are compared: `dist/` when `dist` itself is named. */
  readonly prefix: string;
}

/** Where bytes come from. `plain` is false once a command transformed them beyond recognition (base64, xxd, sed …, L-110). */
export type Source =
  | {
      readonly from: "file";
      readonly file: PathRef;
      readonly plain: boolean;
      readonly excerpt?: Excerpt;
      /**
       * The bytes are the file's as it lies there, or exactly what the excerpt says of it, all of them and in their order: nothing
       * but `cat`, `<` or such a command stands between.
       */
      readonly whole?: true;
      readonly selection?: Selection;
      /** A program that is not known was given the file: whether any of it comes out is not known, a question at most. */
      readonly maybe?: true;
      /** Only where this file is not there before the call: the program may have made it of the other one. */
      readonly made?: PathRef;
      /** Not the file itself, but the files whose names stand in it, one a line, as seen from this folder. */
      readonly lists?: PathRef;
    }
  /** Text that stands in the call itself: arguments, here-documents, a tool's input. */
  | { readonly from: "text"; readonly text: string; readonly plain: boolean }
  /** The environment, whole (`env`) or one variable (`$NAME`). */
  | { readonly from: "environment"; readonly name: string | undefined; readonly plain: boolean }
  /** What another machine or a container holds: a file by its path there, a variable, or the whole environment without either. */
  | { readonly from: "elsewhere"; readonly file?: string; readonly variable?: string; readonly plain: boolean }
  /** A command that prints a stored credential (`gh auth token`, `security find-generic-password -w`; credential-files.md §15). */
  | { readonly from: "credential command"; readonly command: string; readonly plain: boolean }
  /** Git's own content printed or piped: `git show HEAD:.env`, `git diff`. `path` is repository-relative when one is named. */
  | { readonly from: "git content"; readonly path: string | undefined; readonly plain: boolean }
  /** What a program encrypted (`gpg -e`, `age`, `sops`): nothing of it can be told but by who has the key. */
  | { readonly from: "ciphertext"; readonly of: readonly Source[] }
  /** `names`: what it is, is a list of files, and these are what can be said of it (`find`, `ls`). */
  | { readonly from: "unknown"; readonly names?: readonly Listed[] };

/** A file that a list names: one for certain, if it is there (`sure`), or one that may be meant; a pattern where it is not exact. */
export interface Listed extends Argument {
  readonly sure: boolean;
}

/** The far end of a transfer. */
export interface Destination {
  readonly kind: "web" | "socket" | "remote shell" | "dns" | "mail" | "storage" | "mcp" | "search engine" | "tunnel" | "unknown";
  /** Lower-case host without user, port and trailing dot; undefined when it cannot be worked out. */
  readonly host: string | undefined;
  /** The URL as written with user info removed, when there is one: classes by path need it. */
  readonly url: string | undefined;
  /** MCP: `server/tool`. */
  readonly tool?: string;
  /** The person's own store of secrets: a value is put there to be kept. */
  readonly secrets?: true;
}

/** Part of what is sent, with the place it travels in (D-18). */
export interface Part {
  readonly sources: readonly Source[];
  /** `credential`: Authorization or a token header, userinfo, the tool's own login flag. `data`: everything else. */
  readonly position: "credential" | "data";
  /** The structured input (JSON) whose texts the sources are: names and the order of its values say more than each text alone. */
  readonly input?: unknown;
}

/** A git command as it would run, arguments resolved; `call/git` works out what it would take or send. */
export interface GitInvocation {
  /** Folder after `cd`, `git -C`; undefined when hidden. */
  readonly cwd: string | undefined;
  /** `-c`, `--git-dir`, `--work-tree` … as written, without `-C` (already applied to `cwd`). */
  readonly globals: readonly string[];
  /** GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE set in the command itself. */
  readonly environment: Readonly<Record<string, string>>;
  readonly subcommand: string;
  readonly args: readonly Argument[];
  readonly stdin: readonly Source[];
  /** Commands with the same number are joined by `&&`: a later one runs only when the earlier one succeeded. */
  readonly chain?: number;
}

/** One argument of a command. `text` is exact only when `exact`; `sources` are what substitutions bring in. */
export interface Argument {
  readonly text: string;
  readonly exact: boolean;
  readonly sources: readonly Source[];
  /** The word is a name out of these lists: what it is read as. */
  readonly listed?: readonly Source[];
}

/**
 * A folder that a tool turns into something it sends: a package, an image, a site. `call/packing` works out which of its
 * files that takes; nothing of the disk is known here.
 */
export interface Packing {
  /**
   * `npm`, `pnpm`, `yarn` (1), `berry`, `bun`, `lerna`, `cargo`, `docker`, `vsce`, `python`, `built`, or a deployment tool.
   * `image`: what an image of the name in `members` was built from in an earlier call.
   */
  readonly tool: string;
  readonly folder: PathRef;
  /** Workspaces by name or folder; for `built` the files themselves, as patterns; for `compose` the images that count. */
  readonly members?: readonly string[] | "all";
  /** The folder is the one the command runs in, not one that it names. */
  readonly here?: true;
  /** The Dockerfile, where the command names one, or its text where it comes with the call. */
  readonly file?: PathRef;
  readonly text?: string;
  /** The stage that is built. */
  readonly target?: string;
  /** The command itself says that everybody may see it (`--access public`). */
  readonly open?: true;
  /** Nothing in the call says what the thing was made of; this folder is the likeliest. */
  readonly guessed?: true;
}

/** What a call would do. Effects are facts; whether they matter is for the products. */
export type Effect =
  /** Content reaches the conversation: printed, or returned by a read tool. */
  | { readonly kind: "show"; readonly sources: readonly Source[] }
  | {
      readonly kind: "send";
      readonly via: string;
      readonly parts: readonly Part[];
      readonly destination: Destination;
      readonly packing?: Packing;
    }
  /** `append` adds to the file, otherwise the content is replaced. `merges`: put into it by its own rules, the rest stays. */
  | {
      readonly kind: "write";
      readonly file: PathRef;
      readonly sources: readonly Source[];
      readonly append: boolean;
      readonly merges?: true;
    }
  /**
   * In-place change whose result is not known: `sed -i`, `truncate`, `chmod`, `mv` away, `rm`. Of an edit with `lines` every
   * line that holds none of these texts stays as it is.
   */
  | {
      readonly kind: "change";
      readonly file: PathRef;
      readonly how: "edit" | "remove" | "move" | "permissions" | "truncate";
      readonly lines?: readonly string[];
    }
  /**
   * `to` names the copy itself; with `either` it may also be a folder that takes the copy in under its own name, which
   * only the disk tells. `mirror`: what the target has and the copied folder has not is removed.
   */
  | { readonly kind: "copy"; readonly file: PathRef; readonly to: PathRef; readonly either?: true; readonly mirror?: true }
  /** An archive's members are put below a folder. */
  | {
      readonly kind: "unpack";
      /** Undefined where it comes through a pipe or its names change on the way. */
      readonly archive: PathRef | undefined;
      readonly folder: PathRef;
      /** Leading names each member loses; all but the last for "flat". */
      readonly strip: number | "flat";
      /** Members that are chosen by name; all when empty. */
      readonly members: readonly string[];
    }
  | { readonly kind: "git"; readonly invocation: GitInvocation }
  /** A command that is public by its own meaning (`npm publish`, `gh gist create`): what it names, and what it packs. */
  | {
      readonly kind: "publish";
      readonly via: string;
      readonly parts: readonly Part[];
      readonly destination: Destination;
      readonly packing: Packing | undefined;
    }
  /** A package or image is made and stays here. */
  | { readonly kind: "pack"; readonly via: string; readonly packing: Packing }
  /** A container image has this name from now on; a later call may push it. `$` stands for what only the shell knows. */
  | { readonly kind: "image"; readonly name: string; readonly packing: Packing }
  /** A folder that a server hands to whoever asks; `open`: to other machines, too. */
  | { readonly kind: "serve"; readonly via: string; readonly folder: PathRef; readonly open: boolean }
  /**
   * A program that would start, with its resolved arguments and the variables this call sets for it: for self-protection,
   * scripts it runs, and later products. `cwd`: the folder it runs in, where that is known. `path`: the program itself,
   * where it is named by a path.
   */
  | {
      readonly kind: "run";
      readonly name: string;
      readonly args: readonly Argument[];
      readonly environment?: ReadonlyMap<string, Argument>;
      /** What comes to it through a pipe, where that is of a file or a variable. */
      readonly stdin?: readonly Source[];
      readonly cwd?: string;
      /** It runs below the top folder of the repository, as Git would tell it in `cwd`. */
      readonly top?: { readonly cwd: string; readonly sub: string };
      readonly path?: string;
    }
  /**
   * Something here could not be told; `why` is for people. Handled in one place per product.
   * `partial`: a limit or a parse failure left part of the call unread, so its other effects are not all there are.
   * Otherwise everything was read and only a value is computed at run time.
   */
  | { readonly kind: "uncertain"; readonly why: string; readonly partial: boolean };
