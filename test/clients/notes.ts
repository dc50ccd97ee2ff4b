/** A small MCP server over stdio: `get_note` returns NOTES_TEXT, `send_note` logs what it was given to NOTES_LOG. */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string; readonly name?: string };
}

const TOOLS = [
  { name: "get_note", description: "Read the shared note.", inputSchema: { type: "object", properties: { id: { type: "string" } } } },
  {
    name: "send_note",
    description: "Send a note to the team.",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  },
];

const answer = (id: number | string, result: unknown) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line) as Message;
  if (id === undefined) return;
  switch (method) {
    case "initialize":
      return answer(id, {
        protocolVersion: params?.protocolVersion ?? "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "notes", version: "1.0.0" },
      });
    case "tools/list":
      return answer(id, { tools: TOOLS });
    case "tools/call":
      if (process.env["NOTES_LOG"] !== undefined) appendFileSync(process.env["NOTES_LOG"], `${JSON.stringify(params)}\n`);
      return answer(id, {
        content: [{ type: "text", text: params?.name === "get_note" ? (process.env["NOTES_TEXT"] ?? "empty") : "sent" }],
      });
    default:
      return answer(id, { resources: [], prompts: [], resourceTemplates: [] });
  }
});
