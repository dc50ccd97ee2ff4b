/** Programs handed to their interpreter in a here-document, so that the one reader of shell text reads them. */

/** The line that does so. The end is named after the text itself: no text can hold it and be cut there. */
export function withProgram(command: string, text: string): string {
  const end = `END-${new Bun.CryptoHasher("sha256").update(text).digest("hex")}`;
  return `${command} <<'${end}'\n${text}\n${end}\n`;
}
