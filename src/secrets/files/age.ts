/** age and SOPS key files. The check of bech32 is the families' business; here the line and its place count. */
import { span } from "./fields.ts";
import type { CredentialKind, Field } from "./file.ts";
import { isToken } from "./literal.ts";

export const age: CredentialKind = {
  id: "age",
  title: "age key file",
  class: "PROVEN",
  places: ["$XDG/sops/age/keys.txt", "$AS/sops/age/keys.txt", "%AD%/sops/age/keys.txt", "$XDG/age/keys.txt", "**/.age/*.txt"],
  markers: ["AGE-SECRET-KEY-"],
  confirm(text) {
    const found: Field[] = [];
    for (const hit of text.matchAll(/^[ \t]*(AGE-SECRET-KEY-(?:1[A-Z\d]{58}|PQ-1[A-Z\d]{50,2048}))[ \t\r]*$/gm)) {
      const value = hit[1] ?? "";
      const start = hit.index + hit[0].indexOf(value);
      if (isToken(value.slice("AGE-SECRET-KEY-1".length), 40)) found.push(span(text, start, start + value.length));
    }
    return found;
  },
};
