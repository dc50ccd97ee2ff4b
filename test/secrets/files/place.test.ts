import { describe, expect, test } from "bun:test";
import { identify, isKnownPlace } from "../../../src/secrets/files/index.ts";
import { CHOSEN } from "../../../src/limits.ts";
import { mint } from "../../mint.ts";
import { fixtures } from "./fixtures.ts";

const home = { folder: "/home/dev", environment: {} };
const netrc = mint.netrc().text;
const pgpass = `db.acme.dev:5432:app:app:${mint.password()}\n`;
const aws = mint.awsCredentials().text;

/** From then on places are told by their last names first. */
function lookAtMany(): void {
  for (let i = 0; i <= CHOSEN.place_lookups_plain; i++) identify(`/srv/app/${i}.ts`, "export {};", home);
}

test("L-016 every kind is found at its place once many files were looked at", () => {
  lookAtMany();
  for (const { id, path, text } of fixtures(mint)) expect(identify(path, text, home)?.id, path).toBe(id);
  for (const path of ["/home/a.b/.aws/credentials", "/root/.aws/credentials", "/System/Volumes/Data/Users/dev/.AWS/Credentials"])
    expect(identify(path, aws, home)?.proof, path).toBe("resolved path");
  for (const path of ["/home/dev/.AWS/credentials", "/home/dev/aws/credentials"])
    expect(identify(path, aws, home)?.proof, path).not.toBe("resolved path");
});

describe("L-016 L-018 spellings of ~/.aws/credentials", () => {
  test.each([
    "/home/dev/.aws/credentials",
    "/home/other/.aws/credentials",
    "/root/.aws/credentials",
    "/Users/dev/.aws/credentials",
    "/users/dev/.AWS/Credentials",
    "/System/Volumes/Data/Users/dev/.aws/credentials",
    "/proc/self/root/home/dev/.aws/credentials",
    "/proc/1234/root/home/dev/.aws/credentials",
    "/proc/self/task/77/root/home/dev/.aws/credentials",
    "/proc/self/root/proc/self/root/root/.aws/credentials",
    "/home/dev/.ssh/../.aws/credentials",
    "/home/dev/./.aws//credentials",
    "C:\\Users\\dev\\.aws\\credentials",
    "c:/users/DEV/.AWS/CREDENTIALS",
    "C:\\Users\\DEV~1\\AWS~1\\CREDEN~1",
    "C:\\Users\\dev\\.aws\\credentials::$DATA",
    "C:\\Users\\dev\\.aws\\credentials.",
    "\\\\?\\C:\\Users\\dev\\.aws\\credentials",
    "\\\\server\\c$\\Users\\dev\\.aws\\credentials",
    "\\\\wsl$\\Ubuntu\\home\\dev\\.aws\\credentials",
    "/mnt/c/Users/dev/.aws/credentials",
    "/cygdrive/c/Users/dev/.aws/credentials",
    "/c/Users/dev/.aws/credentials",
    "%USERPROFILE%\\.aws\\credentials",
    "~/.aws/credentials",
    ".aws/credentials",
    "dotfiles/.aws/credentials",
  ])("%s", (path) => {
    expect(isKnownPlace(path, home)).toBe(!/^(?:\.aws|dotfiles)/.test(path));
    expect(identify(path, aws, home)).toMatchObject({ id: "aws-credentials", proof: "resolved path" });
  });

  test.each([
    "/home/dev/aws/credentials",
    "/home/dev/.aws/credentials/x",
    "/home/dev/.awsx/credentials",
    "/home/dev/my.aws/credentials",
    "src/credentials",
    "/home/dev/.AWS/credentials",
  ])("not %s", (path) => expect(isKnownPlace(path, home)).toBe(false));
});

describe("L-016 overrides by the caller's environment", () => {
  const cases: readonly (readonly [string, string, string, string, string])[] = [
    ["AWS_SHARED_CREDENTIALS_FILE", "/srv/keys/aws", "/srv/keys/aws", aws, "aws-credentials"],
    ["NETRC", "/srv/net", "/srv/net", netrc, "netrc"],
    ["PGPASSFILE", "/srv/pg", "/srv/pg", pgpass, "pgpass"],
    ["KUBECONFIG", "/srv/a:/srv/b", "/srv/b", mint.kubeconfig().text, "kubeconfig"],
    ["DOCKER_CONFIG", "/srv/docker", "/srv/docker/config.json", mint.dockerConfig().text, "docker"],
    ["GH_CONFIG_DIR", "/srv/gh", "/srv/gh/hosts.yml", mint.ghHosts().text, "gh"],
    ["XDG_CONFIG_HOME", "/srv/config", "/srv/config/gh/hosts.yml", mint.ghHosts().text, "gh"],
    ["CLAUDE_CONFIG_DIR", "/srv/claude", "/srv/claude/.credentials.json", mint.claudeCredentials().text, "claude-code"],
    ["NPM_CONFIG_USERCONFIG", "/srv/npmrc", "/srv/npmrc", mint.npmrc().text, "npm"],
    ["CARGO_HOME", "/srv/cargo", "/srv/cargo/credentials.toml", `[registry]\ntoken = "${mint.cratesIo()}"\n`, "cargo"],
    ["APPDATA", "D:\\Profiles\\dev", "D:\\Profiles\\dev\\postgresql\\pgpass.conf", pgpass, "pgpass"],
    ["GOOGLE_APPLICATION_CREDENTIALS", "/srv/adc", "/srv/adc", mint.gcloudAdc().text, "gcp-user"],
  ];
  const moved = (variable: string, value: string, path: string, text: string, id: string): void => {
    const found = identify(path, text, { folder: "/home/dev", environment: { [variable]: value } });
    expect(found).toMatchObject({ id, class: "PROVEN", proof: "resolved path" });
  };
  test.each(cases)("%s", moved);
  test("the same once many files were looked at", () => {
    lookAtMany();
    for (const one of cases) moved(...one);
  });
  test.each([
    ["POETRY_CONFIG_DIR", "/srv/poetry", "/srv/poetry/auth.toml", "poetry"],
    ["SNOWFLAKE_HOME", "/srv/snow", "/srv/snow/connections.toml", "snowflake"],
    ["HELM_REPOSITORY_CONFIG", "/srv/charts", "/srv/charts", "helm"],
    ["BUNDLE_USER_CONFIG", "/srv/gems", "/srv/gems", "bundler"],
  ])("%s, and nothing is there without it", (variable, value, path, id) => {
    const text = fixtures(mint).find((one) => one.id === id)?.text ?? "";
    expect(identify(path, text, { folder: "/home/dev", environment: { [variable]: value } })).toMatchObject({ id, proof: "resolved path" });
    expect(identify(path, text, home)?.proof).not.toBe("resolved path");
  });
  test("without it a weak layout is nothing", () => {
    for (const path of ["/srv/net", "/srv/pg", "/srv/npmrc"])
      for (const text of [netrc, pgpass]) expect(identify(path, text, home)).toBeUndefined();
  });
  test("a relative or empty value moves nothing", () => {
    for (const value of ["", "net", "./net", "/"])
      expect(identify("/srv/net", netrc, { folder: "/home/dev", environment: { NETRC: value, XDG_CONFIG_HOME: value } })).toBeUndefined();
  });
});

test("L-014 a name that anyone may choose in a project is no known place", () => {
  for (const path of [
    "/home/dev/app/auth.json",
    "/srv/app/.mcp.json",
    "/home/dev/app/kubeconfig",
    "/home/dev/app/.npmrc",
    "/home/dev/app/.aws/credentials",
    "src/auth.json",
  ])
    expect(isKnownPlace(path, home)).toBe(false);
  for (const path of [
    "/home/dev/.npmrc",
    "/home/dev/.codex/auth.json",
    "/etc/shadow",
    "/home/dev/.config/gh/hosts.yml",
    "C:\\Users\\dev\\AppData\\Roaming\\GitHub CLI\\hosts.yml",
    "/home/dev/.ssh/work_key",
  ])
    expect(isKnownPlace(path, home)).toBe(true);
});

test("a home elsewhere counts as home", () => {
  const other = { folder: "/tmp/x/home", environment: {} };
  expect(identify("/tmp/x/home/.npmrc", mint.npmrc().text, other)).toMatchObject({ id: "npm", class: "PROVEN" });
  expect(identify("/tmp/x/home/app/.npmrc", mint.npmrc().text, other)).toMatchObject({ id: "npm-project", class: "QUESTION" });
  expect(identify("/tmp/x/home/.npmrc", mint.npmrc().text, { folder: "", environment: {} })).toMatchObject({ class: "QUESTION" });
});

test("hostile paths end quickly and throw nothing", () => {
  for (const path of [
    "",
    "/",
    "\\",
    "a/".repeat(50_000),
    "../".repeat(50_000),
    "/proc/self/root".repeat(5_000),
    "*".repeat(10_000),
    "\0",
    "C:",
    "//",
    "\\\\?\\",
  ]) {
    expect(identify(path, "hello there", home)).toBeUndefined();
  }
});
