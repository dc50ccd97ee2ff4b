/** Operating system, networks, hosts. */
import { fieldsAt, span } from "./fields.ts";
import type { CredentialKind, Field } from "./file.ts";
import { iniLeaves } from "./ini.ts";
import { jsonLeaves } from "./json.ts";
import { isPassword, isToken } from "./literal.ts";

/** Password hashes: `user:$6$…:` and eight fields in all; `*` and `!` lock an account and are none. */
export function shadowHashes(text: string): readonly Field[] {
  const found: Field[] = [];
  for (const line of text.matchAll(/^[ \t]*([a-z_][\w.$-]{0,63}):(!?\$[\da-z]{1,10}\$[^:\s]{20,256}):(?:\d{0,10}:){2,6}/gm)) {
    const hash = (line[2] ?? "").replace(/^!/, "");
    const start = line.index + line[0].indexOf(hash);
    found.push(span(text, start, start + hash.length));
  }
  return found;
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
