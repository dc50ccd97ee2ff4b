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
