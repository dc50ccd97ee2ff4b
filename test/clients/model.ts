/**
 * A scripted model on loopback that speaks enough of the clients' protocols (wires.ts) for them to run headless, and a
 * proxy that records and refuses everything. Neither ever opens a connection.
 *
 * Turn i of the script is played once the conversation holds i turns of ours. A request past the script, or one
 * without tools (a title, a summary), gets a closing text.
 */
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { send, WIRES } from "./wires.ts";

/** A tool call. `custom`, `namespace`: how Codex's protocol spells tools that take plain text, and those of MCP servers. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  readonly custom?: true;
  readonly namespace?: string;
}

export interface Turn {
  readonly text?: string;
  readonly calls?: readonly ToolCall[];
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

/** A client that loops is cut off. */
const REQUESTS_MAX = 60;

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
    if (/count_?tokens/i.test(url)) return send(response, 200, { input_tokens: 10, totalTokens: 10 });
    const wire = request.method === "POST" ? WIRES.find(({ route }) => route.test(url)) : undefined;
    if (wire === undefined && /\/models(?:\?|$)/.test(url))
      return send(response, 200, { object: "list", data: [{ id: "model", object: "model" }], models: [] });
    if (wire === undefined) return send(response, 404, { type: "error", error: { type: "not_found_error", message: "no such route" } });
    const asked = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const { items, played, hasTools } = wire.shown(asked);
    requests.push([...items]);
    const turn = hasTools ? (turns[played] ?? { text: "Finished." }) : { text: "ok" };
    wire.play(response, asked, turn, played, count, url);
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
