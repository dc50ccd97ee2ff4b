import { describe, expect, test } from "bun:test";
import { parseEnv } from "node:util";
import fc from "fast-check";
import { entriesOf, isSecretFileName } from "../../../src/secrets/files/dotenv.ts";
import { secretEntries, secretLines } from "../../../src/secrets/files/environment.ts";
import { isSecretName } from "../../../src/secrets/files/name.ts";
import { mint } from "../../mint.ts";

const read = (text: string) => Object.fromEntries(entriesOf(text).map((entry) => [entry.name, entry.value]));

const parsed = (text: string): Record<string, string> => ({ ...(parseEnv(text) as Record<string, string>) });

describe("entries as programs read them", () => {
  test.each([
    "A=1\nB=2\n",
    "export A=1\n  export   B = two words  \n",
    "A='one' # note\nB=\"two\" # note\nC=`three`\n",
    'A="line one\nline two"\nB=2\n',
    "A='multi\nline'\r\nB=2\r\n",
    "A=\"tab\\nfeed\"\nB='raw\\nfeed'\n",
    "A=\nB=\n",
    "A= # only a note\nB=a#b\n",
    "# A=1\n\n   \nB=2",
    'A="open\nB=2\n',
    "A.B=1\nC-D=2\n",
    "no entry here\nA=1\n",
    "A==b==\nB=a=b\n",
    'A=it\'s\nB=say "x"\n',
  ])("%j", (text) => expect(read(text)).toEqual(parsed(text)));

  test("random files agree with util.parseEnv", () => {
    const name = fc.stringMatching(/^[A-Za-z_]\w{0,8}$/).filter((text) => !/^(?:__proto__|constructor|export)$/.test(text));
    const plain = fc.stringMatching(/^[\w ./:@%+=-]{0,20}$/);
    const value = fc.oneof(
      plain,
      plain.map((text) => `"${text}"`),
      plain.map((text) => `'${text}'`),
      plain.map((text) => `\`${text}\``),
      fc.tuple(plain, plain).map(([a, b]) => `"${a}\n${b}"`),
      plain.map((text) => `${text} # note`),
    );
    const line = fc.oneof(
      fc.tuple(fc.constantFrom("", "export ", "  "), name, fc.constantFrom("=", " = ", "= "), value).map((parts) => parts.join("")),
      fc.constantFrom("", "# comment", "   ", "#A=1"),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.constantFrom("\n", "\r\n"), (lines, feed) => {
        const text = lines.join(feed) + feed;
        expect(read(text)).toEqual(parsed(text));
      }),
      { numRuns: 500 },
    );
  });

  test("positions point at the value as written", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        for (const entry of entriesOf(text)) expect(entry.end).toBeGreaterThanOrEqual(entry.start);
      }),
    );
    const text = '\ufeffA=1\r\nexport B="two\nlines" # x\nB=again\n';
    expect(entriesOf(text).map((entry) => [entry.name, text.slice(entry.start, entry.end)])).toEqual([
      ["A", "1"],
      ["B", "two\nlines"],
      ["B", "again"],
    ]);
  });
});

describe("P-033 names", () => {
  test.each(
    "TOKEN API_KEY accessToken OPENAI_API_KEY DB_PASSWORD dbPassword STRIPE_SECRET_KEY AWS_SECRET_ACCESS_KEY JWT_SECRET SESSION_SECRET NPM_AUTH DB_PASS PGPASSWORD PGPASSWORD_PROD TOKEN_B64 API_KEY_V2 SMTP_PASSWD PRIVATE_KEY APP_KEY apiKey2 GITHUB_TOKEN_OLD spring.datasource.password client-secret AUTH_TOKEN CREDENTIALS MASTER_KEY SECRET_KEY_BASE".split(
      " ",
    ),
  )("%s is one", (name) => expect(isSecretName(name)).toBe(true));
  test.each(
    "MONKEY API_KEYBOARD TOKEN_COUNT PASSWORD_LENGTH AUTH_ENABLED SECRET_NAME TOKEN_URL KEY_FILE PRIVATE_KEY_PATH AWS_ACCESS_KEY_ID CLIENT_ID AUTH_STRATEGY PUBLIC_KEY NEXT_PUBLIC_API_KEY MAX_TOKENS PASSWORD_MIN_LENGTH TOKEN_EXPIRES_IN_SECONDS SORT_KEY PORT AUTHOR COMPASS BYPASS KEYCLOAK_URL TOKENIZER SECRETARY".split(
      " ",
    ),
  )("%s is none", (name) => expect(isSecretName(name)).toBe(false));
});

describe("L-009 L-033 L-112 secret entries", () => {
  test("real values are found, each alone", () => {
    const { text, secrets } = mint.dotenv();
    expect(secretEntries(text).map((secret) => secret.value)).toEqual([...secrets]);
    for (const secret of secretEntries(text)) {
      expect(text.slice(secret.start, secret.end)).toBe(secret.value);
      expect(secret).toMatchObject({ grade: "field", kind: "field" });
    }
  });
  test("only the password of a URL", () => {
    const password = mint.password();
    const text = `DATABASE_URL=postgres://app:${password}@db.acme.dev:5432/app?sslmode=require\n`;
    expect(secretEntries(text)).toMatchObject([{ value: password, start: text.indexOf(password) }]);
  });
  test("connection strings, multi-line keys, plain KEY", () => {
    const [password, key] = [mint.password(), mint.base62(32)];
    const pem = mint.pemRsa().trim();
    const text = `DB="Server=tcp:x;User Id=app;Password=${password};Encrypt=True"\nSTRIPE_KEY=${key}\nPRIVATE_KEY="${pem}"\nJWT_PRIVATE_KEY='${pem}'\n`;
    expect(secretEntries(text).map((secret) => secret.value)).toEqual([password, key, pem, pem]);
  });
  test.each([
    "OPENAI_API_KEY=your-api-key-here",
    "GITHUB_TOKEN=<token>",
    "STRIPE_SECRET_KEY=${STRIPE_SECRET_KEY}",
    "SESSION_SECRET=changeme",
    "API_TOKEN=",
    "API_TOKEN=xxxxxxxxxxxxxxxxxxxx",
    "API_TOKEN=op://vault/item/field",
    "API_TOKEN=$(pass show x/y/z)",
    "API_KEY=short1",
    "AUTH_PASSWORD=12345678",
    "TOKEN_SECRET=production",
    "SECRET=true",
    "PASSWORD=/run/secrets/db_password",
    "AUTH_TOKEN=https://id.acme.dev/token",
    "SECRET_MANAGER_PROJECT=acme-prod-123",
    "DATABASE_URL=postgres://localhost:5432/app",
    "DATABASE_URL=postgres://postgres:postgres@localhost:5432/app",
    "DATABASE_URL=postgres://user:${DB_PASSWORD}@db/app",
    "REDIS_URL=redis://cache:6379",
    "SORT_KEY=created_at_desc",
    "GPG_KEY=A035C8C19219BA821ECEA86B64E628F8D684696D",
    "IDEMPOTENCY_KEY=order-2024-01-01-000123",
    "S3_KEY=uploads/2024/avatar/user-default-image.png",
    "PWD=/home/dev/project",
    "PORT=3000",
    "NEXT_PUBLIC_API_KEY=abcdefgh12345678ZZ",
  ])("not %s", (line) => expect(secretEntries(`${line}\n`)).toEqual([]));

  test("commented entries, diffs and unclosed quotes hide nothing", () => {
    const [old, now] = [mint.password(), mint.password()];
    for (const text of [
      `# DB_PASSWORD=${old}\nDB_PASSWORD=${now}\n`,
      `-DB_PASSWORD=${old}\n+DB_PASSWORD=${now}\n`,
      `TITLE="open\nA_TOKEN=${old}\nB_TOKEN=${now}\nEND=1"\n`,
    ]) {
      const found = secretEntries(text);
      expect(found.map((secret) => secret.value)).toEqual([old, now]);
      for (const secret of found) expect(text.slice(secret.start, secret.end)).toBe(secret.value);
    }
    expect(secretEntries("# set API_TOKEN=<token> before you start\n#API_KEY=your-api-key-here\n")).toEqual([]);
  });

  test("printed lines carry numbers, signs and names", () => {
    const password = mint.password();
    for (const before of [
      "",
      "+",
      "-",
      " ",
      "     2→",
      "  12\t",
      "3:",
      "app/.env:7:",
      "app/.env-8-",
      "export ",
      "declare -x ",
      "+export ",
    ]) {
      const text = `${before}PORT=3000\n${before}DB_PASSWORD=${password}\n`;
      expect(secretLines(text)).toMatchObject([{ value: password, start: text.indexOf(password) }]);
    }
    const fish = `set -gx API_TOKEN ${password}\n`;
    expect(secretLines(fish)).toMatchObject([{ value: password, start: fish.indexOf(password) }]);
    expect(secretLines("total 3\nHOME=/home/dev\nPWD=/home/dev/x\nSHLVL=1\nLS_COLORS=rs=0:di=01;34\n")).toEqual([]);
  });
});

describe("L-033 L-035 names of secret files", () => {
  test.each([
    "/a/.env",
    ".env",
    ".env.local",
    ".env.production",
    "prod.env",
    "app/.envrc",
    ".dev.vars",
    "C:\\x\\.env",
    ".ENV",
    ".env.test.local",
    ".env-prod",
  ])("%s is one", (path) => expect(isSecretFileName(path)).toBe(true));
  test.each([
    ".env.example",
    ".env.sample",
    "a/.env.template",
    ".env.dist",
    ".env.local.example",
    "example.env",
    "environment.ts",
    "env.d.ts",
    "envoy.yaml",
    ".envs/readme.md",
    "src/env.ts",
    ".env.ts",
    "process.env.md",
    ".environment",
    ".env.schema",
  ])("%s is none", (path) => expect(isSecretFileName(path)).toBe(false));
});
