/** A program for takeover.test.ts: prints what a hook must not let its caller choose, as one JSON value. */
const input = await Bun.stdin.text();
console.log(
  JSON.stringify({
    ran: true,
    input,
    execArgv: process.execArgv,
    standalone: Bun.isStandaloneExecutable,
    environment: Object.keys(process.env).sort(),
    injected: Object.keys(globalThis).filter((name) => name.startsWith("taken")),
    argv: process.argv.slice(2),
  }),
);
export {};
