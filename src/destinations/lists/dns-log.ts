/**
 * DNS and out-of-band interaction logs: looking a name up is enough to leak.
 * One suffix a line, with a path prefix where only that path counts. Dead services stay for two years: a lapsed
 * name can be bought by anyone. As of 2026-11.
 */
export const LIST = `
burpcollaborator.net
bxss.me
canarytokens.com
canarytokens.org
ceye.io
dig.pm
dnsbin.zhack.ca
dnshook.site
dnslog.cn
dnslog.link
dnslog.pw
dnslog.store
eyes.sh
ezxss.com
interact.sh
log.xn--9tr.com
oast.fun
oast.live
oast.me
oast.online
oast.pro
oast.site
oast.us
oastify.com
pingb.in
projectdiscovery.io
r87.me
whoami.akamai.net
xss.ht
xss.report
xsshunter.com
`;
