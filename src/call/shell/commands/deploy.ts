/** Tools that put a site or a service in front of everyone. What they upload, `call/packing` says. */
import type { Argument, Packing } from "../../effect.ts";
import { argumentSources, literal } from "../../source.ts";
import type { Handler, Invocation } from "../invocation.ts";
import type { Options, OptionTable } from "../options.ts";
import { login } from "./publish.ts";

/** How one tool is spoken to. */
interface Tool extends OptionTable {
  readonly host: string;
  /** Reads the operands; undefined: this call deploys nothing. The place: a folder the operands name. */
  readonly deploys: (
    words: readonly Argument[],
    options: Options,
  ) => { readonly place: Argument | undefined; readonly kind?: string } | undefined;
  /** Options that name the folder. */
  readonly places?: readonly string[];
  /** How the folder is packed, when the command names it and when not; undefined: nothing of the folder is known to go. */
  readonly named: string;
  readonly unnamed?: string;
  /** Names that begin with a dot go as well with these options. */
  readonly dotted?: readonly string[];
}

/** The handler of a deployment tool. */
export function deployCommand(name: string): Handler | undefined {
  const tool = toolOf(name);
  return tool === undefined ? undefined : (invocation) => deploy(invocation, tool);
}

const text = (word: Argument | undefined): string => word?.text ?? "";
const after = (verb: RegExp) => (words: readonly Argument[]) => (verb.test(text(words[0])) ? { place: words[1] } : undefined);

function toolOf(name: string): Tool | undefined {
  switch (name) {
    case "vercel":
    case "vc":
    case "now":
      return {
        host: "vercel.com",
        short: "tSAbem",
        long: "token scope cwd local-config build-env env meta archive regions target name team global-config",
        places: ["cwd"],
        deploys: (words, options) => {
          const first = text(words[0]);
          if (options.has("prebuilt"))
            return first === "deploy" || first === "" ? { place: literal(".vercel/output"), kind: "dotted" } : undefined;
          if (first === "deploy" || first === "") return { place: words[1] };
          // `vercel dist` deploys a folder; every other word is a subcommand.
          return /^[./~]/.test(first) || VERCEL_FOLDER.test(first) ? { place: words[0] } : undefined;
        },
        named: "vercel",
        unnamed: "vercel",
      };
    case "netlify":
    case "ntl":
      return {
        host: "netlify.com",
        short: "dsfm",
        long: "dir site functions message alias auth filter branch context cwd timeout",
        places: ["dir", "d"],
        deploys: after(/^deploy$/),
        named: "site",
        unnamed: "netlify",
      };
    case "wrangler":
      return {
        host: "cloudflare.com",
        short: "cef",
        long: "file path namespace-id binding content-type jurisdiction config env name cwd assets site project-name branch commit-hash commit-message compatibility-date compatibility-flags var define alias route routes domain triggers tsconfig outdir keep-vars site-include site-exclude",
        places: ["assets", "site"],
        deploys: (words) => {
          const [first, second] = [text(words[0]), text(words[1])];
          if (first === "pages") return /^(?:deploy|publish)$/.test(second) ? { place: words[2] } : undefined;
          return /^(?:deploy|publish)$/.test(first) ? { place: undefined } : undefined;
        },
        named: "dotted",
        unnamed: "wrangler",
      };
    case "firebase":
      return {
        host: "firebase.google.com",
        short: "pPm",
        long: "public project message token only except config",
        places: ["public", "p"],
        deploys: (words) => (/^(?:deploy|hosting:channel:deploy)$/.test(text(words[0])) ? { place: undefined } : undefined),
        named: "site",
        unnamed: "firebase",
      };
    case "surge":
      return {
        host: "surge.sh",
        short: "pdmae",
        long: "project domain message stage",
        places: ["project", "p"],
        deploys: (words) =>
          /^(?:login|logout|list|whoami|token|teardown|files|plan|card|ssl|encrypt|invite|revoke)$/.test(text(words[0]))
            ? undefined
            : { place: words[0] },
        named: "site",
        unnamed: "site",
      };
    case "gh-pages":
    case "ghp-import":
    case "angular-cli-ghpages":
    case "ngh":
      return {
        host: "github.io",
        short: "dbrmuoesSxv",
        long: "dist branch repo message user dest src remove name email cname dir base-href repository",
        places: ["dist", "d", "dir"],
        // ghp-import names its folder alone and takes every file of it.
        deploys: (words) => ({ place: words[0] }),
        named: name === "ghp-import" ? "dotted" : "site",
        dotted: ["t", "dotfiles"],
      };
    case "railway":
      return {
        host: "railway.app",
        short: "se",
        long: "service environment project",
        deploys: after(/^up$/),
        named: "railway",
        unnamed: "railway",
      };
    case "flyctl":
    case "fly":
      return {
        host: "fly.io",
        short: "aceit",
        long: "app config env image image-label region strategy dockerfile build-arg build-secret build-target access-token org vm-size",
        deploys: after(/^deploy$/),
        named: "docker",
        unnamed: "docker",
      };
    case "eb":
      return {
        host: "amazonaws.com",
        short: "lrpm",
        long: "label region profile message staged",
        deploys: after(/^deploy$/),
        named: "eb",
        unnamed: "eb",
      };
    default:
      return undefined;
  }
}

const VERCEL_FOLDER = /^(?:dist|build|out|public|site|www|_site|docs|web|app|static|storybook-static|\.output)$/;

function deploy(invocation: Invocation, tool: Tool): void {
  const options = invocation.options(tool);
  const first = options.operands[0]?.text ?? "";
  const printed = printedLogin(invocation.name, first, options.operands[1]?.text ?? "");
  if (printed !== undefined) return invocation.print([{ from: "credential command", command: printed, plain: true }]);
  if (invocation.name === "wrangler" && /^(?:r2|kv)/.test(first)) return store(invocation, options);
  const found = options.has("help", "h", "dry-run", "dryRun", "version") ? undefined : tool.deploys(options.operands, options);
  if (found === undefined) return;
  const place = options.value(...(tool.places ?? [])) ?? found.place;
  const kind =
    found.kind !== undefined
      ? found.kind
      : place === undefined
        ? tool.unnamed
        : options.has(...(tool.dotted ?? []))
          ? "dotted"
          : tool.named;
  const packing: Packing | undefined = kind === undefined ? undefined : { tool: kind, folder: invocation.file(place ?? literal(".")) };
  const via = `${invocation.name} ${first}`.trim();
  // A service's own sources stay with the provider; only what is served is public.
  if (/^(?:railway|docker|eb)$/.test(kind ?? ""))
    invocation.send(via, login(options), { kind: "storage", host: tool.host, url: undefined }, packing);
  else invocation.publish(via, login(options), { kind: "web", host: tool.host, url: undefined }, packing);
}

/** `wrangler r2 object put b/k --file f`, `wrangler kv key put k v`: kept with the provider. */
function store(invocation: Invocation, options: Options): void {
  const put = options.operands.findIndex(({ text }) => text === "put");
  if (put < 0) return;
  const file = options.value("file", "f", "path");
  const bulk = options.operands.slice(0, put).some(({ text }) => text.endsWith("bulk"));
  const [key, value] = options.operands.slice(put + 1);
  const sources =
    file !== undefined
      ? invocation.read(file)
      : bulk && key !== undefined
        ? invocation.read(key)
        : value === undefined
          ? invocation.stdin
          : argumentSources(value);
  const via = options.operands
    .slice(0, put + 1)
    .map(({ text }) => text)
    .join(" ");
  invocation.send(`wrangler ${via}`, [{ sources, position: "data" }], { kind: "storage", host: "cloudflare.com", url: undefined });
}

/** Commands of deploying tools that print a stored credential or the values of variables. */
function printedLogin(name: string, verb: string, next: string): string | undefined {
  if (/^fly/.test(name)) return verb === "auth" && next === "token" ? "fly auth token" : undefined;
  if (name === "firebase") return verb === "login:ci" ? "firebase login:ci" : undefined;
  if (name === "railway") return /^(?:variables|vars)$/.test(verb) && next === "" ? "railway variables" : undefined;
  if (/^(?:netlify|ntl)$/.test(name)) return verb === "env:get" ? "netlify env:get" : undefined;
  return undefined;
}
