/** Operating system, networks, hosts. */
import { fieldsAt, span } from "./fields.ts";
import type { CredentialKind, Field } from "./file.ts";
import { iniLeaves } from "./ini.ts";
import { jsonLeaves } from "./json.ts";
import { isPassword, isToken } from "./literal.ts";

/** A user, a hash, fields of days. */
const SHADOW_LINE = /[ \t]*([a-z_][\w.$-]{0,63}):(!?\$[\da-z]{1,10}\$[^:\s]{20,256}):(?:\d{0,10}:){2,6}/y;
/** Longest way from a line's beginning to its hash, in characters. */
const SHADOW_USER = 160;

/** Password hashes: `user:$6$…:` and eight fields in all; `*` and `!` lock an account and are none. */
export function shadowHashes(text: string): readonly Field[] {
  const found: Field[] = [];
  for (const mark of [":$", ":!$"]) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
      const floor = Math.max(0, at - SHADOW_USER);
      const start = floor + text.slice(floor, at).lastIndexOf("\n") + 1;
      if (start === floor && floor > 0 && text.charAt(floor - 1) !== "\n") continue;
      SHADOW_LINE.lastIndex = start;
      const line = SHADOW_LINE.exec(text);
      if (line === null || line.index + line[0].indexOf(mark) !== at) continue;
      const hash = (line[2] ?? "").replace(/^!/, "");
      const from = line.index + line[0].indexOf(hash);
      found.push(span(text, from, from + hash.length));
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

export const shadow: CredentialKind = {
  id: "shadow",
  title: "System password hashes",
  class: "PROVEN",
  places: ["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/master.passwd", "/etc/security/opasswd", "/var/backups/shadow.bak"],
  confirm: shadowHashes,
};

export const wireguard: CredentialKind = {
  id: "wireguard",
  title: "WireGuard configuration",
  class: "PROVEN",
  places: ["/etc/wireguard/*.conf", "**/wg*.conf"],
  markers: ["[Interface]", "PrivateKey"],
  confirm(text) {
    const isKey = (value: string) => /^[A-Za-z0-9+/]{43}=$/.test(value) && isToken(value, 44);
    return fieldsAt(iniLeaves(text), ["Interface.PrivateKey", "*.PresharedKey"], isKey);
  },
};

export const wifi: CredentialKind = {
  id: "wifi",
  title: "Wi-Fi password",
  class: "PROVEN",
  places: ["/etc/NetworkManager/system-connections/*", "/etc/wpa_supplicant/*.conf", "/etc/wpa_supplicant.conf"],
  confirm: (text) => fieldsAt(iniLeaves(text), ["*.psk", "*.password"], (value) => isPassword(value, 8), true),
};

export const tailscale: CredentialKind = {
  id: "tailscale",
  title: "Tailscale node key",
  class: "PROVEN",
  places: ["/var/lib/tailscale/tailscaled.state"],
  confirm: (text) => fieldsAt(jsonLeaves(text) ?? [], ["_machinekey", "profile-*"], (value) => isToken(value, 40)),
};
