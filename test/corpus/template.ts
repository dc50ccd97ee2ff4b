/** Fills `⟦…⟧` in the corpus's texts with throwaway secrets and noise, and remembers every secret it made. */
import { crc32, inBase, Mint, type MintedFile } from "../mint.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ALPHABETS: Readonly<Record<string, string>> = {
  hex: "0123456789abcdef",
  HEX: "0123456789ABCDEF",
  base32: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
  base36: "0123456789abcdefghijklmnopqrstuvwxyz",
  base62: BASE62,
  base64: `${BASE62}+/`,
  base64url: `${BASE62}-_`,
  bech32: "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
  mappings: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz;,",
};

/** Makers whose result is no secret. */
const PUBLIC = new Set(["opensshPublic", "pemPublic", "certificate", "publishedKey"]);

/** Folders that texts may name. */
export interface Places {
  readonly home: string;
  readonly repo: string;
  readonly data: string;
}

export class Template {
  /** Every secret value made so far, with the name it was asked for by. */
  readonly secrets = new Map<string, string>();
  readonly #made = new Map<string, string>();
  readonly #mint: Mint;

  constructor(seed: string, base?: Template) {
    this.#mint = new Mint(seed);
    if (base === undefined) return;
    for (const [key, value] of base.#made) this.#made.set(key, value);
    for (const [secret, name] of base.secrets) this.secrets.set(secret, name);
  }

  /** The value with every text in it filled, keys of objects too. */
  fill<T>(value: T, places: Places): T {
    if (typeof value === "string") return this.#text(value, places) as T;
    if (Array.isArray(value)) return value.map((item) => this.fill(item, places)) as T;
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.#text(key, places), this.fill(item, places)])) as T;
  }

  #text(text: string, places: Places): string {
    return text.includes("⟦") ? text.replace(/⟦([^⟦⟧]*)⟧/g, (_whole, name: string) => this.#one(name, places)) : text;
  }

  #one(name: string, places: Places): string {
    if (name === "") return "";
    if (name === "home" || name === "repo" || name === "data") return places[name];
    if (name.startsWith("!")) return this.#noise(name.slice(1));
    const [maker = "", ...filters] = name.split("|");
    return filters.reduce((text, filter) => this.#filtered(text, filter, name), this.#secret(maker));
  }

  #secret(name: string): string {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const [, maker = "", argument, , field] = /^(\w+)(?:\(([^)]*)\))?(?::(\d+))?(?:\.(\d+))?$/.exec(name) ?? [];
    if (field !== undefined) this.#secret(name.slice(0, -field.length - 1));
    const late = this.#made.get(name);
    if (late !== undefined) return late;
    if (field !== undefined) throw new Error(`there is no value ${field} in ⟦${name}⟧`);
    const make = (this.#mint as unknown as Record<string, ((argument?: string) => string | MintedFile) | undefined>)[maker];
    if (make === undefined) throw new Error(`no maker for ⟦${name}⟧`);
    const made = make.call(this.#mint, ...(argument === undefined ? [] : [argument]));
    if (typeof made === "string") {
      if (!PUBLIC.has(maker)) this.secrets.set(made, name);
      this.#made.set(name, made);
      return made;
    }
    this.#made.set(name, made.text);
    made.secrets.forEach((secret, index) => {
      this.#made.set(`${name}.${index}`, secret);
      this.secrets.set(secret, `${name}.${index}`);
    });
    return made.text;
  }

  #filtered(text: string, filter: string, name: string): string {
    switch (filter) {
      case "base64":
        return Buffer.from(text).toString("base64");
      case "hex":
        return Buffer.from(text).toString("hex");
      case "reverse":
        return [...text].reverse().join("");
      case "firsthalf":
        return text.slice(0, text.length >> 1);
      case "lasthalf":
        return text.slice(text.length >> 1);
      case "HEX":
        return Buffer.from(text).toString("hex").toUpperCase();
      case "base64url":
        return Buffer.from(text).toString("base64url");
      // Behind one or two other bytes every character of the writing is another one.
      case "base64+1":
        return Buffer.from(`:${text}`).toString("base64");
      case "base64+2":
        return Buffer.from(`: ${text}`).toString("base64");
      case "base32":
        return base32(text);
      case "lower32":
        return base32(text).toLowerCase();
      case "spaced":
        return [...text].join(" ");
      case "dashed":
        return [...text].join("-");
      case "percent":
        return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
      case "json":
        return [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
      case "entities":
        return [...text].map((one) => `&#${one.charCodeAt(0)};`).join("");
      case "decimals":
        return [...text].map((one) => one.charCodeAt(0)).join(", ");
      case "overstruck":
        return [...text].map((one) => `${one}\b${one}`).join("");
      case "words":
        return text.replace(/(.)(.)/gs, (_, one: string, two: string) => `${[two, one].map((byte) => Buffer.from(byte).toString("hex")).join("")} `);
      case "upper13":
        return text.replace(/[a-z]/gi, (one) => String.fromCharCode(one.charCodeAt(0) + ((one.charCodeAt(0) & 31) <= 13 ? 13 : -13)));
      case "labels":
        return Buffer.from(text).toString("hex").replace(/(.{20})(?!$)/g, "$1.");
      case "broken1":
        return `${text.slice(0, text.length >> 1)}\n${text.slice(text.length >> 1)}`;
      case "broken": {
        const known = this.#made.get(name) ?? this.#mint.broken(text);
        this.#made.set(name, known);
        this.secrets.set(known, name);
        return known;
      }
      default: {
        const before = /^each (.+)$/s.exec(filter)?.[1];
        if (before !== undefined) return [...text].map((one) => `${before}${one}`).join("");
        const folded = /^folded (\d+)(.*)$/s.exec(filter);
        if (folded !== null) return text.replace(new RegExp(`(.{${folded[1]}})(?!$)`, "g"), `$1\n${folded[2]}`);
        const piece = /^chars (\d+) (\d+)$/.exec(filter);
        if (piece !== null) return text.slice(Number(piece[1]), Number(piece[2]));
        const part = /^lines (\d+)(?: (\d+))?$/.exec(filter);
        if (part === null) throw new Error(`unknown filter in ⟦${name}⟧`);
        return text.trimEnd().split("\n").slice(Number(part[1]), part[2] === undefined ? undefined : Number(part[2])).join("\n");
      }
    }
  }

  #noise(request: string): string {
    const [kind = "", size = "0"] = request.split(" ");
    const count = Number(size);
    const alphabet = ALPHABETS[kind];
    if (alphabet !== undefined) return this.#quick(alphabet, count);
    switch (kind) {
      case "uuid":
        return this.#mint.uuid();
      case "hexcolon":
        return this.#mint.bytes(count).toString("hex").toUpperCase().match(/../g)?.join(":") ?? "";
      case "minified":
        return this.#repeat(count, (at) => `function ${"abcdefgh"[at % 8]}(t,e){return t.token||(t.key=e[${at}])&&"${this.#quick(ALPHABETS["base62"] as string, 12)}"}`);
      case "lines":
        return this.#repeat(count * 60, (at) => `2025-11-03T10:00:${String(at % 60).padStart(2, "0")}Z INFO request ${at} took ${at % 97} ms\n`);
      case "yarnlock":
        return this.#repeat(count * 150, (at) => `pkg-${at}@^1.0.0:\n  version "1.0.${at}"\n  resolved "https://registry.yarnpkg.com/pkg-${at}.tgz#${this.#quick(ALPHABETS["hex"] as string, 40)}"\n  integrity sha512-${this.#quick(ALPHABETS["base64"] as string, 86)}==\n`);
      case "zeros":
        return checked("0".repeat(30));
      case "ascending":
        return checked(BASE62.slice(0, 30));
      case "nested":
        return `echo ${"$(".repeat(count)}:${")".repeat(count)}`;
      case "long":
        return `echo ${"word ".repeat(Math.ceil(count / 5))}`;
      default:
        throw new Error(`unknown noise ${kind}`);
    }
  }

  /** Noise needs no even distribution, so bytes are taken in bulk. */
  #quick(alphabet: string, count: number): string {
    return Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => alphabet[byte % alphabet.length]).join("");
  }

  #repeat(size: number, piece: (at: number) => string): string {
    const pieces: string[] = [];
    for (let at = 0, length = 0; length < size; at++) {
      const next = piece(at);
      length += next.length;
      pieces.push(next);
    }
    return pieces.join("");
  }
}

/** RFC 4648 base32 with its padding, bit by bit. */
function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const digits = bits.match(/.{1,5}/g) ?? [];
  const body = digits.map((five) => (ALPHABETS["base32"] as string)[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
  return body.padEnd(Math.ceil(body.length / 8) * 8, "=");
}

/** A GitHub body with its right check data. */
const checked = (body: string) => body + inBase(crc32(body), BASE62, 6);
