/** Private keys: OpenSSH's anywhere, PEM by its place, PuTTY's, PGP's. */
import { block } from "../private-key.ts";
import { field, fieldsAt, span } from "./fields.ts";
import type { CredentialKind, Field } from "./file.ts";
import { jsonLeaves } from "./json.ts";
import { isToken } from "./literal.ts";
import { keyBlocks } from "./key-text.ts";

function blocks(text: string, fits: (block: ReturnType<typeof keyBlocks>[number]) => boolean): readonly Field[] {
  return keyBlocks(text)
    .filter(fits)
    .map((block) => span(text, block.start, block.end));
}

const usable = (state: string): boolean => state === "proven" || state === "wellFormed";

/** Without passphrase it is proven wherever it lies (D-17). */
export const opensshKey: CredentialKind = {
  id: "ssh-key",
  title: "SSH private key",
  class: "PROVEN",
  places: [],
  markers: ["BEGIN OPENSSH PRIVATE KEY"],
  confirm: (text) => blocks(text, (block) => block.format === "openssh" && block.state === "proven"),
};

/** PEM keys where only used keys lie. */
export const pemKey: CredentialKind = {
  id: "private-key",
  title: "Private key",
  class: "PROVEN",
  places: [
    "**/.ssh/*",
    "/etc/ssh/*",
    "/etc/ssl/private/*",
    "/etc/pki/tls/private/*",
    "/etc/letsencrypt/live/*/*",
    "/etc/letsencrypt/archive/*/*",
    "/etc/letsencrypt/keys/*",
    "**/.acme.sh/**/*.key",
    "**/.step/secrets/*",
    "**/.oci/*.pem",
    "**/.oci/sessions/*/*.pem",
    "**/.minikube/**/*.key",
    "/etc/kubernetes/pki/**/*.key",
  ],
  confirm: (text) => blocks(text, (block) => usable(block.state)),
};

/** Elsewhere a PEM key is often a test's: a question. The file has to be the key, not code that quotes one. */
export const pemInProject: CredentialKind = {
  id: "key-file-pem",
  title: "Private key file",
  class: "QUESTION",
  places: [],
  markers: ["PRIVATE KEY-----"],
  confirm(text) {
    const found = blocks(text, (block) => usable(block.state));
    const first = found[0];
    if (first === undefined) return [];
    // Only armour, headers and comments stand before it: certificates, "Bag Attributes", EC parameters.
    const before = text.slice(0, first.start).replace(/-----BEGIN ([A-Z ]{1,40})-----[A-Za-z0-9+/=\s]{0,65536}-----END \1-----/g, "");
    const bare = before
      .split("\n")
      .every((line) => /^[ \t\r]*$|^[ \t]*#|^[ \t]*[A-Za-z][\w ]{0,40}:|^(?:subject|issuer)=|^[ \t]+\S+/.test(line));
    return bare ? found : [];
  },
};

/** With a passphrase it is ciphertext: worth a question where it lies, nothing more. */
export const encryptedKey: CredentialKind = {
  id: "key-file-encrypted",
  title: "Private key file with a passphrase",
  class: "QUESTION",
  places: ["**/.ssh/*", "**/*.pem", "**/*.key", "**/id_rsa", "**/id_ed25519", "**/id_ecdsa", "**/id_dsa"],
  confirm: (text) => blocks(text, (block) => block.state === "encrypted"),
};

/** PuTTY's format; the private lines are clear when `Encryption: none`. */
export const putty: CredentialKind = {
  id: "putty-key",
  title: "PuTTY private key",
  class: "PROVEN",
  places: [],
  markers: ["PuTTY-User-Key-File-", "Encryption: none", "Private-Lines:", "Private-MAC:"],
  confirm(text) {
    if (!/^PuTTY-User-Key-File-[23]: /.test(text)) return [];
    const hit = /^Private-Lines: \d{1,4}\r?\n([A-Za-z0-9+/=\r\n]{20,32768})(?=Private-MAC:)/m.exec(text);
    const value = hit?.[1]?.trim() ?? "";
    if (hit === null || !isToken(value.replace(/\s/g, ""), 20)) return [];
    const start = hit.index + hit[0].indexOf(value);
    return [span(text, start, start + value.length)];
  },
};

const PGP_BEGIN = "-----BEGIN PGP PRIVATE KEY BLOCK-----";

/** An exported key (`gpg --export-secret-keys --armor`) whose packet says that no passphrase protects it. */
export const pgpExport: CredentialKind = {
  id: "pgp-key",
  title: "PGP private key",
  class: "PROVEN",
  places: [],
  markers: [PGP_BEGIN],
  confirm(text) {
    const found = block(text, text.indexOf(PGP_BEGIN));
    return found?.grade === "credential" ? [span(text, found.start, found.end)] : [];
  },
};

/** gpg's own key store: an unprotected key is an S-expression with `private-key`, a protected one says so. */
export const gnupg: CredentialKind = {
  id: "gnupg",
  title: "PGP private key",
  class: "PROVEN",
  places: ["**/.gnupg/private-keys-v1.d/*.key"],
  confirm(text) {
    const open = /\((?:11:)?private-key[\s(]/.exec(text);
    return open !== null && !text.includes("protected-private-key") && !text.includes("shadowed-private-key")
      ? [span(text, open.index, text.length)]
      : [];
  },
};

export const acmeAccount: CredentialKind = {
  id: "acme-account",
  title: "ACME account key",
  class: "PROVEN",
  places: ["/etc/letsencrypt/accounts/**/private_key.json"],
  confirm: (text) => fieldsAt(jsonLeaves(text) ?? [], ["d", "p", "q"], (value) => isToken(value, 40)),
};

/** A JSON Web Key with its private part, wherever it lies: key material has no other form in JSON. */
export const jwk: CredentialKind = {
  id: "jwk",
  title: "Private JSON Web Key",
  class: "QUESTION",
  places: ["**/*.jwk", "**/jwk*.json", "**/jwks*.json", "**/*-jwk.json"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    if (!leaves.some((leaf) => leaf.path.at(-1) === "kty")) return [];
    return leaves.filter((leaf) => leaf.path.at(-1) === "d" && isToken(leaf.value, 40)).map((leaf) => field(leaf));
  },
};
