/** Payment, commerce and finance services (token-families.md §11). */
import { type Family, vendor } from "./family.ts";

export const payments = (): readonly Family[] => [
  vendor("stripe", "Stripe live key", ["sk_live_", "rk_live_"], /[sr]k_live_[0-9A-Za-z]{24,247}/y),
  vendor("stripe", "Stripe test key", ["sk_test_", "rk_test_"], /[sr]k_test_[0-9A-Za-z]{24,247}/y),
  vendor("stripe", "Stripe organisation key", ["sk_org_"], /sk_org_(?:live_|test_)?[0-9A-Za-z]{80,200}/y),
  vendor("stripe", "webhook signing secret", ["whsec_"], /whsec_[0-9A-Za-z+/]{32,88}={0,2}/y, { edge: "base64" }),
  vendor("square", "Square token", ["EAAA"], /EAAA[\w-]{60}/y),
  vendor("square", "Square secret", ["sq0atp-", "sq0csp-"], /sq0(?:atp-[\w-]{22}|csp-[\w-]{43})/y),
  vendor("shopify", "Shopify token", ["shpat_", "shpca_", "shppa_", "shpss_", "shptka_"], /shp(?:at|ca|pa|ss|tka)_[\da-fA-F]{32}/y),
  vendor("braintree", "Braintree token", ["access_token$production$"], /access_token\$production\$[\da-z]{16}\$[\da-f]{32}/y),
  vendor(
    "plaid",
    "Plaid access token",
    ["access-production-", "access-sandbox-"],
    /access-(?:production|sandbox)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/y,
  ),
  vendor("flutterwave", "Flutterwave secret", ["FLWSECK-", "FLWSECK_TEST-"], /FLWSECK(?:_TEST)?-[\da-fA-F]{32}-X/y),
  vendor("midtrans", "Midtrans server key", ["Mid-server-"], /Mid-server-[\w-]{24}/y),
  vendor(
    "paddle",
    "Paddle key",
    ["pdl_live_apikey_", "pdl_sdbx_apikey_"],
    /pdl_(?:live|sdbx)_apikey_[\da-z]{26}_[0-9A-Za-z]{22}_[0-9A-Za-z]{3}/y,
  ),
  vendor("duffel", "Duffel token", ["duffel_live_", "duffel_test_"], /duffel_(?:live|test)_[\w=-]{43}/y),
  vendor("easypost", "EasyPost key", ["EZAK", "EZTK"], /EZ[AT]K[0-9A-Za-z]{54}/y),
  vendor("shippo", "Shippo token", ["shippo_live_", "shippo_test_"], /shippo_(?:live|test)_[\da-f]{40}/y),
  vendor("asaas", "Asaas key", ["$aact_"], /\$aact_(?:prod|hmlg)_[\w:-]{40,200}={0,2}/y),
  vendor("pagarme", "Pagar.me key", ["ak_live_"], /ak_live_[0-9A-Za-z]{30}/y),
  vendor("ramp", "Ramp secret", ["ramp_sec_"], /ramp_sec_[0-9A-Za-z]{48}/y),
  vendor("mercury", "Mercury token", ["mercury_production_"], /mercury_production_[\w]{30,120}_yrucrem/y),
  vendor("persona", "Persona key", ["persona_production_"], /persona_production_[\w-]{20,80}/y),
  vendor("onfido", "Onfido token", ["api_live.", "api_live_us.", "api_live_ca."], /api_live(?:_us|_ca)?\.[\w.-]{20,80}/y),
  vendor("razorpay", "Razorpay key", ["rzp_live_", "rzp_test_"], /rzp_(?:live|test)_[0-9A-Za-z]{14}/y),
  vendor("flexport", "Flexport token", ["shltm_"], /shltm_[\w-]{40}/y),
];
