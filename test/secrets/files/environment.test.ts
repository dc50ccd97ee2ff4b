import { expect, test } from "bun:test";
import { environmentSecrets } from "../../../src/secrets/files/index.ts";
import { mint } from "../../mint.ts";

const value = mint.password();

test.each([
  ["an item of JSON", `["PATH=/usr/bin","DB_PASSWORD=${value}"]`],
  ["a list of Go", `[PATH=/usr/bin DB_PASSWORD=${value}]`],
  ["a pair of JSON", `{"name": "DB_PASSWORD",\n  "value": "${value}"}`],
  ["a pair of YAML", `- name: DB_PASSWORD\n  value: ${value}\n`],
  ["an item of JSON in colour", `["PATH=/usr/bin",\u001b[32m"DB_PASSWORD=${value}"\u001b[0m]`],
  ["a quoted pair of YAML", `- name: "DB_PASSWORD"\n  value: '${value}'\n`],
])("L-093 %s: the value alone, at its place", (_title, text) => {
  const found = environmentSecrets(text);
  expect(found.map(({ value: one, grade }) => [one, grade])).toEqual([[value, "field"]]);
  expect(text.slice(found[0]?.start, found[0]?.end)).toBe(value);
});

test.each([
  `["DB_PASSWORD_FILE=/run/secrets/db","TOKEN_COUNT=12345678"]`,
  `[DB_PASSWORD=changeme PATH=/usr/bin]`,
  `{"name": "LOG_LEVEL", "value": "${value}"}`,
  `- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db\n`,
  `- name: DB_PASSWORD\n- value: ${value}\n`,
])("L-009 no value of a secret's name in %j", (text) => {
  expect(environmentSecrets(text)).toEqual([]);
});
