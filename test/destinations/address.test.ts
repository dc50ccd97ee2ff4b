import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addressScope, parseV4, parseV6, rebindingScope } from "../../src/destinations/address.ts";

describe("D-18 addresses in every spelling", () => {
  test.each([
    ["127.0.0.1", "loopback"],
    ["127.1", "loopback"],
    ["2130706433", "loopback"],
    ["0x7f000001", "loopback"],
    ["0177.0.0.1", "loopback"],
    ["0x7f.1", "loopback"],
    ["0.0.0.0", "loopback"],
    ["0", "loopback"],
    ["::1", "loopback"],
    ["::", "loopback"],
    ["0:0:0:0:0:0:0:1", "loopback"],
    ["::ffff:127.0.0.1", "loopback"],
    ["[::1]", "loopback"],
    ["10.1.2.3", "private"],
    ["10.1", "private"],
    ["012.0.0.1", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.168.4.4", "private"],
    ["3232235777", "private"],
    ["169.254.1.1", "private"],
    ["100.64.0.1", "private"],
    ["100.127.255.254", "private"],
    ["fd12:3456::1", "private"],
    ["fe80::1%eth0", "private"],
    ["::ffff:10.0.0.1", "private"],
    ["::ffff:a00:1", "private"],
    ["64:ff9b::10.0.0.1", "private"],
    ["2002:a00:1::", "private"],
    ["169.254.169.254", "metadata"],
    ["0xa9fea9fe", "metadata"],
    ["2852039166", "metadata"],
    ["169.254.170.2", "metadata"],
    ["::ffff:169.254.169.254", "metadata"],
    ["fd00:ec2::254", "metadata"],
    ["203.0.113.9", "public"],
    ["0x2d.0x21.0x20.0x9c", "public"],
    ["8.8.8.8", "public"],
    ["010.8.8.8", "public"],
    ["134744072", "public"],
    ["172.32.0.1", "public"],
    ["172.15.0.1", "public"],
    ["100.63.0.1", "public"],
    ["100.128.0.1", "public"],
    ["193.168.1.1", "public"],
    ["2001:4860:4860::8888", "public"],
    ["::ffff:8.8.8.8", "public"],
    ["64:ff9b::808:808", "public"],
    ["2002:808:808::1", "public"],
  ] as const)("%s is %s", (host, scope) => {
    expect(addressScope(host)).toBe(scope);
  });

  test.each([
    "1.2.3.4.5",
    "256.1.1.1",
    "1.2.3.256",
    "4294967296",
    "a.b.c.d",
    "1.2.3.4x",
    "",
    ":::",
    "1::2::3",
    "1:2:3",
    "12345::1",
    "g::1",
    "example.com",
    "::1.2.3",
  ])("%p is no address", (host) => {
    expect(addressScope(host)).toBeUndefined();
  });

  test("dotted, integer, hexadecimal and octal spellings of one address agree", () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), (value) => {
        const bytes = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
        const spellings = [
          bytes.join("."),
          String(value),
          `0x${value.toString(16)}`,
          bytes.map((byte) => `0${byte.toString(8)}`).join("."),
          `${bytes[0]}.${value & 0xffffff}`,
          `${bytes[0]}.${bytes[1]}.${value & 0xffff}`,
        ];
        for (const spelling of spellings) expect(parseV4(spelling)).toBe(value);
        expect(addressScope(`::ffff:${bytes.join(".")}`)).toBe(addressScope(bytes.join(".")));
      }),
    );
  });

  test("the runtime's URL parser agrees on IPv6", () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        fc.pre(URL.canParse(`http://[${text}]/`));
        const canonical = new URL(`http://[${text}]/`).hostname;
        expect(parseV6(text)).toEqual(parseV6(canonical) ?? []);
      }),
    );
  });

  test("D-18 a name that stands for an address is judged as the address", () => {
    expect(rebindingScope("10.0.0.1.nip.io")).toBe("private");
    expect(rebindingScope("app-203-0-113-9.sslip.io")).toBe("public");
    expect(rebindingScope("www.203.0.113.9.nip.io")).toBe("public");
    expect(rebindingScope("0a000001.nip.io")).toBe("private");
    expect(rebindingScope("169.254.169.254.nip.io")).toBe("metadata");
    expect(rebindingScope("2001-4860-4860--8888.sslip.io")).toBe("public");
    expect(rebindingScope("a.localtest.me")).toBe("loopback");
    expect(rebindingScope("nothing.nip.io")).toBe("unknown");
    expect(rebindingScope("notnip.io")).toBeUndefined();
    expect(rebindingScope("10.0.0.1.nip.io.evil.net")).toBeUndefined();
  });
});
