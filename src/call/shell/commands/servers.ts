/** Web servers over a folder, started by their own commands: which folder, and whether others than this machine reach it. */
import type { Argument } from "../../effect.ts";
import { literal } from "../../source.ts";
import { isLoopback } from "../../url.ts";
import type { Handler, Invocation } from "../invocation.ts";
import type { OptionTable, Options } from "../options.ts";

interface Server {
  readonly table: OptionTable;
  /** Options that name the folder; without any of them it is the operand behind `skip` others. */
  readonly folder?: readonly string[];
  readonly skip?: number;
  /** Words in front of the options, of which one has to be there (`caddy file-server`). */
  readonly verb?: RegExp;
  /** Options that name the address it listens at. */
  readonly bind: readonly string[];
  /** Without such an option only this machine reaches it. */
  readonly local?: true;
}

/** The handler of a web server. */
export function serverCommand(name: string): Handler | undefined {
  switch (name) {
    case "serve":
    case "http-server":
    case "live-server":
    case "sirv":
      return server({ table: { short: "lpSTcat", long: "host port listen config cors" }, bind: ["l", "listen", "a", "host"] });
    case "miniserve":
    case "simple-http-server":
    case "dufs":
      return server({
        table: { short: "ipabA", long: "interfaces port auth bind assets ip" },
        bind: ["i", "interfaces", "b", "bind", "ip"],
      });
    case "darkhttpd":
    case "thttpd":
      return server({ table: { short: "dphurT", long: "port addr host" }, folder: ["d"], bind: ["addr", "h", "host"] });
    // Only the one in busybox has a folder behind `-h`.
    case "httpd":
      return server({ table: { short: "hpcurdem" }, folder: ["h"], bind: ["p"] });
    case "webfsd":
      return server({ table: { short: "rpiltuge" }, folder: ["r"], bind: ["i"] });
    case "caddy":
      return server({
        table: { short: "rld", long: "root listen domain" },
        verb: /^file-server$/,
        skip: 1,
        folder: ["r", "root"],
        bind: ["l", "listen"],
      });
    case "twist":
    case "twistd":
      return server({ table: { short: "p", long: "path port listen" }, verb: /^web$/, skip: 1, folder: ["path"], bind: ["listen"] });
    case "static-web-server":
    case "goshs":
    case "gohttpserver":
    case "filebrowser":
      return server({
        table: { short: "drpaib", long: "root port host dir ip addr" },
        folder: ["d", "root", "r", "dir"],
        bind: ["a", "host", "i", "ip", "addr"],
      });
    case "jwebserver":
      return server({
        table: { short: "dbpo", long: "directory bind-address port output" },
        folder: ["d", "directory"],
        bind: ["b", "bind-address"],
        local: true,
      });
    default:
      return undefined;
  }
}

function server(spec: Server): Handler {
  return (invocation) => {
    const options = invocation.options(spec.table);
    if (spec.verb?.test(options.operands[0]?.text ?? "") === false) return invocation.print([{ from: "unknown" }]);
    const named = spec.folder === undefined ? undefined : options.value(...spec.folder);
    serve(invocation, named ?? options.operands[spec.skip ?? 0], isOpen(options, spec));
  };
}

function isOpen(options: Options, { bind, local }: Server): boolean {
  const bound = options.value(...bind);
  return bound === undefined ? local !== true : !isLoopback(bound.text);
}

/** A web server over a folder, the current one without any. `open`: others than this machine reach it. */
export function serve(invocation: Invocation, folder: Argument | undefined, open: boolean): void {
  invocation.emit({ kind: "serve", via: invocation.name, folder: invocation.file(folder ?? literal(".")), open });
}
