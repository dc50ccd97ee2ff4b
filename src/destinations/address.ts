/**
 * IP addresses in every spelling a URL or an argument may use, and what an address means for a destination.
 * Trust: the text is hostile. Whatever `inet_aton` and URL parsers accept is read here as they read it (octal, hex,
 * missing parts, one integer), so that a spelling cannot turn a public address into a name or a private one.
 */

/** What an address is. `metadata`: the cloud's credential source, which nobody owns. */
export type AddressScope = "loopback" | "private" | "metadata" | "public";

const METADATA_V4: readonly number[] = [0xa9fea9fe, 0xa9feaa02, 0xa9feaa17, 0x646464c8, 0xa83f8110];

const within = (address: number, base: number, bits: number): boolean => address >>> (32 - bits) === base >>> (32 - bits);

/**
 * The 32-bit value of an IPv4 address as `inet_aton` reads it: one to four parts, each decimal, octal (`0…`) or
 * hexadecimal (`0x…`), the last part filling what is missing. Undefined for anything else.
 */
export function parseV4(text: string): number | undefined {
  const parts = text.split(".");
  if (parts.length > 4 || text.length > 64) return undefined;
  const numbers: number[] = [];
  for (const part of parts) {
    const hex = /^0x([0-9a-f]*)$/i.exec(part);
    if (hex !== null) numbers.push(hex[1] === "" ? 0 : Number.parseInt(hex[1] ?? "", 16));
    else if (/^0[0-7]+$/.test(part)) numbers.push(Number.parseInt(part, 8));
    else if (/^[0-9]+$/.test(part)) numbers.push(Number.parseInt(part, 10));
    else return undefined;
  }
  const last = numbers.pop();
  if (last === undefined || numbers.some((number) => number > 255)) return undefined;
  const room = 256 ** (4 - numbers.length);
  if (last >= room) return undefined;
  return numbers.reduce((value, number, index) => value + number * 256 ** (3 - index), last) >>> 0;
}

/** The eight 16-bit groups of an IPv6 address (brackets and zone allowed), undefined for anything else. */
export function parseV6(text: string): readonly number[] | undefined {
  let body = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  const zone = body.indexOf("%");
  if (zone !== -1) body = body.slice(0, zone);
  if (body.length > 64 || !/^[0-9a-f:.]+$/i.test(body)) return undefined;
  const dotted = /^(.*:)([0-9.]+)$/.exec(body);
  if (dotted !== null && (dotted[2] ?? "").includes(".")) {
    const tail = parseV4(dotted[2] ?? "");
    if (tail === undefined || (dotted[2] ?? "").split(".").length !== 4) return undefined;
    body = `${dotted[1]}${(tail >>> 16).toString(16)}:${(tail & 0xffff).toString(16)}`;
  }
  const halves = body.split("::");
  if (halves.length > 2) return undefined;
  const groups = halves.map((half) => (half === "" ? [] : half.split(":")));
  if (groups.flat().some((group) => !/^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  const head = (groups[0] ?? []).map((group) => Number.parseInt(group, 16));
  if (halves.length === 1) return head.length === 8 ? head : undefined;
  const tail = (groups[1] ?? []).map((group) => Number.parseInt(group, 16));
  const gap = 8 - head.length - tail.length;
  return gap < 1 ? undefined : [...head, ...new Array<number>(gap).fill(0), ...tail];
}

function scopeOfV4(address: number): AddressScope {
  if (METADATA_V4.includes(address)) return "metadata";
  if (within(address, 0x7f000000, 8) || within(address, 0, 8)) return "loopback";
  const own =
    within(address, 0x0a000000, 8) ||
    within(address, 0xac100000, 12) ||
    within(address, 0xc0a80000, 16) ||
    within(address, 0xa9fe0000, 16) ||
    within(address, 0x64400000, 10) ||
    within(address, 0xc6120000, 15);
  return own ? "private" : "public";
}

function scopeOfV6(groups: readonly number[]): AddressScope {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const low = ((g << 16) | h) >>> 0;
  if ([a, b, c, d, e].every((group) => group === 0)) {
    if (f === 0 && g === 0 && h <= 1) return "loopback";
    // v4-mapped (::ffff:a.b.c.d) and the old v4-compatible form go where the IPv4 address goes.
    if (f === 0xffff || f === 0) return scopeOfV4(low);
  }
  // The same for the translation prefix 64:ff9b::/96 and for 6to4, which carry the IPv4 address inside.
  if (a === 0x64 && b === 0xff9b && c === 0 && d === 0 && e === 0 && f === 0) return scopeOfV4(low);
  if (a === 0x2002) return scopeOfV4(((b << 16) | c) >>> 0);
  if (a === 0xfd00 && b === 0x0ec2 && h === 0x254) return "metadata";
  const own = (a & 0xfe00) === 0xfc00 || (a & 0xffc0) === 0xfe80 || (a & 0xffc0) === 0xfec0;
  return own ? "private" : "public";
}

/** The scope of a literal address, undefined when the host is a name. */
export function addressScope(host: string): AddressScope | undefined {
  const v4 = parseV4(host);
  if (v4 !== undefined) return scopeOfV4(v4);
  const v6 = host.includes(":") ? parseV6(host) : undefined;
  return v6 === undefined ? undefined : scopeOfV6(v6);
}

/** Services whose names resolve to the address written inside them (`10-0-0-1.nip.io`), and those that mean loopback. */
const NUMBER_NAMES = /(?:^|\.)(?:nip\.io|sslip\.io|xip\.io|traefik\.me|local-ip\.(?:co|sh)|backname\.io)$/;
const LOOPBACK_NAMES = /(?:^|\.)(?:localtest\.me|lvh\.me|vcap\.me|lacolhost\.com|local\.gd|localho\.st|yoogle\.com)$/;

/**
 * The scope of a name that only stands for an address: `app.10.0.0.1.nip.io`, `a-203-0-113-9.sslip.io`,
 * `0a000001.nip.io`, `x.localtest.me`. `unknown` when such a name holds no readable number; undefined for every other name.
 */
export function rebindingScope(host: string): AddressScope | "unknown" | undefined {
  if (LOOPBACK_NAMES.test(host)) return "loopback";
  const suffix = NUMBER_NAMES.exec(host);
  if (suffix === null) return undefined;
  const label = host.slice(0, suffix.index);
  const dotted = /(?:^|[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})$/.exec(label);
  if (dotted !== null) {
    const bytes = dotted.slice(1).map(Number);
    return bytes.some((byte) => byte > 255) ? "unknown" : scopeOfV4(bytes.reduce((value, byte) => value * 256 + byte, 0) >>> 0);
  }
  const hex = /(?:^|[.-])([0-9a-f]{8})$/.exec(label);
  if (hex !== null) return scopeOfV4(Number.parseInt(hex[1] ?? "", 16));
  const dashed = /(?:^|\.)([0-9a-f-]{2,45})$/.exec(label);
  const v6 = dashed === null ? undefined : parseV6((dashed[1] ?? "").replaceAll("-", ":"));
  return v6 === undefined ? "unknown" : scopeOfV6(v6);
}
