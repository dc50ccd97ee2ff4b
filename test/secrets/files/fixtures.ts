/** One real-looking file of every kind, made at run time. */
import type { Mint } from "../../mint.ts";

export interface Fixture {
  readonly id: string;
  /** Absolute path for the home `/home/dev`, or relative to a repository. */
  readonly path: string;
  readonly text: string;
  /** Every secret value, as its reader sees it. */
  readonly secrets: readonly string[];
  /** The secret is the file as a whole: replacing a value in it makes no sense. */
  readonly whole?: boolean;
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const base64 = (text: string) => Buffer.from(text).toString("base64");
const LATER = "2030-01-01T00:00:00Z";

/** A home folder's file. */
function home(id: string, path: string, text: string, ...secrets: string[]): Fixture {
  return { id, path: `/home/dev/${path}`, text, secrets };
}

function at(id: string, path: string, text: string, ...secrets: string[]): Fixture {
  return { id, path, text, secrets };
}

function whole(id: string, path: string, text: string): Fixture {
  return { id, path: path.startsWith("/") ? path : `/home/dev/${path}`, text, secrets: [text.trim()], whole: true };
}

/** Fixtures from a maker of whole files. */
function made(id: string, path: string, file: { readonly text: string; readonly secrets: readonly string[] }): Fixture {
  return { id, path: `/home/dev/${path}`, ...file };
}

function cloudFixtures(m: Mint): readonly Fixture[] {
  const secret = m.awsSecret();
  const session = m.awsSessionToken();
  const t = {
    sso: m.base62(200),
    refresh: m.base62(200),
    client: m.base62(120),
    azure: m.base62(200),
    principal: `${m.base62(3)}8Q~${m.base62(34)}`,
  };
  const google = m.googleRefresh();
  const password = m.password();
  const tokens = Array.from({ length: 16 }, () => m.base62(40));
  const dop = `dop_v1_${m.hex(64)}`;
  const hetzner = m.base62(64);
  const uuid = m.uuid();
  return [
    made("aws-credentials", ".aws/credentials", m.awsCredentials()),
    home(
      "aws-config",
      ".aws/config",
      `[profile dev]\nregion = eu-central-1\naws_access_key_id=${m.awsKeyId()}\naws_secret_access_key=${secret}\n`,
      secret,
    ),
    home(
      "aws-sso-cache",
      `.aws/sso/cache/${m.hex(40)}.json`,
      json({
        startUrl: "https://acme.awsapps.com/start",
        accessToken: t.sso,
        expiresAt: LATER,
        refreshToken: t.refresh,
        clientSecret: t.client,
        registrationExpiresAt: LATER,
      }),
      t.sso,
      t.refresh,
      t.client,
    ),
    home(
      "aws-session",
      `.aws/cli/cache/${m.hex(40)}.json`,
      json({ Credentials: { AccessKeyId: m.awsKeyId("ASIA"), SecretAccessKey: secret, SessionToken: session, Expiration: LATER } }),
      secret,
      session,
    ),
    at("aws-access-keys", "Downloads/dev_accessKeys.csv", `Access key ID,Secret access key\n${m.awsKeyId()},${secret}\n`, secret),
    home("boto", ".boto", `[Credentials]\naws_access_key_id = ${m.awsKeyId()}\naws_secret_access_key = ${secret}\n`, secret),
    home("s3cmd", ".s3cfg", `[default]\naccess_key = ${m.awsKeyId()}\nsecret_key = ${secret}\nhost_base = s3.acme.dev\n`, secret),
    made("gcp-service-account", "project/key.json", m.gcpServiceAccount()),
    made("gcp-user", ".config/gcloud/application_default_credentials.json", m.gcloudAdc()),
    home(
      "gcloud-store",
      ".config/gcloud/credentials.db",
      `SQLite format 3\0\0CREATE TABLE credentials{"client_id": "x", "refresh_token": "${google}", "type": "authorized_user"}`,
      google,
    ),
    home(
      "firebase",
      ".config/configstore/firebase-tools.json",
      json({ user: { email: "dev@acme.dev" }, tokens: { refresh_token: google } }),
      google,
    ),
    home(
      "azure-tokens",
      ".azure/msal_token_cache.json",
      json({
        AccessToken: { "a-b": { credential_type: "AccessToken", secret: t.azure } },
        RefreshToken: { "c-d": { credential_type: "RefreshToken", secret: t.refresh } },
        Account: {},
      }),
      t.azure,
      t.refresh,
    ),
    home(
      "azure-access-tokens",
      ".azure/accessTokens.json",
      json([{ tokenType: "Bearer", accessToken: t.azure, refreshToken: t.refresh, _authority: "https://login.microsoftonline.com/x" }]),
      t.azure,
      t.refresh,
    ),
    home(
      "azure-service-principal",
      ".azure/service_principal_entries.json",
      json([{ client_id: m.uuid(), tenant: m.uuid(), client_secret: t.principal }]),
      t.principal,
    ),
    at(
      "azure-sdk-auth",
      "ci/auth.json5",
      json({
        clientId: m.uuid(),
        clientSecret: t.principal,
        subscriptionId: m.uuid(),
        tenantId: m.uuid(),
        activeDirectoryEndpointUrl: "https://login.microsoftonline.com",
      }),
      t.principal,
    ),
    home(
      "azure-powershell",
      ".Azure/AzureRmContext.json",
      json({ Contexts: { Default: { Account: { ExtendedProperties: { ServicePrincipalSecret: t.principal } } } } }),
      t.principal,
    ),
    home(
      "oci",
      ".oci/config",
      `[DEFAULT]\nuser=ocid1.user.oc1..aaaa\nfingerprint=aa:bb\nkey_file=~/.oci/key.pem\npass_phrase=${password}\n`,
      password,
    ),
    home("ibmcloud", ".bluemix/config.json", json({ IAMToken: `Bearer ${tokens[0]}`, IAMRefreshToken: tokens[1] })),
    home(
      "aliyun",
      ".aliyun/config.json",
      json({ current: "default", profiles: [{ mode: "AK", access_key_id: `LTAI${m.base62(20)}`, access_key_secret: m.base62(30) }] }),
    ),
    home("tencent", ".tccli/default.credential", json({ secretId: `AKID${m.base62(32)}`, secretKey: tokens[1] }), tokens[1] as string),
    home("doctl", ".config/doctl/config.yaml", `access-token: ${dop}\ncontext: default\n`, dop),
    home("hcloud", ".config/hcloud/cli.toml", `active_context = "dev"\n\n[[contexts]]\n  name = "dev"\n  token = "${hetzner}"\n`, hetzner),
    home(
      "scaleway",
      ".config/scw/config.yaml",
      `access_key: SCW${m.text("ABCDEFGHJK0123456789", 17)}\nsecret_key: ${uuid}\ndefault_region: fr-par\n`,
      uuid,
    ),
    home(
      "linode",
      ".config/linode-cli",
      `[DEFAULT]\ndefault-user = dev\n\n[dev]\ntoken = ${tokens[2]}\nregion = eu\n`,
      tokens[2] as string,
    ),
    home(
      "ovh",
      ".ovh.conf",
      `[default]\nendpoint=ovh-eu\n\n[ovh-eu]\napplication_key=abc\napplication_secret=${tokens[3]}\nconsumer_key=${tokens[4]}\n`,
      tokens[3] as string,
      tokens[4] as string,
    ),
    home("vultr", ".vultr-cli.yaml", `api-key: ${tokens[5]}\n`, tokens[5] as string),
    home(
      "exoscale",
      ".config/exoscale/exoscale.toml",
      `defaultAccount = "dev"\n\n[[accounts]]\n  name = "dev"\n  key = "EXOabcdef"\n  secret = "${tokens[6]}"\n`,
      tokens[6] as string,
    ),
    home("civo", ".civo.json", json({ apikeys: { dev: tokens[7] }, meta: { admin: false } }), tokens[7] as string),
    home(
      "openstack",
      ".config/openstack/clouds.yaml",
      `clouds:\n  acme:\n    auth:\n      auth_url: https://keystone.acme.dev\n      username: dev\n      password: ${password}\n`,
      password,
    ),
    at(
      "openstack-project",
      "deploy/clouds.yaml",
      `clouds:\n  acme:\n    auth:\n      auth_url: https://keystone.acme.dev\n      username: dev\n      password: "${password}"\n`,
      password,
    ),
    home(
      "yandex",
      ".config/yandex-cloud/config.yaml",
      `current: default\nprofiles:\n  default:\n    token: y0_${tokens[8]}\n`,
      `y0_${tokens[8]}`,
    ),
  ];
}

function clusterFixtures(m: Mint): readonly Fixture[] {
  const account = m.jwt({ iss: "kubernetes/serviceaccount", sub: "system:serviceaccount:default:ci" });
  const [token, password, key] = [m.base62(40), m.password(), base64(m.pemRsa())];
  return [
    made("kubeconfig", ".kube/config", m.kubeconfig()),
    at("kubernetes-service-account", "/var/run/secrets/kubernetes.io/serviceaccount/token", account, account),
    home(
      "talos",
      ".talos/config",
      `context: dev\ncontexts:\n  dev:\n    endpoints: []\n    ca: ${base64(m.certificate())}\n    key: ${key}\n`,
      key,
    ),
    home(
      "rancher",
      ".rancher/cli2.json",
      json({ Servers: { dev: { accessKey: "", secretKey: "", tokenKey: `token-abcde:${token}`, url: "https://r.acme.dev" } } }),
      `token-abcde:${token}`,
    ),
    home(
      "argocd",
      ".config/argocd/config",
      `contexts:\n- name: a.acme.dev\nusers:\n- auth-token: ${m.jwt({ iss: "argocd" })}\n  name: a.acme.dev\n`,
    ),
    home(
      "helm",
      ".config/helm/repositories.yaml",
      `apiVersion: ""\nrepositories:\n- name: acme\n  url: https://charts.acme.dev\n  username: dev\n  password: ${password}\n`,
      password,
    ),
    at(
      "kubernetes-secret",
      "deploy/secret.yaml",
      `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: ${base64(password)}\n`,
      base64(password),
    ),
    made("docker", ".docker/config.json", m.dockerConfig()),
    at(
      "compose",
      "docker-compose.yml",
      `services:\n  db:\n    image: postgres:17\n    environment:\n      POSTGRES_PASSWORD: ${password}\n      POSTGRES_DB: app\n  cache:\n    environment:\n      - REDIS_PASSWORD=${token}\n      - LOG_LEVEL=debug-verbose\n`,
      password,
      token,
    ),
  ];
}

function forgeFixtures(m: Mint): readonly Fixture[] {
  const [token, password, github] = [m.base62(40), m.password(), m.github("gho_")];
  const glab = m.gitlab();
  const rsa = m.base64url(342);
  return [
    made("gh", ".config/gh/hosts.yml", m.ghHosts()),
    home(
      "glab",
      ".config/glab-cli/config.yml",
      `git_protocol: ssh\nhosts:\n    gitlab.com:\n        token: ${glab}\n        api_host: gitlab.com\n`,
      glab,
    ),
    home("hub", ".config/hub", `github.com:\n- user: dev\n  oauth_token: ${github}\n  protocol: https\n`, github),
    home("tea", ".config/tea/config.yml", `logins:\n- name: acme\n  url: https://git.acme.dev\n  token: ${token}\n`, token),
    at(
      "gitlab-runner",
      "/etc/gitlab-runner/config.toml",
      `concurrent = 1\n\n[[runners]]\n  name = "ci"\n  url = "https://gitlab.com"\n  token = "glrt-${token}"\n`,
      `glrt-${token}`,
    ),
    at(
      "actions-runner",
      "/opt/runner/.credentials_rsaparams",
      json({ d: rsa, dp: "a", dq: "b", exponent: "AQAB", inverseQ: "c", modulus: "x", p: "p", q: "q" }),
      rsa,
    ),
    made("git-credentials", ".git-credentials", m.gitCredentials()),
    at(
      "git-config",
      "app/.git/config",
      `[core]\n\tbare = false\n[remote "origin"]\n\turl = https://dev:${github}@github.com/acme/app.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
      github,
    ),
    made("netrc", ".netrc", m.netrc()),
    made("npm", ".npmrc", m.npmrc()),
    at("npm-project", "app/.npmrc", `registry=https://npm.acme.dev/\n//npm.acme.dev/:_authToken=${m.uuid()}\nalways-auth=true\n`),
    home("yarn", ".yarnrc.yml", `nodeLinker: node-modules\nnpmAuthToken: ${token}\n`, token),
    at(
      "yarn-project",
      "app/.yarnrc.yml",
      `npmScopes:\n  acme:\n    npmRegistryServer: "https://npm.acme.dev"\n    npmAuthToken: "${token}"\n`,
      token,
    ),
    made("pypirc", ".pypirc", m.pypirc()),
    home("pip", ".config/pip/pip.conf", `[global]\nindex-url = https://dev:${password}@pypi.acme.dev/simple\n`, password),
    home(
      "poetry",
      ".config/pypoetry/auth.toml",
      `[http-basic.acme]\nusername = "dev"\npassword = "${password}"\n\n[pypi-token]\npypi = "${token}"\n`,
      password,
      token,
    ),
    home(
      "uv",
      ".local/share/uv/credentials/credentials.toml",
      `[[credential]]\nservice = "https://pypi.acme.dev"\nusername = "dev"\nscheme = "basic"\npassword = "${password}"\n`,
      password,
    ),
    home("conda", ".condarc", `channels:\n  - https://conda.acme.dev/t/${token}/main\n  - defaults\n`, token),
    home("cargo", ".cargo/credentials.toml", `[registry]\ntoken = "${m.cratesIo()}"\n`),
    home("rubygems", ".gem/credentials", `---\n:rubygems_api_key: rubygems_${m.hex(48)}\n`),
    home("bundler", ".bundle/config", `---\nBUNDLE_GEMS__ACME__DEV: "dev:${password}"\n`, password),
    home(
      "maven",
      ".m2/settings.xml",
      `<settings>\n  <servers>\n    <server>\n      <id>acme</id>\n      <username>dev</username>\n      <password>${password}</password>\n    </server>\n  </servers>\n</settings>\n`,
      password,
    ),
    home(
      "nuget",
      ".nuget/NuGet/NuGet.Config",
      `<configuration>\n  <packageSourceCredentials>\n    <acme>\n      <add key="Username" value="dev" />\n      <add key="ClearTextPassword" value="${password}" />\n    </acme>\n  </packageSourceCredentials>\n</configuration>\n`,
      password,
    ),
    home("gradle", ".gradle/gradle.properties", `org.gradle.daemon=true\nsigning.password=${password}\n`, password),
    at("gradle-project", "app/gradle.properties", `version=1.0.0\nossrhPassword=${password}\n`, password),
    home("sbt", ".sbt/.credentials", `realm=Sonatype\nhost=oss.sonatype.org\nuser=dev\npassword=${password}\n`, password),
    home(
      "dart-pub",
      ".config/dart/pub-credentials.json",
      json({ accessToken: token, refreshToken: `1//${token}`, tokenEndpoint: "https://accounts.google.com" }),
      token,
      `1//${token}`,
    ),
    home("hex", ".hex/hex.config", `{api_key,<<"${m.hex(32)}">>}.\n`),
    home(
      "terraform",
      ".terraform.d/credentials.tfrc.json",
      json({ credentials: { "app.terraform.io": { token: `${m.base62(14)}.atlasv1.${m.base62(67)}` } } }),
    ),
    home("terraform-rc", ".terraformrc", `credentials "app.terraform.io" {\n  token = "${token}"\n}\n`, token),
    home(
      "composer",
      ".composer/auth.json",
      json({ "github-oauth": { "github.com": github }, "http-basic": { "repo.acme.dev": { username: "dev", password } } }),
      github,
      password,
    ),
  ];
}

function agentFixtures(m: Mint): readonly Fixture[] {
  const [anthropic, github, key, token, other] = [m.anthropic(), m.github(), m.openai(), m.base62(60), m.base62(48)];
  const [jwt, refresh, password] = [m.jwt(), m.googleRefresh(), m.password()];
  return [
    made("claude-code", ".claude/.credentials.json", m.claudeCredentials()),
    home(
      "claude-code-config",
      ".claude.json",
      json({
        numStartups: 3,
        primaryApiKey: anthropic,
        mcpServers: { gh: { command: "npx", env: { GITHUB_TOKEN: github, LOG: "debug" } } },
      }),
      anthropic,
      github,
    ),
    home(
      "codex",
      ".codex/auth.json",
      json({
        OPENAI_API_KEY: null,
        tokens: { id_token: jwt, access_token: jwt, refresh_token: token, account_id: "x" },
        last_refresh: LATER,
      }),
      jwt,
      token,
    ),
    home(
      "gemini",
      ".gemini/oauth_creds.json",
      json({ access_token: `ya29.${token}`, refresh_token: refresh, scope: "x", token_type: "Bearer", expiry_date: 1893456000000 }),
      `ya29.${token}`,
      refresh,
    ),
    home(
      "mcp-oauth",
      ".mcp-auth/mcp-remote-0.1/abc_tokens.json",
      json({ access_token: token, refresh_token: other, token_type: "Bearer" }),
      token,
      other,
    ),
    home(
      "copilot",
      ".config/github-copilot/apps.json",
      json({ "github.com:Iv1.b507a08c87ecfe98": { user: "dev", oauth_token: github } }),
      github,
    ),
    home("cursor", ".config/cursor/auth.json", json({ accessToken: jwt, refreshToken: jwt }), jwt),
    home(
      "opencode",
      ".local/share/opencode/auth.json",
      json({ anthropic: { type: "oauth", refresh: anthropic, access: other, expires: 1 }, openai: { type: "api", key } }),
      anthropic,
      other,
      key,
    ),
    home("agent-sign-in", ".factory/auth.json", json({ access_token: jwt, refresh_token: token }), jwt, token),
    home("goose", ".config/goose/secrets.yaml", `OPENAI_API_KEY: ${key}\n`, key),
    at(
      "mcp-config",
      "app/.mcp.json",
      json({ mcpServers: { gh: { type: "http", url: "https://mcp.acme.dev", headers: { Authorization: `Bearer ${github}` } } } }),
      github,
    ),
    at(
      "mcp-config-values",
      "app/.vscode/mcp.json",
      json({ servers: { db: { command: "x", env: { DB_PASSWORD: password, DEBUG: "true" } } } }),
      password,
    ),
  ];
}

function storeFixtures(m: Mint): readonly Fixture[] {
  const [password, token, key, secret] = [m.password(), m.base62(48), m.base62(64), m.awsSecret()];
  const dapi = `dapi${m.hex(32)}`;
  return [
    home("pgpass", ".pgpass", `# host:port:db:user:pass\ndb.acme.dev:5432:app:app:${password}\n*:*:*:app:*\n`, password),
    home("pg-service", ".pg_service.conf", `[app]\nhost=db.acme.dev\nuser=app\npassword=${password}\n`, password),
    home("mysql", ".my.cnf", `[client]\nuser = root\npassword = "${password}"\n`, password),
    home("snowflake", ".snowflake/connections.toml", `[dev]\naccount = "acme-x"\nuser = "dev"\npassword = "${password}"\n`, password),
    home("snowsql", ".snowsql/config", `[connections.dev]\naccountname = acme\nusername = dev\npassword = ${password}\n`, password),
    home("databricks", ".databrickscfg", `[DEFAULT]\nhost = https://acme.cloud.databricks.com\ntoken = ${dapi}\n`, dapi),
    home(
      "dbt",
      ".dbt/profiles.yml",
      `app:\n  target: dev\n  outputs:\n    dev:\n      type: postgres\n      user: dev\n      password: ${password}\n`,
      password,
    ),
    home("confluent", ".confluent/config.json", json({ contexts: { dev: { state: { auth_token: token } } } }), token),
    home(
      "rclone",
      ".config/rclone/rclone.conf",
      `[s3]\ntype = s3\naccess_key_id = x\nsecret_access_key = ${secret}\n\n[drive]\ntype = drive\ntoken = {"access_token":"ya29.${token}","token_type":"Bearer","refresh_token":"1//${token}","expiry":"x"}\n`,
      secret,
      `ya29.${token}`,
      `1//${token}`,
    ),
    home(
      "minio",
      ".mc/config.json",
      json({ version: "10", aliases: { prod: { url: "https://s3.acme.dev", accessKey: "dev", secretKey: token } } }),
      token,
    ),
    home(
      "filezilla",
      ".config/filezilla/sitemanager.xml",
      `<FileZilla3>\n <Servers><Server><Host>ftp.acme.dev</Host><Pass encoding="base64">${base64(password)}</Pass></Server></Servers>\n</FileZilla3>\n`,
      base64(password),
    ),
    home("vercel", ".local/share/com.vercel.cli/auth.json", json({ token: m.base62(24) })),
    home("netlify", ".config/netlify/config.json", json({ users: { x: { auth: { token } } } }), token),
    home("fly", ".fly/config.yml", `access_token: fm2_${token}\nmetrics: true\n`, `fm2_${token}`),
    home(
      "wrangler",
      ".config/.wrangler/config/default.toml",
      `oauth_token = "${token}"\nexpiration_time = "${LATER}"\nrefresh_token = "${key}"\n`,
      token,
      key,
    ),
    home(
      "cloudflared",
      `.cloudflared/${m.uuid()}.json`,
      json({ AccountTag: "x", TunnelSecret: base64(token), TunnelID: "y" }),
      base64(token),
    ),
    home("stripe-cli", ".config/stripe/config.toml", `[default]\ndevice_name = "x"\nlive_mode_api_key = "${m.stripe("rk_live_")}"\n`),
    home("doppler", ".doppler/.doppler.yaml", `scoped:\n  /:\n    token: dp.ct.${token}\n`, `dp.ct.${token}`),
    home(
      "pulumi",
      ".pulumi/credentials.json",
      json({ current: "https://api.pulumi.com", accessTokens: { "https://api.pulumi.com": `pul-${m.hex(40)}` } }),
    ),
    home("railway", ".railway/config.json", json({ projects: {}, user: { token } }), token),
    home("render", ".render/cli.yaml", `version: 1\napi:\n  key: rnd_${token}\n`, `rnd_${token}`),
    home("koyeb", ".koyeb.yaml", `token: ${key}\n`, key),
    home("neon", ".config/neonctl/credentials.json", json({ access_token: token, refresh_token: key }), token, key),
    home("turso", ".config/turso/settings.json", json({ token: m.jwt() })),
    home("upstash", ".upstash.json", json({ email: "dev@acme.dev", apiKey: m.uuid() })),
    home("sentry", ".sentryclirc", `[defaults]\norg = acme\n\n[auth]\ntoken = sntrys_${token}\n`, `sntrys_${token}`),
    home("datadog", ".dogrc", `[Connection]\napikey = ${m.hex(32)}\nappkey = ${m.hex(40)}\n`),
    home(
      "newrelic",
      ".newrelic/credentials.json",
      json({ default: { apiKey: `NRAK-${m.text("ABCDEFGHIJ0123456789", 27)}`, region: "US" } }),
    ),
    home(
      "grafanactl",
      ".config/grafanactl/config.yaml",
      `contexts:\n  default:\n    grafana:\n      server: https://g.acme.dev\n      token: ${m.grafana()}\n`,
    ),
    home(
      "llm-keys",
      ".config/io.datasette.llm/keys.json",
      json({ "// Note": "This file stores secret API credentials. Do not share!", openai: m.openai() }),
    ),
    home("expo", ".expo/state.json", json({ auth: { sessionSecret: json({ id: "x" }).trim().replace(/\s/g, "") && token } }), token),
    home(
      "twilio-cli",
      ".twilio-cli/config.json",
      json({ profiles: { dev: { accountSid: "AC", apiKey: "SK", apiKeySecret: m.base62(32) } } }),
    ),
    home("ngrok", ".config/ngrok/ngrok.yml", `version: "3"\nagent:\n  authtoken: 2${m.base62(26)}_${m.base62(21)}\n`),
    home("supabase", ".supabase/access-token", `sbp_${m.hex(40)}`),
    home("vault-token", ".vault-token", `hvs.${m.base62(90)}`),
    home("planetscale", ".config/planetscale/access-token", `${token}\n`, token),
    home("hugging-face", ".cache/huggingface/token", m.huggingFace()),
    home("hugging-face-stored", ".cache/huggingface/stored_tokens", `[dev]\nhf_token = ${m.huggingFace()}\n`),
    home("kaggle", ".kaggle/kaggle.json", json({ username: "dev", key: m.hex(32) })),
    at("rails-key", "app/config/master.key", m.hex(32)),
    at(
      "onepassword-connect",
      "ops/1password-credentials.json",
      json({ verifier: { salt: "x", localHash: "y" }, encCredentials: { data: "z" }, uniqueKey: { alg: "A256GCM", k: m.base64url(43) } }),
    ),
    home(
      "cloudflared-cert",
      ".cloudflared/cert.pem",
      `-----BEGIN ARGO TUNNEL TOKEN-----\n${base64(token)}\n-----END ARGO TUNNEL TOKEN-----\n`,
      base64(token),
    ),
    home("curlrc", ".curlrc", `--silent\nuser = "dev:${password}"\n`, password),
  ];
}

function systemFixtures(m: Mint): readonly Fixture[] {
  const [password, wg, tail] = [m.password(), m.bytes(32).toString("base64"), m.base62(60)];
  const hash = `$6$${m.base62(16)}$${m.base62(86)}`;
  return [
    at("shadow", "/etc/shadow", `root:!*:19000:0:99999:7:::\ndaemon:*:19000:0:99999:7:::\ndev:${hash}:19000:0:99999:7:::\n`, hash),
    at("wireguard", "/etc/wireguard/wg0.conf", `[Interface]\nPrivateKey = ${wg}\nAddress = 10.0.0.2/32\n\n[Peer]\nPublicKey = x\n`, wg),
    at(
      "wifi",
      "/etc/NetworkManager/system-connections/Home.nmconnection",
      `[wifi]\nssid=Home\n\n[wifi-security]\nkey-mgmt=wpa-psk\npsk=${password}\n`,
      password,
    ),
    at("tailscale", "/var/lib/tailscale/tailscaled.state", json({ _machinekey: tail, _profiles: "e30=" }), tail),
    at("age", "ops/keys.txt", `# created: 2026-01-01\n# public key: age1x\n${m.age()}\n`),
    whole("ssh-key", "/work-tree/notes", m.opensshKey()),
    whole("private-key", ".ssh/id_rsa", m.pemRsaPkcs1()),
    at(
      "putty-key",
      "ops/deploy.ppk",
      `PuTTY-User-Key-File-${3}: ssh-ed25519\nEncryption: none\nComment: dev\nPublic-Lines: 2\nAAAA\nBBBB\nPrivate-Lines: 1\n${m.base62(44)}\nPrivate-MAC: ${m.hex(64)}\n`,
    ),
    whole("pgp-key", "/work-tree/secret.asc", m.pgpKey()),
    {
      id: "gnupg",
      path: `/home/dev/.gnupg/private-keys-v1.d/${m.hex(40).toUpperCase()}.key`,
      text: `(private-key (rsa (n #00${m.hex(64)}#)(e #010001#)(d #${m.hex(64)}#)))\n`,
      secrets: [],
      whole: true,
    },
    at(
      "acme-account",
      "/etc/letsencrypt/accounts/acme-v02/directory/x/private_key.json",
      json({ kty: "RSA", n: "x", e: "AQAB", d: m.base64url(342), p: m.base64url(170), q: m.base64url(170) }),
    ),
    whole("key-file-pem", "/srv/app/certs/server.pem", m.pemRsa()),
    whole("key-file-encrypted", "/srv/app/certs/locked.pem", m.pemEncrypted()),
    at("jwk", "app/jwks.json", json({ keys: [{ kty: "EC", crv: "P-256", x: m.base64url(43), y: m.base64url(43), d: m.base64url(43) }] })),
  ];
}

function wholeFixtures(m: Mint): readonly Fixture[] {
  const body = m.base62(100);
  const sqlite = (inside: string) => `SQLite format 3\0${inside}${body}`;
  const file = (id: string, path: string, text: string): Fixture => ({
    id,
    path: path.startsWith("/") ? path : `/home/dev/${path}`,
    text,
    secrets: [text],
    whole: true,
  });
  const seed = `SU${m.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 56)}`;
  return [
    file("browser-logins", ".config/google-chrome/Default/Login Data", sqlite("CREATE TABLE logins")),
    file("browser-cookies", ".config/chromium/Default/Cookies", sqlite("CREATE TABLE cookies")),
    file("firefox-keys", ".mozilla/firefox/x.default/key4.db", sqlite("CREATE TABLE nssPrivate")),
    file("firefox-cookies", ".mozilla/firefox/x.default/cookies.sqlite", sqlite("CREATE TABLE moz_cookies")),
    file("safari-cookies", "/Users/dev/Library/Cookies/Cookies.binarycookies", `cook${body}`),
    file("keychain", "/Users/dev/Library/Keychains/login.keychain-db", `kych${body}`),
    file("gnome-keyring", ".local/share/keyrings/login.keyring", `GnomeKeyring\n\r\0\n${body}`),
    file("kwallet", ".local/share/kwalletd/kdewallet.kwl", `KWALLET\n\r\0\r\n${body}`),
    file("keepass", "vault.kdbx", `\x03\xd9\xa2\x9a${body}`),
    file("registry-hive", "C:\\Windows\\System32\\config\\SAM", `regf${body}`),
    file("kerberos", "/etc/krb5.keytab", `\x05\x02\0\0${body}`),
    file("kerberos-cache", "/tmp/krb5cc_1000", `\x05\x04\0\0${body}`),
    file("bitcoin-wallet", ".bitcoin/wallets/main/wallet.dat", sqlite("main keymeta")),
    file("java-keystore", "app/release.jks", `\xfe\xed\xfe\xed\0\0\0\x02${body}`),
    file("key-file", "app/cert.p12", `0\x82\x0a\x01\x02\x01\x03${body}`),
    {
      id: "firefox-logins",
      path: "/home/dev/.mozilla/firefox/x.default/logins.json",
      text: json({ logins: [{ hostname: "https://acme.dev", encryptedUsername: m.base62(60), encryptedPassword: m.base62(80) }] }),
      secrets: [],
    },
    { id: "solana", path: "/home/dev/.config/solana/id.json", text: m.solanaJson(), secrets: [], whole: true },
    {
      id: "electrum",
      path: "/home/dev/.electrum/wallets/default_wallet",
      text: json({ wallet_type: "standard", keystore: { type: "bip32", xprv: m.xprv() } }),
      secrets: [],
    },
    {
      id: "near",
      path: "/home/dev/.near-credentials/mainnet/dev.near.json",
      text: json({ account_id: "dev.near", private_key: `ed25519:${m.solanaBase58()}` }),
      secrets: [],
    },
    {
      id: "nats",
      path: "/srv/app/ops.creds",
      text: `-----BEGIN NATS USER JWT-----\n${m.jwt()}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`,
      secrets: [seed],
    },
  ];
}

function questionFixtures(m: Mint): readonly Fixture[] {
  const [password, token, key] = [m.password(), m.base62(40), m.openai()];
  const hash = `$2y$10$${m.base62(53)}`;
  return [
    made("env", "app/.env", m.dotenv()),
    home("shell-start-up", ".zshrc", `export EDITOR=vim\nexport PATH="$HOME/bin:$PATH"\nexport OPENAI_API_KEY="${key}"\n`, key),
    home("shell-history", ".zsh_history", `: 1700000000:0;ls\n: 1700000001:0;export DB_PASSWORD=${password}\n`, password),
    at(
      "project-config",
      "app/appsettings.Production.json",
      json({
        Logging: { LogLevel: "Warning" },
        Jwt: { SigningSecret: token },
        ConnectionStrings: { Db: `postgres://app:${password}@db.acme.dev/app` },
      }),
      token,
      password,
    ),
    at(
      "wp-config",
      "blog/wp-config.php",
      `<?php\ndefine( 'DB_NAME', 'blog' );\ndefine( 'DB_PASSWORD', '${password}' );\ndefine('AUTH_KEY', '${token}');\n`,
      password,
      token,
    ),
    at("htpasswd", "app/.htpasswd", `dev:${hash}\n`, hash),
  ];
}

/** Every fixture; fixtures that name no secrets are checked for being identified only. */
export function fixtures(m: Mint): readonly Fixture[] {
  return [
    ...cloudFixtures(m),
    ...clusterFixtures(m),
    ...forgeFixtures(m),
    ...agentFixtures(m),
    ...storeFixtures(m),
    ...systemFixtures(m),
    ...wholeFixtures(m),
    ...questionFixtures(m),
  ];
}
