/**
 * A scripted model on loopback that speaks enough of the Anthropic Messages protocol for the real client to run
 * headless, and a proxy that records and refuses everything. Neither ever opens a connection.
 *
 * Turn i of the script is played once the conversation holds i turns of ours. A request past the script, or one
 * without tools (a title, a summary), gets a closing text.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";

export interface Turn {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
}

/** One piece of what the model was shown; what it wrote itself is a `call`. */
export interface Item {
  readonly kind: "text" | "result" | "call";
  readonly text: string;
}

export interface Model {
  readonly port: number;
  readonly proxyPort: number;
  /** Everything shown to the model, request by request. */
  readonly requests: readonly (readonly Item[])[];
  /** Raw requests that reached the proxy. */
  readonly egress: readonly string[];
  close(): void;
}

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly input?: unknown;
  readonly content?: unknown;
  readonly text?: string;
}

interface Request {
  readonly model?: string;
  readonly stream?: boolean;
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
  readonly messages?: readonly { readonly content: string | readonly Block[] }[];
}

/** A client that loops is cut off. */
const REQUESTS_MAX = 60;
const USAGE = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

/** Starts model and proxy on free ports. */
export async function startModel(turns: readonly Turn[]): Promise<Model> {
  const requests: Item[][] = [];
  const egress: string[] = [];
  let count = 0;
  const server = createServer(async (request, response) => {
    const text = await body(request);
    count++;
    const url = request.url ?? "";
    if (count > REQUESTS_MAX)
      return send(response, 400, { type: "error", error: { type: "invalid_request_error", message: "too many requests" } });
    if (url.includes("count_tokens")) return send(response, 200, { input_tokens: 10 });
    if (request.method !== "POST" || !/\/messages(?:\?|$)/.test(url))
      return send(response, 404, { type: "error", error: { type: "not_found_error", message: "no such route" } });
    const asked = JSON.parse(text) as Request;
    const { items, played } = shown(asked);
    requests.push(items);
    const turn = (asked.tools ?? []).length > 0 ? (turns[played] ?? { text: "Finished." }) : { text: "ok" };
    play(response, asked, turn, played, count);
  });
  const proxy = createTcpServer((socket) => refuse(socket, egress));
  const port = await listening(server);
  const proxyPort = await listening(proxy);
  return {
    port,
    proxyPort,
    requests,
    egress,
    close() {
      server.closeAllConnections();
      server.close();
      proxy.close();
    },
  };
}

function listening(server: ReturnType<typeof createServer> | ReturnType<typeof createTcpServer>): Promise<number> {
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done((server.address() as AddressInfo).port)));
}

async function body(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function shown(request: Request): { items: Item[]; played: number } {
  const items: Item[] = [{ kind: "text", text: asText(request.system) }];
  let played = 0;
  for (const { content } of request.messages ?? []) {
    for (const block of typeof content === "string" ? [{ type: "text", text: content } as Block] : content) {
      if (block.type === "tool_use") {
        const turn = /_turn(\d+)_/.exec(block.id ?? "");
        played = Math.max(played, turn === null ? 0 : Number(turn[1]) + 1);
        items.push({ kind: "call", text: JSON.stringify(block.input) });
      } else if (block.type === "tool_result") items.push({ kind: "result", text: asText(block.content) });
      else items.push({ kind: "text", text: asText(block) });
    }
  }
  return { items, played };
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(asText).join("\n");
  if (typeof value !== "object" || value === null) return "";
  return typeof (value as Block).text === "string" ? ((value as Block).text as string) : JSON.stringify(value);
}

function play(response: ServerResponse, request: Request, turn: Turn, played: number, count: number): void {
  const id = `msg_${count}`;
  const model = request.model ?? "model";
  const calls = (turn.calls ?? []).map((call, index) => ({
    type: "tool_use",
    id: `toolu_turn${played}_${index}`,
    name: call.name,
    input: call.input,
  }));
  const content = turn.text === undefined ? calls : [{ type: "text", text: turn.text }, ...calls];
  const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
  if (request.stream !== true)
    return send(response, 200, { id, type: "message", role: "assistant", model, content, stop_reason, stop_sequence: null, usage: USAGE });
  const events: { type: string }[] = [];
  const event = (type: string, fields: Readonly<Record<string, unknown>> = {}) => events.push({ type, ...fields });
  event("message_start", {
    message: { id, type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null, usage: USAGE },
  });
  for (const [index, block] of content.entries()) {
    const text = "text" in block;
    event("content_block_start", { index, content_block: text ? { type: "text", text: "" } : { ...block, input: {} } });
    event("content_block_delta", {
      index,
      delta: text ? { type: "text_delta", text: block.text } : { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
    });
    event("content_block_stop", { index });
  }
  event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } });
  event("message_stop");
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.end(events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join(""));
}

function send(response: ServerResponse, code: number, value: unknown): void {
  response.writeHead(code, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

/** Records one raw request once it is complete and refuses it. */
function refuse(socket: Socket, egress: string[]): void {
  let text = "";
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    const head = text.indexOf("\r\n\r\n");
    if (head === -1) return;
    const length = Number(/^content-length:\s*(\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
    if (text.length < head + 4 + length && text.length < 64 * 1024) return;
    egress.push(text);
    text = "";
    socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
  });
}
