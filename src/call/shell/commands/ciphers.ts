/**
 * Programs that encrypt and decrypt. What they encrypt is no copy of the file any more and may be kept, committed and backed up;
 * what they decrypt is a secret (credential-files.md §15). Loaded at first use.
 */
import type { Argument, Source } from "../../effect.ts";
import { argumentSources, sealed, transformed, unsealed } from "../../source.ts";
import type { Handler, Invocation } from "../invocation.ts";
import type { Options, OptionTable } from "../options.ts";
import { secret } from "./credentials.ts";
import { tlsClient } from "./sockets.ts";

/** The handler of such a program. */
export function cipherCommand(name: string): Handler | undefined {
  switch (name) {
    case "sops":
      return sops;
    case "ansible-vault":
      return ansibleVault;
    case "age":
    case "rage":
      return age;
    case "gpg":
    case "gpg2":
      return gpg;
    case "openssl":
      return openssl;
    default:
      return undefined;
  }
}

const UNKNOWN: readonly Source[] = [{ from: "unknown" }];

/** Puts what a program makes into the file its option names, otherwise on standard output. */
function put(invocation: Invocation, target: Argument | undefined, sources: readonly Source[]): void {
  if (target === undefined) invocation.print(sources);
  else invocation.write(target, sources);
}

/** Encrypts files where they lie. */
function inPlace(invocation: Invocation, files: readonly Argument[]): void {
  for (const file of files) invocation.write(file, sealed(invocation.read(file)));
}

const SOPS: OptionTable = {
  short: "akpr",
  long:
    "output input-type output-type extract config age kms pgp gcp-kms azure-kv hc-vault-transit aws-profile encryption-context " +
    "encrypted-regex unencrypted-regex encrypted-suffix unencrypted-suffix filename-override indent keyservice shamir-secret-sharing-threshold",
};

function sops(invocation: Invocation): void {
  const options = invocation.options(SOPS);
  const [verb] = options.operands;
  const target = options.value("output");
  if (options.has("help", "h")) return invocation.print(UNKNOWN);
  if (options.has("d", "decrypt") || verb?.text === "decrypt") {
    if (target !== undefined || !options.has("i", "in-place")) put(invocation, target, secret("sops decrypt"));
    return;
  }
  if (!options.has("e", "encrypt") && verb?.text !== "encrypt") return invocation.print(UNKNOWN);
  const files = verb?.text === "encrypt" ? options.operands.slice(1) : options.operands;
  if (target === undefined && options.has("i", "in-place")) inPlace(invocation, files);
  else put(invocation, target, sealed(invocation.readAll(files)));
}

function ansibleVault(invocation: Invocation): void {
  const options = invocation.options({ short: "n", long: "output vault-password-file vault-id encrypt-vault-id name stdin-name" });
  const [verb, ...files] = options.operands;
  const target = options.value("output");
  if (options.has("help", "h")) return invocation.print(UNKNOWN);
  switch (verb?.text) {
    case "view":
      return invocation.print(secret("ansible-vault decrypt"));
    case "decrypt":
      return target === undefined ? undefined : invocation.write(target, secret("ansible-vault decrypt"));
    case "encrypt":
      return target === undefined ? inPlace(invocation, files) : invocation.write(target, sealed(invocation.readAll(files)));
    case "encrypt_string":
      return put(invocation, target, sealed([...files.flatMap(argumentSources), ...invocation.stdin]));
    default:
      invocation.print(UNKNOWN);
  }
}

function age(invocation: Invocation): void {
  const options = invocation.options({ short: "roRij", long: "recipient recipients-file output identity" });
  const decrypts = options.has("d", "decrypt");
  const sources = decrypts ? secret(`${invocation.name} --decrypt`) : sealed(invocation.readAll(options.operands));
  put(invocation, options.value("o", "output"), sources);
}

const GPG: OptionTable = {
  short: "oru",
  long:
    "output recipient recipient-file hidden-recipient local-user homedir passphrase passphrase-file passphrase-fd pinentry-mode keyserver " +
    "default-key cipher-algo s2k-mode s2k-count s2k-digest-algo s2k-cipher-algo digest-algo compress-algo compress-level trust-model set-filename",
};

function gpg(invocation: Invocation): void {
  const options = invocation.options(GPG);
  const target = options.value("o", "output");
  if (options.options.some((option) => /^export-secret-(?:keys?|subkeys)$/.test(option.name)))
    return put(invocation, target, secret("gpg --export-secret-keys"));
  if (options.has("d", "decrypt")) return put(invocation, target, secret("gpg --decrypt"));
  const encrypts = options.has("c", "e", "symmetric", "encrypt");
  if (!encrypts && !options.has("s", "sign", "clearsign", "clear-sign", "store", "enarmor")) return;
  const read = invocation.readAll(options.operands);
  const sources = encrypts ? sealed(read) : transformed(read);
  const [file] = options.operands;
  if (target !== undefined || file === undefined) return put(invocation, target, sources);
  invocation.write({ ...file, text: `${file.text}${suffixOf(options)}` }, sources);
}

function suffixOf(options: Options): string {
  return options.has("a", "armor", "enarmor", "clearsign", "clear-sign") ? ".asc" : ".gpg";
}

/** `-aes-256-cbc`, `-chacha20`: a cipher as an option of `openssl enc`, or as its own verb. */
const CIPHER = /^(?:aes|des3?|bf|blowfish|camellia|chacha20|aria|rc[245]|seed|sm4|cast|idea|id-aes)/;

function openssl(invocation: Invocation): void {
  const [verb, ...args] = invocation.args;
  const name = verb?.text ?? "";
  if (name === "s_client") return tlsClient(invocation, invocation.args);
  const value = (flag: string): number => args.findIndex((argument) => argument.text === flag || argument.text === `-${flag}`);
  const at = (index: number) => (index < 0 ? undefined : args[index + 1]);
  const input = at(value("-in"));
  const output = at(value("-out"));
  const transforms = /^(?:enc|base64|smime|cms|zlib|aes-|des|bf|camellia|chacha20|aria|rc4|pkeyutl|rsautl)/.test(name);
  const prints =
    /^(?:rsa|ec|pkey|pkcs8|pkcs12|dsa|asn1parse|rsautl)$/.test(name) &&
    (value("-text") >= 0 || (value("-noout") < 0 && value("-pubout") < 0));
  if (!transforms && !prints) return invocation.print(UNKNOWN);
  const encrypts =
    value("-encrypt") >= 0 ||
    (value("-d") < 0 &&
      (CIPHER.test(name) || (name === "enc" && args.some(({ text }) => text.startsWith("-") && CIPHER.test(text.slice(1))))));
  const read = input === undefined ? invocation.stdin : invocation.read(input);
  put(invocation, output, encrypts ? sealed(read) : transforms ? transformed(unsealed(read)) : unsealed(read));
}
