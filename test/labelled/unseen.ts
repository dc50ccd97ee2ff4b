/**
 * Secrets that nothing here recognises by themselves, so that the README can say so. A test looks for each: one that is
 * found after all does not belong here any more.
 */

export interface Unseen {
  readonly what: string;
  /** A template of `fill.ts`: how it stands in a text without anything that would give it away. */
  readonly sample: string;
}

export const UNSEEN: readonly Unseen[] = [
  { what: "passwords in sentences", sample: "the database password is now «b62 14», tell Kim" },
  {
    what: "hex and letters of any issuer whose keys have no mark (Amplitude, AssemblyAI, Cohere, Deepgram, Fastly, Mistral, Okta, Trello, Twitch, old Cloudflare, Heroku and Weights and Biases keys)",
    sample: 'client = Deepgram("«hex 40»")',
  },
  { what: "keys that are a bare UUID (Codecov, Nomad, Scaleway)", sample: 'upload(token="«uuid»")' },
  { what: "AWS secret keys away from their field's name", sample: "use «b62 20»/«b62 19» for the bucket" },
  { what: "seed phrases in words", sample: "legal winner thank year wave sausage worth useful legal winner thank yellow" },
  { what: "tokens of Vault before 1.10", sample: "vault login s.«b62 24»" },
  { what: "hook addresses of Mattermost and its like", sample: "https://chat.acme.dev/hooks/«b36 26»" },
  {
    what: "test and live keys whose prefix is a word (`live_`, `test_`, `sandbox_`: GoCardless, Lob, Scale)",
    sample: 'client = Lob("live_«hex 35»")',
  },
];
