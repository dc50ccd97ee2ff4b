/** Azure "identifiable" keys: a signature in the middle and Marvin32 at the end (token-families.md §4). */
import { crc32 } from "./check/crc32.ts";
import { marvin32 } from "./check/marvin32.ts";
import { type Family, type FormatFamily, format, vendor } from "./family.ts";

const ID = "azure";

interface Key {
  readonly title: string;
  readonly signature: string;
  /** Decoded bytes; the last four are the check. */
  readonly size: 64 | 40 | 39 | 32;
  readonly seeds: readonly string[];
  readonly pattern: RegExp;
}

const KEYS = (): readonly Key[] => [
  {
    title: "Azure Storage account key",
    signature: "+ASt",
    size: 64,
    seeds: ["Default0"],
    pattern: /[0-9A-Za-z+/]{76}\+ASt[0-9A-Za-z+/]{6}==/y,
  },
  {
    title: "Azure Cosmos DB key",
    signature: "ACDb",
    size: 64,
    seeds: ["MastRW00", "MastRO00", "Encryp00", "Resour00", "SysAll00", "SystRO00", "SystRW00"],
    pattern: /[0-9A-Za-z+/]{76}ACDb[0-9A-Za-z+/]{6}==/y,
  },
  { title: "Azure Batch key", signature: "+ABa", size: 64, seeds: ["AbAcct00"], pattern: /[0-9A-Za-z+/]{76}\+ABa[0-9A-Za-z+/]{6}==/y },
  { title: "Azure ML key", signature: "+AMC", size: 64, seeds: ["Classic0"], pattern: /[0-9A-Za-z+/]{76}\+AMC[0-9A-Za-z+/]{6}==/y },
  {
    title: "Azure API Management key",
    signature: "APIM",
    size: 64,
    seeds: ["Tenant00", "IoTHub00", "GitKey00", "Gatewy00"],
    pattern: /[0-9A-Za-z+/]{76}APIM[0-9A-Za-z+/]{6}==/y,
  },
  {
    title: "Azure Service Bus key",
    signature: "+ASb",
    size: 32,
    seeds: ["Send0000", "Listen00", "Manage00"],
    pattern: /[0-9A-Za-z+/]{33}\+ASb[0-9A-Za-z+/]{6}=/y,
  },
  {
    title: "Azure Event Hubs key",
    signature: "+AEh",
    size: 32,
    seeds: ["Send0000", "Listen00", "Manage00"],
    pattern: /[0-9A-Za-z+/]{33}\+AEh[0-9A-Za-z+/]{6}=/y,
  },
  {
    title: "Azure Relay key",
    signature: "+ARm",
    size: 32,
    seeds: ["Send0000", "Listen00", "Manage00"],
    pattern: /[0-9A-Za-z+/]{33}\+ARm[0-9A-Za-z+/]{6}=/y,
  },
  {
    title: "Azure IoT key",
    signature: "AIoT",
    size: 32,
    seeds: ["IoTHub00", "DpsKey00", "Device00"],
    pattern: /[0-9A-Za-z+/]{33}AIoT[0-9A-Za-z+/]{6}=/y,
  },
  { title: "Azure Cache key", signature: "AzCa", size: 32, seeds: ["Access00"], pattern: /[0-9A-Za-z+/]{33}AzCa[0-9A-Za-z+/]{6}=/y },
  { title: "Azure Event Grid key", signature: "AZEG", size: 32, seeds: ["Default0"], pattern: /[0-9A-Za-z+/]{33}AZEG[0-9A-Za-z+/]{6}=/y },
  {
    title: "Azure Functions key",
    signature: "AzFu",
    size: 40,
    seeds: ["Functi00", "Master00", "System00"],
    pattern: /[\w-]{44}AzFu[\w-]{6}(?:==)?/y,
  },
  { title: "Azure AI Search key", signature: "AzSe", size: 39, seeds: ["Query000", "PAdmin00"], pattern: /[\w-]{42}AzSe[\w-]{6}/y },
  {
    title: "Azure Container Registry key",
    signature: "+ACR",
    size: 39,
    seeds: ["ACRDflt0"],
    pattern: /[0-9A-Za-z+/]{42}\+ACR[0-9A-Za-z+/]{6}/y,
  },
];

function identifiable(key: Key): FormatFamily {
  // The signature stands before the last six characters, padding not counted.
  const before = Math.ceil((key.size * 8) / 6) - 10;
  return format({
    id: ID,
    title: key.title,
    needles: [key.signature],
    pattern: key.pattern,
    edge: "base64",
    starts: (_, at) => [at - before],
    proof: (value) => {
      const bytes = Buffer.from(value, "base64");
      if (bytes.length !== key.size) return false;
      const data = bytes.subarray(0, -4);
      const check = bytes.readUInt32LE(key.size - 4);
      return key.seeds.some((seed) => marvin32(seed, data) === check);
    },
  });
}

/** The older personal access token: 52 base32 characters, CRC-32 of 28 bytes hidden in the other four. No prefix, so the scan asks by shape. */
export function isAzureDevOps(value: string): boolean {
  const bytes = fromLowerBase32(value);
  const check = (bytes[22] as number) + (bytes[8] as number) * 0x100 + (bytes[7] as number) * 0x10000 + (bytes[2] as number) * 0x1000000;
  const crc = crc32(bytes.filter((_, at) => at !== 22 && at !== 8 && at !== 7 && at !== 2));
  return check === (crc ^ 0xe0b9692d) >>> 0 || check === (crc ^ 0x1019f92e) >>> 0;
}

/** 52 characters of a-z and 2-7 as 32 bytes; the last four bits are dropped. */
function fromLowerBase32(value: string): Uint8Array {
  const bytes = new Uint8Array(32);
  let held = 0;
  let bits = 0;
  let at = 0;
  for (const character of value) {
    const code = character.charCodeAt(0);
    held = ((held << 5) | (code >= 97 ? code - 97 : code - 50 + 26)) & 0xfff;
    bits += 5;
    if (bits >= 8 && at < 32) {
      bits -= 8;
      bytes[at++] = (held >> bits) & 0xff;
    }
  }
  return bytes;
}

export const azure = (): readonly Family[] => [
  ...KEYS().map(identifiable),
  // Marvin32 again, but 18 bits only.
  vendor(ID, "Microsoft Entra client secret", ["7Q~", "8Q~"], /[\w.~-]{3}[78]Q~[\w.~-]{31,34}/y, {
    starts: (_, at) => [at - 3],
    plain: true,
  }),
  // Common annotated keys (new DevOps tokens, Azure AI, Maps …): the marker at offset 52 is unmistakable.
  vendor(
    ID,
    "Azure key",
    ["JQQJ9"],
    /[0-9A-Za-z]{52}JQQJ9[9DH][A-Za-z][A-L][0-9A-Za-z]{16}[A-Z]{4}[0-9A-Za-z+/]{4}(?:[0-9A-Za-z+/]{2}==)?/y,
    {
      edge: "base64",
      starts: (_, at) => [at - 52],
    },
  ),
  vendor(
    ID,
    "Azure account key",
    ["AccountKey=", "SharedAccessKey="],
    /(?:Account|SharedAccess)Key=(?<value>[0-9A-Za-z+/]{43}=|[0-9A-Za-z+/]{86}==)/y,
    { edge: "open" },
  ),
  // A shared access signature: the value of `sig`, percent-encoded or not, in a query that also holds a version and an expiry.
  vendor(ID, "Azure shared access signature", ["sig="], /sig=(?<value>[\w%+/-]{43,62}(?:=|%3[Dd])?)(?![\w%+/=-])/y, {
    edge: "open",
    starts: (text, at) => (/[?&;](?:sv|se|sr|sp|st)=/.test(text.slice(Math.max(0, at - 512), at + 512)) ? [at] : []),
  }),
];
