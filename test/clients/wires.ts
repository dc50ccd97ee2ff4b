/**
 * Enough of the three model protocols for the real clients to run headless: what a request shows the model, and a turn
 * of the script as an answer. Calls carry their turn in their id, so that a request says how far the script was played.
 */
import type { ServerResponse } from "node:http";
import type { Item, Turn } from "./model.ts";

/** What a request holds. */
export interface Shown {
  readonly items: readonly Item[];
  /** Turns of ours the conversation holds. */
  readonly played: number;
  readonly hasTools: boolean;
}

export interface Wire {
  /** Whether a request of this path is one for an answer. */
  readonly route: RegExp;
  shown(body: Body): Shown;
  play(response: ServerResponse, body: Body, turn: Turn, played: number, count: number, url: string): void;
}

type Body = Readonly<Record<string, unknown>>;
type Part = Readonly<Record<string, unknown>>;

const parts = (value: unknown): readonly Part[] => (Array.isArray(value) ? (value as readonly Part[]) : []);
const idOf = (played: number, index: number) => `pz_turn${played}_${index}`;

/** One more than the turn an id names. */
function after(id: unknown): number {
  const turn = /_turn(\d+)_/.exec(String(id ?? ""));
  return turn === null ? 0 : Number(turn[1]) + 1;
}

/** All text of a value, whatever carries it. */
export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(asText).join("\n");
  if (typeof value !== "object" || value === null) return "";
  const { text, output } = value as Part;
  if (typeof text === "string") return text;
  return typeof output === "string" ? output : JSON.stringify(value);
}

export function send(response: ServerResponse, code: number, value: unknown): void {
  response.writeHead(code, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

function stream(response: ServerResponse, events: readonly Part[]): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const named = ({ type }: Part) => (typeof type === "string" ? `event: ${type}\n` : "");
  response.end(events.map((one) => `${named(one)}data: ${JSON.stringify(one)}\n\n`).join(""));
}

const ANTHROPIC_USAGE = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

const anthropic: Wire = {
  route: /\/messages(?:\?|$)/,
  shown(body) {
    const items: Item[] = [{ kind: "text", text: asText(body["system"]) }];
    let played = 0;
    for (const { content } of parts(body["messages"])) {
      for (const block of typeof content === "string" ? [{ type: "text", text: content }] : parts(content)) {
        if (block["type"] === "tool_use") {
          played = Math.max(played, after(block["id"]));
          items.push({ kind: "call", text: JSON.stringify(block["input"]) });
        } else if (block["type"] === "tool_result") items.push({ kind: "result", text: asText(block["content"]) });
        else items.push({ kind: "text", text: asText(block) });
      }
    }
    return { items, played, hasTools: parts(body["tools"]).length > 0 };
  },
  play(response, body, turn, played, count) {
    const id = `msg_${count}`;
    const model = body["model"] ?? "model";
    const calls = (turn.calls ?? []).map((call, index) => ({
      type: "tool_use",
      id: `toolu_${idOf(played, index)}`,
      name: call.name,
      input: call.input,
    }));
    const content = turn.text === undefined ? calls : [{ type: "text", text: turn.text }, ...calls];
    const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
    const message = { id, type: "message", role: "assistant", model, stop_sequence: null, usage: ANTHROPIC_USAGE };
    if (body["stream"] !== true) return send(response, 200, { ...message, content, stop_reason });
    const events: Part[] = [{ type: "message_start", message: { ...message, content: [], stop_reason: null } }];
    for (const [index, block] of content.entries()) {
      const text = "text" in block;
      events.push(
        { type: "content_block_start", index, content_block: text ? { type: "text", text: "" } : { ...block, input: {} } },
        {
          type: "content_block_delta",
          index,
          delta: text ? { type: "text_delta", text: block.text } : { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
        },
        { type: "content_block_stop", index },
      );
    }
    events.push(
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } },
      { type: "message_stop" },
    );
    stream(response, events);
  },
};

const responses: Wire = {
  route: /\/responses(?:\?|$)/,
  shown(body) {
    const items: Item[] = [{ kind: "text", text: asText(body["instructions"]) }];
    let played = 0;
    let tools = parts(body["tools"]).length;
    const input = typeof body["input"] === "string" ? [{ type: "message", content: body["input"] }] : parts(body["input"]);
    for (const item of input) {
      const type = String(item["type"] ?? "message");
      if (type === "additional_tools") tools += parts(item["tools"]).length;
      else if (type.endsWith("_call")) {
        played = Math.max(played, after(item["call_id"]));
        items.push({ kind: "call", text: asText(item["arguments"] ?? item["input"]) });
      } else if (type.endsWith("_call_output")) items.push({ kind: "result", text: asText(item["output"]) });
      else items.push({ kind: "text", text: asText(item["content"]) });
    }
    return { items, played, hasTools: tools > 0 };
  },
  play(response, body, turn, played, count) {
    const id = `resp_${count}`;
    const said =
      turn.text === undefined
        ? []
        : [
            {
              type: "message",
              id: `msg_${count}`,
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text: turn.text, annotations: [] }],
            },
          ];
    const calls = (turn.calls ?? []).map((call, index) => {
      const base = { id: `fc_${count}${index}`, call_id: `call_${idOf(played, index)}`, name: call.name, status: "completed" };
      if (call.custom) return { ...base, type: "custom_tool_call", input: call.input };
      return {
        ...base,
        type: "function_call",
        ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
        arguments: JSON.stringify(call.input),
      };
    });
    const output = [...said, ...calls];
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    };
    const full = { id, object: "response", created_at: 1, status: "completed", model: body["model"], output, usage };
    if (body["stream"] !== true) return send(response, 200, full);
    const events: Part[] = [{ type: "response.created", response: { ...full, status: "in_progress", output: [] } }];
    for (const [output_index, item] of output.entries()) {
      events.push({ type: "response.output_item.added", output_index, item });
      if ("content" in item)
        events.push({ type: "response.output_text.delta", item_id: item.id, output_index, content_index: 0, delta: item.content[0]?.text });
      events.push({ type: "response.output_item.done", output_index, item });
    }
    events.push({ type: "response.completed", response: full });
    stream(
      response,
      events.map((event, sequence_number) => ({ ...event, sequence_number })),
    );
  },
};

const google: Wire = {
  route: /:(?:streamGenerateContent|generateContent)/,
  shown(body) {
    const items: Item[] = [{ kind: "text", text: asText(parts((body["systemInstruction"] as Part | undefined)?.["parts"])) }];
    let played = 0;
    for (const content of parts(body["contents"])) {
      let called = false;
      for (const { functionCall: call, functionResponse: result, ...part } of parts(content["parts"])) {
        if (call !== undefined) {
          called = true;
          items.push({ kind: "call", text: JSON.stringify((call as Part)["args"]) });
        } else if (result !== undefined) {
          const { response } = result as Part;
          items.push({ kind: "result", text: asText((response as Part | undefined)?.["output"] ?? response) });
        } else items.push({ kind: "text", text: asText(part) });
      }
      // This protocol may drop the ids, so turns with calls are counted.
      if (called) played++;
    }
    return { items, played, hasTools: parts(body["tools"]).length > 0 };
  },
  play(response, _, turn, played, count, url) {
    const calls = (turn.calls ?? []).map((call, index) => ({
      functionCall: { id: `fc_${idOf(played, index)}`, name: call.name, args: call.input },
    }));
    const content = { role: "model", parts: [...(turn.text === undefined ? [] : [{ text: turn.text }]), ...calls] };
    const answer = {
      responseId: `r_${count}`,
      modelVersion: "model",
      candidates: [{ index: 0, content, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    };
    if (url.includes("stream")) stream(response, [answer]);
    else send(response, 200, answer);
  },
};

export const WIRES: readonly Wire[] = [anthropic, responses, google];
