/** Stores that are secret as a whole: browsers, keychains, wallets, key tables. The magic at the start proves them. */
import { span, wholeLine } from "./fields.ts";
import type { CredentialKind, FileClass } from "./file.ts";
import { jsonLeaves } from "./json.ts";
import { fieldsAt } from "./fields.ts";
import { isToken } from "./literal.ts";

interface Row {
  readonly id: string;
  readonly title: string;
  readonly class: FileClass;
  readonly places: readonly string[];
  /** First characters of the text; bytes above 0x7f as Latin-1. */
  readonly magic: string;
  /** What also stands inside. */
  readonly holds?: string;
}

const SQLITE = "SQLite format 3";
const CHROMIUM = ["$XDG", "$AS", "%LAD%"];
const inside = (...names: string[]) => CHROMIUM.flatMap((root) => names.map((name) => `${root}/**/${name}`));

const ROWS: readonly Row[] = [
  {
    id: "browser-logins",
    title: "Browser's saved passwords",
    class: "PROVEN",
    places: inside("Login Data"),
    magic: SQLITE,
    holds: "logins",
  },
  { id: "browser-cookies", title: "Browser's cookies", class: "PROVEN", places: inside("Cookies"), magic: SQLITE, holds: "cookies" },
  {
    id: "firefox-keys",
    title: "Firefox key store",
    class: "PROVEN",
    places: ["**/.mozilla/firefox/*/key4.db", "**/Firefox/Profiles/*/key4.db"],
    magic: SQLITE,
    holds: "nssPrivate",
  },
  {
    id: "firefox-cookies",
    title: "Firefox cookies",
    class: "PROVEN",
    places: ["**/.mozilla/firefox/*/cookies.sqlite", "**/Firefox/Profiles/*/cookies.sqlite"],
    magic: SQLITE,
    holds: "moz_cookies",
  },
  {
    id: "safari-cookies",
    title: "Safari cookies",
    class: "PROVEN",
    places: ["**/Library/Cookies/Cookies.binarycookies", "**/Cookies.binarycookies"],
    magic: "cook",
  },
  {
    id: "keychain",
    title: "macOS keychain",
    class: "PROVEN",
    places: ["**/Library/Keychains/**/*.keychain-db", "/Library/Keychains/*"],
    magic: "kych",
  },
  { id: "gnome-keyring", title: "GNOME keyring", class: "PROVEN", places: ["$DATA/keyrings/*.keyring"], magic: "GnomeKeyring" },
  { id: "kwallet", title: "KWallet", class: "PROVEN", places: ["$DATA/kwalletd/*.kwl"], magic: "KWALLET" },
  { id: "keepass", title: "KeePass database", class: "QUESTION", places: ["**/*.kdbx"], magic: "\x03\xd9\xa2\x9a" },
  {
    id: "registry-hive",
    title: "Windows account database",
    class: "PROVEN",
    places: ["**/System32/config/SAM", "**/System32/config/SYSTEM", "**/System32/config/SECURITY"],
    magic: "regf",
  },
  { id: "kerberos", title: "Kerberos key table", class: "PROVEN", places: ["/etc/krb5.keytab", "**/*.keytab"], magic: "\x05\x02" },
  { id: "kerberos-cache", title: "Kerberos tickets", class: "PROVEN", places: ["/tmp/krb5cc_*"], magic: "\x05\x04" },
  {
    id: "bitcoin-wallet",
    title: "Bitcoin wallet",
    class: "PROVEN",
    places: ["**/.bitcoin/**/wallet.dat", "$AS/Bitcoin/**/wallet.dat", "%AD%/Bitcoin/**/wallet.dat"],
    magic: "",
    holds: "keymeta",
  },
  { id: "java-keystore", title: "Java key store", class: "QUESTION", places: ["**/*.jks", "**/*.keystore"], magic: "\xfe\xed\xfe\xed" },
];

export const stores: readonly CredentialKind[] = ROWS.map((row) => ({
  id: row.id,
  title: row.title,
  class: row.class,
  places: row.places,
  confirm: (text) =>
    text.startsWith(row.magic) && text.length > 32 && (row.holds === undefined || text.includes(row.holds))
      ? [span(text, 0, text.length)]
      : [],
}));

/** PKCS#12 and DER keys: a SEQUENCE with a two-byte length (the second byte may have been lost in decoding), then an INTEGER or SEQUENCE. */
export const derKey: CredentialKind = {
  id: "key-file",
  title: "Key file",
  class: "QUESTION",
  places: ["**/*.p12", "**/*.pfx", "**/*.p8", "**/*.der", "**/*.key", "**/*.jks", "**/*.keystore"],
  confirm: (text) =>
    text.length > 100 && text.charCodeAt(0) === 0x30 && /^0[\u0081-\u0083\ufffd]/.test(text) ? [span(text, 0, text.length)] : [],
};

export const firefoxLogins: CredentialKind = {
  id: "firefox-logins",
  title: "Firefox saved passwords",
  class: "PROVEN",
  places: ["**/.mozilla/firefox/*/logins.json", "**/Firefox/Profiles/*/logins.json"],
  confirm: (text) =>
    fieldsAt(jsonLeaves(text) ?? [], ["logins.*.encryptedPassword", "logins.*.encryptedUsername"], (value) => isToken(value, 20)),
};

/** A list of exactly 64 bytes. */
export const solana: CredentialKind = {
  id: "solana",
  title: "Solana key file",
  class: "PROVEN",
  places: ["$XDG/solana/id.json", "$XDG/solana/*.json"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    const bytes = leaves.every((leaf) => leaf.path.length === 1 && /^\d{1,3}$/.test(leaf.value) && Number(leaf.value) < 256);
    const different = new Set(leaves.map((leaf) => leaf.value)).size;
    const [first, last] = [leaves[0], leaves[63]];
    return leaves.length === 64 && bytes && different > 16 && first !== undefined && last !== undefined
      ? [span(text, first.start, last.end)]
      : [];
  },
};

export const electrum: CredentialKind = {
  id: "electrum",
  title: "Electrum wallet",
  class: "PROVEN",
  places: ["**/.electrum/wallets/*", "$AS/Electrum/wallets/*", "%AD%/Electrum/wallets/*"],
  confirm(text) {
    const leaves = jsonLeaves(text) ?? [];
    return leaves.some((leaf) => leaf.path[0] === "wallet_type")
      ? fieldsAt(leaves, ["keystore.seed", "keystore.xprv"], (value) => value.length > 30)
      : [];
  },
};

export const near: CredentialKind = {
  id: "near",
  title: "NEAR key file",
  class: "PROVEN",
  places: ["**/.near-credentials/**/*.json"],
  confirm: (text) =>
    fieldsAt(jsonLeaves(text) ?? [], ["private_key", "secret_key"], (value) => value.startsWith("ed25519:") && isToken(value, 80)),
};

/** A NATS user: the seed in its block. */
export const nats: CredentialKind = {
  id: "nats",
  title: "NATS user credentials",
  class: "PROVEN",
  places: ["**/*.creds", "**/*.nk"],
  markers: ["BEGIN USER NKEY SEED"],
  confirm(text) {
    const hit = /^S[UAOCN][A-Z2-7]{56}(?=\r?$)/m.exec(text);
    if (hit === null) return wholeLine(text, (value) => /^S[UAOCN][A-Z2-7]{56}$/.test(value));
    return [span(text, hit.index, hit.index + hit[0].length)];
  },
};
