/**
 * Chat, mail and phone hooks: text delivered to a channel of somebody. By path where the host has other uses.
 * One suffix a line, with a path prefix where only that path counts. Dead services stay for two years: a lapsed
 * name can be bought by anyone. As of 2026-11.
 */
export const LIST = `
api.day.app
api.emailjs.com
api.mailgun.net
api.pushbullet.com
api.resend.com
api.sendgrid.com
api.telegram.org/bot
app.simplepush.io
chat.googleapis.com
discord.com/api/v10/webhooks
discord.com/api/webhooks
discordapp.com/api/webhooks
formcarry.com
formspree.io
formsubmit.co
getform.io
hook.integromat.com
hook.make.com
hooks.slack.com
hooks.zapier.com
maker.ifttt.com
n8n.cloud/webhook
ntfy.sh
oapi.dingtalk.com/robot
open.feishu.cn/open-apis/bot
open.larksuite.com/open-apis/bot
outlook.office.com/webhook
pushover.net
qyapi.weixin.qq.com/cgi-bin/webhook
sctapi.ftqq.com
textbelt.com
web3forms.com
webhook.office.com
`;
