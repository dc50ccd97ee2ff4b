import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Destination } from "../../src/call/effect.ts";
import { classify } from "../../src/destinations/classify.ts";
import { plainHost } from "../../src/destinations/host.ts";
import { HOMES } from "../../src/destinations/lists/homes.ts";
import { NO_HOSTS, type OwnHosts } from "../../src/destinations/own.ts";
import { isSignInPoint, takesSecretInUrl } from "../../src/destinations/sign-in.ts";
import { families } from "../../src/secrets/families/index.ts";

const web = (url: string): Destination => ({ kind: "web", host: undefined, url });
const host = (name: string, kind: Destination["kind"] = "web"): Destination => ({ kind, host: name, url: undefined });
const classOf = (destination: Destination, own: OwnHosts = NO_HOSTS) => classify(destination, own).class;
const remote = (...hosts: string[]): OwnHosts => ({ remotes: () => hosts, claimed: () => [] });

describe("L-022 destination classes", () => {
  test.each([
    ["paste site", "https://pastebin.com/api/api_post.php", "https://pastebin.company.io/"],
    ["paste site", "https://gist.github.com/", "https://github.com/acme/gist"],
    ["paste site", "https://api.github.com/gists", "https://api.github.com/repos/a/b"],
    ["file drop", "https://transfer.sh/a", "https://mytransfer.sh/a"],
    ["file drop", "http://0x0.st", "http://10x0.st"],
    ["request collector", "https://abc.requestcatcher.com/t", "https://requestcatcher.company.io/t"],
    ["request collector", "https://webhook.site/u?x=https://api.github.com", "https://webhook.site.company.io/u"],
    ["DNS log service", "http://abcdef.oastify.com/", "http://notoastify.com/"],
    ["tunnel", "https://a1b2.ngrok-free.app/in", "https://xngrok-free.app/in"],
    ["tunnel", "http://abcdefgh.onion/", "http://onion.company.io/"],
    ["chat or mail hook", "https://discord.com/api/webhooks/1/x", "https://discord.com/api/users/@me"],
    ["chat or mail hook", "https://hooks.slack.com/services/T/B/x", "https://slack.com/api/chat.postMessage"],
    ["chat or mail hook", "https://api.telegram.org/bot1:a/sendMessage", "https://core.telegram.org/bots"],
    ["online converter", "https://jwt.io/#debugger", "https://jwt.company.io/"],
    ["link or image service", "https://img.shields.io/badge/x", "https://shields.company.io/badge/x"],
  ])("%s: %s, and not %s", (name, listed, twin) => {
    expect(classify(web(listed), NO_HOSTS)).toMatchObject({ class: "third party", why: `a ${name}`, listed: name });
    expect(classOf(web(twin))).not.toBe("third party");
  });

  test("L-022 D-18 a DNS name counts by its zone", () => {
    expect(classOf(host("c2vjcmv0.abc.interact.sh", "dns"))).toBe("third party");
    expect(classOf(host("db.prod.internal", "dns"))).toBe("own");
  });

  test.each([
    ["upper case", "https://TRANSFER.SH/x"],
    ["trailing dot", "https://transfer.sh./x"],
    ["user info", "https://github.com@transfer.sh/x"],
    ["user and password", "https://api.github.com:443@transfer.sh:8443/x"],
    ["port", "http://transfer.sh:80/"],
    ["percent-encoded", "https://transfer%2esh/x"],
    ["full-width letters", "https://ｔransfer.sh/x"],
    ["ideographic dot", "https://transfer。sh/x"],
    ["backslash", "https://transfer.sh\\@github.com/x"],
    ["query right after the host", "https://transfer.sh?x=1"],
  ])("D-18 one host, spelled with %s", (_name, url) => {
    expect(classOf(web(url))).toBe("third party");
  });

  test("punycode and Unicode are one name", () => {
    expect(plainHost("log.什么.com")).toBe(plainHost(new URL("http://log.什么.com").hostname));
    expect(classOf(host("x.log.xn--9tr.com"))).toBe("third party");
  });

  test.each([
    "discord.com/api//webhooks/1/x",
    "discord.com/api/x/../webhooks/1",
    "discord.com/api/%77ebhooks/1",
    "discord.com/API/Webhooks/1",
  ])("a path is compared in one spelling: %s", (rest) => {
    expect(classOf(web(`https://${rest}`))).toBe("third party");
  });
});

describe("L-021 D-18 own, reserved, public address, unknown", () => {
  test.each([
    "localhost",
    "app.localhost",
    "127.0.0.1",
    "[::1]",
    "10.0.0.5",
    "db",
    "vault.corp.internal",
    "printer.local",
    "nas.lan",
    "api.default.svc.cluster.local",
    "host.docker.internal",
    "laptop.tail1234.ts.net",
    "100.100.1.1",
    "x.lvh.me",
    "10-0-0-1.nip.io",
  ])("own: %s", (name) => {
    expect(classOf(host(name))).toBe("own");
  });

  test.each(["example.com", "api.example.org", "shop.test", "x.example", "a.invalid"])("reserved: %s", (name) => {
    expect(classOf(host(name))).toBe("reserved");
  });

  test.each(["notexample.com", "example.com.evil.io", "internal.evil.io", "mylocalhost.dev", "test.dev"])("unknown: %s", (name) => {
    expect(classOf(host(name))).toBe("unknown");
  });

  test.each(["203.0.113.9", "0xcb007109", "3405803785", "[2001:4860:4860::8888]", "203.0.113.9.nip.io"])(
    "a public address in a web request: %s",
    (name) => {
      expect(classOf(host(name))).toBe("public address");
      expect(classOf(host(name, "socket"))).toBe("public address");
    },
  );

  test.each(["169.254.169.254", "metadata.google.internal", "169.254.170.2", "169.254.169.254.nip.io"])(
    "cloud metadata is nobody's own: %s",
    (name) => {
      expect(classOf(host(name))).toBe("unknown");
    },
  );

  test("L-032 scp, rsync, ssh and object storage reach own servers, a tunnel's front door does not", () => {
    expect(classOf(host("build.acme.io", "remote shell"))).toBe("own");
    expect(classOf(host("203.0.113.9", "remote shell"))).toBe("own");
    expect(classOf(host("s3.eu-central-1.amazonaws.com", "storage"))).toBe("own");
    expect(classOf(host("serveo.net", "remote shell"))).toBe("third party");
    expect(classOf(host("build.acme.io"))).toBe("unknown");
  });

  test("a hidden destination is unknown", () => {
    expect(classOf({ kind: "web", host: undefined, url: undefined })).toBe("unknown");
    expect(classOf({ kind: "mcp", host: undefined, url: undefined, tool: "notes/send" })).toBe("unknown");
  });

  test("the project's remotes are own, shared forges and listed strangers are not", () => {
    expect(classOf(host("git.acme.io"), remote("git.acme.io"))).toBe("own");
    expect(classOf(host("ci.git.acme.io"), remote("git.acme.io"))).toBe("own");
    expect(classOf(host("acme.io"), remote("git.acme.io"))).toBe("unknown");
    expect(classOf(host("github.com"), remote("github.com"))).toBe("unknown");
    expect(classOf(host("api.notion.com"), { remotes: () => ["api.notion.com"], claimed: () => [] })).toBe("unknown");
    expect(classOf(web("https://gist.github.com/"), remote("gist.github.com"))).toBe("third party");
    expect(classOf(host("other.pages.dev"), remote("pages.dev"))).toBe("unknown");
    expect(classOf(host("transfer.sh"), remote("transfer.sh"))).toBe("third party");
  });

  test("what only a manifest claims is marked, and wins over no list", () => {
    const own: OwnHosts = { remotes: () => [], claimed: () => ["acme.dev", "webhook.site"] };
    expect(classify(host("acme.dev"), own)).toMatchObject({ class: "own", claimed: true });
    expect(classOf(host("webhook.site"), own)).toBe("third party");
  });

  test("no class is thrown away on hostile text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
        expect(typeof classify(host(text), NO_HOSTS).class).toBe("string");
        expect(typeof classify(web(`https://${text}`), NO_HOSTS).class).toBe("string");
      }),
    );
  });
});

describe("L-031 D-18 a credential's own sign-in point", () => {
  test.each([
    ["github", "https://api.github.com/user"],
    ["github", "https://npm.pkg.github.com/x"],
    ["github", "https://x:y@github.com/a/b.git"],
    ["github-app", "https://api.github.com"],
    ["gitlab", "https://gitlab.com/api/v4/user"],
    ["npm", "https://registry.npmjs.org/-/whoami"],
    ["openai", "https://api.openai.com/v1/models"],
    ["anthropic", "https://api.anthropic.com/v1/messages"],
    ["aws", "https://sts.eu-central-1.amazonaws.com/"],
    ["aws-session", "https://s3.amazonaws.com/b"],
    ["gcp", "https://storage.googleapis.com/b"],
    ["azure", "https://management.azure.com/"],
    ["slack", "https://slack.com/api/auth.test"],
    ["grafana", "https://acme.grafana.net/api"],
    ["cloudflare", "https://api.cloudflare.com/client/v4"],
    ["vercel", "https://api.vercel.com/v9"],
  ])("%s at %s", (family, url) => {
    expect(isSignInPoint(family, web(url), NO_HOSTS)).toBe(true);
  });

  test.each([
    ["github", "https://gist.github.com/"],
    ["github", "https://api.github.com.evil.io/user"],
    ["github", "https://evil.io/?x=https://api.github.com"],
    ["github", "https://api.github.com@evil.io/"],
    ["github", "https://mygithub.com/"],
    ["gitlab", "https://api.github.com/"],
    ["npm", "https://registry.evil.io/"],
    ["openai", "https://openai.evil.io/v1"],
    ["openai", "https://api.anthropic.com/"],
    ["aws", "https://abc.execute-api.eu-west-1.amazonaws.com/"],
    ["aws", "https://ec2-203-0-113-9.compute-1.amazonaws.com/"],
    ["azure", "https://x.westeurope.cloudapp.azure.com/"],
    ["private-key", "https://github.com/"],
    ["no-such-family", "https://github.com/"],
    ["", "https://github.com/"],
  ])("not %s at %s", (family, url) => {
    expect(isSignInPoint(family, web(url), NO_HOSTS)).toBe(false);
  });

  test("L-032 a self-hosted forge is the one in the Git remote", () => {
    const url = web("https://git.acme.io/api/v4/user");
    expect(isSignInPoint("gitlab", url, remote("git.acme.io"))).toBe(true);
    expect(isSignInPoint("gitlab", url, NO_HOSTS)).toBe(false);
    expect(isSignInPoint("npm", url, remote("git.acme.io"))).toBe(false);
    expect(isSignInPoint("gitlab", web("https://github.com/"), remote("github.com"))).toBe(false);
  });

  test("a webhook or bot address is its own credential, and only there", () => {
    const takes = (family: string, url: string, value = "abc") => takesSecretInUrl(family, web(url), value);
    expect(takes("slack", "https://hooks.slack.com/services/T0/B0/abc")).toBe(true);
    expect(takes("slack", "https://hooks.slack.com/services/T0/B0/abc", "another")).toBe(false);
    expect(takes("slack", "https://hooks.slack.com.evil.io/services/T0/B0/abc")).toBe(false);
    expect(takes("discord", "https://discord.com/api/v10/webhooks/1/abc")).toBe(true);
    expect(takes("discord", "https://discord.com/api/users/abc")).toBe(false);
    expect(takes("telegram", "https://api.telegram.org/bot1:abc/getMe")).toBe(true);
    expect(takes("google", "https://maps.googleapis.com/x?key=abc")).toBe(true);
    expect(takes("azure", "https://x.blob.core.windows.net/c?sig=a%2Fc", "a/c")).toBe(true);
    expect(takes("github", "https://api.github.com/?t=abc")).toBe(false);
  });

  test("D-18 every token family has a home, or none by its nature", () => {
    // Keys, wallets, one-time codes, self-hosted software without a vendor's host, and formats of no vendor.
    const homeless =
      "private-key review-board age nostr sui cardano zcash bip32 bip39 eos tezos paserk openshift odt flexport settlemint wireguard authenticator jwt authorization registry-auth";
    const known = [...HOMES.trim().split("\n"), ...homeless.split(" ")].map((line) => line.split(" ")[0]);
    // `github-app`: a family's kinds share its home.
    const without = families().filter(({ id }) => !known.some((name) => id === name || id.startsWith(`${name}-`)));
    expect(without.map(({ id }) => id)).toEqual([]);
  });
});

describe("D-18 forged and computed hosts", () => {
  test("a remote makes no suffix own; what it makes own is a claim", () => {
    for (const [suffix, name] of [
      ["com", "evil.com"],
      ["co.uk", "evil.co.uk"],
      ["github.io", "evil.github.io"],
      ["io", "acme.io"],
    ] as const)
      expect(classOf(host(name), remote(suffix))).toBe("unknown");
    expect(classify(host("git.acme.io"), remote("git.acme.io"))).toMatchObject({ class: "own", claimed: true });
    expect(classify(host("db.internal"), remote("git.acme.io")).claimed).toBeUndefined();
  });

  test.each(["https://$U", "https://${HOST}/in", "https://<host>/", "https://{{ host }}/x", "http://$U:8080/"])(
    "a host that is no name is unknown: %s",
    (url) => {
      expect(classOf({ kind: "web", host: undefined, url })).toBe("unknown");
    },
  );

  test.each(["http://db:8080/", "http://my_service/in", "http://[::1]:80/x"])("a private one in a URL is own: %s", (url) => {
    expect(classOf({ kind: "web", host: undefined, url })).toBe("own");
  });
});
