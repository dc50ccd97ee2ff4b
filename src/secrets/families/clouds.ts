/** Cloud providers and hosting (token-families.md §7 and §11). */
import { type Family, vendor } from "./family.ts";

export const clouds = (): readonly Family[] => [
  // The key id beside it is no secret; the secret has no mark of its own but its field's name.
  vendor(
    "aws",
    "AWS secret access key",
    ["secret_access_key", "SECRET_ACCESS_KEY", "ecretAccessKey", "secretKey", "secret_key", "SECRET_KEY"],
    /(?:secret_access_key|SECRET_ACCESS_KEY|ecretAccessKey|secretKey|secret_key|SECRET_KEY)(?:\\?["'])?\s{0,8}(?:=>|[:=,])\s{0,8}(?:\\?["'])?(?<value>[0-9A-Za-z+/]{40})(?![0-9A-Za-z+/=])/y,
    { edge: "open", kind: "field", check: isAwsSecret },
  ),
  vendor(
    "aws",
    "AWS session token",
    ["IQoJb3JpZ2luX2Vj", "FwoGZXIvYXdz", "FQoGZXIvYXdz"],
    /(?:IQoJb3JpZ2luX2Vj|F[wQ]oGZXIvYXdz)[0-9A-Za-z+/]{80,4096}={0,2}/y,
    {
      edge: "base64",
      plain: true,
    },
  ),
  vendor("aws", "AWS Bedrock key", ["ABSKQmVkcm9ja0FQSUtleS"], /ABSKQmVkcm9ja0FQSUtleS[0-9A-Za-z+/]{60,240}={0,2}/y, { edge: "base64" }),
  vendor("aws", "AWS Bedrock key", ["bedrock-api-key-"], /bedrock-api-key-[0-9A-Za-z+/]{80,8192}={0,2}/y),
  vendor("aws", "AWS AppSync key", ["da2-"], /da2-[\da-z]{26}/y),
  vendor("aws", "Amazon MWS token", ["amzn.mws."], /amzn\.mws\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/y),
  // Firebase and Maps keys are one kind with Gemini's, and stand in every page and app that uses them.
  vendor("google", "Google API key", ["AIza"], /AIza[\w-]{35}/y, { plain: true, isPublic: isShownToVisitors }),
  vendor("google", "Google access token", ["ya29."], /ya29\.[\w-]{30,2048}(?:\.[\w-]{1,512})?/y),
  vendor("google", "Google OAuth client secret", ["GOCSPX-"], /GOCSPX-[\w-]{28}/y, { plain: true }),
  // The needle is cut before the slashes' second half: some serializers write `\/`.
  vendor("google", "Google refresh token", ["1//0"], /1\/\/0[\w-]{40,256}/y, { edge: "base64" }),
  vendor("google", "Google Gemini key", ["AQ.Ab8RN6"], /AQ\.Ab8RN6[\w-]{44}/y),
  vendor("digitalocean", "DigitalOcean token", ["dop_v1_", "doo_v1_", "dor_v1_"], /do[opr]_v1_[\da-f]{64}/y),
  vendor("digitalocean", "DigitalOcean Spaces key", ["DO00"], /DO00[0-9A-Z]{16,18}/y),
  vendor("tencent", "Tencent Cloud key", ["AKID"], /AKID[0-9A-Za-z]{32}/y),
  vendor("alibaba", "Alibaba Cloud key", ["LTAI"], /LTAI[0-9A-Za-z]{17,21}/y),
  vendor("baidu", "Baidu Cloud key", ["ALTAK-"], /(?:bce-v3\/)?ALTAK-[0-9A-Za-z]{21}\/[\da-f]{40}/y, { starts: (_, at) => [at - 7, at] }),
  vendor("yandex", "Yandex Cloud key", ["AQVN"], /AQVN[\w-]{35,38}/y),
  vendor("yandex", "Yandex token", ["y0_"], /y0_[\w-]{55,200}/y),
  vendor("heroku", "Heroku token", ["HRKU-AA"], /HRKU-AA[\w-]{58}/y),
  vendor("fly", "Fly.io token", ["fo1_"], /fo1_[\w-]{43}/y),
  vendor("fly", "Fly.io token", ["fm1r_", "fm1a_", "fm2_"], /fm(?:1[ra]|2)_[0-9A-Za-z+/]{80,4096}={0,3}/y, { edge: "base64" }),
  vendor("netlify", "Netlify token", ["nfp_", "nfc_", "nfo_", "nfu_"], /nf[pcou]_[0-9A-Za-z]{36}/y),
  vendor("render", "Render key", ["rnd_"], /rnd_[0-9A-Za-z]{28}/y),
  vendor("scalingo", "Scalingo token", ["tk-us-"], /tk-us-[\w-]{48}/y),
  vendor("upcloud", "UpCloud token", ["ucat_"], /ucat_[0-9A-Z]{24,32}/y),
  vendor("cloudflare", "Cloudflare origin CA key", ["v1.0-"], /v1\.0-[\da-f]{24}-[\da-f]{146}/y),
  vendor("pulumi", "Pulumi token", ["pul-"], /pul-[\da-f]{40}/y),
  vendor("terraform", "Terraform token", [".atlasv1."], /[0-9A-Za-z]{14}\.atlasv1\.[\w-]{60,70}/y, { starts: (_, at) => [at - 14] }),
  vendor("vault", "Vault token", ["hvs.", "hvb.", "hvr."], /hv[sbr]\.[\w-]{24,512}/y),
  vendor(
    "doppler",
    "Doppler token",
    ["dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
    /dp\.(?:pt|ct|sa|scim|audit)\.[0-9A-Za-z]{40,44}/y,
  ),
  vendor("doppler", "Doppler token", ["dp.st."], /dp\.st\.(?:[\w-]{2,35}\.)?[0-9A-Za-z]{40,44}/y),
  vendor("tailscale", "Tailscale key", ["tskey-"], /tskey-(?:auth|api|client|webhook|scim)-[0-9A-Za-z]{9,24}-[0-9A-Za-z]{20,48}/y, {
    plain: true,
  }),
  vendor("infracost", "Infracost key", ["ico-"], /ico-[0-9A-Za-z]{32}/y),
  vendor("octopus", "Octopus Deploy key", ["API-"], /API-[0-9A-Z]{26,32}/y),
  vendor("openshift", "OpenShift token", ["sha256~"], /sha256~[\w-]{43}/y),
  vendor("docker-swarm", "Docker Swarm token", ["SWMTKN-1-"], /SWMTKN-1-[\da-z]{50}-[\da-z]{25}/y),
  vendor("docker-swarm", "Docker Swarm key", ["SWMKEY-1-"], /SWMKEY-1-[\w+/]{43}/y, { edge: "base64" }),
  vendor("onepassword", "1Password service account", ["ops_eyJ"], /ops_eyJ[\w+/-]{200,2048}={0,2}/y),
];

/** Forty characters of base64 as AWS makes them: all three kinds, and not a path or a digest. */
function isAwsSecret(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /[\d+/]/.test(value) && new Set(value).size >= 16;
}

/** Google's own way to put a key into a page or an app: Firebase's configuration, a map's address, a variable that the bundler shows. */
function isShownToVisitors(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 120), start);
  const name = ASSIGNED.exec(before)?.[1];
  return (
    (name !== undefined && BROWSER_NAME.test(name)) ||
    BROWSER_PLACE.test(before) ||
    APP_CONFIGURATION.test(text.slice(Math.max(0, start - 800), end + 800))
  );
}

/** A name and the sign between it and the value that follows. */
const ASSIGNED = /\b(\w{1,100})["'`]?\s{0,4}[:=]\s{0,4}["'`]?$/;
/** Variables whose values a bundler writes into what every visitor gets. */
export const BROWSER_NAME = /(?:PUBLIC|VITE|REACT_APP|VUE_APP|NG_APP|GATSBY)_/;
const BROWSER_PLACE =
  /(?:maps\.googleapis\.com\/maps\/api\/js\?(?:[\w=&;%,.-]{0,60}&)?key=|com\.google\.android\.(?:geo|maps\.v2)\.API_KEY["']\s{0,40}android:value=["'])$/;
const APP_CONFIGURATION =
  /\bauthDomain\b|\bmessagingSenderId\b|\.firebaseapp\.com\b|\bmobilesdk_app_id\b|\b1:\d{6,14}:(?:android|ios|web):|<key>(?:GOOGLE_APP_ID|GCM_SENDER_ID)<\/key>/;
