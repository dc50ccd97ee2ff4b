/**
 * Reads an `openssh-key-v1` body far enough to tell whether it is a usable private key (openssh PROTOCOL.key).
 *
 * Trust: the bytes are hostile; every length is checked against what is there.
 */

export type OpensshState =
  /** No cipher, and the two check numbers agree: readable and whole so far. */
  | "proven"
  | "encrypted"
  /** Ends before the check numbers. */
  | "cut"
  | "unreadable";

/** What the decoded body of an OPENSSH PRIVATE KEY block is. */
export function openssh(bytes: Uint8Array): OpensshState {
  const magic = "openssh-key-v1\0";
  if (Buffer.from(bytes.subarray(0, magic.length)).toString("latin1") !== magic) return "unreadable";
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = magic.length;
  const field = (): Uint8Array | undefined => {
    if (at + 4 > bytes.length) return undefined;
    const length = view.getUint32(at);
    if (length > bytes.length - at - 4) return undefined;
    at += 4 + length;
    return bytes.subarray(at - length, at);
  };
  const cipher = field();
  if (cipher === undefined) return "cut";
  if (Buffer.from(cipher).toString("latin1") !== "none") return "encrypted";
  // Key derivation and its options, then the number of keys, then one public half.
  if (field() === undefined || field() === undefined) return "cut";
  at += 4;
  if (field() === undefined) return "cut";
  const secret = field();
  if (secret === undefined || secret.length < 16) return "cut";
  const numbers = new DataView(secret.buffer, secret.byteOffset, secret.byteLength);
  return numbers.getUint32(0) === numbers.getUint32(4) ? "proven" : "unreadable";
}
