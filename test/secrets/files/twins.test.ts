/** Right place, wrong content, and the other way round: the pairs that keep B1 honest. */
import { describe, expect, test } from "bun:test";
import { identify } from "../../../src/secrets/files/index.ts";
import { mint } from "../../mint.ts";

const home = { folder: "/home/dev", environment: {} };
const id = (path: string, text: string) => identify(path, text, home)?.id;
const kind = (path: string, text: string) => identify(path, text, home)?.class;

describe("L-016 the place with content that holds no secret", () => {
  test.each([
    ["AWS credential_process", "/home/dev/.aws/credentials", "[default]\ncredential_process = /usr/bin/get-creds\n"],
    [
      "AWS documentation key",
      "/home/dev/.aws/credentials",
      `[default]\naws_access_key_id = ${"AKIAIOSFODNN7"}EXAMPLE\naws_secret_access_key = ${"wJalrXUtnFEMI/K7MDENG/bPxRfiCY"}EXAMPLEKEY\n`,
    ],
    ["AWS key id alone", "/home/dev/.aws/credentials", `[default]\naws_access_key_id = ${mint.awsKeyId()}\n`],
    [
      "AWS secret that is a commit id",
      "/home/dev/.aws/credentials",
      `[default]\naws_access_key_id = ${mint.awsKeyId()}\naws_secret_access_key = ${mint.hex(40)}\n`,
    ],
    [
      "AWS keys in different sections",
      "/home/dev/.aws/credentials",
      `[a]\naws_access_key_id = ${mint.awsKeyId()}\n[b]\naws_secret_access_key = ${mint.awsSecret()}\n`,
    ],
    ["AWS configuration", "/home/dev/.aws/config", "[default]\nregion = eu-central-1\nsso_start_url = https://acme.awsapps.com/start\n"],
    [
      "kubeconfig with exec",
      "/home/dev/.kube/config",
      "apiVersion: v1\nkind: Config\nclusters:\n- name: a\n  cluster: {server: 'https://x'}\nusers:\n- name: a\n  user:\n    exec:\n      command: aws\n      args: [eks, get-token]\n",
    ],
    [
      "kubeconfig with a token file",
      "/home/dev/.kube/config",
      "apiVersion: v1\nkind: Config\nclusters:\n- name: a\n  cluster: {server: 'https://x'}\nusers:\n- name: a\n  user:\n    tokenFile: /var/run/token-1234567890abcdef\n",
    ],
    ["docker credsStore", "/home/dev/.docker/config.json", '{"auths":{"https://index.docker.io/v1/":{}},"credsStore":"desktop"}'],
    [
      "docker auth that is no pair",
      "/home/dev/.docker/config.json",
      `{"auths":{"ghcr.io":{"auth":"${Buffer.from("nocolon").toString("base64")}"}}}`,
    ],
    [
      "gh with keychain",
      "/home/dev/.config/gh/hosts.yml",
      "github.com:\n    git_protocol: https\n    users:\n        dev:\n    user: dev\n",
    ],
    ["npm reference", "/home/dev/.npmrc", "//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n"],
    ["npm settings", "/home/dev/.npmrc", "save-exact=true\nregistry=https://registry.npmjs.org/\n"],
    ["netrc without password", "/home/dev/.netrc", "machine api.acme.dev login dev\n"],
    ["netrc prose", "/home/dev/.netrc", "# machine x login y password z12345678\n"],
    ["pgpass wildcard", "/home/dev/.pgpass", "db:5432:app:app:*\n"],
    ["pgpass four fields", "/home/dev/.pgpass", `db:5432:app:${mint.password()}\n`],
    ["my.cnf without password", "/home/dev/.my.cnf", "[client]\nuser=root\n"],
    [
      "Maven encrypted",
      "/home/dev/.m2/settings.xml",
      `<settings><servers><server><username>a</username><password>{${mint.base62(44)}=}</password></server></servers></settings>`,
    ],
    [
      "Maven in a comment",
      "/home/dev/.m2/settings.xml",
      `<settings><servers><server><username>a</username><!-- <password>${mint.password()}</password> --></server></servers></settings>`,
    ],
    [
      "external account",
      "/home/dev/.config/gcloud/application_default_credentials.json",
      '{"type":"external_account","audience":"x","token_url":"https://sts.googleapis.com/v1/token"}',
    ],
    ["Azure profile", "/home/dev/.azure/azureProfile.json", `{"subscriptions":[{"id":"${mint.uuid()}","user":{"name":"dev"}}]}`],
    [
      "rclone encrypted",
      "/home/dev/.config/rclone/rclone.conf",
      `# Encrypted rclone configuration File\nRCLONE_ENCRYPT_V0:\n${mint.base62(400)}\n`,
    ],
    ["locked accounts", "/etc/shadow", "root:*:19000:0:99999:7:::\nbin:!!:19000::::::\n"],
    ["public key", "/home/dev/.ssh/id_ed25519.pub", mint.opensshPublic()],
    ["ssh configuration", "/home/dev/.ssh/config", "Host web\n  HostName 10.0.0.5\n  IdentityFile ~/.ssh/id_ed25519\n"],
    [
      "Claude settings",
      "/home/dev/.claude.json",
      '{"numStartups":3,"mcpServers":{"x":{"command":"npx","env":{"LOG":"debug","TOKEN":"${GITHUB_TOKEN}"}}}}',
    ],
    ["Codex without sign-in", "/home/dev/.codex/auth.json", '{"OPENAI_API_KEY":null,"tokens":null}'],
    [
      "SOPS manifest",
      "app/secret.yaml",
      `kind: Secret\nstringData:\n  password: ENC[AES256_GCM,data:${mint.base62(20)},iv:x]\nsops:\n  version: 3\n`,
    ],
    ["sealed secret", "app/secret.yaml", `kind: SealedSecret\nspec:\n  encryptedData:\n    password: ${mint.base62(200)}\n`],
  ])("%s", (_, path, text) => expect(identify(path, text, home)).toBeUndefined());
});

describe("D-17 private keys", () => {
  test.each(["ed25519", "rsa", "ecdsa"] as const)("OpenSSH %s is proven anywhere", (type) => {
    for (const path of ["/home/dev/.ssh/id_x", "app/deploy_key", "notes.md"]) expect(kind(path, mint.opensshKey(type))).toBe("PROVEN");
    expect(kind("id_x", mint.opensshKey(type).replaceAll("\n", "\r\n"))).toBe("PROVEN");
  });
  test("OpenSSH with a passphrase is a question in ~/.ssh and nothing elsewhere", () => {
    expect(kind("/home/dev/.ssh/id_ed25519", mint.opensshEncrypted())).toBe("QUESTION");
    expect(kind("notes.md", mint.opensshEncrypted())).toBeUndefined();
  });
  test("OpenSSH with one changed byte is none", () => {
    const lines = mint.opensshKey().split("\n");
    const bytes = Buffer.from(lines.slice(1, -2).join(""), "base64");
    const check = bytes.indexOf("ssh-ed25519", 60) - 8;
    bytes[check] = (bytes[check] as number) ^ 1;
    const text = [lines[0], bytes.toString("base64").replace(/.{70}/g, "$&\n"), lines.at(-2), ""].join("\n");
    expect(identify("notes.md", text, home)).toBeUndefined();
  });
  test("PEM is proven in key folders and a question in a repository", () => {
    for (const key of [mint.pemRsa(), mint.pemRsaPkcs1(), mint.pemEc(), mint.pemEd25519()]) {
      for (const path of [
        "/home/dev/.ssh/id_rsa",
        "/etc/ssl/private/a.key",
        "/etc/letsencrypt/live/acme.dev/privkey.pem",
        "/etc/ssh/ssh_host_rsa_key",
      ])
        expect(kind(path, key)).toBe("PROVEN");
      expect(kind("certs/server.key", key)).toBe("QUESTION");
      expect(kind("certs/chain.txt", `${mint.certificate()}${key}`)).toBe("QUESTION");
    }
  });
  test("RSA whose numbers do not fit is none", () => {
    const lines = mint.pemRsaPkcs1().trim().split("\n");
    const bytes = Buffer.from(lines.slice(1, -1).join(""), "base64");
    bytes[40] = (bytes[40] as number) ^ 0x10;
    expect(identify("/home/dev/.ssh/id_rsa", [lines[0], bytes.toString("base64"), lines.at(-1), ""].join("\n"), home)).toBeUndefined();
  });
  test("encrypted PEM, certificates and public keys are no proof", () => {
    expect(kind("/home/dev/.ssh/id_rsa", mint.pemEncrypted())).toBe("QUESTION");
    for (const text of [mint.certificate(), mint.pemPublic()]) expect(identify("/home/dev/.ssh/a.pem", text, home)).toBeUndefined();
  });
  test("source code that quotes a PEM key is no key file", () => {
    expect(identify("src/key.ts", `export const key = \`${mint.pemRsa()}\`;\n`, home)).toBeUndefined();
  });
});

describe("§14.4 copies under another name", () => {
  test("strong layouts are recognised", () => {
    expect(id("a/b.bak", mint.awsCredentials().text)).toBe("aws-credentials");
    expect(id("x.yaml", mint.kubeconfig().text)).toBe("kubeconfig");
    expect(id("x.json", JSON.stringify({ keys: [JSON.parse(mint.gcpServiceAccount().text)] }))).toBe("gcp-service-account");
    expect(id("backup", mint.claudeCredentials().text)).toBe("claude-code");
    expect(id("x.json", mint.dockerConfig().text)).toBe("docker");
  });
  test("weak layouts are not", () => {
    for (const text of [
      mint.netrc().text,
      `db:5432:app:app:${mint.password()}\n`,
      mint.npmrc().text,
      `[client]\npassword=${mint.password()}\n`,
    ])
      expect(identify("notes.txt", text, home)).toBeUndefined();
  });
  test("weak layouts in a repository at their own name are", () => {
    expect(id("dotfiles/.netrc", mint.netrc().text)).toBe("netrc");
    expect(id(".pgpass", `db:5432:app:app:${mint.password()}\n`)).toBe("pgpass");
    expect(id(".git-credentials", mint.gitCredentials().text)).toBe("git-credentials");
  });
  test("kubeconfig as JSON", () => {
    const text = JSON.stringify(Bun.YAML.parse(mint.kubeconfig().text));
    expect(id("x.json", text)).toBe("kubeconfig");
  });
});

test("D-19 L-112 a password without a format is a field, a token of the same file a credential", () => {
  expect(identify("/home/dev/.netrc", mint.netrc().text, home)).toMatchObject({ class: "PROVEN", secrets: [{ grade: "field" }] });
  expect(identify("/home/dev/.pypirc", mint.pypirc().text, home)).toMatchObject({ class: "PROVEN", secrets: [{ grade: "credential" }] });
  const upload = `[pypi]\nusername = dev\npassword = ${mint.password()}\n`;
  expect(identify("/home/dev/.pypirc", upload, home)).toMatchObject({ class: "PROVEN", secrets: [{ grade: "field" }] });
});

test("UTF-16 text, once decoded, is the same file", () => {
  const bytes = Buffer.from(`\ufeff${mint.awsCredentials().text.replaceAll("\n", "\r\n")}`, "utf16le");
  expect(id("/home/dev/.aws/credentials", new TextDecoder("utf-16le", { ignoreBOM: true }).decode(bytes))).toBe("aws-credentials");
});

test("hostile documents end without an error", () => {
  const deep = 100_000;
  const texts = [
    "[".repeat(deep),
    "{".repeat(deep),
    '{"a":'.repeat(deep),
    '"'.repeat(deep),
    "a: ".repeat(deep),
    "- ".repeat(deep),
    "&a [*a]\n".repeat(1_000),
    "\\".repeat(deep),
    '{"auths":{"x":{"auth":"',
    "[[a]]\n".repeat(10_000),
    "kind: Config\nclusters: {}\nusers: &u\n- user: *u\n",
  ];
  const lol = [
    "a: &a [x,x,x,x,x,x,x,x,x]",
    ...Array.from(
      { length: 12 },
      (_, n) => `${"bcdefghijklmn"[n]}: &${"bcdefghijklmn"[n]} [${`*${"abcdefghijklm"[n]},`.repeat(9).slice(0, -1)}]`,
    ),
  ].join("\n");
  for (const text of [...texts, lol]) {
    for (const path of [
      "/home/dev/.kube/config",
      "/home/dev/.docker/config.json",
      "/home/dev/.cargo/credentials.toml",
      "/home/dev/.netrc",
      "/home/dev/.config/gh/hosts.yml",
    ])
      expect(identify(path, text, home)).toBeUndefined();
  }
});
