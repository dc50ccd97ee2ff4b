/** Parts of a text that are written in another way, and what they say. */
import { CHOSEN } from "../limits.ts";
import type { View } from "./view.ts";

/** A part of the text and what it says. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Where its characters stand, when that is known one by one; otherwise a find covers the whole part. */
  readonly view?: View;
  /** Put together from what may never have belonged together: only what proves itself counts in it. */
  readonly joined?: true;
}

/** Decoded pieces within the limits. */
export class Pieces {
  readonly all: Piece[] = [];
  #room: number;
  #complete = true;

  constructor(room: number) {
    this.#room = room;
  }

  /** False once a piece did not fit. */
  get complete(): boolean {
    return this.#complete;
  }

  add(start: number, end: number, text: string): void {
    this.#room -= text.length;
    if (this.#room < 0 || this.all.length >= CHOSEN.encoded_runs) this.#complete = false;
    else this.all.push({ start, end, text });
  }

  /** A part that stands apart from all others of its writing: together they hold no more than the text does, which is limit enough. */
  addView(view: View, joined?: true): void {
    const { start, end } = view.range(0, view.text.length);
    this.all.push({ start, end, text: view.text, view, ...(joined && { joined }) });
  }

  /** Says that something was left out. */
  cut(): void {
    this.#complete = false;
  }
}
