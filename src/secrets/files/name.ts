/** Whether a variable's or a field's name says that its value is a secret (P-033). */

/** Words that say so wherever they stand in a name. */
const SECRET_WORDS = new Set(
  "TOKEN SECRET PASSWORD PASSWD PASSPHRASE PWD APIKEY ACCESSKEY SECRETKEY PRIVATEKEY AUTHTOKEN ACCESSTOKEN APITOKEN CREDENTIAL CREDENTIALS CREDS CLIENTSECRET".split(
    " ",
  ),
);
/** Words that say so only at the end: `DB_PASS`, `NPM_AUTH`, not `AUTH_STRATEGY`. */
const FINAL_WORDS = new Set("AUTH PASS PAT SALT PEPPER COOKIE BEARER".split(" "));
/** What makes a `KEY` a secret one. */
const KEY_WORDS = new Set(
  "API ACCESS PRIVATE SECRET ENCRYPTION ENCRYPT SIGNING SIGN MASTER APP AUTH SERVICE ROLE ADMIN ACCOUNT STORAGE LICENSE DEPLOY JWT SESSION COOKIE HMAC CRYPTO INTEGRATION WEBHOOK WRITE SHARED DATA SSH".split(
    " ",
  ),
);
/** Last words of names that tell about a secret without holding it. */
const METADATA = new Set(
  (
    "COUNT LENGTH ENABLED DISABLED ID IDS NAME NAMES URL URI PATH FILE FILENAME DIR FOLDER TTL EXPIRY EXPIRES EXPIRATION EXPIRE SECONDS MINUTES HOURS DAYS MS TIMEOUT " +
    "SIZE LIMIT LIMITS BUDGET TYPE KIND MODE HOST PORT USER USERNAME EMAIL REGION PREFIX SUFFIX HEADER ALGORITHM ALG ISSUER AUDIENCE ROTATION MIN MAX POLICY VERSION STATUS " +
    "REQUIRED ENDPOINT PROVIDER STRATEGY METHOD METHODS SCOPE SCOPES FORMAT HINT LABEL FIELD STORE BACKEND HELPER MANAGER AGE DATE TIME AT SOURCE REF ARN INDEX ROUNDS COST " +
    "SCHEME DOMAIN REALM TABLE COLUMN CLASS SERVICE PROJECT BUCKET RATE USAGE TOKENS PROMPT RESET HASHER ENV VAR SSM LENGTHS"
  ).split(" "),
);
/** Endings that change nothing about what a name says. */
const TRANSPARENT =
  /^(?:\d+|V|PROD|PRODUCTION|DEV|DEVELOPMENT|STAGING|STAGE|STG|TEST|TESTING|LOCAL|LIVE|SANDBOX|OLD|NEW|CURRENT|PREVIOUS|PRIMARY|SECONDARY|DEFAULT|BASE|B|HEX|VALUE|PLAIN|RAW|RO|RW)$/;

/** `OPENAI_API_KEY`, `openaiApiKey`, `openai-api-key`, `spring.datasource.password` as complete words in capitals. */
export function words(name: string): readonly string[] {
  return name
    .slice(0, 256)
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toUpperCase()
    .replace(/([A-Z])(\d+)(?![A-Z\d])/g, "$1_$2")
    .split(/[^A-Z\d]/)
    .filter((word) => word !== "");
}

/** True for a name whose value is a secret by itself; `MONKEY`, `API_KEYBOARD`, `TOKEN_COUNT`, `SECRET_NAME`, `PUBLIC_KEY` are none. */
export function isSecretName(name: string): boolean {
  const all = words(name);
  if (all.includes("PUBLIC") || all.includes("PUBLISHABLE")) return false;
  let last = all.length - 1;
  while (last > 0 && TRANSPARENT.test(all[last] ?? "")) last--;
  const final = all[last];
  if (final === undefined || METADATA.has(final)) return false;
  const kept = all.slice(0, last + 1);
  if (kept.some((word) => SECRET_WORDS.has(word) || word.endsWith("PASSWORD")) || FINAL_WORDS.has(final)) return true;
  return kept.some((word, at) => word === "KEY" && KEY_WORDS.has(kept[at - 1] ?? ""));
}

/** True for a name that ends in KEY without saying which: its value decides (`STRIPE_KEY` yes, `SORT_KEY` by its value no; a site's key is shown to its visitors). */
export function isKeyName(name: string): boolean {
  const all = words(name);
  let last = all.length - 1;
  while (last > 0 && TRANSPARENT.test(all[last] ?? "")) last--;
  return all[last] === "KEY" && !all.includes("PUBLIC") && !all.includes("PUBLISHABLE") && all[last - 1] !== "SITE";
}

/** The same by the name alone, where its value is not to be had (P-033): also for names whose value would decide. */
export function mayBeSecret(name: string): boolean {
  return isSecretName(name) || isKeyName(name) || words(name).at(-1) === "DSN";
}
