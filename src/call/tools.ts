/** Effects of an agent's own tools: file tools, web tools. */
import type { Call, Effect } from "./effect.ts";
import { fileAt, resolvePath, type World } from "./path.ts";
import { patchEffects } from "./patch.ts";
import { excerpted, literal, textSource } from "./source.ts";
import { targetOf, urlParts } from "./url.ts";

/** The room of MCP tools, loaded at first use: most calls are none of them. */
function room(): typeof import("./mcp/effects.ts") {
  return require("./mcp/effects.ts");
}

/** Effects of every action but a shell command. `shell` tells what a command does that a tool of another server starts. */
export function toolEffects(call: Call, world: World, shell: (command: string) => readonly Effect[]): readonly Effect[] {
  const action = call.action;
  switch (action.kind) {
    case "read":
      return [
        {
          kind: "show",
          sources: [action.path, ...(action.more ?? [])].map((path) => ({
            from: "file",
            file: resolvePath(path, call.cwd, world),
            plain: true,
          })),
        },
      ];
    case "search": {
      if (!action.showsContent) return [];
      const file = resolvePath(action.path === "" ? "." : action.path, call.cwd, world);
      const { only } = action;
      return [
        {
          kind: "show",
          sources: excerpted([{ from: "file", file, plain: true }], only && { kind: "lines with", start: false, ...only }),
        },
      ];
    }
    case "write":
      return [{ kind: "write", file: resolvePath(action.path, call.cwd, world), sources: textSource(action.content), append: false }];
    case "edit": {
      // The result depends on the file; the new texts are what this call adds to it.
      const file = resolvePath(action.path, call.cwd, world);
      const added = action.edits.flatMap((edit) => textSource(edit.new));
      const creates = action.edits.length === 1 && action.edits[0]?.old === "" && !action.loose;
      const write: Effect = { kind: "write", file, sources: added, append: !creates };
      return creates ? [write] : [{ kind: "change", file, how: "edit" }, write];
    }
    case "patch":
      return patchEffects(action.files, (path) => resolvePath(path, call.cwd, world));
    case "remove":
      return [{ kind: "change", file: resolvePath(action.path, call.cwd, world), how: "remove" }];
    case "fetch": {
      const text = textSource(action.text);
      return [action.url, ...(action.more ?? [])].map((url): Effect => {
        const target = targetOf(url, "https");
        const parts = urlParts(literal(url), target);
        const all = text.length === 0 ? parts : [...parts, { sources: text, position: "data" as const }];
        // A file's address is opened here.
        const opened = fileAt(url, call.cwd, world);
        return opened === undefined
          ? { kind: "send", via: call.tool, parts: all, destination: target.destination }
          : { kind: "show", sources: [{ from: "file", file: opened, plain: true }] };
      });
    }
    case "search web":
      return [
        {
          kind: "send",
          via: call.tool,
          parts: [{ sources: textSource(action.text), position: "data" }],
          destination: { kind: "search engine", host: undefined, url: undefined },
        },
      ];
    case "mcp":
      return room().mcpEffects(action, call, world, shell);
    case "other":
      return [];
    case "shell":
      return [];
  }
}
