/**
 * Looks through one text for secrets: the filter names places, families verify there, shapes and addresses are added.
 *
 * Trust: the text is hostile. Work is bounded (filter hits, pattern lengths, key derivations); a scan that hit a limit
 * says `complete: false`, which means "uncertain", never "clean". No network, no model: the same text gives the same
 * answer everywhere (L-010, L-114).
 */
import { CHOSEN } from "../limits.ts";
import { placed, stripAnsi } from "./ansi.ts";
import type { Budget } from "./families/family.ts";
import { familiesOf } from "./families/needles.ts";
import { uriPasswords } from "./families/uri.ts";
import { decodedForms, respelled } from "./forms.ts";
import type { Scan, Secret } from "./secret.ts";
import { shapes } from "./shapes.ts";
import { surveyOf } from "./survey.ts";

/** Shortest text that can hold a secret: a password in an address (`a://:1234@b`). */
const SHORTEST = 11;

/** All secrets of a text, in order, not overlapping. Placeholders of ours and of others give nothing (L-009, D-20). */
export function scan(text: string): Scan {
  if (text.length < SHORTEST) return { secrets: [], complete: true };
  const budget: Budget = { curves: CHOSEN.curve_checks };
  const found = plain(text, budget);
  const secrets = [...found.secrets];
  let complete = found.complete;
  const bare = stripAnsi(text);
  if (bare.text !== text) {
    // A colour may stand in the middle of a value (`grep --color`): look once more without them.
    const again = plain(bare.text, budget);
    complete &&= again.complete;
    secrets.push(...placed(bare, again.secrets));
  }
  return { secrets: withoutOverlap(secrets), complete: complete && budget.curves >= 0 };
}

/** What a text on its way out holds in whatever spelling. */
export interface SpelledScan extends Scan {
  /** The text and everything it says decoded. */
  readonly forms: readonly string[];
}

/**
 * The same, and what the text hides once or twice encoded (percent, JSON escapes, base64, base32, hex), for data on its way
 * out; tokens that prove themselves also backwards, over a line break and one character at a time.
 * Secrets found in another form have no place in the text: `start` and `end` are -1. Each value is listed once.
 */
export function scanDecoded(text: string): SpelledScan {
  const direct = scan(text);
  const secrets = [...direct.secrets];
  const known = new Set(secrets.map((secret) => secret.value));
  const decoded = decodedForms(text);
  const forms = [text, ...decoded.texts];
  let complete = direct.complete && decoded.complete;
  const look = (form: string, counts: (secret: Secret) => boolean): void => {
    const inside = scan(form);
    complete &&= inside.complete;
    for (const secret of inside.secrets) {
      if (known.has(secret.value) || !counts(secret)) continue;
      known.add(secret.value);
      secrets.push({ ...secret, start: -1, end: -1 });
    }
  };
  for (const form of decoded.texts) look(form, () => true);
  for (const form of forms.slice(0, CHOSEN.respelled_forms))
    for (const other of respelled(form)) look(other, ({ grade }) => grade === "token");
  return { secrets, complete, forms };
}

function plain(text: string, budget: Budget): Scan {
  const { finds, complete } = surveyOf(text);
  const secrets: Secret[] = [];
  /** End of the last whole key block: nothing inside one is looked at again. */
  let covered = 0;
  for (const { at, needle } of finds) {
    if (at < covered) continue;
    for (const family of familiesOf(needle)) {
      const match = family.find(text, at, needle, budget);
      if (match === undefined || (match.kind === "pattern" && isInsideBlob(text, match.start, match.end))) continue;
      secrets.push({ family: family.id, title: family.title, ...match });
      if (family.id === "private-key") covered = match.end;
    }
  }
  return { secrets: [...secrets, ...uriPasswords(text), ...shapes(text, budget)], complete };
}

/** Base64 on both sides of a find that makes it a piece of something larger: an image, an archive, a key. */
const BLOB_CHARS = 120;

/**
 * Whether a find without proof stands in the middle of base64: every short format turns up by chance in a megabyte of it.
 * A `+` or `/` beside it is what a list of words or identifiers never has.
 */
function isInsideBlob(text: string, start: number, end: number): boolean {
  if (start < BLOB_CHARS || end + BLOB_CHARS > text.length) return false;
  const around = text.slice(start - BLOB_CHARS, start) + text.slice(end, end + BLOB_CHARS);
  return /^(?:[A-Za-z0-9+/=]|\r?\n|\\n){230,}$/.test(around) && /[+/]/.test(around);
}

/** Known by their place only: of equal ranges the issuer's own format names the secret. */
const PLACES = new Set(["authorization", "registry-auth", "uri-password"]);
const RANK = { token: 0, credential: 0, vendor: 1, field: 2 } as const;

/** Proven before unproven, then the longer one, then the more special one; what overlaps a better one is dropped. */
function withoutOverlap(secrets: readonly Secret[]): readonly Secret[] {
  if (secrets.length < 2) return secrets;
  const best = secrets.toSorted(
    (a, b) =>
      RANK[a.grade] - RANK[b.grade] || b.end - b.start - (a.end - a.start) || Number(PLACES.has(a.family)) - Number(PLACES.has(b.family)),
  );
  const kept: Secret[] = [];
  for (const secret of best) {
    const at = firstEndingBehind(kept, secret.start);
    const next = kept[at];
    if (next === undefined || next.start >= secret.end) kept.splice(at, 0, secret);
  }
  return kept;
}

/** Index of the first kept secret that ends behind this place; they are in order and do not overlap. */
function firstEndingBehind(kept: readonly Secret[], place: number): number {
  let low = 0;
  let high = kept.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((kept[middle] as Secret).end <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
