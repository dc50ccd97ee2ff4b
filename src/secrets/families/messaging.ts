/** Chat, mail and telephone services (token-families.md §7 and §11). */
import { type Family, vendor } from "./family.ts";

export const messaging = (): readonly Family[] => [
  vendor(
    "slack",
    "Slack token",
    ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-"],
    /xox[bparso]-(?:\d{1,2}-)?(?:\d{8,14}-){1,3}(?<body>[0-9A-Za-z]{16,64})/y,
  ),
  vendor("slack", "Slack token", ["xoxc-"], /xoxc-(?:\d{8,14}-){1,3}(?<body>[\da-f]{64})/y),
  vendor("slack", "Slack cookie", ["xoxd-"], /xoxd-[\w%+/-]{40,400}={0,2}/y, { edge: "base64" }),
  vendor("slack", "Slack app token", ["xapp-"], /xapp-\d-A[0-9A-Z]{8,14}-\d{8,14}-(?<body>[\da-f]{64})/y),
  vendor("slack", "Slack rotation token", ["xoxe-", "xoxe."], /xoxe(?:\.xox[bp])?-\d-(?<body>[0-9A-Za-z-]{100,400})/y),
  vendor(
    "slack",
    "Slack webhook",
    ["hooks.slack.com"],
    /hooks\.slack\.com\\?\/(?:services|workflows|triggers)\\?\/(?<value>[0-9A-Z]{8,14}\\?\/[0-9A-Z]{8,14}\\?\/(?<body>[0-9A-Za-z]{20,32}))/y,
    { edge: "open" },
  ),
  vendor(
    "discord",
    "Discord webhook",
    ["discord.com", "discordapp.com"],
    /discord(?:app)?\.com\\?\/api\\?\/(?:v\d{1,2}\\?\/)?webhooks\\?\/\d{17,20}\\?\/(?<value>[\w-]{60,90})/y,
    { edge: "open" },
  ),
  // A bot token begins with its user id in base64: the ids of recent years, or any behind a telling word.
  vendor(
    "discord",
    "Discord bot token",
    ["MTA", "MTE", "MTI", "MTM", "MTQ", "MTU", "MTY", "MTc"],
    /MT[AEIMQUYc][\w-]{21,25}\.[\w-]{6}\.[\w-]{27,38}/y,
    {
      check: isDiscordToken,
    },
  ),
  vendor(
    "discord",
    "Discord bot token",
    ["Bot M", "Bot N", "Bot O", "DISCORD_TOKEN", "DISCORD_BOT_TOKEN", "discord_token"],
    /(?:Bot |(?:DISCORD_(?:BOT_)?TOKEN|discord_token)(?:\\?["'])?\s{0,4}[:=]\s{0,4}(?:\\?["'])?)(?<value>[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,38})/y,
    {
      edge: "open",
      check: isDiscordToken,
    },
  ),
  vendor("telegram", "Telegram bot token", [":AA"], /\d{8,10}:AA[\w-]{33}/y, { starts: (text, at) => [digitsBefore(text, at)] }),
  vendor(
    "teams",
    "Microsoft Teams webhook",
    ["webhook.office.com"],
    /webhook\.office\.com\\?\/webhookb2\\?\/(?<value>[\w@-]{70,80}\\?\/IncomingWebhook\\?\/[\da-f]{32}\\?\/[\da-f-]{36})/y,
    { edge: "open" },
  ),
  vendor(
    "zapier",
    "Zapier hook",
    ["hooks.zapier.com"],
    /hooks\.zapier\.com\\?\/hooks\\?\/catch\\?\/(?<value>\d{4,12}\\?\/[0-9a-z]{5,12})/y,
    { edge: "open", plain: true },
  ),
  vendor("sendgrid", "SendGrid key", ["SG."], /SG\.[\w-]{22}\.[\w-]{43}/y),
  vendor("mailgun", "Mailgun key", ["key-"], /key-[\da-f]{32}/y),
  vendor("mailersend", "MailerSend token", ["mlsn."], /mlsn\.[\da-f]{64}/y),
  vendor("mailchimp", "Mailchimp key", ["-us1", "-us2", "-us3", "-us4", "-us5", "-us6", "-us7", "-us8", "-us9"], /[\da-f]{32}-us\d{1,2}/y, {
    starts: (_, at) => [at - 32],
  }),
  vendor("brevo", "Brevo key", ["xkeysib-", "xsmtpsib-"], /x(?:key|smtp)sib-[\da-f]{64}-[0-9A-Za-z]{16}/y),
  vendor("resend", "Resend key", ["re_"], /re_[0-9A-Za-z]{8}_[0-9A-Za-z]{24}/y),
  vendor("intercom", "Intercom token", ["dG9rO"], /dG9rO[0-9A-Za-z+/]{50,80}={0,2}/y, { edge: "base64" }),
  vendor("onesignal", "OneSignal key", ["os_v2_app_", "os_v2_org_"], /os_v2_(?:app|org)_[a-z2-7]{103}/y),
];

/** The first part is a user id, 17 to 20 digits, in base64. */
function isDiscordToken(value: string): boolean {
  return /^\d{17,20}$/.test(Buffer.from(value.slice(0, value.indexOf(".")), "base64url").toString("latin1"));
}

function digitsBefore(text: string, at: number): number {
  let start = at;
  while (at - start < 11 && /\d/.test(text.charAt(start - 1))) start--;
  return start;
}
