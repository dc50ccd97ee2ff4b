/** Words for a shell that are to be taken as they stand. */

/** A word in single quotes, which hold in every shell of POSIX and in fish. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
