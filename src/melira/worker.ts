/**
 * One core's share of the reading: holds a session of its own and answers batches of windows. Started by crew.ts; it imports nothing
 * that the rest of the program uses, so that the program's own start loads nothing of it.
 */
import * as ort from "onnxruntime-web/wasm";
import type { Answer, Order } from "./crew.ts";

/** The program that started this worker. */
declare const self: {
  addEventListener(type: "message", listener: (event: { data: Order }) => void): void;
  postMessage(answer: Answer): void;
};

let session: ort.InferenceSession | undefined;
/** Loaded when a text first needs it: most never do. */
let judge: Promise<ort.InferenceSession> | undefined;
let judgeFile: Uint8Array | undefined;

const load = (file: Uint8Array): Promise<ort.InferenceSession> =>
  ort.InferenceSession.create(file, { executionProviders: ["wasm"], graphOptimizationLevel: "all" });

async function open(runtime: Uint8Array, reader: Uint8Array): Promise<void> {
  // One thread each: the runtime's own threads need files beside it that a compiled program does not have.
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.proxy = false;
  ort.env.logLevel = "error";
  ort.env.wasm.wasmBinary = runtime;
  session = await load(reader);
}

async function read(order: Extract<Order, { readonly ids: Int32Array }>): Promise<Answer> {
  if (session === undefined) throw new Error("not open");
  const { ids, kinds, length, number } = order;
  const windows = kinds.length;
  const result = await session.run({
    ids: new ort.Tensor("int32", ids, [windows, length, ids.length / windows / length]),
    kind: new ort.Tensor("int32", kinds, [windows]),
  });
  return { number, logits: result.logit?.data as Float32Array, places: result.place?.data as Float32Array };
}

async function judged({ pieces, kind, number }: Extract<Order, { readonly pieces: Int32Array }>): Promise<Answer> {
  judge ??= load(judgeFile ?? new Uint8Array());
  const result = await (await judge).run({
    ids: new ort.Tensor("int32", pieces, [1, pieces.length]),
    kind: new ort.Tensor("int32", Int32Array.of(kind), [1]),
  });
  return { number, logits: result.logit?.data as Float32Array };
}

async function answer(order: Order): Promise<Answer> {
  if ("ids" in order) return await read(order);
  if ("pieces" in order) return await judged(order);
  judgeFile = new Uint8Array(order.judge);
  await open(new Uint8Array(order.runtime), new Uint8Array(order.reader));
  return { number: order.number };
}

self.addEventListener("message", async ({ data: order }) => {
  const failed = (error: unknown): Answer => ({ number: order.number, error: error instanceof Error ? error.message : String(error) });
  const done = await answer(order).catch(failed);
  self.postMessage(done);
});
