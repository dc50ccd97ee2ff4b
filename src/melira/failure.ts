/** Why a text got no score. Each is a reason a caller must name; none of them is ever taken for "clean" (I-023). */

export const CAUSES = {
  missing: "the model is not installed",
  damaged: "a file of the model is not the one its manifest names",
  version: "the model is of another version than this program",
  simd: "this processor cannot run the model: its WebAssembly has no SIMD",
  memory: "there is too little memory for the model",
  engine: "the model could not be run",
  time: "the time for a score was over",
  size: "the text is larger than what is scored",
  busy: "too many texts are waiting for a score",
  cancelled: "the score is not wanted any more",
} as const;
export type Cause = keyof typeof CAUSES;

export class MeliraFailure extends Error {
  readonly reason: Cause;

  constructor(reason: Cause, detail = "") {
    super(detail === "" ? CAUSES[reason] : `${CAUSES[reason]} (${detail})`);
    this.reason = reason;
  }
}
