/**
 * Credentials that their issuers print in public documentation, with the form of a real one.
 *
 * Trust: a value on this list is shown to the model as it is, so it holds only what everybody can read at its issuer,
 * whole values, and nothing that anybody could have been given as their own.
 */

let known: ReadonlySet<string> | undefined;

/** Whether the whole value is such a sample, GitHub's prefixes aside. */
export function isSample(value: string): boolean {
  known ??= samples();
  return known.has(value.replace(/^gh[opsur]_/, ""));
}

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
