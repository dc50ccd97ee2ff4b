/**
 * Secret fields of credential files inside any text: output of a command whose file is not known, a prompt, a
 * written file. Silent on ordinary logs, documents and code: a field counts only with the layout around it and
 * the value's own shape.
 *
 * Every layout starts with a cheap search for what it cannot do without.
 */
import { CHOSEN } from "../../limits.ts";
import { onBareText } from "../ansi.ts";
import type { Grade, Secret } from "../secret.ts";
import { isSecretValue } from "./entry-value.ts";
import { isSecretName } from "./name.ts";
import { credentialUrls } from "./git.ts";
import { isKeyText } from "./key-text.ts";
import { secretObjects } from "./kubernetes-objects.ts";
import { valuesAt } from "./keyed-value.ts";
import { isAwsKeyId, isAwsSecret, isBase64Key, isJwt, isPassword, isToken, secretOfPair } from "./literal.ts";
import { shadowHashes } from "./system.ts";
import { announce, isSurveyed, type Survey, surveyOf } from "../survey.ts";
import { elements } from "./xml.ts";

type Test = (value: string) => boolean;

interface Layout {
  readonly id: string;
  readonly title: string;
  readonly keys: readonly string[];
  readonly test: Test;
  /** Texts of which one from every group stands in the same text: the container. */
  readonly context?: readonly (readonly string[])[];
  /** What the value is worth with its container around it. */
  readonly grade: Grade;
}

const isLong: Test = (value) => isJwt(value) || isToken(value, 20);
/** No code and no sentence. */
const isWord: Test = (value) => isSecretValue(value) && !/[(){}]|^[ |,.]|[ |]{2}|`/.test(value);
const isNumbered: Test = (value) => isWord(value) && /\d/.test(value);

const JSON_NAMES = (names: string): readonly string[] => names.split(" ").map((name) => `${name}"`);

const LAYOUTS: readonly Layout[] = [
  {
    id: "aws-credentials",
    title: "AWS secret access key",
    keys: ["aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "SecretAccessKey", "secretAccessKey", "aws_secret_key"],
    test: isAwsSecret,
    context: [["AKIA", "ASIA"]],
    grade: "credential",
  },
  {
    id: "aws-credentials",
    title: "AWS secret access key",
    keys: ["aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "SecretAccessKey", "secretAccessKey", "aws_secret_key"],
    test: isAwsSecret,
    grade: "vendor",
  },
  {
    id: "aws-credentials",
    title: "AWS session token",
    keys: ["aws_session_token", "AWS_SESSION_TOKEN", "SessionToken", "sessionToken"],
    test: (value) => isToken(value, 100),
    grade: "vendor",
  },
  {
    id: "aws-credentials",
    title: "AWS secret access key",
    keys: ["secret"],
    test: isAwsSecret,
    context: [["aws_iam_access_key"]],
    grade: "credential",
  },
  {
    id: "aws-sso-cache",
    title: "AWS sign-in token",
    keys: JSON_NAMES("accessToken refreshToken clientSecret"),
    test: isLong,
    context: [["startUrl", "registrationExpiresAt", "issuerUrl"]],
    grade: "credential",
  },
  {
    id: "docker",
    title: "Docker registry sign-in",
    keys: ['auth"'],
    test: (value) => secretOfPair(value) !== undefined,
    context: [['"auths', "docker", "ghcr.io", '\\"auths']],
    grade: "credential",
  },
  { id: "docker", title: "Docker registry sign-in", keys: ['identitytoken"'], test: isLong, grade: "vendor" },
  { id: "gh", title: "GitHub command line sign-in", keys: ["oauth_token"], test: (value) => isToken(value, 20), grade: "vendor" },
  {
    id: "npm",
    title: "npm sign-in",
    keys: ["_authToken"],
    test: (value) => value.length >= 16 && isNumbered(value) && !value.includes(" "),
    grade: "field",
  },
  { id: "npm", title: "npm sign-in", keys: ["_auth"], test: (value) => secretOfPair(value) !== undefined, grade: "field" },
  { id: "npm", title: "npm sign-in", keys: [":_password"], test: (value) => isToken(value, 8), grade: "field" },
  { id: "yarn", title: "Yarn sign-in", keys: ["npmAuthToken", "npmAuthIdent"], test: isWord, grade: "field" },
  { id: "kubeconfig", title: "Kubernetes client key", keys: ["client-key-data"], test: isBase64Key, grade: "credential" },
  {
    id: "kubeconfig",
    title: "Kubernetes token",
    keys: ["token", "access-token", "id-token", "refresh-token"],
    test: (value) => isJwt(value) || isToken(value, 24),
    context: [["kind: Config", '"kind":"Config"', '"kind": "Config"'], ["users"], ["clusters"]],
    grade: "credential",
  },
  {
    id: "kubeconfig",
    title: "Kubernetes password",
    keys: ["password"],
    test: isWord,
    context: [["kind: Config", '"kind":"Config"', '"kind": "Config"'], ["users"], ["clusters"]],
    grade: "field",
  },
  {
    id: "gcp-user",
    title: "Google refresh token",
    keys: ["refresh_token"],
    test: (value) => value.startsWith("1//") && isToken(value, 30),
    context: [["authorized_user"]],
    grade: "credential",
  },
  {
    id: "gcp-user",
    title: "Google refresh token",
    keys: ["refresh_token"],
    test: (value) => value.startsWith("1//") && isToken(value, 30),
    grade: "vendor",
  },
  {
    id: "gcp-user",
    title: "Google client secret",
    keys: ["client_secret"],
    test: (value) => isToken(value, 20),
    context: [["authorized_user"]],
    grade: "field",
  },
  {
    id: "gcp-service-account",
    title: "Google service account key",
    keys: ["private_key"],
    test: (value) => isKeyText(value),
    context: [["service_account"], ["client_email"]],
    grade: "credential",
  },
  {
    id: "azure-tokens",
    title: "Azure token",
    keys: ['secret"'],
    test: (value) => isToken(value, 30),
    context: [["credential_type"]],
    grade: "credential",
  },
  {
    id: "azure-service-principal",
    title: "Azure service principal secret",
    keys: ['password"', 'clientSecret"', 'client_secret"'],
    test: (value) => isToken(value, 30),
    context: [
      ['appId"', 'clientId"', 'client_id"'],
      ['tenant"', 'tenantId"', 'tenant_id"'],
    ],
    grade: "credential",
  },
  {
    id: "claude-code",
    title: "Claude Code sign-in",
    keys: JSON_NAMES("accessToken refreshToken"),
    test: isLong,
    context: [["claudeAiOauth"]],
    grade: "credential",
  },
  {
    id: "codex",
    title: "Codex sign-in",
    keys: JSON_NAMES("access_token refresh_token id_token"),
    test: isLong,
    context: [['tokens"'], ['id_token"'], ['account_id"', "last_refresh", "OPENAI_API_KEY"]],
    grade: "credential",
  },
  {
    id: "gemini",
    title: "Gemini CLI sign-in",
    keys: JSON_NAMES("access_token refresh_token id_token"),
    test: isLong,
    context: [['expiry_date"']],
    grade: "credential",
  },
  {
    id: "opencode",
    title: "opencode sign-in",
    keys: JSON_NAMES("refresh access"),
    test: isLong,
    context: [['type"'], ["oauth"], ['expires"']],
    grade: "credential",
  },
  {
    id: "terraform",
    title: "Terraform sign-in",
    keys: ["token"],
    test: (value) => value.includes(".atlasv1.") && isToken(value, 40),
    context: [[".atlasv1."]],
    grade: "vendor",
  },
  {
    id: "cargo",
    title: "Cargo registry sign-in",
    keys: ["token"],
    test: (value) => isToken(value, 20),
    context: [["[registry]", "[registries."]],
    grade: "field",
  },
  {
    id: "pypirc",
    title: "Python upload password",
    keys: ["password"],
    test: isWord,
    context: [["[distutils]", "[pypi]", "[testpypi]"]],
    grade: "field",
  },
  {
    id: "mysql",
    title: "MySQL password",
    keys: ["password"],
    test: isWord,
    context: [["[client]", "[mysql]", "[mysqldump]"]],
    grade: "field",
  },
  {
    id: "git-credentials",
    title: "git password",
    keys: ["password"],
    test: isWord,
    context: [["protocol=http"], ["host="], ["username="]],
    grade: "field",
  },
  {
    id: "pg-service",
    title: "PostgreSQL password",
    keys: ["password"],
    test: isWord,
    context: [["dbname="], ["host="], ["user="]],
    grade: "field",
  },
  {
    id: "rclone",
    title: "rclone password",
    keys: ["pass", "secret_access_key", "client_secret", "password"],
    test: (value) => isToken(value, 16),
    context: [
      [
        "[remote]",
        "type = s3",
        "type = sftp",
        "type = webdav",
        "type = ftp",
        "type = drive",
        "type = b2",
        "type = crypt",
        "type = azureblob",
        "type = smb",
      ],
    ],
    grade: "field",
  },
  {
    id: "databricks",
    title: "Databricks token",
    keys: ["token"],
    test: (value) => value.startsWith("dapi") && isToken(value, 30),
    context: [["dapi"]],
    grade: "vendor",
  },
  {
    id: "wireguard",
    title: "WireGuard key",
    keys: ["PrivateKey", "PresharedKey"],
    test: (value) => /^[A-Za-z0-9+/]{43}=$/.test(value) && isToken(value, 44),
    context: [["[Interface]", "[Peer]"]],
    grade: "credential",
  },
  {
    id: "wifi",
    title: "Wi-Fi password",
    keys: ["psk", "wifi.psk", "802-11-wireless-security.psk"],
    test: (value) => isPassword(value, 8) && !/[(){}]/.test(value),
    context: [["[wifi-security]", "key-mgmt", "key_mgmt"]],
    grade: "field",
  },
  { id: "ngrok", title: "ngrok sign-in", keys: ["authtoken"], test: (value) => isToken(value, 40), grade: "vendor" },
  {
    id: "composer",
    title: "Composer password",
    keys: ['password"'],
    test: isWord,
    context: [["http-basic"], ['username"']],
    grade: "field",
  },
  {
    id: "kaggle",
    title: "Kaggle API key",
    keys: ['key"'],
    test: (value) => /^[\da-f]{32}$/.test(value) && isToken(value, 32),
    context: [['{"username"', '"username":']],
    grade: "field",
  },
  {
    id: "minio",
    title: "Storage secret key",
    keys: ['secretKey"'],
    test: (value) => isToken(value, 16),
    context: [['accessKey"', 'access_key"', 'secretId"']],
    grade: "field",
  },
  { id: "oci", title: "Oracle Cloud passphrase", keys: ["pass_phrase"], test: isNumbered, context: [["ocid1.user."]], grade: "field" },
];

/** Layouts that are no `key = value`. */
const PATTERNS: readonly {
  readonly id: string;
  readonly title: string;
  readonly needs: readonly string[];
  readonly grade: Grade;
  readonly find: (text: string) => Iterable<{ value: string; start: number; end: number }>;
}[] = [
  { id: "netrc", title: "netrc password", needs: ["machine", "login", "password"], grade: "field", find: netrcPasswords },
  { id: "git-credentials", title: "git password", needs: ["://", "@"], grade: "field", find: credentialUrls },
  { id: "shadow", title: "System password hash", needs: [":$", ":"], grade: "field", find: shadowHashes },
  { id: "pgpass", title: "PostgreSQL password", needs: [":5432:"], grade: "field", find: pgpassLines },
  { id: "aws-credentials", title: "AWS secret access key", needs: ["AKIA"], grade: "credential", find: (text) => awsRows(text, "AKIA") },
  { id: "aws-credentials", title: "AWS secret access key", needs: ["ASIA"], grade: "credential", find: (text) => awsRows(text, "ASIA") },
  {
    id: "maven",
    title: "Maven password",
    needs: ["<server>", "<password>", "<username>"],
    grade: "field",
    find: (text) => elements(text, "password").filter((leaf) => isWord(leaf.value)),
  },
  { id: "kubernetes-secret", title: "Kubernetes Secret", needs: ["Secret", "kind", "ata"], grade: "field", find: secretObjects },
  { id: "env", title: "Environment variable", needs: ["name", "value"], grade: "field", find: namedValues },
  { id: "nuget", title: "NuGet password", needs: ["ClearTextPassword"], grade: "field", find: nugetPasswords },
];

function* spans(text: string, pattern: RegExp, test: Test): Generator<{ value: string; start: number; end: number }> {
  for (const hit of text.matchAll(pattern)) {
    const value = hit[1] ?? "";
    // The value is the last thing every pattern matches.
    const end = hit.index + hit[0].length;
    if (test(value)) yield { value, start: end - value.length, end };
  }
}

/** The next word of a printed line: blanks, quotes, commas, gutters and line ends written out part words. */
const WORD = /(?:[\s"'`,[\]│|]|\\[nrt]){0,64}((?:[^\s"'`,│|\\]|\\(?![nrt])){1,512})/y;
/** The same for a password, which may hold all of them but blanks and quotes. In programs a control character ends it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it stops at
const PASSWORD = /(?:[\s"'`,[\]│|]|\\[nrt]){0,64}((?:[^\s"'`\\\u0000-\u001f]|\\(?![nrt])){1,512})(?![\u0000-\u0008])/y;
/** A line number or a diff's sign that stands alone. */
const LINE_MARK = /^(?:\d{1,7}[→:-]?|[+>-])$/;
/** The same, or a file's name, stuck to a keyword. */
const STUCK = /^(?:[\w./-]{1,128}:)?(?:\d{1,7}[→:-])?[+>-]?(?=(?:login|user|account|password)$)/;

/**
 * `machine host login user password secret` over one or several lines, which may carry numbers, a gutter, a diff's signs
 * or the quotes of a JSON list. Looks at no more than a few words after each `machine`, and stops at the first that does not fit.
 */
function* netrcPasswords(text: string): Generator<{ value: string; start: number; end: number }> {
  for (let at = text.indexOf("machine"); at >= 0; ) {
    const found = isInsideWord(text, at) ? undefined : netrcPassword(text, at + 7);
    if (found !== undefined) yield found;
    at = text.indexOf("machine", found?.end ?? at + 7);
  }
}

function isInsideWord(text: string, at: number): boolean {
  return /\w/.test(text.charAt(at - 1)) && !/\\[nrt]$/.test(text.slice(Math.max(0, at - 2), at));
}

function netrcPassword(text: string, from: number): { value: string; start: number; end: number } | undefined {
  if (!/[\s"',\\]/.test(text.charAt(from))) return undefined;
  let at = from;
  let wants: "host" | "keyword" | "name" | "password" = "host";
  for (let words = 0; words < CHOSEN.netrc_entry_words; words++) {
    const pattern: RegExp = wants === "password" ? PASSWORD : WORD;
    pattern.lastIndex = at;
    const word: string | undefined = pattern.exec(text)?.[1];
    if (word === undefined) return undefined;
    at = pattern.lastIndex;
    if (LINE_MARK.test(word)) continue;
    if (wants === "host" || wants === "name") wants = "keyword";
    else if (wants === "password") {
      // In a list the quote that ends the line is part of no password, nor is a comma before it.
      return isPassword(word, 8) ? { value: word, start: at - word.length, end: at } : undefined;
    } else {
      const keyword: string = word.replace(STUCK, "");
      if (keyword === "password") wants = "password";
      else if (keyword === "login" || keyword === "user" || keyword === "account") wants = "name";
      else return undefined;
    }
  }
  return undefined;
}

/** `host:5432:database:user:password` to the end of its line, which may be written out (`\n`) or a string's. */
function* pgpassLines(text: string): Generator<{ value: string; start: number; end: number }> {
  const head = /:5432:[\w*-]{1,128}:[\w.@*-]{1,128}:/y;
  const rest = /[ \t]{0,8}(?:[\r\n]|$|\\[nr]|["'](?:[\s,\]})]|$))/y;
  for (let at = text.indexOf(":5432:"); at >= 0; at = text.indexOf(":5432:", at + 6)) {
    if (!/[\w*\]]/.test(text.charAt(at - 1))) continue;
    head.lastIndex = at;
    if (!head.test(text)) continue;
    const start = head.lastIndex;
    const end = pgpassEnd(text, start);
    rest.lastIndex = end;
    const value = text.slice(start, end);
    if (value.length >= 4 && rest.test(text) && isPassword(value)) yield { value, start, end };
  }
}

/** Longest password looked at, in characters. */
const PGPASS_CHARS = 512;

/** Where a pgpass password ends: at a bare colon, a blank, the end of the line or of the string around it. */
function pgpassEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from < PGPASS_CHARS) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (/[\s:`]/.test(character)) break;
    if ((character === '"' || character === "'") && (next === "" || /[\s,\]})]/.test(next))) break;
    if (character !== "\\") at++;
    else if (/[nr"]/.test(next)) break;
    else if (next === ":") at += 2;
    else at += next === "\\" && text.charAt(at + 2) === ":" ? 3 : 1;
  }
  return at;
}

/** A key id and, after a comma or a column, its secret: CSV exports and `--output text`. */
function awsRows(text: string, prefix: string) {
  return spans(
    text,
    new RegExp(
      `${prefix}[A-Z2-7]{16}["']?[,\\t |]{1,4}["']?(?:20\\d\\d-[\\dT:.+Z-]{6,30}[\\t ]{1,4})?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])`,
      "g",
    ),
    isAwsSecret,
  );
}

/** `"name": "DB_PASSWORD", "value": "…"` and the same in YAML: how containers, pods and task definitions list their environment. */
function* namedValues(text: string): Generator<{ value: string; start: number; end: number }> {
  const pair =
    /\bname\\?["']?:[ \t]{0,8}\\?["']?([A-Za-z_]\w{2,99})\\?["']?(?:[\s,]|\\n){1,64}\\?["']?value\\?["']?:[ \t]{0,8}\\?["']?([^"'\s\\,{}]{8,512})/gi;
  for (const hit of text.matchAll(pair)) {
    const [whole, name = "", value = ""] = hit;
    const end = hit.index + whole.length;
    if (isSecretName(name) && isWord(value)) yield { value, start: end - value.length, end };
  }
}

function nugetPasswords(text: string): Iterable<{ value: string; start: number; end: number }> {
  return spans(text, /ClearTextPassword\\?"\s{1,20}value=\\?"([^"\\\n]{4,512})/g, isPassword);
}

/** Pieces the keys are made of: a text without a piece needs no search for the keys that hold it. */
const STEMS = ["oken", "ecret", "assw", "uth", "rivate", "haredKey", "key-data", "psk", "resh", "phrase"];

announce(() => [
  ...STEMS,
  ...LAYOUTS.flatMap(({ keys, context }) => [...keys, ...(context ?? []).flat()]),
  ...PATTERNS.flatMap(({ needs }) => needs),
]);

/** Whether a word stands in a text; asked by its pieces first where every question passes over the text. */
function stands(survey: Survey, word: string): boolean {
  if (survey.present !== undefined) return survey.has(word);
  const stem = STEMS.find((piece) => piece !== word && word.includes(piece));
  return (stem === undefined || stands(survey, stem)) && survey.has(word);
}

/** Secret fields in a text, in order, not overlapping. Colours are looked through. */
export function secretsInText(text: string): readonly Secret[] {
  return text.length < 16 ? [] : onBareText(text, layoutsIn);
}

function layoutsIn(text: string): readonly Secret[] {
  const found: Secret[] = [];
  const survey = surveyOf(text);
  const has = (word: string): boolean => stands(survey, word);
  const hasKeyId = lazily(() => [...text.matchAll(/(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Z\d])/g)].some((hit) => isAwsKeyId(hit[0])));
  for (const layout of candidatesIn(survey)) {
    if (!layout.keys.some(has) || !(layout.context ?? []).every((group) => group.some(has))) continue;
    if (layout.context?.[0]?.[0] === "AKIA" && !hasKeyId()) continue;
    for (const key of layout.keys.filter(has))
      for (const hit of valuesAt(text, key)) if (layout.test(hit.value)) found.push(asSecret(layout, hit));
  }
  for (const pattern of PATTERNS) {
    if (!pattern.needs.every(has)) continue;
    for (const hit of pattern.find(text)) found.push(asSecret(pattern, hit));
  }
  return withoutOverlaps(found);
}

/** Indexes of the layouts that have a key; "" stands for all keys that no survey looks for. */
let byKey: Map<string, number[]> | undefined;

/** Layouts one of whose keys may stand in the text, in order. */
function candidatesIn({ present }: Survey): readonly Layout[] {
  if (present === undefined) return LAYOUTS;
  if (byKey === undefined) {
    byKey = new Map();
    for (const [index, { keys }] of LAYOUTS.entries())
      for (const key of keys.map((one) => (isSurveyed(one) ? one : ""))) byKey.set(key, [...(byKey.get(key) ?? []), index]);
  }
  const found = new Set(byKey.get(""));
  for (const word of present) for (const index of byKey.get(word) ?? []) found.add(index);
  return [...found].sort((a, b) => a - b).map((index) => LAYOUTS[index] as Layout);
}

function asSecret(
  layout: { readonly id: string; readonly title: string; readonly grade: Grade },
  hit: { readonly value: string; readonly start: number; readonly end: number },
): Secret {
  const kind = layout.grade === "credential" ? "structure" : layout.grade === "vendor" ? "pattern" : "field";
  return { family: layout.id, title: layout.title, grade: layout.grade, kind, value: hit.value, start: hit.start, end: hit.end };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const RANK: Readonly<Record<Grade, number>> = { token: 3, credential: 2, vendor: 1, field: 0 };

/** The strongest of findings that touch each other. */
function withoutOverlaps(found: readonly Secret[]): readonly Secret[] {
  const kept: Secret[] = [];
  for (const one of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || one.start >= last.end) kept.push(one);
    else if (RANK[one.grade] > RANK[last.grade]) kept[kept.length - 1] = one;
  }
  return kept;
}
