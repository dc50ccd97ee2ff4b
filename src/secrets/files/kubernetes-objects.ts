/**
 * Kubernetes Secret objects in any text: `kubectl get secret -o yaml` or `-o json`, a list of objects, the annotation in which
 * kubectl keeps the object as JSON inside a string, a manifest.
 *
 * Trust: the text is hostile. The printed order of an object's fields is alphabetical (`data` before `kind`), so in a text
 * that holds a Secret every `data` counts; what is no base64 of a value, as in a ConfigMap beside it, is left alone.
 */
import { announce, surveyOf } from "../survey.ts";
import { isSecretValue } from "./entry-value.ts";
import { fromBase64, isBase64Key, isLiteral, isMixed } from "./literal.ts";

interface Value {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

const JSON_WORD = '"kind';
const YAML_WORD = "kind:";
announce(() => [JSON_WORD, YAML_WORD]);
const YAML_KIND = /[ \t]{1,4}["']?Secret["']?[ \t\r]{0,8}(?=\n|$)/y;
const JSON_KIND = /\\{0,3}"\s{0,8}:\s{0,8}\\{0,3}"Secret\\{0,3}"/y;

/** The secret values of all Secret objects in the text, in no particular order. */
export function* secretObjects(text: string): Generator<Value> {
  const survey = surveyOf(text);
  if (survey.has(JSON_WORD) && hasBehind(text, JSON_WORD, JSON_KIND)) yield* jsonValues(text);
  if (survey.has(YAML_WORD) && hasBehind(text, YAML_WORD, YAML_KIND)) yield* yamlValues(text);
}

/** Whether the (sticky) pattern fits right behind the word anywhere. */
function hasBehind(text: string, word: string, pattern: RegExp): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    pattern.lastIndex = at + word.length;
    if (pattern.test(text)) return true;
  }
  return false;
}

/** `"data":{"name":"value",…}` with quotes escaped or not. */
function* jsonValues(text: string): Generator<Value> {
  const open = /"(data|stringData)\\{0,3}"\s{0,8}:\s{0,8}\{/g;
  const pair =
    /(?:\s|\\[nrt]){0,200}\\{0,3}"[\w.-]{1,253}\\{0,3}"\s{0,8}:\s{0,8}\\{0,3}"((?:[^"\\\n]|\\(?!\\{0,2}")){0,65536})\\{0,3}"(?:\s|\\[nrt]){0,200},?/y;
  for (const head of text.matchAll(open)) {
    pair.lastIndex = head.index + head[0].length;
    for (let found = pair.exec(text); found !== null; found = pair.exec(text)) {
      const value = found[1] as string;
      const start = found.index + found[0].lastIndexOf(value);
      if (value !== "" && (head[1] === "data" ? isData(value) : isSecretValue(value))) yield { value, start, end: start + value.length };
    }
  }
}

/** What stands before a printed line: a line number with its gutter, or a diff's sign. */
const GUTTER = /^(?:[ \t]{0,10}\d{1,7}(?:[\t→:-]|[ \t]{0,2}[│|])|[+-](?=[ \w]))?/;

/** Lines behind `data:` that are indented more than it. */
function* yamlValues(text: string): Generator<Value> {
  const head = /(data|stringData):[ \t\r]{0,8}\n/g;
  for (let found = head.exec(text); found !== null; found = head.exec(text)) {
    const before = text.slice(text.lastIndexOf("\n", found.index - 1) + 1, found.index);
    if (before.length > 40) continue;
    const indented = before.replace(GUTTER, "");
    if (!/^[ \t]*(?:- )?$/.test(indented)) continue;
    for (let at = head.lastIndex; at < text.length; ) {
      const feed = text.indexOf("\n", at);
      const end = feed < 0 ? text.length : feed;
      const line = text.slice(at, Math.min(end, at + 70_000));
      const gutter = GUTTER.exec(line)?.[0].length ?? 0;
      const entry = /^([ \t]*)["']?[\w.-]{1,253}["']?:[ \t]{1,8}(["']?)([^\s"']{1,65536})\2[ \t\r]*$/.exec(line.slice(gutter));
      const depth = entry?.[1]?.length ?? /^[ \t]*/.exec(line.slice(gutter))?.[0].length ?? 0;
      if (depth <= indented.length || line.slice(gutter).trim() === "") break;
      const value = entry?.[3];
      if (value !== undefined && (found[1] === "data" ? isData(value) : isSecretValue(value))) {
        const start = at + gutter + (entry as RegExpExecArray)[0].lastIndexOf(value);
        yield { value, start, end: start + value.length };
      }
      at = end + 1;
      // Nothing of the block is read again.
      head.lastIndex = Math.min(at, text.length);
    }
  }
}

/** Longest value that may be a sample or a reference to a value, in characters. */
const LONGEST_SAMPLE = 200;

/** Base64 of a text that is neither a sample nor public, or of bytes that look drawn. */
function isData(value: string): boolean {
  if (value.length < 8 || value.length % 4 !== 0 || !isLiteral(value)) return false;
  if (isBase64Key(value)) return true;
  const inside = fromBase64(value);
  if (inside === undefined) return false;
  const text = inside.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a text holds none
  if (/[\u0000-\u0008\u000e-\u001f\u007f\ufffd]/.test(text)) return value.length >= 24 && isMixed(value) && /\d/.test(value);
  // A long text is a file of its own; samples and references are short.
  return (
    text.length >= 4 &&
    (text.length > LONGEST_SAMPLE || isLiteral(text)) &&
    !/^-----BEGIN (?!.{0,40}PRIVATE)/.test(text) &&
    (text.length >= 8 || /\d/.test(text))
  );
}
