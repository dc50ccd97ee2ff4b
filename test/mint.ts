/**
 * Makers of throwaway secrets for tests: random, never issued, with check data that is right.
 *
 * Written from the published token layouts alone and independent of `src/`, so that it is an oracle for it.
 * All randomness comes from one seed; a failing run is replayed with `POISONZERO_TEST_SEED=<seed>`.
 * Keys come from ssh-keygen, openssl and gpg and are made once per process.
 */
import { execFileSync } from "node:child_process";
import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { PUBLISHED_WORDS, walletKeys } from "./published-wallet.ts";

/** A whole credential file and every secret value in it, escapes undone (a PEM key has real line breaks). */
export interface MintedFile {
  readonly text: string;
  readonly secrets: readonly string[];
}

const DIGITS = "0123456789";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const HEX = "0123456789abcdef";
const BASE62_U = DIGITS + UPPER + LOWER;
const BASE62_L = DIGITS + LOWER + UPPER;
const BASE36 = DIGITS + LOWER;
const BASE32 = `${UPPER}234567`;
const BASE64_URL = `${BASE62_U}-_`;
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE58_XRP = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz";
const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/** CRC-32 as in zlib, bit by bit. */
export function crc32(bytes: string | Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(bytes as string)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

/** Most significant digit first, padded on the left with the alphabet's zero. */
export function inBase(value: bigint | number, alphabet: string, width: number): string {
  let rest = BigInt(value);
  let text = "";
  const base = BigInt(alphabet.length);
  while (rest > 0n) {
    text = alphabet[Number(rest % base)] + text;
    rest /= base;
  }
  return text.padStart(width, alphabet[0]);
}

const hexBigEndian = (value: number) => value.toString(16).padStart(8, "0");
const hexLittleEndian = (value: number) => (hexBigEndian(value).match(/../g) as string[]).reverse().join("");
const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest();

function base58(bytes: Uint8Array, alphabet = BASE58): string {
  let zeros = 0;
  while (bytes[zeros] === 0) zeros++;
  const value = BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
  return (alphabet[0] as string).repeat(zeros) + (value === 0n ? "" : inBase(value, alphabet, 0));
}

function base58check(payload: Uint8Array, alphabet = BASE58): string {
  return base58(Buffer.concat([payload, sha256(sha256(payload)).subarray(0, 4)]), alphabet);
}

function bech32(hrp: string, data: Uint8Array): string {
  const groups: number[] = [];
  let held = 0;
  let bits = 0;
  for (const byte of data) {
    held = ((held << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; ) groups.push((held >> (bits -= 5)) & 31);
  }
  if (bits > 0) groups.push((held << (5 - bits)) & 31);
  const polymod = (values: number[]) => {
    let check = 1;
    for (const value of values) {
      const top = check >>> 25;
      check = ((check & 0x1ffffff) << 5) ^ value;
      [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].forEach((generator, bit) => {
        if ((top >> bit) & 1) check ^= generator;
      });
    }
    return check;
  };
  const codes = [...hrp].map((letter) => letter.charCodeAt(0));
  const checked = polymod([...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...groups, 0, 0, 0, 0, 0, 0]) ^ 1;
  const tail = [5, 4, 3, 2, 1, 0].map((place) => (checked >> (5 * place)) & 31);
  return `${hrp}1${[...groups, ...tail].map((value) => BECH32[value]).join("")}`;
}

const rotate = (value: number, by: number) => ((value << by) | (value >>> (32 - by))) >>> 0;

/** Marvin32 over `bytes` with an eight-character seed name read as a big-endian number. */
export function marvin32(seed: bigint, bytes: Uint8Array): number {
  let low = Number(seed & 0xffffffffn);
  let high = Number(seed >> 32n);
  const mix = () => {
    high = (high ^ low) >>> 0;
    low = rotate(low, 20);
    low = (low + high) >>> 0;
    high = rotate(high, 9);
    high = (high ^ low) >>> 0;
    low = rotate(low, 27);
    low = (low + high) >>> 0;
    high = rotate(high, 19);
  };
  const padded = Buffer.concat([bytes, Buffer.from([0x80]), Buffer.alloc(3 - (bytes.length % 4))]);
  for (let at = 0; at < padded.length; at += 4) {
    low = (low + padded.readUInt32LE(at)) >>> 0;
    mix();
  }
  mix();
  return (low ^ high) >>> 0;
}

const seedName = (name: string) => BigInt(`0x${Buffer.from(name, "latin1").toString("hex")}`);

/** Azure identifiable keys: signature, decoded size in bytes, seed name, alphabet, padding written. */
const AZURE = {
  storage: ["+ASt", 64, "Default0", "base64"],
  cosmos: ["ACDb", 64, "MastRW00", "base64"],
  batch: ["+ABa", 64, "AbAcct00", "base64"],
  ml: ["+AMC", 64, "Classic0", "base64"],
  apim: ["APIM", 64, "Tenant00", "base64"],
  serviceBus: ["+ASb", 32, "Manage00", "base64"],
  eventHubs: ["+AEh", 32, "Send0000", "base64"],
  relay: ["+ARm", 32, "Listen00", "base64"],
  iot: ["AIoT", 32, "IoTHub00", "base64"],
  redis: ["AzCa", 32, "Access00", "base64"],
  eventGrid: ["AZEG", 32, "Default0", "base64"],
  functions: ["AzFu", 40, "Functi00", "base64url"],
  search: ["AzSe", 39, "Query000", "base64url"],
  registry: ["+ACR", 39, "ACRDflt0", "base64"],
} as const;
export type AzureService = keyof typeof AZURE;
export const AZURE_SERVICES = Object.keys(AZURE) as AzureService[];

const keys = new Map<string, string>();

/** Runs a key-making command once per process; the folder is gone afterwards. */
function keyOnce(name: string, make: (folder: string) => string): string {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const folder = mkdtempSync(join(tmpdir(), "pz-mint-"));
  try {
    const made = make(folder);
    keys.set(name, made);
    return made;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: ["ignore", "pipe", "ignore"] }).toString();

function sshKeygen(type: string, passphrase: string, ...more: string[]) {
  return (folder: string) => {
    const file = join(folder, "key");
    execFileSync("ssh-keygen", ["-q", "-t", type, "-N", passphrase, "-C", "dev@laptop", "-f", file, ...more], { stdio: "ignore" });
    return readFileSync(file, "utf8");
  };
}

/** One seeded source of secrets. Equal seeds and equal calls give equal values (keys from key tools aside). */
export class Mint {
  #held: number[] = [];
  #block = 0;
  readonly seed: string;

  constructor(seed: string) {
    this.seed = seed;
  }

  byte(): number {
    if (this.#held.length === 0)
      this.#held = [
        ...createHash("sha512")
          .update(`${this.seed}/${this.#block++}`)
          .digest(),
      ];
    return this.#held.pop() as number;
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.byte()));
  }

  /** `count` characters of an alphabet, each equally likely. */
  text(alphabet: string, count: number): string {
    const limit = 256 - (256 % alphabet.length);
    let text = "";
    while (text.length < count) {
      const byte = this.byte();
      if (byte < limit) text += alphabet[byte % alphabet.length];
    }
    return text;
  }

  base62(count: number) {
    return this.text(BASE62_U, count);
  }
  base64url(count: number) {
    return this.text(BASE64_URL, count);
  }
  hex(count: number) {
    return this.text(HEX, count);
  }
  uuid() {
    return this.hex(32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-a$4-$5");
  }

  /** `prefix`, body, CRC-32 of the body in six base-62 digits. */
  #bodyChecked(prefix: string, body: string) {
    return prefix + body + inBase(crc32(body), BASE62_U, 6);
  }
  /** The same, the check covering the prefix too. */
  #wholeChecked(prefix: string, body: string, joint = "") {
    return prefix + body + joint + inBase(crc32(prefix + body), BASE62_U, 6);
  }

  // Families whose check proves them.

  github(prefix: "ghp_" | "gho_" | "ghu_" | "ghs_" = "ghp_") {
    return this.#bodyChecked(prefix, this.base62(30));
  }
  githubRefresh() {
    return this.#bodyChecked("ghr_", this.base62(70));
  }
  githubFineGrained() {
    const covered = `github_pat_11${this.base62(20)}_${this.base62(43)}`;
    const digest = sha256(covered).subarray(0, 5);
    return covered + inBase(BigInt(`0x${digest.toString("hex")}`), BASE32, 8) + this.base62(8);
  }
  npm() {
    return this.#bodyChecked("npm_", this.base62(30));
  }
  /** GitLab routable token; `instance` is an instance's own text such as `SIE-`. */
  gitlab(prefix = "glpat-", instance = "") {
    const lines = `o:${this.text("123456789abcdef", 1)}\nu:${this.text("123456789abcdefghijk", 3)}`;
    const payload = Buffer.concat([this.bytes(16), Buffer.from(lines), Buffer.from([lines.length])]).toString("base64url");
    const covered = `${instance}${prefix}${payload}.01.${payload.length.toString(36).padStart(2, "0")}`;
    return covered + inBase(crc32(covered), BASE36, 7);
  }
  gitlabUnversioned(prefix = "glpat-") {
    const payload = Buffer.concat([this.bytes(16), Buffer.from("o:1\nu:2s"), Buffer.from([8])]).toString("base64url");
    const covered = `${prefix}${payload}.${payload.length.toString(36).padStart(2, "0")}`;
    return covered + inBase(crc32(covered), BASE36, 7);
  }
  grafana() {
    const covered = `glsa_${this.base62(32)}`;
    return `${covered}_${hexLittleEndian(crc32(covered))}`;
  }
  atlassian(prefix: "ATATT3xFfGF0" | "ATCTT3xFfGN0" = "ATATT3xFfGF0") {
    const covered = `${prefix}${this.base64url(171)}=`;
    return covered + hexBigEndian(crc32(covered)).toUpperCase();
  }
  bitbucket() {
    const covered = `ATBB${this.base62(24)}`;
    return covered + hexBigEndian(crc32(covered)).toUpperCase();
  }
  confluent() {
    const body = this.text(`${BASE62_U}+/`, 54);
    const check = Buffer.alloc(4);
    check.writeUInt32LE(crc32(body));
    return `cflt${body}${check.toString("base64").slice(0, 6)}`;
  }
  cloudflare(prefix: "cfut_" | "cfk_" | "cfat_" = "cfut_") {
    const body = this.base62(40);
    return prefix + body + hexBigEndian(crc32(body));
  }
  vercel(prefix: "vcp_" | "vci_" | "vca_" | "vcr_" | "vck_" = "vcp_") {
    return this.#bodyChecked(prefix, this.base64url(50));
  }
  zuplo() {
    const body = this.hex(32);
    return `zpka_${body}_${hexBigEndian(crc32(body))}`;
  }
  jsr(prefix: "jsrd_" | "jsrp_" | "jsrw_" = "jsrp_") {
    return this.#wholeChecked(prefix, this.base62(29));
  }
  polar(prefix = "polar_oat_") {
    return this.#bodyChecked(prefix, this.base62(37));
  }
  synapse(prefix: "syt_" | "syr_" = "syt_") {
    const user = Buffer.from(`dev${this.text(LOWER, 4)}`)
      .toString("base64")
      .replace(/=+$/, "");
    return this.#wholeChecked(prefix, `${user}_${this.text(UPPER + LOWER, 20)}`, "_");
  }
  matrixAuth(prefix: "mat_" | "mar_" | "mct_" | "mcr_" = "mat_") {
    return this.#wholeChecked(prefix, this.base62(30), "_");
  }
  reviewBoard() {
    return this.#bodyChecked("rbp_", this.base62(245));
  }
  supabaseSelfHosted() {
    const covered = `sb_secret_${this.base64url(22)}`;
    return `${covered}_${sha256(`supabase-self-hosted|${covered}`).toString("base64url").slice(0, 8)}`;
  }
  azure(service: AzureService = "storage") {
    const [signature, size, seed, encoding] = AZURE[service];
    // The signature is the four characters before the last six (padding not counted).
    const characters = Math.ceil((size * 8) / 6);
    const alphabet = encoding === "base64" ? `${BASE62_U}+/` : BASE64_URL;
    const filled = `${this.text(alphabet, characters - 10)}${signature}AAAAAA`;
    const data = Buffer.from(filled, encoding).subarray(0, size - 4);
    const check = Buffer.alloc(4);
    // The characters that straddle data and check are settled by encoding the whole again.
    check.writeUInt32LE(marvin32(seedName(seed), data));
    const text = Buffer.concat([data, check]).toString(encoding);
    return service === "functions" ? `${text}==` : text;
  }
  azureDevOps() {
    const bytes = this.bytes(32);
    const order = [22, 8, 7, 2];
    const others = Buffer.from([...bytes].filter((_, at) => !order.includes(at)));
    const check = (crc32(others) ^ 0xe0b9692d) >>> 0;
    order.forEach((at, place) => {
      bytes[at] = (check >>> (8 * place)) & 255;
    });
    return inBase(BigInt(`0x${bytes.toString("hex")}0`) & ((1n << 260n) - 1n), `${LOWER}234567`, 52);
  }
  age() {
    return bech32("age-secret-key-", this.bytes(32)).toUpperCase();
  }
  agePostQuantum() {
    return bech32("age-secret-key-pq-", this.bytes(32)).toUpperCase();
  }
  /** A BIP-39 phrase of so many words, its checksum right. */
  /** The key of an account that every local chain starts with: no secret. */
  publishedKey(index = "0"): string {
    return `0x${walletKeys(PUBLISHED_WORDS.anvil, Number(index) + 1).at(-1)}`;
  }
  seedPhrase(words: 12 | 15 | 18 | 21 | 24 = 12) {
    const entropy = this.bytes((words * 32) / 3 / 8);
    const bits = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
    const all = bits(entropy) + bits(createHash("sha256").update(entropy).digest()).slice(0, words / 3);
    return (all.match(/.{11}/g) ?? []).map((index) => wordlist[Number.parseInt(index, 2)]).join(" ");
  }
  nsec() {
    return bech32("nsec", this.bytes(32));
  }
  sui() {
    return bech32("suiprivkey", Buffer.concat([Buffer.from([0]), this.bytes(32)]));
  }
  cardano(hrp: "ed25519_sk" | "ed25519e_sk" | "root_xsk" | "acct_xsk" | "addr_xsk" = "ed25519_sk") {
    return bech32(hrp, this.bytes(hrp === "ed25519_sk" ? 32 : hrp === "ed25519e_sk" ? 64 : 96));
  }
  zcash() {
    return bech32("secret-extended-key-main", this.bytes(169));
  }
  /** Bitcoin private key for import, compressed. */
  wif() {
    return base58check(Buffer.concat([Buffer.from([0x80]), this.bytes(32), Buffer.from([1])]));
  }
  xprv() {
    return base58check(Buffer.concat([Buffer.from("0488ade4", "hex"), this.bytes(41), Buffer.from([0]), this.bytes(32)]));
  }
  xrp() {
    return base58check(Buffer.concat([Buffer.from([0x21]), this.bytes(16)]), BASE58_XRP);
  }
  xrpEd25519() {
    return base58check(Buffer.concat([Buffer.from("01e14b", "hex"), this.bytes(16)]), BASE58_XRP);
  }
  eos(curve: "K1" | "R1" = "K1") {
    const key = this.bytes(32);
    const check = createHash("ripemd160").update(key).update(curve).digest().subarray(0, 4);
    return `PVT_${curve}_${base58(Buffer.concat([key, check]))}`;
  }
  tezos(prefix: "edsk" | "spsk" | "p2sk" = "edsk") {
    const version = { edsk: "0d0f3a07", spsk: "11a2e0c9", p2sk: "1051eebd" }[prefix];
    return base58check(Buffer.concat([Buffer.from(version, "hex"), this.bytes(32)]));
  }
  /** Ed25519 seed and public key, 64 bytes. */
  ed25519Pair(): Buffer {
    const seed = this.bytes(32);
    const key = createPrivateKey({
      key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]),
      format: "der",
      type: "pkcs8",
    });
    const spki = createPublicKey(key).export({ format: "der", type: "spki" });
    return Buffer.concat([seed, spki.subarray(spki.length - 32)]);
  }
  solanaJson() {
    return JSON.stringify([...this.ed25519Pair()]);
  }
  solanaBase58() {
    return base58(this.ed25519Pair());
  }
  paserk() {
    return `k4.secret.${this.ed25519Pair().toString("base64url")}`;
  }

  // Checks that exist but are not on the list that may block.

  deno() {
    return this.#wholeChecked("ddp_", this.base62(30));
  }
  apify() {
    const covered = `apify_api_${this.base62(30)}`;
    return covered + inBase(crc32(covered), BASE62_L, 6);
  }
  saladCloud() {
    return this.#bodyChecked("salad_cloud_user_", this.base62(43));
  }
  cratesIo() {
    return `cio${this.base62(31)}7`; // a body without a digit does not look random (1 in 250)
  }

  // Vendor formats without a proof.

  gitlabOld(prefix = "glpat-") {
    return prefix + this.base64url(20).replace(/^-|-$/g, "x");
  }
  awsKeyId(prefix: "AKIA" | "ASIA" = "AKIA") {
    return prefix + this.text(BASE32, 16);
  }
  awsSecret() {
    return this.base62(12) + this.text("/+", 1) + this.base62(27);
  }
  awsSessionToken() {
    return `IQoJb3JpZ2luX2Vj${this.text(`${BASE62_U}+/`, 300)}`;
  }
  openai(kind: "sk-" | "sk-proj-" | "sk-svcacct-" | "sk-admin-" = "sk-proj-") {
    return kind === "sk-"
      ? `sk-${this.base62(20)}T3BlbkFJ${this.base62(20)}`
      : `${kind}${this.base64url(74)}T3BlbkFJ${this.base64url(73)}A`;
  }
  anthropic(kind: "api03" | "admin01" | "oat01" | "ort01" = "api03") {
    return `sk-ant-${kind}-${this.base64url(93)}AA`;
  }
  stripe(prefix: "sk_live_" | "rk_live_" | "sk_test_" = "sk_live_") {
    return prefix + this.base62(24);
  }
  slackBot() {
    return `xoxb-${this.text("123456789", 12)}-${this.text("123456789", 13)}-${this.base62(24)}`;
  }
  slackWebhook() {
    return `https://hooks.slack.com/services/T${this.text(UPPER + DIGITS, 9)}/B${this.text(UPPER + DIGITS, 9)}/${this.base62(24)}`;
  }
  huggingFace() {
    return `hf_${this.text(UPPER + LOWER, 34)}`;
  }
  googleApi() {
    return `AIza${this.base64url(34)}x`;
  }
  googleRefresh() {
    return `1//0${this.base64url(59)}x`;
  }
  sendGrid() {
    return `SG.${this.base64url(21)}x.${this.base64url(42)}x`;
  }
  pypi() {
    return `pypi-AgEIcHlwaS5vcmc${this.base64url(160)}x`;
  }
  password() {
    // Letters alone may read like a name, which is no secret.
    return `Pz${this.base62(19)}7`;
  }
  jwt(payload: unknown = { iss: "https://id.acme.dev", sub: this.base62(12) }) {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    return `${part({ alg: "RS256", typ: "JWT", kid: this.hex(8) })}.${part(payload)}.${this.base64url(342)}`;
  }
  /** The stateless GitHub app token of 2026. */
  githubAppToken() {
    return `ghs_${this.text("123456789", 7)}_${this.jwt({ iss: "github", sub: this.base62(20) })}`;
  }

  // Keys, made once per process.

  /** OpenSSH private key without a passphrase. */
  opensshKey(type: "ed25519" | "rsa" | "ecdsa" = "ed25519") {
    return keyOnce(`openssh ${type}`, sshKeygen(type, ""));
  }
  opensshEncrypted() {
    return keyOnce("openssh encrypted", sshKeygen("ed25519", "a passphrase"));
  }
  opensshPublic() {
    return keyOnce("openssh public", (folder) => {
      sshKeygen("ed25519", "")(folder);
      return readFileSync(join(folder, "key.pub"), "utf8");
    });
  }
  /** PKCS#8, RSA. */
  pemRsa() {
    return keyOnce("pkcs8 rsa", () => openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"));
  }
  /** The older form, `RSA PRIVATE KEY`. */
  pemRsaPkcs1() {
    return keyOnce("pkcs1 rsa", (folder) => {
      writeFileSync(join(folder, "key"), this.pemRsa());
      return openssl("rsa", "-in", join(folder, "key"), "-traditional");
    });
  }
  /** `EC PRIVATE KEY`, without a parameter block in front. */
  pemEc() {
    return keyOnce("sec1 ec", () => openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout"));
  }
  pemEd25519() {
    return keyOnce("pkcs8 ed25519", () => openssl("genpkey", "-algorithm", "ED25519"));
  }
  pemEncrypted() {
    return keyOnce("pkcs8 encrypted", (folder) => {
      writeFileSync(join(folder, "key"), this.pemRsa());
      return openssl("pkcs8", "-topk8", "-in", join(folder, "key"), "-passout", "pass:a passphrase");
    });
  }
  pemPublic() {
    return keyOnce("public", (folder) => {
      writeFileSync(join(folder, "key"), this.pemRsa());
      return openssl("pkey", "-in", join(folder, "key"), "-pubout");
    });
  }
  certificate() {
    return keyOnce("certificate", (folder) => {
      writeFileSync(join(folder, "key"), this.pemRsa());
      return openssl("req", "-x509", "-key", join(folder, "key"), "-subj", "/CN=dev.local", "-days", "2");
    });
  }
  /** Armoured PGP private key without a passphrase. */
  pgpKey() {
    return keyOnce("pgp", (folder) => {
      const gpg = (...args: string[]) =>
        execFileSync("gpg", ["--homedir", folder, "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", "", ...args], {
          stdio: ["ignore", "pipe", "ignore"],
          env: { ...process.env, HOME: folder, GNUPGHOME: folder },
        }).toString();
      try {
        gpg("--quick-gen-key", "Dev <dev@acme.dev>", "ed25519", "sign", "1d");
        return gpg("--armor", "--export-secret-keys");
      } finally {
        execFileSync("gpgconf", ["--homedir", folder, "--kill", "all"], { stdio: "ignore" });
      }
    });
  }

  // Whole files.

  awsCredentials(): MintedFile {
    const secret = this.awsSecret();
    return { text: `[default]\naws_access_key_id = ${this.awsKeyId()}\naws_secret_access_key = ${secret}\n`, secrets: [secret] };
  }
  netrc(): MintedFile {
    const secret = this.password();
    return { text: `machine api.acme.dev\n  login dev\n  password ${secret}\n`, secrets: [secret] };
  }
  npmrc(): MintedFile {
    const secret = this.npm();
    return { text: `registry=https://registry.npmjs.org/\n//registry.npmjs.org/:_authToken=${secret}\n`, secrets: [secret] };
  }
  ghHosts(): MintedFile {
    const secret = this.github("gho_");
    return { text: `github.com:\n    user: dev\n    oauth_token: ${secret}\n    git_protocol: https\n`, secrets: [secret] };
  }
  gitCredentials(): MintedFile {
    const secret = this.github();
    return { text: `https://dev:${secret}@github.com\n`, secrets: [secret] };
  }
  dockerConfig(): MintedFile {
    const secret = Buffer.from(`dev:${this.password()}`).toString("base64");
    return { text: `${JSON.stringify({ auths: { "https://index.docker.io/v1/": { auth: secret } } }, null, "\t")}\n`, secrets: [secret] };
  }
  kubeconfig(): MintedFile {
    const secret = this.jwt({ iss: "kubernetes/serviceaccount", sub: "system:serviceaccount:default:admin" });
    const text = [
      "apiVersion: v1",
      "kind: Config",
      "clusters:",
      "- name: prod",
      "  cluster:",
      "    server: https://10.0.0.10:6443",
      "users:",
      "- name: admin",
      "  user:",
      `    token: ${secret}`,
      "contexts:",
      "- name: prod",
      "  context: {cluster: prod, user: admin}",
      "current-context: prod",
      "",
    ].join("\n");
    return { text, secrets: [secret] };
  }
  gcpServiceAccount(): MintedFile {
    const secret = this.pemRsa();
    const text = JSON.stringify(
      {
        type: "service_account",
        project_id: "acme-prod",
        private_key_id: this.hex(40),
        private_key: secret,
        client_email: "svc@acme-prod.iam.gserviceaccount.com",
        client_id: this.text("123456789", 21),
        auth_uri: "https://accounts.google.com/o/oauth2/auth",
        token_uri: "https://oauth2.googleapis.com/token",
      },
      null,
      2,
    );
    return { text: `${text}\n`, secrets: [secret] };
  }
  gcloudAdc(): MintedFile {
    const secret = this.googleRefresh();
    const client = this.base62(24);
    const text = JSON.stringify(
      {
        client_id: `${this.text("123456789", 12)}-${this.text(BASE36, 32)}.apps.googleusercontent.com`,
        client_secret: client,
        refresh_token: secret,
        type: "authorized_user",
      },
      null,
      2,
    );
    return { text: `${text}\n`, secrets: [client, secret] };
  }
  dotenv(): MintedFile {
    const secrets = [this.openai(), this.github(), this.password()];
    return {
      text: `# app\nPORT=3000\nOPENAI_API_KEY=${secrets[0]}\nGITHUB_TOKEN=${secrets[1]}\nDB_PASSWORD=${secrets[2]}\nLOG_LEVEL=debug\n`,
      secrets,
    };
  }
  pypirc(): MintedFile {
    const secret = this.pypi();
    return { text: `[distutils]\nindex-servers =\n    pypi\n\n[pypi]\nusername = __token__\npassword = ${secret}\n`, secrets: [secret] };
  }
  claudeCredentials(): MintedFile {
    const secrets = [this.anthropic("oat01"), this.anthropic("ort01")];
    const text = JSON.stringify({
      claudeAiOauth: {
        accessToken: secrets[0],
        refreshToken: secrets[1],
        expiresAt: 1893456000000,
        scopes: ["user:inference"],
        subscriptionType: "max",
      },
    });
    return { text, secrets };
  }

  /** The same shape with check data that is wrong: one character in the middle is another one of its class. */
  broken(token: string): string {
    const classes = ["acdef", "gjkmnpqrstuvwxyz", "ACDEF", "GJKMNPQRSTUVWXYZ", "234567"];
    for (let at = Math.floor(token.length / 2); at < token.length; at++) {
      const letters = classes.find((group) => group.includes(token[at] as string));
      if (letters === undefined) continue;
      const other = this.text(letters.replace(token[at] as string, ""), 1);
      return token.slice(0, at) + other + token.slice(at + 1);
    }
    throw new Error("nothing in the second half of this token can be changed");
  }
}

/** A fresh source for a seed. */
export function seeded(seed: string): Mint {
  return new Mint(seed);
}

/** The source shared by a test run; the seed is random unless `POISONZERO_TEST_SEED` names one. */
export const mint = seeded(process.env["POISONZERO_TEST_SEED"] ?? crypto.randomUUID());

process.on("exit", (code) => {
  if (code !== 0) console.error(`secrets of this run: POISONZERO_TEST_SEED=${mint.seed}`);
});
