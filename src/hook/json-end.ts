/**
 * Finds where the first JSON value of a byte stream ends, without parsing it.
 *
 * Trust: the bytes are hostile. Each byte is looked at a bounded number of times, whatever they are and however they
 * are cut into chunks; memory is a few numbers, so nesting costs nothing. Only quotes, backslashes and brackets are
 * followed: whether the value is valid JSON is the decoder's to say.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];

export class JsonEnd {
  #depth = 0;
  #inString = false;
  /** Inside a string: the next byte belongs to an escape. */
  #escaped = false;
  /** Bytes of a UTF-8 byte order mark seen at the very start; -1 once something else came. */
  #mark = 0;
  #reached = false;

  /**
   * True once an object, array or string has ended, or once the bytes cannot begin one (UTF-16, a bare word, a number):
   * waiting for more would not help then.
   */
  get reached(): boolean {
    return this.#reached;
  }

  /** Takes the next chunk. Bytes behind the end are ignored. */
  feed(bytes: Uint8Array): void {
    let i = 0;
    while (i < bytes.length && !this.#reached) {
      if (this.#inString) i = this.#string(bytes, i);
      else this.#structure(bytes[i++] as number);
    }
  }

  #structure(byte: number): void {
    if (byte === QUOTE) {
      this.#inString = true;
    } else if (byte === 0x7b || byte === 0x5b) {
      this.#depth++;
    } else if (byte === 0x7d || byte === 0x5d) {
      this.#depth--;
      if (this.#depth <= 0) this.#reached = true;
    } else if (this.#depth === 0 && byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
      if (this.#mark < 0 || byte !== BYTE_ORDER_MARK[this.#mark]) this.#reached = true;
      else this.#mark++;
      return;
    }
    if (this.#mark === 0 || this.#mark === BYTE_ORDER_MARK.length) this.#mark = -1;
    // A mark that breaks off after one or two bytes is no beginning of a value.
    else if (this.#mark > 0) this.#reached = true;
  }

  /** Goes on inside a string from `from`; answers where to go on after it, or the length. */
  #string(bytes: Uint8Array, from: number): number {
    let start = from;
    if (this.#escaped) {
      this.#escaped = false;
      start++;
    }
    for (;;) {
      const quote = bytes.indexOf(QUOTE, start);
      const end = quote === -1 ? bytes.length : quote;
      let before = end;
      while (before > start && bytes[before - 1] === BACKSLASH) before--;
      const odd = (end - before) % 2 === 1;
      if (quote === -1) {
        this.#escaped = odd;
        return end;
      }
      if (!odd) {
        this.#inString = false;
        if (this.#depth === 0) this.#reached = true;
        return quote + 1;
      }
      start = quote + 1;
    }
  }
}
