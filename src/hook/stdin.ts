/**
 * Reads one hook event from standard input.
 *
 * Trust: the other end is the agent, its bytes are hostile: any size, any encoding, cut anywhere, never closed. Memory
 * is bounded by the limit. There is no deadline here: an unfinished value on an open pipe waits for the caller's.
 */
import { CHOSEN } from "../limits.ts";
import { JsonEnd } from "./json-end.ts";

/** What came in on standard input. */
export interface EventText {
  /**
   * - "complete": closed by the other end, or one JSON value has arrived (D-27). Not a promise of valid JSON.
   * - "too large": more than the limit; `text` is the beginning, which is no JSON value.
   * - "empty": closed without anything but blanks.
   */
  readonly state: "complete" | "too large" | "empty";
  /**
   * Everything that had arrived, as UTF-8: a byte order mark stands as U+FEFF, broken bytes as U+FFFD, and whatever came
   * together with the value but behind it is kept, so that the decoder can refuse it.
   */
  readonly text: string;
  /** The bytes themselves where the text may not be an exact image of them (U+FFFD in it, or a mark before it). */
  readonly bytes: Uint8Array | undefined;
}

function joined(chunks: readonly Uint8Array[], total: number): Uint8Array {
  const whole = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Only what JSON calls white space. */
function isBlank(text: string): boolean {
  return " \t\r\n".includes(text.charAt(0)) && !/[^ \t\r\n]/.test(text);
}

async function decoded(chunks: readonly Uint8Array<ArrayBuffer>[], total: number): Promise<EventText> {
  const [first] = chunks;
  if (first === undefined) return { state: "empty", text: "", bytes: undefined };
  let text: string;
  if (chunks.length > 1 && (first[0] as number) < 0x80) {
    // A Blob joins and decodes many chunks cheapest, but would swallow a byte order mark.
    text = await new Blob([...chunks]).text();
  } else {
    text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(chunks.length > 1 ? joined(chunks, total) : first);
  }
  if (isBlank(text)) {
    return { state: "empty", text: "", bytes: undefined };
  }
  const exact = (first[0] as number) < 0x80 && !text.includes("\ufffd");
  return { state: "complete", text, bytes: exact ? undefined : joined(chunks, total) };
}

/** True when nothing more arrived within the time. */
async function quiet(pending: Promise<unknown>, time_ms: number): Promise<boolean> {
  let timer: Timer | undefined;
  const silence = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, time_ms, true);
  });
  const result = await Promise.race([pending.then(() => false), silence]);
  clearTimeout(timer);
  return result;
}

/**
 * Reads until standard input is closed, or one complete JSON value has arrived, or more than `bytes_max` bytes came.
 * Throws what the system says when standard input cannot be read.
 */
export async function readEvent(bytes_max: number): Promise<EventText> {
  const reader = Bun.stdin.stream().getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const end = new JsonEnd();
  let total = 0;
  let followed = 0;
  for (;;) {
    const pending = reader.read();
    // Following a small event costs nothing. In a large one it would cost milliseconds per MiB for nothing, since nearly
    // every agent closes the pipe: then only what is there when the pipe falls silent is followed.
    const small = total <= CHOSEN.event_followed_bytes;
    if (followed < chunks.length && (small || (await quiet(pending, CHOSEN.event_silence_ms)))) {
      while (followed < chunks.length) end.feed(chunks[followed++] as Uint8Array);
      if (end.reached) {
        pending.catch(() => undefined); // what goes wrong behind the value is of no concern
        break;
      }
    }
    const { done, value } = await pending;
    if (done) return decoded(chunks, total);
    total += value.length;
    if (total > bytes_max) break;
    if (value.length > 0) chunks.push(value);
  }
  // The pipe is still open: unless the reading is given up, it keeps the process alive.
  reader.cancel().catch(() => undefined);
  if (total > bytes_max) return { state: "too large", text: new TextDecoder().decode(chunks[0]), bytes: undefined };
  return decoded(chunks, total);
}
