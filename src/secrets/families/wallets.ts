/** Keys of encryption tools and wallets that prove themselves (token-families.md §5). Those without a marker are in `../shapes.ts`. */
import { base58, base58check, startsWith } from "./check/base58.ts";
import { bech32 } from "./check/bech32.ts";
import { isKeyPair } from "./check/ed25519.ts";
import { ripemd160 } from "./check/sha256.ts";
import { type Family, format, vendor } from "./family.ts";

/** bech32 holds and the data have this many bytes. */
const bech =
  (...sizes: number[]) =>
  (value: string): boolean => {
    const data = bech32(value);
    return data !== undefined && sizes.includes(data.length);
  };

/** base58check holds over a payload that begins so and has this many bytes. */
const checked58 = (value: string, size: number, ...start: number[]): boolean => {
  const payload = base58check(value);
  return payload !== undefined && payload.length === size && startsWith(payload, ...start);
};

const antelope = (value: string): boolean => {
  const bytes = base58(value.slice(7));
  if (bytes?.length !== 36) return false;
  const check = ripemd160(bytes.subarray(0, 32), value.slice(4, 6));
  return bytes.subarray(32).every((byte, at) => byte === check[at]);
};

export const wallets = (): readonly Family[] => [
  format({
    id: "age",
    title: "age secret key",
    needles: ["AGE-SECRET-KEY-1"],
    pattern: /AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}/y,
    proof: bech(32),
  }),
  format({
    id: "age",
    title: "age secret key",
    needles: ["AGE-SECRET-KEY-PQ-1"],
    pattern: /AGE-SECRET-KEY-PQ-1[02-9AC-HJ-NP-Z]{58}/y,
    proof: bech(32),
  }),
  // Usually only points to a hardware key.
  vendor("age", "age plugin identity", ["AGE-PLUGIN-"], /AGE-PLUGIN-[\dA-Z+-]{1,30}-1[02-9AC-HJ-NP-Z]{12,400}/y, {
    check: (value) => bech32(value) !== undefined,
  }),
  format({ id: "nostr", title: "Nostr secret key", needles: ["nsec1"], pattern: /nsec1[02-9ac-hj-np-z]{58}/y, proof: bech(32) }),
  format({
    id: "sui",
    title: "Sui private key",
    needles: ["suiprivkey1"],
    pattern: /suiprivkey1[02-9ac-hj-np-z]{59}/y,
    proof: (value) => {
      const data = bech32(value);
      return data?.length === 33 && (data[0] as number) <= 2;
    },
  }),
  format({
    id: "cardano",
    title: "Cardano signing key",
    needles: ["ed25519_sk1", "ed25519e_sk1", "root_xsk1", "acct_xsk1", "addr_xsk1"],
    pattern: /(?:ed25519e?_sk|(?:root|acct|addr)_xsk)1[02-9ac-hj-np-z]{58,210}/y,
    proof: bech(32, 64, 96, 128),
  }),
  format({
    id: "zcash",
    title: "Zcash spending key",
    needles: ["secret-extended-key-main1"],
    pattern: /secret-extended-key-main1[02-9ac-hj-np-z]{277}/y,
    proof: bech(169),
  }),
  format({
    id: "bip32",
    title: "wallet private key",
    needles: ["xprv", "tprv", "yprv", "zprv", "uprv", "vprv"],
    pattern: /[xtyzuv]prv[1-9A-HJ-NP-Za-km-z]{107}/y,
    proof: (value) => checked58(value, 78) && base58check(value)?.[45] === 0,
  }),
  format({
    id: "eos",
    title: "Antelope private key",
    needles: ["PVT_K1_", "PVT_R1_"],
    pattern: /PVT_[KR]1_[1-9A-HJ-NP-Za-km-z]{45,51}/y,
    proof: antelope,
  }),
  format({
    id: "tezos",
    title: "Tezos secret key",
    needles: ["edsk"],
    pattern: /edsk[1-9A-HJ-NP-Za-km-z]{50}/y,
    proof: (value) => checked58(value, 36, 0x0d, 0x0f, 0x3a, 0x07),
  }),
  format({
    id: "tezos",
    title: "Tezos secret key",
    needles: ["edsk"],
    pattern: /edsk[1-9A-HJ-NP-Za-km-z]{94}/y,
    proof: (value) => checked58(value, 68, 0x2b, 0xf6, 0x4e, 0x07),
  }),
  format({
    id: "tezos",
    title: "Tezos secret key",
    needles: ["spsk"],
    pattern: /spsk[1-9A-HJ-NP-Za-km-z]{50}/y,
    proof: (value) => checked58(value, 36, 0x11, 0xa2, 0xe0, 0xc9),
  }),
  format({
    id: "tezos",
    title: "Tezos secret key",
    needles: ["p2sk"],
    pattern: /p2sk[1-9A-HJ-NP-Za-km-z]{50}/y,
    proof: (value) => checked58(value, 36, 0x10, 0x51, 0xee, 0xbd),
  }),
  format({
    id: "paserk",
    title: "PASERK secret key",
    needles: ["k4.secret."],
    pattern: /k4\.secret\.[\w-]{86}/y,
    proof: (_, body, budget) => budget.curves-- > 0 && isKeyPair(Buffer.from(body, "base64url")),
  }),
  format({
    id: "coinbase",
    title: "Coinbase API key",
    needles: ["privateKey", "private_key", "PRIVATE_KEY", "api_key_secret", "KEY_SECRET"],
    pattern: /(?:privateKey|private_key|PRIVATE_KEY|api_key_secret|KEY_SECRET)["']?\s{0,4}[:=]\s{0,4}["']?(?<value>[\w+/]{86}==)/y,
    edge: "open",
    proof: (value, _, budget) => budget.curves-- > 0 && isKeyPair(Buffer.from(value, "base64")),
  }),
];
