/**
 * Stores of secrets: what a command of these puts there is where it belongs, and nothing leaves to a reader. An address that such
 * a command is told as its server is one it sends to; an address among the values is only a value.
 */
import type { Argument, Destination, Source } from "../../effect.ts";
import { argumentSources, sliceArgument, unique } from "../../source.ts";
import { isLoopback, targetOf } from "../../url.ts";
import type { Invocation } from "../invocation.ts";
import { type Options, type OptionTable, readOptions } from "../options.ts";

/** Commands that put a secret into a store, one a line: the program, its words, options without which they do something else. */
const PUTS = `
vault kv put
vault kv patch
vault write
bao kv put
bao kv patch
bao write
nomad var put
conjur variable set
akeyless create-secret
akeyless update-secret-val
akeyless set-secret-val
doppler secrets set
doppler secrets upload
infisical secrets set
phase secrets create
phase secrets update
phase secrets import
envkey set
envkey import
chamber write
chamber import
berglas create
berglas update
teller put
op item create
op item edit
op document create
op document edit
bw create
bw edit
bws secret create
bws secret edit
lpass add
lpass edit
pass insert
gopass insert
passage insert
keepassxc-cli add
keepassxc-cli edit
secret-tool store
keyring set
security add-generic-password
security add-internet-password
gh secret set
glab variable set
glab variable update
tea actions secrets create
hcp vault-secrets secrets create
circleci context store-secret
travis env set
travis encrypt
drone secret add
drone secret update
drone orgsecret add
woodpecker-cli secret add
woodpecker-cli repo secret add
woodpecker-cli org secret add
sem create secret
docker secret create
podman secret create
pulumi config set
pulumi config set-all
fly secrets set
fly secrets import
flyctl secrets set
flyctl secrets import
heroku config:set
heroku config:add
dokku config:set
gigalixir config:set
aptible config:set
scalingo env-set
clever env set
clever env import
cf set-env
cf cups
cf create-user-provided-service
cf uups
vercel env add
vercel env update
vc env add
netlify env:set
netlify env:import
ntl env:set
ntl env:import
wrangler secret put
wrangler secret bulk
wrangler secret:bulk
wrangler pages secret put
wrangler pages secret bulk
wrangler versions secret put
railway variables set
railway variable set
railway variables --set
supabase secrets set
firebase functions:secrets:set
firebase functions:config:set
firebase apphosting:secrets:set
eas secret:create
eas secret:push
eas env:create
eas env:update
eas env:push
convex env set
sst secret set
sst secret load
sst secrets set
ampx secret set
ampx sandbox secret set
deno deploy env add
deno deploy env load
koyeb secrets create
koyeb secrets update
northflank create secret
zeabur variable create
zeabur variable update
encore secret set
porter env set
coolify app env create
coolify app env update
platform variable:create
platform variable:update
upsun variable:create
upsun variable:update
modal secret create
databricks secrets put-secret
databricks secrets put
`;

/** Options that tell the server. */
const SERVER = "domain api api-host api-url address http-addr server host hostname endpoint url gateway-url";
const SERVERS = SERVER.split(" ");

/** Options with a value that may stand in front of a command's words or between them. */
const OPTIONS: OptionTable = {
  short: "aceopstrnRkg",
  long: `app config env environment project service team org namespace region scope account profile repo cwd token stage vault session mount field ${SERVER}`,
};

/** Whether the command puts a secret into a store; if so, all of its effects are told. */
export function keepsSecret(invocation: Invocation): boolean {
  const { name } = invocation;
  if (!PUTS.includes(`\n${name} `)) return false;
  const options = readOptions(invocation.args, {
    ...OPTIONS,
    // HashiCorp's programs write long options with one dash.
    ...(/^(?:vault|bao|nomad)$/.test(name) ? { single: true } : {}),
  });
  const command = PUTS.split("\n").find((line) => line.startsWith(`${name} `) && isCommand(line.slice(name.length + 1), options));
  if (command === undefined) return false;
  // 1Password keeps a login's own address beside it.
  const server = name === "op" ? undefined : serverOf(invocation, options);
  const vault = /^(?:vault|bao)$/.test(name);
  if (server !== undefined || vault)
    invocation.send(name, [{ sources: given(invocation, command.split(" "), server), position: "data" }], {
      ...(server === undefined ? { host: undefined, url: undefined } : targetOf(server.text, "https").destination),
      kind: "storage",
      ...(server === undefined ? { secrets: true } : {}),
    } satisfies Destination);
  invocation.print([{ from: "unknown" }]);
  return true;
}

function isCommand(line: string, { operands, has }: Options): boolean {
  const words = line.split(" ");
  const plain = words.filter((word) => !word.startsWith("--"));
  return plain.every((word, at) => operands[at]?.text === word) && words.every((word) => !word.startsWith("--") || has(word.slice(2)));
}

/** The server the command itself names, by an option or by one of the program's own variables (`VAULT_ADDR`). */
function serverOf(invocation: Invocation, options: Options): Argument | undefined {
  const option = options.value(...SERVERS) ?? options.values("repo", "R").find(({ text }) => text.includes("://"));
  if (option !== undefined) return isAddress(option) ? option : undefined;
  const own = `${invocation.name.replace(/ctl$/, "").toUpperCase().replaceAll("-", "_")}_`;
  const set = [
    ...invocation.environment,
    ...[...invocation.shell.state.variables].flatMap(
      ([
        name,
        {
          exported,
          values: [value],
        },
      ]) => (exported && value !== undefined ? ([[name, value]] as const) : []),
    ),
  ];
  return set.find(([name, value]) => name.startsWith(own) && /_(?:ADDR|HOST|URL|ENDPOINT)$/.test(name) && isAddress(value))?.[1];
}

/** A name of a host elsewhere; what only the shell knows may be one. */
function isAddress({ text, exact }: Argument): boolean {
  return !isLoopback(text) && (!exact || /^(?:https?:\/\/)?[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?:[:/]|$)/.test(text));
}

/** What the command is given beside its own words and the server: values, files behind `@`, standard input. */
function given(invocation: Invocation, command: readonly string[], server: Argument | undefined): readonly Source[] {
  const words = invocation.args.filter(({ text }) => !command.includes(text) && !(server !== undefined && text.endsWith(server.text)));
  const sources = words.flatMap((argument) => {
    const at = /^(?:[\w.-]{1,200}=)?@/.exec(argument.text)?.[0].length;
    return at === undefined ? argumentSources(argument) : [...invocation.read(sliceArgument(argument, at))];
  });
  return unique([...sources, ...invocation.stdin]);
}
