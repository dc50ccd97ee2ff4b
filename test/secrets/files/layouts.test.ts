import { describe, expect, test } from "bun:test";
import { secretsInText } from "../../../src/secrets/files/index.ts";
import { mint } from "../../mint.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const values = (text: string) => secretsInText(text).map((secret) => secret.value);

describe("L-109 L-112 secret fields in output whose file is not known", () => {
  const [password, token, secret, session, keyId] = [
    mint.password(),
    mint.base62(48),
    mint.awsSecret(),
    mint.awsSessionToken(),
    mint.awsKeyId(),
  ];
  const pair = base64(`dev:${password}`);
  const hash = `$6$${mint.base62(16)}$${mint.base62(86)}`;
  const wireguard = mint.bytes(32).toString("base64");
  const refresh = mint.googleRefresh();
  const jwt = mint.jwt();
  const key = base64(mint.pemRsa());
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ["AWS file", mint.awsCredentials().text.replace(/= [^\n]+\n$/, `= ${secret}\n`), [secret]],
    ["AWS line alone", `aws_secret_access_key = ${secret}\n`, [secret]],
    [
      "AWS environment",
      `export AWS_ACCESS_KEY_ID=${keyId}\nexport AWS_SECRET_ACCESS_KEY=${secret}\nexport AWS_SESSION_TOKEN=${session}\n`,
      [secret, session],
    ],
    ["AWS JSON", `{"Credentials":{"AccessKeyId":"${keyId}","SecretAccessKey":"${secret}","SessionToken":"${session}"}}`, [secret, session]],
    ["AWS JSON inside JSON", `{"out":"{\\"SecretAccessKey\\":\\"${secret}\\",\\"x\\":1}"}`, [secret]],
    ["AWS text escaped", `"[default]\\naws_access_key_id = ${keyId}\\naws_secret_access_key = ${secret}\\n"`, [secret]],
    ["AWS CSV", `Access key ID,Secret access key\r\n${keyId},${secret}\r\n`, [secret]],
    ["AWS text columns", `CREDENTIALS\t${keyId.replace("AKIA", "ASIA")}\t2030-01-01T00:00:00+00:00\t${secret}\n`, [secret]],
    ["docker", mint.dockerConfig().text.replace(/"auth": "[^"]+"/, `"auth": "${pair}"`), [pair]],
    ["gh", `github.com:\n    oauth_token: ${token}\n`, [token]],
    ["netrc", `machine api.acme.dev\n  login dev\n  password ${password}\n`, [password]],
    ["netrc in one line", `machine api.acme.dev login dev password ${password}`, [password]],
    ["netrc with line numbers", `     1→machine api.acme.dev\n     2→  login dev\n     3→  password ${password}\n`, [password]],
    ["netrc in a diff", `+machine api.acme.dev\n+  login dev\n+  password ${password}\n`, [password]],
    ["npm", `//registry.npmjs.org/:_authToken=${token}\n`, [token]],
    ["npm with a line number", `     2\t//npm.acme.dev/:_authToken=${token}\n`, [token]],
    ["kubeconfig token", mint.kubeconfig().text.replace(/token: .*/, `token: ${token}`), [token]],
    ["kubeconfig key", `users:\n- user:\n    client-key-data: ${key}\n`, [key]],
    ["Google user", `{"type":"authorized_user","client_secret":"${token}","refresh_token":"${refresh}"}`, [token, refresh]],
    ["git store", `https://dev:${token}@git.acme.dev\n`, [token]],
    ["git credential fill", `protocol=https\nhost=git.acme.dev\nusername=dev\npassword=${password}\n`, [password]],
    ["pypirc", `[pypi]\nusername = dev\npassword = ${password}\n`, [password]],
    ["my.cnf", `[client]\nuser=root\npassword="${password}"\n`, [password]],
    ["pgpass", `db.acme.dev:5432:app:app:${password}\n`, [password]],
    ["shadow", `dev:${hash}:19000:0:99999:7:::\n`, [hash]],
    ["WireGuard", `[Interface]\nPrivateKey = ${wireguard}\n[Peer]\nPublicKey = ${mint.bytes(32).toString("base64")}\n`, [wireguard]],
    ["Azure principal", `{"appId":"${mint.uuid()}","displayName":"x","password":"${token}","tenant":"${mint.uuid()}"}`, [token]],
    [
      "Codex",
      `{"OPENAI_API_KEY":null,"tokens":{"id_token":"${jwt}","access_token":"${jwt}","refresh_token":"${token}"},"last_refresh":"x"}`,
      [jwt, jwt, token],
    ],
    ["Maven", `<server><username>dev</username><password>${password}</password></server>`, [password]],
  ];
  test.each(cases)("%s", (_, text, wanted) => {
    const found = secretsInText(text);
    expect(found.map((one) => one.value)).toEqual([...wanted]);
    for (const one of found) expect(text.slice(one.start, one.end)).toBe(one.value);
    const later = `${"INFO nothing here\n".repeat(50)}${text}`;
    expect(values(later)).toEqual([...wanted]);
  });

  test("a service account key is one span, escapes undone in its value", () => {
    const { text, secrets } = mint.gcpServiceAccount();
    const found = secretsInText(text);
    expect(found).toMatchObject([{ family: "gcp-service-account", grade: "credential", value: secrets[0] }]);
    expect(JSON.parse(`"${text.slice(found[0]?.start, found[0]?.end)}"`)).toBe(secrets[0]);
  });

  test("grades: the container makes a credential, a password stays a field", () => {
    expect(secretsInText(mint.awsCredentials().text)).toMatchObject([{ grade: "credential", kind: "structure" }]);
    expect(secretsInText(`aws_secret_access_key = ${secret}\n`)).toMatchObject([{ grade: "vendor" }]);
    expect(secretsInText(mint.netrc().text)).toMatchObject([{ grade: "field", kind: "field" }]);
  });
});

describe("everyday text is no finding", () => {
  test.each([
    "Wrong username/password combination.\n",
    "password: string;\n  token?: string;\n",
    "    env:\n      token: ${{ secrets.GITHUB_TOKEN }}\n      password: ${DB_PASSWORD}\n",
    '{"key":"ctrl+shift+down","msg":"Wrong username/password combination.","tokenId":"d41d8cd98f00b204e9800998ecf8427e"}\n',
    "const { accessToken, refreshToken } = await client.auth({ password: input.password, secret });\n",
    "aws_secret_access_key: process.env.AWS_SECRET_ACCESS_KEY,\n",
    `aws_access_key_id = YOUR_ACCESS_KEY_ID\naws_secret_access_key = YOUR_SECRET_ACCESS_KEY\n`,
    `aws_access_key_id = ${"AKIAIOSFODNN7"}EXAMPLE\naws_secret_access_key = ${"wJalrXUtnFEMI/K7MDENG/bPxRfiCY"}EXAMPLEKEY\n`,
    "//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n",
    "Run `echo //registry.npmjs.org/:_authToken=$NPM_TOKEN > ~/.npmrc`.\n",
    "The machine login needs a password, see machine.md\n",
    "machine example login user password <your-password>\n",
    '"node_modules/x": {"version": "1.0.0", "resolved": "https://registry.npmjs.org/x/-/x-1.0.0.tgz", "integrity": "sha512-x"}\n',
    "kind: Config\nusers: []\nclusters: []\n# token: see the documentation for how to get one\n",
    "src/app.ts:5432:const a: string = b:c\n",
    "https://user:password@example.com/\nhttps://acme.dev/a@b\n",
    '{"auths": {"ghcr.io": {"auth": "<base64>"}}}\n',
    "SELECT password FROM users WHERE token = $1;\n",
    "INFO auth: token refreshed for user 42 in 12 ms\n",
    "root:*:19000:0:99999:7:::\nroot:x:0:0:root:/root:/bin/bash\n",
    "[client]\npassword = # set me\n",
    "type PrivateKey = string; // [Interface]\n",
    "\u001b[32m✓\u001b[0m auth.test.ts > rejects a wrong password (12 ms)\n",
  ])("%j", (text) => expect(secretsInText(text)).toEqual([]));

  test("numbers of the repository's own kind: hashes and ids beside such words", () => {
    const text = `token: ${mint.hex(40)}\ncommit ${mint.hex(40)}\nsha256:${mint.hex(64)} secret=false\nauth id ${mint.uuid()}\n`;
    expect(secretsInText(text)).toEqual([]);
  });
});

test("hostile texts end: repeated keys, quotes, blanks", () => {
  for (const piece of [
    "aws_secret_access_key=",
    '"auth":"',
    "machine a login b password ",
    "password=",
    '\\"',
    "token: ",
    "AKIA",
    "x:5432:",
    "https://a:b@",
    "<password>",
    " ",
    "\t=",
    "dev:$6$",
    "_authToken\\\\\\",
    "=>:=",
    "private_key",
  ]) {
    const text = `service_account client_email [client] <server><username> "auths kind: Config users clusters ${piece.repeat(200_000 / piece.length)}`;
    expect(secretsInText(text).length).toBeLessThan(1_000_000);
  }
});
