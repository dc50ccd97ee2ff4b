/** A tool's result with all its text taken out, in the same shape, so that the agent accepts it as the result. */

/** Keys whose strings are part of a result's shape and hold no content. */
const SHAPE_KEYS = new Set(["type", "filePath", "mode", "language", "cell_type", "edit_mode", "mimeType", "status", "role"]);

/** How a withheld result begins; lets the turn's batch event recognise it. */
const MARK = "[leak0 withheld this output:";

/** `response` with the first text replaced by `notice` and every other one by "". Numbers, booleans and shape keys stay. */
export function withhold(response: unknown, notice: string): unknown {
  let said = false;
  const replace = (value: unknown, key: string, depth: number): unknown => {
    if (typeof value === "string") {
      if (SHAPE_KEYS.has(key) && value.length <= 200 && !value.includes("\n")) return value;
      if (said) return "";
      said = true;
      return notice;
    }
    if (typeof value !== "object" || value === null) return value;
    // Deeper content cannot be part of a tool's shape.
    if (depth > 32) return null;
    if (Array.isArray(value)) return value.slice(0, 1_000).map((item) => replace(item, key, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replace(item, name, depth + 1)]));
  };
  return replace(response, "", 0);
}

/** Whether a result is one that was withheld before (the batch event shows what the model will see). */
export function isWithheld(response: unknown): boolean {
  if (typeof response === "string") return response.startsWith(MARK);
  if (Array.isArray(response)) return response.some((item) => isWithheld(item));
  if (typeof response !== "object" || response === null) return false;
  const { text, stdout } = response as { text?: unknown; stdout?: unknown };
  return isWithheld(text ?? stdout ?? "");
}
