/**
 * How a remembered value may be written on its way out, and the eight characters each writing is known by (B3).
 *
 * Streams are made of a text, each of some of its characters: letters and digits, or the characters of base64. What stands between them is dropped, so that a value split by a line break, spaced out, put together from
 * literals or cut into DNS labels reads like the value itself. Texts and values are bytes of UTF-8 here, one character each.
 */
import { SPECIFIED } from "../limits.ts";

/** Characters a writing is known by: those in its middle. Beginnings and ends are shared by whole families (`sk-…`). */
export const WINDOW = SPECIFIED.remembered_value_chars;

/**
 * The streams, by their numbers in native/recall/recall.c: letters and digits; the characters of base64,
 * those of its other alphabet as the usual ones; everything, for values with fewer than eight letters and digits.
 */
export const STREAM = { letters: 0, base64: 1, all: 2 } as const;

/** Lengths of a value in bytes. */
export interface Size {
  /** As it was seen. */
  readonly whole: number;
  /** In normal form. */
  readonly letters: number;
}

/** One way of writing a value down. Places and lengths are counted in the stream. */
export interface Spelling {
  readonly stream: number;
  /** The window of the value's writing; undefined when the value is not looked for in this writing. */
  window(value: string): string | undefined;
  /** Where the window stands in the writing of a value that has one. */
  offset(size: Size): number;
  /** Length of the writing. */
  length(size: Size): number;
  /** The value that a writing stands for, in whatever form. */
  read(writing: string, size: Size): string;
}

/** A value's letters and digits. One with too few letters and digits stays as it is. */
export function normal(value: string): string {
  const letters = onlyLetters(value);
  return letters.length < WINDOW ? value : letters;
}

/** Every way, in the order in which windows are stored. */
export const SPELLINGS: readonly Spelling[] = [
  {
    stream: STREAM.letters,
    window: (value) => inMiddle(onlyLetters(value)),
    offset: ({ letters }) => middle(letters),
    length: ({ letters }) => letters,
    read: (writing) => writing,
  },
  {
    stream: STREAM.letters,
    window: (value) => reversed(inMiddle(onlyLetters(value))),
    offset: ({ letters }) => letters - WINDOW - middle(letters),
    length: ({ letters }) => letters,
    read: (writing) => reversed(writing) ?? "",
  },
  {
    stream: STREAM.all,
    window: (value) => (onlyLetters(value).length < WINDOW ? inMiddle(value) : undefined),
    offset: ({ whole }) => middle(whole),
    length: ({ whole }) => whole,
    read: (writing) => writing,
  },
  ...[0, 1, 2].map((before) =>
    grouped(STREAM.base64, 3, 4, before, {
      write: (bytes) => bytes.toString("base64"),
      read: (writing) => Buffer.from(writing, "base64"),
    }),
  ),
  ...[(hex: string) => hex, (hex: string) => hex.toUpperCase()].map((cased) =>
    grouped(STREAM.letters, 1, 2, 0, {
      write: (bytes) => cased(bytes.toString("hex")),
      read: (writing) => Buffer.from(writing, "hex"),
    }),
  ),
];

/** `bytes` bytes stand in `characters` characters; the value begins behind `before` bytes of something else. */
function grouped(
  stream: number,
  bytes: number,
  characters: number,
  before: number,
  code: { readonly write: (bytes: Buffer) => string; readonly read: (writing: string) => Buffer },
): Spelling {
  const wanted = (WINDOW / characters) * bytes;
  /** The window's first byte: a whole group of the value's own bytes. */
  const first = (whole: number): number => {
    const from = Math.ceil(before / bytes) * bytes;
    const spare = Math.floor((before + whole - from - wanted) / bytes);
    return from + (spare >> 1) * bytes;
  };
  return {
    stream,
    window: (value) => {
      const at = first(value.length) - before;
      return at < 0 || at + wanted > value.length ? undefined : code.write(Buffer.from(value.slice(at, at + wanted), "latin1"));
    },
    offset: ({ whole }) => (first(whole) / bytes) * characters,
    length: ({ whole }) => Math.ceil(((before + whole) * characters) / bytes),
    read: (writing, { whole }) => code.read(writing).toString("latin1", before, before + whole),
  };
}

function onlyLetters(value: string): string {
  return value.replace(/[^0-9A-Za-z]+/g, "");
}

function inMiddle(text: string): string | undefined {
  return text.length < WINDOW ? undefined : text.slice(middle(text.length), middle(text.length) + WINDOW);
}

function middle(length: number): number {
  return (length - WINDOW) >> 1;
}

function reversed(text: string | undefined): string | undefined {
  return text?.split("").reverse().join("");
}
