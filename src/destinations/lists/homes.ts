/** Family (or a file's id) and its host suffixes, as of 2026-11. `-suffix` takes a part out again: names below a vendor's suffix that customers run. */
export const HOMES = `
adafruit adafruit.com
adobe adobe.io adobe.com
aikido aikido.dev
airtable airtable.com
aiven aiven.io aivencloud.com
akamai akamaiapis.net
alibaba aliyuncs.com
anthropic anthropic.com claude.com
apify apify.com
artifactory jfrog.io
asaas asaas.com
asana asana.com
astra astra.datastax.com
atlassian atlassian.com atlassian.net jira.com bitbucket.org
authress authress.io
aws amazonaws.com amazonaws.com.cn api.aws aws.amazon.com -compute.amazonaws.com -compute-1.amazonaws.com -elb.amazonaws.com
azure azure.com windows.net microsoftonline.com azure.net azurecr.io visualstudio.com -cloudapp.azure.com
baidu baidubce.com
beamer getbeamer.com
bitbucket bitbucket.org
block-protocol blockprotocol.org
braintree braintreegateway.com
brave search.brave.com
brevo brevo.com sendinblue.com
browserbase browserbase.com
buildkite buildkite.com
calcom cal.com
canada-notify notification.canada.ca
canva canva.com
cerebras cerebras.ai
circleci circleci.com
clickhouse clickhouse.cloud clickhouse.com
clickup clickup.com
clojars clojars.org
cloudflare cloudflare.com cloudflarestorage.com
cloudsmith cloudsmith.io cloudsmith.com
cockroach cockroachlabs.cloud
coderabbit coderabbit.ai
coinbase coinbase.com
composio composio.dev
configcat configcat.com
confluent confluent.cloud confluent.io
contentful contentful.com
copilot github.com githubcopilot.com ghcr.io ghe.com models.github.ai raw.githubusercontent.com objects.githubusercontent.com -gist.github.com
crates-io crates.io
cursor cursor.com cursor.sh
databento databento.com
databricks databricks.com azuredatabricks.net
datadog datadoghq.com datadoghq.eu ddog-gov.com
daytona daytona.io
deepseek deepseek.com
defined defined.net
deno deno.com deno.land
devcycle devcycle.com
devin devin.ai
digitalocean digitalocean.com
discord discord.com discordapp.com
docker docker.com docker.io
docker-hub docker.com docker.io
doppler doppler.com
dropbox dropbox.com dropboxapi.com
duffel duffel.com
dynatrace dynatrace.com live.dynatrace.com
e2b e2b.dev e2b.app
easypost easypost.com
elastic elastic.co elastic-cloud.com
elevenlabs elevenlabs.io
endor endorlabs.com
exoscale exoscale.com exo.io
facebook facebook.com
figma figma.com
firebase googleapis.com firebaseio.com
firecrawl firecrawl.dev
fireworks fireworks.ai
fleetbase fleetbase.io
flutterwave flutterwave.com
fly fly.io machines.dev
frameio frame.io
friendli friendli.ai
gcp googleapis.com accounts.google.com gcr.io pkg.dev
gemini generativelanguage.googleapis.com
gh github.com githubcopilot.com ghcr.io ghe.com models.github.ai raw.githubusercontent.com objects.githubusercontent.com -gist.github.com
gitbook gitbook.com
gitea gitea.com
github github.com githubcopilot.com ghcr.io ghe.com models.github.ai raw.githubusercontent.com objects.githubusercontent.com -gist.github.com
gitlab gitlab.com
glab gitlab.com
google googleapis.com accounts.google.com gcr.io pkg.dev
grafana grafana.net grafana.com
groq groq.com
harness harness.io
heroku heroku.com
honeycomb honeycomb.io
hub github.com githubcopilot.com ghcr.io ghe.com models.github.ai raw.githubusercontent.com objects.githubusercontent.com -gist.github.com
hubspot hubspot.com hubapi.com
hugging-face huggingface.co hf.co
infracost infracost.io
instagram instagram.com
intercom intercom.io
intra42 api.intra.42.fr
ionic ionic.io ionicframework.com
jina api.jina.ai
jsr jsr.io
klaviyo klaviyo.com
langfuse langfuse.com
langsmith langchain.com
launchdarkly launchdarkly.com
lichess lichess.org
linear linear.app
mailchimp mailchimp.com mandrillapp.com
mailersend mailersend.com
mailgun mailgun.net mailgun.com
mapbox mapbox.com
matrix matrix.org
maxmind maxmind.com
mercury mercury.com
mergify mergify.com
midtrans midtrans.com
minimax minimax.io minimaxi.com
mongodb mongodb.com mongodb.net
neon neon.tech
netlify netlify.com
new-relic newrelic.com nr-data.net
nightfall nightfall.ai
notion notion.com notion.so
npm npmjs.org npmjs.com yarnpkg.com
nuget nuget.org
nvidia nvidia.com
octopus octopus.app
onepassword 1password.com
onesignal onesignal.com
onfido onfido.com
openai openai.com
openrouter openrouter.ai
ory ory.sh oryapis.com
packagist packagist.org
paddle paddle.com
pagarme pagar.me
perplexity perplexity.ai
persona withpersona.com
pinecone pinecone.io
plaid plaid.com
planetscale planetscale.com psdb.cloud
polar polar.sh
posthog posthog.com
postman getpostman.com postman.com
prefect prefect.cloud prefect.io
pubnub pubnub.com pndsn.com
pulumi pulumi.com
pypi pypi.org
ramp ramp.com
razorpay razorpay.com
readme readme.com readme.io
render render.com
replicate replicate.com
resend resend.com
riot api.riotgames.com
rootly rootly.com
rubygems rubygems.org
runpod runpod.io runpod.ai
saladcloud salad.com
salesforce salesforce.com
samsara samsara.com
scalingo scalingo.com
segment segment.io segment.com
sendgrid sendgrid.com
sentry sentry.io mcp.sentry.dev
shippo goshippo.com
shopify shopify.com myshopify.com
slack slack.com
snyk snyk.io
socket socket.dev
sonarqube sonarcloud.io
sourcegraph sourcegraph.com
square squareup.com
stackhawk stackhawk.com
stripe stripe.com
supabase supabase.com supabase.co
tableau tableau.com
tailscale tailscale.com
tavily tavily.com
teams webhook.office.com outlook.office.com
telegram api.telegram.org
tencent tencentcloudapi.com tencentcloud.com
terraform terraform.io
thunderstore thunderstore.io
together together.ai together.xyz
trigger trigger.dev
twilio twilio.com
typeform typeform.com
ubidots ubidots.com
unkey unkey.dev unkey.com
upcloud upcloud.com
val-town val.town
vault hashicorp.cloud
vercel vercel.com
voyage voyageai.com
wakatime wakatime.com
wandb wandb.ai
workato workato.com
xai x.ai
yandex yandex.net yandexcloud.net
zapier zapier.com -hooks.zapier.com
zhipu bigmodel.cn z.ai
zuplo zuplo.com
`;
