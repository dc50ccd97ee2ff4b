/** The stream `git fast-import` reads: what it brings, and which references it sets. */
import type { Source } from "../effect.ts";
import { taken } from "./message.ts";
import type { Taken } from "./taking.ts";

type Flow = { readonly text: string; readonly rest: readonly Source[] };

interface Stream {
  readonly taken: readonly Taken[];
  readonly references: ReadonlyMap<string, readonly string[]>;
}

/** What a stream brings; of what cannot be told its text. */
export function imported(flow: Flow): readonly Taken[] {
  const stream = read(flow.text);
  return flow.rest.length === 0 ? stream.taken : [...stream.taken, ...taken("commit", { text: "", rest: flow.rest })];
}

/** References a stream sets, each with the revisions it comes from; undefined when part of the stream is not known. */
export function importedReferences(flow: Flow): ReadonlyMap<string, readonly string[]> | undefined {
  return flow.rest.length > 0 ? undefined : read(flow.text).references;
}

/** Reads a stream's commands. Trust: hostile text; whatever does not fit is passed over. */
function read(text: string): Stream {
  const bytes = Buffer.from(text);
  const found: Taken[] = [];
  const contents = new Map<string, Uint8Array>();
  const named = new Set<string>();
  const references = new Map<string, string[]>();
  let reference: string | undefined;
  let isBlob = false;
  let mark = "";
  let inline: string | undefined;
  let at = 0;
  const nextLine = (): string => {
    const end = bytes.indexOf(10, at);
    const stop = end < 0 ? bytes.length : end;
    const line = bytes.toString("utf8", at, stop);
    at = stop + 1;
    return line;
  };
  const data = (size: string): Uint8Array => {
    if (!size.startsWith("<<")) {
      const start = at;
      // Git takes nothing else, and ends there; going on to the end takes in whatever it may have meant.
      at = /^\d{1,15}$/.test(size) ? Math.min(bytes.length, start + Number(size)) : bytes.length;
      return bytes.subarray(start, at);
    }
    const start = at;
    while (at < bytes.length) {
      const before = at;
      if (nextLine() === size.slice(2)) return bytes.subarray(start, before);
    }
    return bytes.subarray(start);
  };
  const blob = (path: string, content: Uint8Array): void => {
    found.push({ where: "commit", path, bytes: content, text: undefined, isNew: true });
  };
  while (at < bytes.length) {
    const line = nextLine();
    const [word = "", ...rest] = line.split(" ");
    const value = rest.join(" ");
    switch (word) {
      case "blob":
        isBlob = true;
        mark = "";
        break;
      case "commit":
      case "tag":
      case "reset":
        isBlob = false;
        mark = "";
        reference = word === "tag" ? `refs/tags/${value}` : value;
        references.set(reference, references.get(reference) ?? []);
        break;
      case "mark":
        mark = value;
        break;
      case "from":
      case "merge":
        if (reference !== undefined && !value.startsWith(":")) references.get(reference)?.push(value.replace(/\^0$/, ""));
        break;
      case "author":
      case "committer":
      case "tagger":
        found.push(...taken("message", { text: value, rest: [] }));
        break;
      case "M": {
        const match = /^\d{1,6} (\S{1,100}) (.{1,4096})$/.exec(value);
        const path = (match?.[2] ?? "").replace(/^"(.*)"$/, "$1");
        if (match?.[1] === "inline") inline = path;
        else {
          const content = contents.get(match?.[1] ?? "");
          if (content !== undefined) blob(path, content);
          named.add(match?.[1] ?? "");
        }
        break;
      }
      case "N":
        inline = undefined;
        break;
      case "data": {
        const content = data(value);
        if (inline !== undefined) blob(inline, content);
        else if (isBlob) contents.set(mark === "" ? `#${contents.size}` : mark, content);
        else found.push(...taken("message", { text: new TextDecoder().decode(content), rest: [] }));
        inline = undefined;
        isBlob = false;
      }
    }
  }
  for (const [name, content] of contents) if (!named.has(name)) blob("", content);
  return { taken: found, references };
}
