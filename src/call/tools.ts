/** Effects of an agent's own tools: file tools, web tools, MCP. */
import { CHOSEN } from "../limits.ts";
import type { Call, Effect } from "./effect.ts";
import { type World, resolvePath } from "./path.ts";
import { literal, textSource } from "./source.ts";
import { targetOf, urlParts } from "./url.ts";

/** Effects of every action but a shell command. */
export function toolEffects(call: Call, world: World): readonly Effect[] {
  const action = call.action;
  switch (action.kind) {
    case "read":
      return [{ kind: "show", sources: [{ from: "file", file: resolvePath(action.path, call.cwd, world), plain: true }] }];
    case "search":
      if (!action.showsContent) return [];
      return [
        {
          kind: "show",
          sources: [{ from: "file", file: resolvePath(action.path === "" ? "." : action.path, call.cwd, world), plain: true }],
        },
      ];
    case "write":
      return [{ kind: "write", file: resolvePath(action.path, call.cwd, world), sources: textSource(action.content), append: false }];
    case "edit": {
      // The result depends on the file; the new texts are what this call adds to it.
      const file = resolvePath(action.path, call.cwd, world);
      const added = action.edits.flatMap((edit) => textSource(edit.new));
      const creates = action.edits.length === 1 && action.edits[0]?.old === "";
      const write: Effect = { kind: "write", file, sources: added, append: !creates };
      return creates ? [write] : [{ kind: "change", file, how: "edit" }, write];
    }
    case "fetch": {
      const target = targetOf(action.url, "https");
      const parts = urlParts(literal(action.url), target);
      const text = textSource(action.text);
      return [
        {
          kind: "send",
          via: call.tool,
          parts: text.length === 0 ? parts : [...parts, { sources: text, position: "data" }],
          destination: target.destination,
        },
      ];
    }
    case "search web":
      return [
        {
          kind: "send",
          via: call.tool,
          parts: [{ sources: textSource(action.text), position: "data" }],
          destination: { kind: "web", host: undefined, url: undefined },
        },
      ];
    case "mcp": {
      const { texts, complete } = stringsOf(action.input);
      const send: Effect = {
        kind: "send",
        via: call.tool,
        parts: [{ sources: texts.flatMap(textSource), position: "data" }],
        destination: { kind: "mcp", host: undefined, url: undefined, tool: `${action.server}/${action.tool}` },
      };
      return complete ? [send] : [send, { kind: "uncertain", why: "the tool's input is nested too deeply to read" }];
    }
    case "other":
      return [];
    case "shell":
      return [];
  }
}

/** Every string in a JSON value, keys included, without recursion. */
function stringsOf(input: unknown): { texts: string[]; complete: boolean } {
  const texts: string[] = [];
  const stack: { value: unknown; depth: number }[] = [{ value: input, depth: 0 }];
  let complete = true;
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { value, depth } = entry;
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) {
      if (depth >= CHOSEN.json_depth) {
        complete = false;
        continue;
      }
      const children = Array.isArray(value) ? value : Object.entries(value).flat();
      for (let index = children.length - 1; index >= 0; index--) stack.push({ value: children[index], depth: depth + 1 });
    }
  }
  return { texts, complete };
}
