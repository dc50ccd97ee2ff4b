/**
 * Link shorteners and image services: the address itself is logged by a third party once it is opened or rendered.
 * One suffix a line, with a path prefix where only that path counts. Dead services stay for two years: a lapsed
 * name can be bought by anyone. As of 2026-11.
 */
export const LIST = `
2no.co
api.qrserver.com
bit.ly
blasze.com
buff.ly
camo.githubusercontent.com
carbon.now.sh
chart.googleapis.com
cutt.ly
dummyimage.com
grabify.link
img.shields.io
iplogger.com
iplogger.org
is.gd
kroki.io
latex.codecogs.com
mermaid.ink
ow.ly
placehold.co
plantuml.com
quickchart.io
rb.gy
shorturl.at
t.ly
tinyurl.com
v.gd
via.placeholder.com
`;
