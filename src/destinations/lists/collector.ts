/**
 * Request collectors and webhook catchers: they show a request to whoever made the address.
 * One suffix a line, with a path prefix where only that path counts. Dead services stay for two years: a lapsed
 * name can be bought by anyone. As of 2026-11.
 */
export const LIST = `
beeceptor.com
extendsclass.com
hkdk.events
hookbin.com
hookdeck.com
httpbin.org
httpbingo.org
httpdump.app
inspectb.in
jsonbin.io
mockapi.io
mockbin.io
mockbin.org
mocky.io
myjson.com
npoint.io
pipedream.net
play.svix.com
postb.in
postman-echo.com
ptsv2.com
ptsv3.com
putsreq.com
reqres.in
requestbin.cn
requestbin.com
requestbin.io
requestbin.net
requestcatcher.com
requestinspector.com
requestrepo.com
smee.io
typedwebhook.tools
webhook-test.com
webhook.cool
webhook.site
webhookinbox.com
webhookrelay.com
`;
