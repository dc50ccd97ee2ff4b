/**
 * The exemption list at work (D-04, X-063): what a repository's people have said about its own sample values.
 *
 * Trust: only the list in HEAD counts. It can lower what is about a file of this repository — writing, committing, pushing
 * and showing it — and nothing that sends a value away: it never lowers B3, B4, B5, nor B1 outside a test folder. The list
 * is asked for only once there is something it could lower, since that starts Git.
 */
import type { Effect } from "../call/effect.ts";
import { committedFile } from "../call/git/index.ts";
import { CHOSEN } from "../limits.ts";
import { type Exemptible, type Exemption, EXEMPTION_FILE, isExempt, parseExemptions } from "../policy/exemptions.ts";
import type { System } from "../system.ts";
import type { Finding } from "../verdict.ts";
import { ask, shown } from "./finding.ts";
import type { Case } from "./judgement.ts";
import { swappedLists } from "./swapping.ts";

/** The exemption lists of the repositories a call or a scan touches, each read at most once. */
export class Exemptions {
  readonly #system: System;
  readonly #lists = new Map<string, readonly Exemption[]>();
  /** Lists that count for nothing: their root, and which line is why. */
  readonly broken: { readonly root: string; readonly why: string }[] = [];

  constructor(system: System) {
    this.#system = system;
  }

  /** Whether the repository with this root exempts it; never outside a repository. */
  has(root: string | undefined, what: Exemptible): boolean {
    if (root === undefined) return false;
    let list = this.#lists.get(root);
    if (list === undefined) {
      list = this.#read(root);
      this.#lists.set(root, list);
    }
    return list.length > 0 && isExempt(list, what);
  }

  #read(root: string): readonly Exemption[] {
    const bytes = committedFile(root, EXEMPTION_FILE, CHOSEN.exemption_file_bytes, this.#system);
    if (bytes === undefined) return [];
    const parsed = parseExemptions(new TextDecoder().decode(bytes));
    if (typeof parsed !== "string") return parsed;
    this.broken.push({ root, why: parsed });
    return [];
  }
}

/** A change to the list through the agent is a question, whatever it says (D-04): also the commit that makes it count. */
export function exemptionChanges(at: Case): readonly Finding[] {
  const swapped = swappedLists(at.effects, at.system, at.session).map((subcommand) =>
    exemptionQuestion(at, `run git ${subcommand}, after which another ${EXEMPTION_FILE} says what leak0 leaves alone in this repository`),
  );
  const changes = at.effects.flatMap((effect) => {
    const path = changed(effect);
    return path !== undefined && at.files.repositories.relative(at.system.realPath(path) ?? path) === EXEMPTION_FILE
      ? [exemptionQuestion(at, `change ${shown(at, path)}, which says what leak0 leaves alone in this repository`)]
      : [];
  });
  return [...swapped, ...changes];
}

/** The question of D-04. */
export function exemptionQuestion(at: Case, what: string): Finding {
  const rule = "leak0:exemption_list";
  const evidence = {
    family: "self-protection",
    title: "the exemption list",
    kind: "resolved path",
    hash: at.session.shortHash(rule),
  } as const;
  return ask(rule, evidence, { what, next: "Tell the person which value should be left alone and why; they decide." });
}

function changed(effect: Effect): string | undefined {
  if (effect.kind === "write" || effect.kind === "change") return effect.file.path;
  return effect.kind === "copy" ? effect.to.path : undefined;
}
