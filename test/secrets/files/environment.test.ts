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
  ["a step of a build", `<missing> 2 days ago   ENV DB_PASSWORD=${value}   0B\n`],
  ["an argument of a build", `RUN |1 DB_PASSWORD=${value} /bin/sh -c make`],
  ["a heading of kubectl", `DB_PASSWORD:\n----\n${value}\n\n`],
  ["a setting of Redis", `requirepass\n${value}\n`],
  ["a setting of Redis in a list", `1) "requirepass"\n2) "${value}"\n`],
  ["a member of JSON", `{"DB_PASSWORD": "${value}"}`],
  ["an output of Terraform", `{"db": {"sensitive": true, "type": "string", "value": "${value}"}}`],
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
  `x LOG_LEVEL=${value} y`,
  `LOG_LEVEL:\n----\n${value}\n`,
  `maxmemory\n${value}\n`,
  `{"LOG_LEVEL": "${value}"}`,
  `{"zone": {"sensitive": false, "type": "string", "value": "${value}"}}`,
])("L-009 no value of a secret's name in %j", (text) => {
  expect(environmentSecrets(text)).toEqual([]);
});

test("L-015 Google's key of a web page is no secret under the name that a bundler shows, and is one under another", () => {
  for (let round = 0; round < 200; round++) {
    const key = `AIza${mint.base64url(35)}`;
    expect(environmentSecrets(`VITE_FIREBASE_API_KEY=${key}\n`)).toEqual([]);
  }
  const password = mint.password();
  expect(environmentSecrets(`VITE_DB_PASSWORD=${password}\n`).map(({ value: one }) => one)).toEqual([password]);
  const key = `AIza${mint.base64url(10)}7bQ${mint.base64url(22)}`;
  expect(environmentSecrets(`MAPS_API_KEY=${key}\n`).map(({ value: one }) => one)).toEqual([key]);
});
