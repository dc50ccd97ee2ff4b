/**
 * Online converters and checkers: text is pasted in, leaves the machine and is logged.
 * One suffix a line, with a path prefix where only that path counts. Dead services stay for two years: a lapsed
 * name can be bought by anyone. As of 2026-11.
 */
export const LIST = `
any.run
api.allorigins.win
api.codetabs.com
archive.ph
archive.today
base64decode.org
base64encode.org
codebeautify.org
cors-anywhere.herokuapp.com
corsproxy.io
crackstation.net
cyberchef.io
deepl.com
dencode.com
diffchecker.com
explainshell.com
freeformatter.com
gchq.github.io
hashes.com
jsonformatter.curiousconcept.com
jsonformatter.org
jwt.io
jwt.ms
md5decrypt.net
onlinegdb.com
play.golang.org
play.rust-lang.org
r.jina.ai
regex101.com
regexr.com
replit.com
s.jina.ai
thingproxy.freeboard.io
tio.run
token.dev
translate.google.com
urldecoder.org
urlscan.io
virustotal.com
web.archive.org/save
`;
