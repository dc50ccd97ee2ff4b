/** Source hosting, packages, builds, code quality, databases, monitoring (token-families.md §7 and §11). */
import { type Family, vendor } from "./family.ts";

export const development = (): readonly Family[] => [
  // Checks that hold, but not on the list of D-13.
  vendor("deno", "Deno Deploy token", ["ddp_", "ddo_"], /dd[po]_[0-9A-Za-z]{36}/y),
  vendor("apify", "Apify token", ["apify_api_"], /apify_api_[0-9A-Za-z]{36}/y),
  vendor("saladcloud", "SaladCloud key", ["salad_cloud_org_", "salad_cloud_user_"], /salad_cloud_(?:org|user)_[0-9A-Za-z]{49}/y),
  vendor("bitbucket", "Bitbucket data center token", ["BBDC-"], /BBDC-[\w+/]{44}/y, { edge: "base64" }),
  vendor("pypi", "PyPI token", ["pypi-AgE"], /pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZw)[\w-]{50,1000}/y),
  vendor("rubygems", "RubyGems key", ["rubygems_"], /rubygems_[\da-f]{48}/y),
  vendor("crates-io", "crates.io publishing token", ["cio_tp_"], /cio_tp_[0-9A-Za-z]{32}/y),
  vendor("nuget", "NuGet key", ["oy2"], /oy2[a-p][\da-z]{15}[aq][\da-z]{11}[eu][bdfhjlnprtvxz357][a-p][\da-z]{11}[aeimquy4]/y),
  vendor("clojars", "Clojars token", ["CLOJARS_"], /CLOJARS_[\da-f]{60}/y),
  vendor("artifactory", "Artifactory key", ["AKCp"], /AKCp[0-9A-Za-z]{69}/y),
  vendor("artifactory", "Artifactory reference token", ["cmVmdGtu"], /cmVmdGtu[0-9A-Za-z]{56}/y),
  vendor("packagist", "Packagist token", ["packagist_"], /packagist_(?:ort|out|uut|cut|acs|ack)_[\da-f]{28,96}/y),
  vendor("cloudsmith", "Cloudsmith key", ["csa_"], /csa_[\da-f]{30}[0-9A-Za-z]{6}/y),
  vendor("docker-hub", "Docker Hub token", ["dckr_pat_", "dckr_oat_"], /dckr_(?:pat_[\w-]{27}|oat_[\w-]{32})/y),
  vendor("buildkite", "Buildkite token", ["bkua_", "bkaa_", "bkaj_", "bkar_", "bkct_"], /bk(?:ua|aa|aj|ar|ct)_[\w-]{40,333}/y),
  vendor("circleci", "CircleCI token", ["CCIPAT_", "CCIPRJ_"], /CCIP(?:AT|RJ)_[0-9A-Za-z]{20,24}_[\da-f]{40}/y),
  vendor("sonarqube", "SonarQube token", ["sqp_", "squ_", "sqa_"], /sq[pua]_[\da-f]{40}/y),
  vendor("snyk", "Snyk token", ["snyk_uat.", "snyk_sat."], /snyk_[us]at\.[\w.-]{40,400}/y),
  vendor("socket", "Socket token", ["sktsec_"], /sktsec_[\w-]{40,60}/y),
  vendor("sourcegraph", "Sourcegraph token", ["sgp_"], /sgp_(?:(?:[\da-f]{16}|local)_)?[\da-f]{40}/y),
  vendor("sourcegraph", "Sourcegraph token", ["slk_", "sgd_"], /(?:slk|sgd)_[\da-f]{64}/y),
  vendor("segment", "Segment token", ["sgp_"], /sgp_[0-9A-Za-z]{64}/y),
  vendor("mergify", "Mergify key", ["mergify_application_key_"], /mergify_application_key_[\w-]{40,100}/y),
  vendor("prefect", "Prefect key", ["pnu_", "pnb_"], /pn[ub]_[0-9A-Za-z]{36}/y),
  vendor("trigger", "Trigger.dev key", ["tr_dev_", "tr_prod_", "tr_pat_"], /tr_(?:dev|prod|pat)_[0-9A-Za-z]{20,40}/y),
  vendor("harness", "Harness token", ["pat.", "sat."], /[ps]at\.[\w-]{22}\.[\da-f]{24}\.[0-9A-Za-z]{20}/y),
  vendor("supabase", "Supabase token", ["sbp_"], /sbp_(?:v0_)?[\da-f]{40}/y),
  vendor("planetscale", "PlanetScale secret", ["pscale_tkn_", "pscale_oauth_", "pscale_pw_"], /pscale_(?:tkn|oauth|pw)_[\w.=-]{32,64}/y),
  vendor("neon", "Neon key", ["napi_"], /napi_[\da-z]{64}/y),
  vendor("mongodb", "MongoDB Atlas secret", ["mdb_sa_sk_"], /mdb_sa_sk_[\w-]{40}/y),
  vendor("cockroach", "Cockroach Cloud key", ["CCDB1_"], /CCDB1_[0-9A-Za-z]{22}_[0-9A-Za-z]{40}/y),
  vendor("clickhouse", "ClickHouse Cloud key", ["4b1d"], /4b1d[0-9A-Za-z]{38}/y, { check: mixed }),
  vendor("gitea", "Gitea token", ["gto_eyJ"], /gto_eyJ[\w-]{8,1024}\.eyJ[\w-]{8,4096}\.[\w-]{20,1024}/y, { kind: "structure" }),
  vendor("workato", "Workato token", ["wrka-eyJ"], /wrka-eyJ[\w-]{8,1024}\.eyJ[\w-]{8,4096}\.[\w-]{20,1024}/y, { kind: "structure" }),
  vendor("astra", "DataStax Astra token", ["AstraCS:"], /AstraCS:[0-9A-Za-z]{20,32}:[\da-f]{64}/y),
  vendor("aiven", "Aiven password", ["AVNS_"], /AVNS_[\w-]{19}/y, {
    plain: true,
    check: (_, body) => /[a-z]/.test(body) && /[A-Z]/.test(body),
  }),
  vendor("elastic", "Elastic Cloud key", ["essu_"], /essu_[0-9A-Za-z+/]{60,200}={0,2}/y, { edge: "base64" }),
  vendor("databricks", "Databricks token", ["dapi", "dose", "dsapi", "dkea"], /(?:ds?api|dose|dkea)[\da-f]{32}(?:-\d)?/y),
  vendor("databento", "Databento key", ["db-"], /db-[0-9A-Za-z]{29}/y, { check: (_, body) => /[A-Z]/.test(body) && /\d/.test(body) }),
  vendor("sentry", "Sentry token", ["sntrys_"], /sntrys_eyJ[\w+/-]{60,600}={0,2}_[\w+/-]{43}/y, { edge: "base64" }),
  vendor("sentry", "Sentry token", ["sntryu_", "sntrya_"], /sntry[ua]_[\da-f]{64}/y),
  vendor("new-relic", "New Relic key", ["NRAK-", "NRAA-", "NRII-", "NRIQ-", "NRRA-"], /NR(?:AK|AA|II|IQ|RA)-[0-9A-Za-z_-]{27,42}/y),
  vendor("new-relic", "New Relic licence key", ["NRAL"], /[\da-z]{36}NRAL/y, { starts: (_, at) => [at - 36] }),
  vendor("datadog", "Datadog key", ["ddapp_"], /ddapp_[0-9A-Za-z]{34}/y),
  vendor(
    "datadog",
    "Datadog key",
    ["DD_API_KEY", "DD_APP_KEY", "DATADOG_API_KEY", "DATADOG_APP_KEY"],
    /D(?:D|ATADOG)_AP[IP]_KEY(?:\\?["'])?\s{0,4}[:=]\s{0,4}(?:\\?["'])?(?<value>[\da-f]{40}|[\da-f]{32})(?![\da-f])/y,
    {
      edge: "open",
      kind: "field",
    },
  ),
  vendor(
    "dynatrace",
    "Dynatrace token",
    ["dt0c01.", "dt0s01.", "dt0s02.", "dt0s16."],
    /dt0(?:c01|s01|s02|s16)\.[0-9A-Z]{24}\.[0-9A-Z]{64}/y,
  ),
  vendor("grafana", "Grafana Cloud token", ["glc_eyJ"], /glc_eyJ[\w+/-]{60,400}={0,2}/y, { edge: "base64" }),
  vendor("grafana", "Grafana key", ["eyJrIjoi"], /eyJrIjoi[0-9A-Za-z+/]{60,200}={0,2}/y, { edge: "base64" }),
  vendor("honeycomb", "Honeycomb key", ["hcaik_", "hcaxk_"], /hca[ix]k_[\da-z]{58}/y),
  vendor("posthog", "PostHog key", ["phx_"], /phx_[\w-]{41,49}/y),
  vendor("postman", "Postman key", ["PMAK-"], /PMAK-[\da-f]{24}-[\da-f]{34}/y),
  vendor("configcat", "ConfigCat key", ["configcat-sdk-1"], /configcat-sdk-1\/[\w-]{22}\/[\w-]{22}/y),
  vendor("devcycle", "DevCycle key", ["dvc_server_"], /dvc_server_[0-9A-Za-z_]{8,64}/y),
  vendor("unkey", "Unkey key", ["unkey_"], /unkey_[0-9A-Za-z]{20,32}/y),
  vendor("vercel", "Vercel Blob token", ["vercel_blob_rw_"], /vercel_blob_rw_[0-9A-Za-z]{16}_[0-9A-Za-z]{30}/y),
  vendor("rootly", "Rootly key", ["rootly_"], /rootly_[\da-f]{64}/y),
  vendor("readme", "ReadMe key", ["rdme_"], /rdme_[\da-z]{70}/y),
  vendor("gitbook", "GitBook token", ["gb_api_"], /gb_api_[0-9A-Za-z]{40}/y),
  vendor("runpod", "RunPod key", ["rpa_"], /rpa_(?:[0-9A-Z]{46}|[0-9A-Za-z]{46}|[0-9A-Za-z]{30})/y),
  vendor("ory", "Ory token", ["ory_at_", "ory_rt_", "ory_ac_", "ory_pat_"], /ory_(?:at|rt|ac|pat)_[\w-]{32,43}(?:\.[\w-]{43})?/y),
  vendor("defined", "Defined Networking key", ["dnkey-"], /dnkey-[0-9A-Z]{26}-[0-9A-Z]{52}/y),
  vendor("thunderstore", "Thunderstore token", ["tss_"], /tss_[0-9A-Za-z]{20,80}/y, { check: mixed }),
  vendor("val-town", "Val Town token", ["vtwn_"], /vtwn_[0-9A-Za-z]{20,80}/y),
  vendor("endor", "Endor Labs key", ["endr+"], /endr\+[0-9A-Za-z]{16}/y),
  vendor("nightfall", "Nightfall key", ["NF-"], /NF-[0-9A-Za-z]{32}/y, { check: mixed }),
  vendor("stackhawk", "StackHawk key", ["hawk."], /hawk\.[\w-]{20}\.[\w-]{20}/y),
  vendor("fleetbase", "Fleetbase key", ["flb_live_"], /flb_live_[\w-]{20,80}/y),
  vendor("ionic", "Ionic token", ["ion_"], /ion_[0-9A-Za-z]{42}/y, { check: mixed }),
  vendor("block-protocol", "Block Protocol key", ["b10ck5."], /b10ck5\.[\da-f]{32}\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/y),
  // The name of the service stands behind the prefixes, which begin words.
  vendor(
    "authress",
    "Authress key",
    [".acc_"],
    /(?:sc|ext|scauth|authress)_[\da-z]{5,30}\.[\da-z]{4,6}\.acc_[\da-z-]{10,32}\.[\w+/-]{30,120}={0,2}/y,
    {
      starts: (text, at) => [wordBefore(text, at)],
    },
  ),
  vendor("odt", "Dependency-Track key", ["odt_"], /odt_[0-9A-Za-z_]{32,64}/y, { check: mixed }),
];

/** Where the run of letters, digits, `_` and dots in front of a place begins; at most 48 characters back. */
function wordBefore(text: string, at: number): number {
  let start = at;
  while (at - start < 48 && /[\w.]/.test(text.charAt(start - 1))) start--;
  return start;
}

/** All three kinds of characters: what an identifier in somebody's code rarely has. */
function mixed(_: string, body: string): boolean {
  return /[a-z]/.test(body) && /[A-Z]/.test(body) && /\d/.test(body);
}
