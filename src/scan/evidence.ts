/**
 * Every secret of one text, by the same evidence the hook has: what it would take out of a result that shows this file.
 *
 * Of binary content only what a commit looks at is looked at: the file's kind and recognisable values. Layouts and encoded
 * forms of text have no meaning there.
 */
import { fileKind } from "../leak0/files.ts";
import type { Leak0Lists } from "../policy/lists.ts";
import { scanEncoded } from "../secrets/encoded.ts";
import { type Identified, secretsInText } from "../secrets/files/index.ts";
import { disjoint } from "../secrets/pieces.ts";
import { scan } from "../secrets/scan.ts";
import type { Secret } from "../secrets/secret.ts";
import type { System } from "../system.ts";
import type { RuleClass } from "../verdict.ts";

/** A secret with the rule that guards it. */
export interface Guarded extends Secret {
  readonly rule: RuleClass;
}

export interface Evidence {
  /** In order, not overlapping; last come those without a place in the text, with `start` -1. */
  readonly secrets: readonly Guarded[];
  /** A limit ended the search early: uncertain, never clean. */
  readonly complete: boolean;
}

/** What a text is taken for. */
export type Content = "text" | "binary";

/** Secrets of a whole file that is not excluded; `path` is absolute. */
export function evidenceInFile(path: string, text: string, content: Content, lists: Leak0Lists, system: System): Evidence {
  const file = fileKind([path], text, lists, system);
  const own = (file?.secrets ?? []).map((secret) => guarded(secret, file));
  const { secrets, complete } = evidenceInText(text, content);
  const placed = own.length === 0 ? secrets : disjoint([...own, ...secrets]);
  const hidden = own.filter(({ start, value }) => start < 0 && !placed.some((secret) => secret.value === value));
  return { secrets: [...placed, ...hidden], complete };
}

/** Secrets of a text of no file, or of a part of a file that is too long to be a credential file. */
export function evidenceInText(text: string, content: Content): Evidence {
  const scanned = scan(text);
  if (content === "binary") return { secrets: disjoint(scanned.secrets.map((secret) => guarded(secret))), complete: scanned.complete };
  const encoded = scanEncoded(text);
  const found = [...scanned.secrets, ...secretsInText(text), ...encoded.secrets];
  return { secrets: disjoint(found.map((secret) => guarded(secret))), complete: scanned.complete && encoded.complete };
}

const RULE = {
  token: "leak0:checksum_token_file",
  credential: "leak0:credential_content_written",
  vendor: "leak0:vendor_token_file",
  field: "leak0:secret_in_output",
} as const;

/** The rule, and the proof as messages name it: a confirmed file is proven by its place or its structure. */
function guarded(secret: Secret, file?: Identified): Guarded {
  if (file === undefined) return { ...secret, rule: RULE[secret.grade] };
  return file.class === "PROVEN"
    ? { ...secret, rule: "leak0:credential_file_read", kind: file.proof }
    : { ...secret, rule: "leak0:secret_file_git" };
}
