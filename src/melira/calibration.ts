/**
 * The networks' number into a score: 0.30 is where one in two hundred clean tool results lies, whatever its length. The more windows a
 * text has, the higher the worst of them is by chance, so the border rises with the length (fitted by models/melira/calibrate.py).
 */

/** One kind's border: the networks' number that becomes THRESHOLD, by the logarithm (base 2) of the tokens read. */
export interface Curve {
  readonly slope: number;
  /** (log2 of tokens, border), in rising order. */
  readonly points: readonly (readonly [number, number])[];
}

/** At or above this score a text counts as a hit (I-019). */
export const THRESHOLD = 0.3;

const AT_THRESHOLD = Math.log(THRESHOLD / (1 - THRESHOLD));

/** The judge's number counts so many times the reader's: on wordings that both have never seen it knows better. */
const JUDGE_WEIGHT = 2;

/** The judge moves the reader's number by no more than this, in both directions; a place it was not asked about counts as moved down. */
export const JUDGE_REACH = 8;

/** What the reader and the judge say together of one place. */
export function together(reader: number, judge: number | undefined): number {
  return reader + (judge === undefined ? -JUDGE_REACH : Math.max(-JUDGE_REACH, Math.min(JUDGE_REACH, JUDGE_WEIGHT * judge)));
}

/** Whether a place that the reader gave this number can be a hit at all, whatever the judge says. */
export function judgeMatters(reader: number, tokens: number, { points }: Curve): boolean {
  return together(reader, JUDGE_REACH) >= borderOf(tokens, points);
}

/** The score for the worst place's number of a text of so many tokens. */
export function calibrated(logit: number, tokens: number, { slope, points }: Curve): number {
  return 1 / (1 + Math.exp(-(slope * (logit - borderOf(tokens, points)) + AT_THRESHOLD)));
}

function borderOf(tokens: number, points: Curve["points"]): number {
  const length = Math.log2(Math.max(1, tokens));
  const [first, last] = [points[0] as [number, number], points.at(-1) as [number, number]];
  if (length <= first[0]) return first[1];
  for (let i = 1; i < points.length; i++) {
    const [x1, y1] = points[i] as [number, number];
    const [x0, y0] = points[i - 1] as [number, number];
    if (length <= x1) return y0 + ((y1 - y0) * (length - x0)) / (x1 - x0);
  }
  return last[1];
}
