import { describe, expect, test } from "bun:test";
import { environmentSecrets, identify, secretEntries, secretsInText } from "../../src/secrets/files/index.ts";
import { piecesOf } from "../../src/secrets/pieces.ts";
import { redactText } from "../../src/secrets/redact.ts";
import { isSample } from "../../src/secrets/samples.ts";
import { scan } from "../../src/secrets/scan.ts";
import type { Secret } from "../../src/secrets/secret.ts";
import { mint } from "../mint.ts";

const password = `${mint.password()}4x`;
const shown = (text: string, secrets: readonly Secret[]) => secrets.map((secret) => text.slice(secret.start, secret.end));

/** How tools print the lines of a file. */
const dresses: readonly (readonly [name: string, dress: (lines: readonly string[]) => string])[] = [
  ["as they are", (lines) => lines.join("\n")],
  ["with line numbers", (lines) => lines.map((line, at) => `${String(at + 1).padStart(6)}\t${line}`).join("\n")],
  ["with an arrow", (lines) => lines.map((line, at) => `${String(at + 9).padStart(6)}→${line}`).join("\n")],
  ["in bat's gutter", (lines) => lines.map((line, at) => `${String(at + 1).padStart(4)} │ ${line}`).join("\n")],
  [
    "in bat's gutter with colours",
    (lines) =>
      lines
        .map((line, at) => `\u001b[38;5;238m${String(at + 1).padStart(4)} \u001b[38;5;238m│\u001b[0m \u001b[38;5;231m${line}\u001b[0m`)
        .join("\n"),
  ],
  ["by grep -n", (lines) => lines.map((line, at) => `${at + 1}:${line}`).join("\n")],
  ["in a diff", (lines) => lines.map((line) => `+${line}`).join("\n")],
  ["as a JSON string", (lines) => JSON.stringify({ text: `${lines.join("\n")}\n` })],
  ["as a JSON list of lines", (lines) => JSON.stringify(lines)],
  ["as an indented list", (lines) => JSON.stringify({ content: lines }, null, 2)],
];

describe("L-109 lines of credential files in every dress", () => {
  test.each(dresses)("%s", (_, dress) => {
    for (const lines of [
      ["# hosts", "machine api.acme.dev", "  login dev", `  password ${password}`, "machine other"],
      ["# hosts", `machine api.acme.dev login dev password ${password}`],
      ["# hosts", `machine api.acme.dev login dev account main password ${password}`, ""],
      ["# databases", `db.acme.dev:5432:app:dev:${password}`, ""],
      ["https://acme.dev/", `https://dev:${password}@git.acme.dev`],
    ]) {
      const text = dress(lines);
      const found = [...secretsInText(text), ...scan(text).secrets];
      expect({ text, found: [...new Set(shown(text, found))] }).toEqual({ text, found: [password] });
    }
  });

  test("prose and code about machines are none", () => {
    for (const text of [
      "The machine api needs a login and a password that you choose yourself.",
      "machine learning login page password reset",
      `state.machine.login("dev").password(${"x".repeat(20)})`,
      "machine api.acme.dev login dev password changeme\n",
      `localhost:5432:app:dev:password`,
    ])
      expect(secretsInText(text)).toEqual([]);
  });

  test("D-12: rows of beginnings cost one pass", () => {
    for (const piece of [
      "-----BEGIN OPENSSH PRIVATE KEY-----\n",
      '{"private_key":"-----BEGIN PRIVATE KEY-----',
      "-----END RSA PRIVATE KEY-----",
      "PuTTY-User-Key-File-2: x\nEncryption: none\n",
      "machine a login b password c\n",
      'A="\\"\n',
    ]) {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
      expect(secretsInText(text)).toEqual([]);
      expect(environmentSecrets(text)).toEqual([]);
      expect(identify("/home/dev/.ssh/id_rsa", text, { folder: "/home/dev", environment: {} })).toBeUndefined();
      expect(scan(text).secrets).toEqual([]);
    }
  });
});

describe("environments", () => {
  test("NUL between the entries, as the kernel keeps them", () => {
    const text = `HOME=/home/dev\0DB_PASSWORD=${password}\0LANG=C.UTF-8\0API_TOKEN=${mint.base62(32)}\0`;
    const found = secretEntries(text);
    expect(shown(text, found)).toHaveLength(2);
    expect(shown(text, found)[0]).toBe(password);
  });

  test("in colour", () => {
    const text = `\u001b[1;34mDB_PASSWORD\u001b[0m=\u001b[32m${password}\u001b[0m\n`;
    expect(shown(text, secretEntries(text))).toEqual([password]);
  });
});

describe("Kubernetes Secret objects", () => {
  const value = Buffer.from(password).toString("base64");
  const bytes = mint.bytes(32).toString("base64");
  const object = {
    apiVersion: "v1",
    data: { "db-password": value, "aes.key": bytes, username: "ZGV2" },
    kind: "Secret",
    metadata: { name: "db" },
  };
  const yaml = `apiVersion: v1\ndata:\n  aes.key: ${bytes}\n  db-password: ${value}\n  username: ZGV2\nkind: Secret\nmetadata:\n  name: db\n  namespace: web\ntype: Opaque\n`;
  const items = `apiVersion: v1\nitems:\n- ${yaml.trimEnd().replaceAll("\n", "\n  ")}\n- apiVersion: v1\n  data:\n    mode: production\n    color: "enabled1"\n  kind: ConfigMap\nkind: List\n`;

  test.each([
    ["YAML", yaml],
    [
      "YAML with line numbers",
      yaml
        .split("\n")
        .map((line, at) => `${String(at + 1).padStart(6)}\t${line}`)
        .join("\n"),
    ],
    ["a list", items],
    ["JSON", JSON.stringify(object, null, 4)],
    ["JSON in one line", JSON.stringify(object)],
    ["JSON in a string", JSON.stringify({ "last-applied": JSON.stringify(object) })],
    ["a list in JSON", JSON.stringify({ kind: "List", items: [object, { kind: "ConfigMap", data: { mode: "production" } }] })],
  ])("%s", (_, text) => {
    const found = secretsInText(text);
    expect(new Set(shown(text, found))).toEqual(new Set([value, bytes]));
    for (const secret of found) expect(secret).toMatchObject({ family: "kubernetes-secret", grade: "field" });
  });

  test("no Secret, nothing secret", () => {
    for (const text of [
      yaml.replace("kind: Secret", "kind: ConfigMap"),
      yaml.replace("kind: Secret", "kind: SealedSecret"),
      JSON.stringify({ ...object, kind: "ConfigMap" }),
      "kind: Secret\nmetadata:\n  name: db\n",
      `kind: Secret\ndata:\n  ca.crt: ${Buffer.from("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n").toString("base64")}\n  password: ${Buffer.from("changeme").toString("base64")}\n`,
    ])
      expect(secretsInText(text)).toEqual([]);
  });
});

describe("D-20 published samples", () => {
  const samples = [
    `ghp_16C7e42F292c6912${"E7710c838347Ae178B4a"}`,
    `gho_16C7e42F292c6912${"E7710c838347Ae178B4a"}`,
    `sk_test_BQokikJOv${"BiI2HlWgH4olfQ2"}`,
    [
      "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
      "eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6InNlcnZpY2Vfcm9sZSIsImV4cCI6MTk4MzgxMjk5Nn0",
      "EGIM96RAZx35lJzdJsyH-qQwv8Hdp7fsn3W0YpN81IU",
    ].join("."),
  ];

  test("are shown", () => {
    for (const sample of samples) expect(scan(`TOKEN=${sample}\nAuthorization: Bearer ${sample}\n`).secrets).toEqual([]);
  });

  test("only whole and unchanged", () => {
    for (const sample of samples) {
      const other = `${sample.slice(0, -1)}${sample.endsWith("b") ? "c" : "b"}`;
      expect(isSample(other)).toBe(false);
      expect(scan(`TOKEN=${other}\n`).secrets).toHaveLength(1);
    }
  });
});

test("L-093 the armour of a key stays as it is", () => {
  for (const key of [mint.pemRsa(), mint.pemRsaPkcs1(), mint.pemEc(), mint.pemEd25519(), mint.opensshKey()]) {
    for (const value of [key, key.replaceAll("\n", "\\n"), key.replaceAll("\n", "\r\n"), key.trim()]) {
      const known: Secret = {
        family: "private-key",
        title: "private key",
        grade: "credential",
        kind: "structure",
        value,
        start: 0,
        end: 1,
      };
      const [first = "", second = ""] = key.split("\n");
      expect(piecesOf(`${first}\n`, [known])).toEqual([]);
      expect(piecesOf(`${key.trim().split("\n").at(-1)}\n`, [known])).toEqual([]);
      const text = `${first}\n${second}\n`;
      const left = redactText(text, piecesOf(text, [known]), () => "0a1b2c3d").replace(/(?:\[leak0:private-key:0a1b2c3d\])+/, "gone");
      expect(left).toBe(`${first}\ngone\n`);
    }
  }
});
