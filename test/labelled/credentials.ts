/**
 * Credentials without a mark of their own, in the surrounding that makes them one: files and blocks as the tools write them
 * (credential-files.md). Each call makes another one.
 */
import type { Mint } from "../mint.ts";

/** A piece of a file, and the secret values in it as they are written. */
export interface Piece {
  readonly text: string;
  readonly secrets: readonly string[];
}

export interface Credential {
  readonly family: string;
  /** `#` is a number. A file of its own when it says so, otherwise the surrounding's. */
  readonly path: string;
  make(from: Mint): Piece;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** One secret in a text. */
function one(text: (secret: string) => string, secret: string): Piece {
  return { text: text(secret), secrets: [secret] };
}

/** A key as it is written, and the same in one line of JSON. */
function key(text: string): Piece {
  return { text: text.trimEnd(), secrets: [text.trimEnd()] };
}
function keyInJson(text: string, wrap: (escaped: string) => string): Piece {
  const escaped = JSON.stringify(text.trimEnd()).slice(1, -1);
  return { text: wrap(escaped), secrets: [escaped] };
}

export const CREDENTIALS: readonly Credential[] = [
  // Amazon: the secret has no mark, only its field.
  {
    family: "aws",
    path: "home-#/.aws/credentials",
    make: (from) =>
      one((secret) => `[default]\naws_access_key_id = ${from.awsKeyId()}\naws_secret_access_key = ${secret}`, from.awsSecret()),
  },
  {
    family: "aws",
    path: "scripts/aws-#.sh",
    make: (from) => one((secret) => `export AWS_SECRET_ACCESS_KEY="${secret}"`, from.awsSecret()),
  },
  {
    family: "aws",
    path: "src/s3-#.ts",
    make: (from) =>
      one((secret) => `  credentials: { accessKeyId: "${from.awsKeyId()}", secretAccessKey: "${secret}" },`, from.awsSecret()),
  },
  { family: "aws", path: "src/s3_#.py", make: (from) => one((secret) => `    aws_secret_access_key='${secret}',`, from.awsSecret()) },
  { family: "aws", path: "infra/provider-#.tf", make: (from) => one((secret) => `  secret_key = "${secret}"`, from.awsSecret()) },
  {
    family: "aws",
    path: "cache-#/session.json",
    make: (from) =>
      one(
        (secret) =>
          json({ Credentials: { AccessKeyId: from.awsKeyId("ASIA"), SecretAccessKey: secret, Expiration: "2030-01-01T00:00:00Z" } }),
        from.awsSecret(),
      ),
  },
  {
    family: "aws",
    path: "config-#/s3.yml",
    make: (from) => one((secret) => `  access_key_id: ${from.awsKeyId()}\n  secret_access_key: ${secret}`, from.awsSecret()),
  },
  // Addresses with a password.
  ...[
    "postgres://app:$@db.acme.dev:5432/app",
    "mysql://app:$@db.acme.dev/app",
    "mongodb+srv://app:$@cluster0.acme.mongodb.net/app",
    "redis://:$@cache.acme.dev:6379/0",
    "amqps://app:$@mq.acme.dev/vhost",
    "https://dana:$@git.acme.dev/acme/app.git",
    "ftp://dana:$@files.acme.dev/",
    "smtp://mailer:$@smtp.acme.dev:587",
    "clickhouse://app:$@ch.acme.dev:9000/app",
  ].flatMap((address): readonly Credential[] => [
    {
      family: "uri-password",
      path: "services-#/.env",
      make: (from) => one((secret) => `DATABASE_URL=${address.replace("$", () => secret)}`, from.password()),
    },
    {
      family: "uri-password",
      path: "src-#/settings.py",
      make: (from) => one((secret) => `URL = "${address.replace("$", () => secret)}"`, from.password()),
    },
    {
      family: "uri-password",
      path: "logs-#/app.log",
      make: (from) =>
        one((secret) => `2026-03-04 05:06:07 ERROR cannot reach ${address.replace("$", () => secret)}: timeout`, from.password()),
    },
  ]),
  // Headers.
  {
    family: "authorization",
    path: "requests-#/calls.http",
    make: (from) => one((secret) => `Authorization: Basic ${secret}`, base64(`dana:${from.password()}`)),
  },
  {
    family: "authorization",
    path: "src-#/client.ts",
    make: (from) => one((secret) => `  headers: { Authorization: "Basic ${secret}" },`, base64(`dana:${from.password()}`)),
  },
  {
    family: "authorization",
    path: "scripts-#/call.sh",
    make: (from) => one((secret) => `curl -H "Authorization: Bearer ${secret}" https://api.acme.dev/v1`, `${from.base62(39)}7`),
  },
  {
    family: "authorization",
    path: "capture-#/calls.har",
    make: (from) => one((secret) => `      { "name": "Authorization", "value": "Bearer ${secret}" },`, `${from.base62(39)}7`),
  },
  {
    family: "authorization",
    path: "logs-#/proxy.log",
    make: (from) => one((secret) => `> authorization: Bearer ${secret}`, `${from.base62(39)}7`),
  },
  // Microsoft's connection strings.
  ...[
    "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=$;EndpointSuffix=core.windows.net",
    "AccountEndpoint=https://acme.documents.azure.com:443/;AccountKey=$;",
  ].map(
    (text): Credential => ({
      family: "azure",
      path: "src-#/appsettings.Production.json",
      make: (from) => one((secret) => `  "Storage": "${text.replace("$", () => secret)}",`, from.bytes(64).toString("base64")),
    }),
  ),
  {
    family: "azure",
    path: "src-#/bus.cs",
    make: (from) =>
      one(
        (secret) => `  var c = "Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${secret}";`,
        from.bytes(32).toString("base64"),
      ),
  },
  {
    family: "azure",
    path: "docs-#/upload.md",
    make: (from) =>
      one(
        (secret) => `https://acme.blob.core.windows.net/a/b.zip?sv=2024-08-04&se=2030-01-01T00%3A00%3A00Z&sr=b&sp=r&sig=${secret}`,
        encodeURIComponent(from.bytes(32).toString("base64")),
      ),
  },
  // Registries.
  {
    family: "registry-auth",
    path: "app-#/.npmrc",
    make: (from) => one((secret) => `//npm.acme.dev/:_authToken=${secret}`, from.base62(44)),
  },
  { family: "registry-auth", path: "app-#/.yarnrc.yml", make: (from) => one((secret) => `npmAuthToken: "${secret}"`, from.base62(44)) },
  {
    family: "registry-auth",
    path: "app-#/.npmrc",
    make: (from) => one((secret) => `//npm.acme.dev/:_password=${secret}`, base64(from.password())),
  },
  {
    family: "docker",
    path: "home-#/.docker/config.json",
    make: (from) => one((secret) => json({ auths: { "registry.acme.dev": { auth: secret } } }), base64(`dana:${from.password()}`)),
  },
  // Files of tools.
  {
    family: "netrc",
    path: "home-#/.netrc",
    make: (from) => one((secret) => `machine api.acme.dev\n  login dana\n  password ${secret}`, from.password()),
  },
  {
    family: "git-credentials",
    path: "home-#/.git-credentials",
    make: (from) => one((secret) => `https://dana:${secret}@git.acme.dev`, from.base62(40)),
  },
  { family: "pgpass", path: "home-#/.pgpass", make: (from) => one((secret) => `db.acme.dev:5432:app:app:${secret}`, from.password()) },
  { family: "mysql", path: "home-#/.my.cnf", make: (from) => one((secret) => `[client]\nuser=app\npassword=${secret}`, from.password()) },
  {
    family: "maven",
    path: "home-#/.m2/settings.xml",
    make: (from) =>
      one(
        (secret) =>
          `<settings><servers><server><id>acme</id><username>dana</username><password>${secret}</password></server></servers></settings>`,
        from.password(),
      ),
  },
  {
    family: "pypirc",
    path: "home-#/.pypirc",
    make: (from) => one((secret) => `[acme]\nrepository = https://pypi.acme.dev/\nusername = dana\npassword = ${secret}`, from.password()),
  },
  {
    family: "kubeconfig",
    path: "home-#/.kube/config",
    make: (from) =>
      one(
        (secret) =>
          `apiVersion: v1\nkind: Config\nclusters:\n- name: prod\n  cluster: {server: https://10.0.0.10:6443}\nusers:\n- name: admin\n  user:\n    token: ${secret}`,
        from.jwt({ iss: "kubernetes/serviceaccount", sub: "system:serviceaccount:default:admin" }),
      ),
  },
  {
    family: "wireguard",
    path: "vpn-#/wg0.conf",
    make: (from) => one((secret) => `[Interface]\nAddress = 10.0.0.2/32\nPrivateKey = ${secret}`, from.bytes(32).toString("base64")),
  },
  {
    family: "shadow",
    path: "image-#/etc/shadow",
    make: (from) => one((secret) => `dana:${secret}:19000:0:99999:7:::`, `$6$${from.base62(16)}$${from.base62(86)}`),
  },
  { family: "datadog", path: "services-#/.env", make: (from) => one((secret) => `DD_API_KEY=${secret}`, from.hex(32)) },
  { family: "datadog", path: "k8s-#/agent.yaml", make: (from) => one((secret) => `  DD_APP_KEY: "${secret}"`, from.hex(40)) },
  { family: "env", path: "services-#/.env", make: (from) => one((secret) => `DB_PASSWORD=${secret}`, from.password()) },
  { family: "env", path: "services-#/.env.local", make: (from) => one((secret) => `SESSION_SECRET="${secret}"`, from.hex(64)) },
  { family: "terraform-state", path: "infra-#/prod.tfvars", make: (from) => one((secret) => `db_password = "${secret}"`, from.password()) },
  {
    family: "project-config",
    path: "src-#/secrets.yml",
    make: (from) => one((secret) => `production:\n  secret_key_base: ${secret}`, from.hex(128)),
  },
  {
    family: "wp-config",
    path: "www-#/wp-config.php",
    make: (from) => one((secret) => `define('DB_PASSWORD', '${secret}');`, from.password()),
  },
  {
    family: "coinbase",
    path: "wallet-#/cdp_api_key.json",
    make: (from) => one((secret) => json({ id: from.uuid(), privateKey: secret }), from.ed25519Pair().toString("base64")),
  },
  { family: "bip39", path: "wallet-#/.env", make: (from) => one((secret) => `MNEMONIC="${secret}"`, from.seedPhrase(12)) },
  { family: "bip39", path: "wallet-#/notes.md", make: (from) => one((secret) => `Recovery phrase: ${secret}`, from.seedPhrase(24)) },
  // Keys in several lines, and the same in one line.
  { family: "private-key", path: "home-#/.ssh/id_ed25519", make: (from) => key(from.opensshKey("ed25519")) },
  { family: "private-key", path: "home-#/.ssh/id_rsa", make: (from) => key(from.opensshKey("rsa")) },
  { family: "private-key", path: "certs-#/server.key", make: (from) => key(from.pemRsa()) },
  { family: "private-key", path: "certs-#/old.pem", make: (from) => key(from.pemRsaPkcs1()) },
  { family: "private-key", path: "certs-#/ec.pem", make: (from) => key(from.pemEc()) },
  { family: "private-key", path: "certs-#/ed.pem", make: (from) => key(from.pemEd25519()) },
  { family: "private-key", path: "pgp-#/dana.asc", make: (from) => key(from.pgpKey()) },
  {
    family: "private-key",
    path: "gcp-#/service-account.json",
    make: (from) =>
      keyInJson(
        from.pemRsa(),
        (escaped) =>
          `{"type":"service_account","project_id":"acme","private_key_id":"${from.hex(40)}","private_key":"${escaped}","client_email":"svc@acme.iam.gserviceaccount.com"}`,
      ),
  },
  { family: "private-key", path: "services-#/.env", make: (from) => keyInJson(from.pemEc(), (escaped) => `JWT_PRIVATE_KEY="${escaped}"`) },
  { family: "private-key", path: "src-#/keys.go", make: (from) => keyInJson(from.pemRsaPkcs1(), (escaped) => `const key = "${escaped}"`) },
];
