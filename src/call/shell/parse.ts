/**
 * The one door to the shell parser. Guards what is measured about it: size and depth are bounded before it
 * runs, long data is cut out, errors are handed on, and nothing else in the tree imports it.
 *
 * Trust: the command is hostile. Word parts and nested scripts are lazy getters: walk them with `forEachChild`
 * or by name, never by copying nodes.
 */
import type { ParsedScript, SyntaxNode } from "unbash";
import { CHOSEN } from "../../limits.ts";
import type { Budget } from "./budget.ts";
import { cutScript, restore } from "./cut.ts";
import { simpleScript } from "./simple.ts";

export type {
  ArithmeticExpression,
  ArrayValue,
  Assignment,
  Command,
  CompoundList,
  HereDoc,
  ParameterExpansionPart,
  ParsedScript,
  Redirection,
  Statement,
  SyntaxNode,
  TestExpression,
  Word,
  WordPart,
} from "unbash";

/** The parser, loaded at first use: plain commands never need it. */
function parser(): typeof import("unbash") {
  return require("unbash");
}

/** A parsed text: one script, or several pieces of a text too long for one. */
export interface Parsed {
  readonly scripts: readonly ParsedScript[];
  /** Puts cut-out data back into a text of these scripts. */
  readonly restore: (text: string) => string;
  /** Why this reading may be incomplete, for people; undefined when it is whole. */
  readonly doubt: string | undefined;
  /** Text that was not parsed at all, "" when everything was. */
  readonly unread: string;
}

const same = (text: string): string => text;

/** Parses shell text within the call's budget. Never throws. */
export function parseShell(source: string, budget: Budget): Parsed {
  const simple = simpleScript(source);
  if (simple !== undefined && budget.parse(source.length)) return { scripts: [simple], restore: same, doubt: undefined, unread: "" };
  if (source.length <= CHOSEN.command_chars) return parsePieces([source], same, budget, undefined);
  const cut = cutScript(source);
  return parsePieces(
    cut.pieces,
    (text) => restore(text, cut.data),
    budget,
    cut.complete ? undefined : "the command is too long to read as a whole",
  );
}

function parsePieces(pieces: readonly string[], back: (text: string) => string, budget: Budget, doubt: string | undefined): Parsed {
  const scripts: ParsedScript[] = [];
  let unread = "";
  let why = doubt;
  for (let piece of pieces) {
    if (piece.length > CHOSEN.command_chars) {
      // The beginning still tells what is started.
      unread += back(piece);
      why = "the command is too long to read as a whole";
      piece = piece.slice(0, CHOSEN.command_chars);
    }
    if (!budget.parse(piece.length)) {
      unread += back(piece);
      why = "the command is too long to read";
      continue;
    }
    try {
      scripts.push(parser().parse(piece));
    } catch {
      unread += back(piece);
      why = "the command cannot be parsed";
    }
  }
  return { scripts, restore: back, doubt: why, unread };
}

/** Calls `visit` for every script nested directly in a node (substitutions of any kind), outermost only. */
export function nestedScripts(node: SyntaxNode, visit: (script: ParsedScript) => void): void {
  parser().forEachChild(node, (child) => {
    if (child.type === "Script") visit(child);
    else nestedScripts(child, visit);
  });
}
