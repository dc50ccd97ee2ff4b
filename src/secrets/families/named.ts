/**
 * Values whose own mark is too weak or missing, known by the name of their service in front of them: `beamerApiKey: "b_…"`,
 * `setenv("ZHIPUAI_API_KEY", "…")`. Between the two stands little else, on the same line.
 */
import { type Family, vendor } from "./family.ts";

export const named = (): readonly Family[] => [
  vendor(
    "asana",
    "Asana token",
    ["asana", "Asana", "ASANA"],
    /(?:[Aa]sana|ASANA).{1,48}?(?<value>[12]\/(?:\d{13,18}\/)?\d{13,18}[/:][\da-f]{32})(?![\w-])/y,
    { edge: "open", kind: "field" },
  ),
  vendor("beamer", "Beamer key", ["beamer", "Beamer", "BEAMER"], /(?:[Bb]eamer|BEAMER).{0,48}?["'`\s=:,>](?<value>b_[\w-]{44})(?![\w-])/y, {
    edge: "open",
    kind: "field",
  }),
  vendor(
    "exoscale",
    "Exoscale key",
    ["exoscale", "Exoscale", "EXOSCALE"],
    /(?:[Ee]xoscale|EXOSCALE).{0,48}?["'`\s=:,>](?<value>EXO[0-9A-Za-z]{24,30})(?![\w-])/y,
    {
      edge: "open",
      kind: "field",
    },
  ),
  vendor(
    "launchdarkly",
    "LaunchDarkly key",
    ["launchdarkly", "launchDarkly", "LaunchDarkly", "LAUNCHDARKLY", "LAUNCH_DARKLY", "LD_SDK_KEY", "ldSdkKey", "sdkKey", "sdk_key"],
    /(?:[Ll]aunch_?[Dd]arkly|LAUNCH_?DARKLY|LD_SDK_KEY|ldSdkKey|sdkKey|sdk_key).{1,48}?(?<value>(?:sdk|api|mob)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\w-])/y,
    { edge: "open", kind: "field" },
  ),
  vendor(
    "mailgun",
    "Mailgun key",
    ["mailgun", "Mailgun", "MAILGUN"],
    /(?:[Mm]ailgun|MAILGUN).{0,48}?["'`\s=:,>](?<value>[\da-f]{32}-[\da-f]{8}-[\da-f]{8})(?![\w-])/y,
    { edge: "open", kind: "field" },
  ),
  vendor(
    "twilio",
    "Twilio auth token",
    ["twilio", "Twilio", "TWILIO"],
    /(?:[Tt]wilio|TWILIO)_?(?:[Aa]uth_?[Tt]oken|AUTH_TOKEN|[Aa]pi_?[Ss]ecret|API_SECRET).{0,32}?["'`\s=:,>](?<value>[0-9A-Za-z]{32})(?![\w-])/y,
    { edge: "open", kind: "field" },
  ),
  vendor(
    "zhipu",
    "Zhipu key",
    ["zhipu", "Zhipu", "ZHIPU", "zai_api", "zaiApi", "ZAI_API", "bigmodel", "BIGMODEL", "glmApi", "GLM_API"],
    /(?:[Zz]hipu|ZHIPU|zai_api|zaiApi|ZAI_API|bigmodel|BIGMODEL|glmApi|GLM_API).{0,48}?["'`\s=:,>](?<value>[\da-f]{32}\.[0-9A-Za-z]{16})(?![\w-])/y,
    { edge: "open", kind: "field" },
  ),
];
