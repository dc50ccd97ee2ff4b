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

async function open(runtime: Uint8Array, reader: Uint8Array): Promise<void> {
  // One thread each: the runtime's own threads need files beside it that a compiled program does not have.
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.proxy = false;
  ort.env.logLevel = "error";
  ort.env.wasm.wasmBinary = runtime;
  session = await ort.InferenceSession.create(reader, { executionProviders: ["wasm"], graphOptimizationLevel: "all" });
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

async function answer(order: Order): Promise<Answer> {
  if ("ids" in order) return await read(order);
  await open(new Uint8Array(order.runtime), new Uint8Array(order.reader));
  return { number: order.number };
}

self.addEventListener("message", async ({ data: order }) => {
  const failed = (error: unknown): Answer => ({ number: order.number, error: error instanceof Error ? error.message : String(error) });
  const done = await answer(order).catch(failed);
  self.postMessage(done);
});
