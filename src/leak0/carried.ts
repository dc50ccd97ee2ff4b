/** The secrets a flow of bytes carries: from the files it comes from and from the text that stands in the call. */
import type { Source } from "../call/effect.ts";
import { printed, prints } from "../call/git/index.ts";
import { selects } from "../call/packing/selection.ts";
import { decode } from "../secrets/decode.ts";
import { isSecretFileName, secretsInText } from "../secrets/files/index.ts";
import { decodedForms } from "../secrets/forms.ts";
import { scanDecoded } from "../secrets/scan.ts";
import type { Secret } from "../secrets/secret.ts";
import type { Look } from "./files.ts";
import type { Case } from "./judgement.ts";

/** One carried secret. */
export interface Carried {
  readonly secret: Secret;
  /** The file it comes from, when it comes from one. */
  readonly look: Look | undefined;
  /** A whole confirmed credential file travels, not only a value of it. */
  readonly wholeFile: boolean;
}

/** How far a carried secret is proven: B1 content, a B2 token, a value seen earlier (B3), or nothing. */
export type Strength = "B1" | "B2" | "B3" | undefined;

/**
 * Secrets the sources carry. `text` sources are also looked at percent-, JSON- and base64-decoded. What Git prints is
 * looked up only when it leaves for somebody else (`abroad`): that costs processes. Throws `Unfinished` when Git's content
 * cannot be found out.
 */
export function carried(at: Case, sources: readonly Source[], abroad = false): readonly Carried[] {
  return sources.flatMap((source) => ofSource(at, source, abroad));
}

function ofSource(at: Case, source: Source, abroad: boolean): readonly Carried[] {
  switch (source.from) {
    case "text": {
      const scanned = scanDecoded(source.text);
      if (!scanned.complete) at.files.unread ??= "a text in it holds too many places to check";
      const found = scanned.secrets;
      const layouts = secretsInText(source.text).filter((secret) => !found.some((other) => other.value.includes(secret.value)));
      const forms = at.session.lengths.length === 0 ? [] : [source.text, ...decodedForms(source.text).texts];
      const earlier = forms
        .flatMap((form) => at.session.valuesIn(form))
        .filter((secret) => !found.some((other) => other.value === secret.value));
      return [...found, ...layouts, ...earlier].map((secret) => ({ secret, look: undefined, wholeFile: false }));
    }
    case "file": {
      const { file, selection } = source;
      const looks = file.path === undefined ? [] : at.files.within(file.path);
      const chosen =
        selection === undefined
          ? looks
          : looks.filter(({ path }) => selects(selection, path.slice((file.path ?? "").length + 1), at.system));
      return chosen.flatMap(ofLook);
    }
    case "git content":
      return abroad ? ofGit(at, source.path) : [];
    default:
      return [];
  }
}

function ofLook(look: Look): readonly Carried[] {
  return look.secrets.map((secret) => ({ secret, look, wholeFile: look.identified?.secrets.includes(secret) === true }));
}

/** What the call's Git commands print. Which of them a flow comes from is told by the path they name, otherwise all count. */
function ofGit(at: Case, path: string | undefined): readonly Carried[] {
  const invocations = at.effects.flatMap((effect) => (effect.kind === "git" && prints(effect.invocation) ? [effect.invocation] : []));
  const naming = invocations.filter(({ args }) => path !== undefined && args.some(({ text }) => text.endsWith(path)));
  const mayBeSecret = (name: string): boolean => SECRET_FILE.test(name.slice(name.lastIndexOf("/") + 1)) || isSecretFileName(name);
  return printed(naming.length > 0 ? naming : invocations, mayBeSecret, at.system).flatMap((one) =>
    ofLook(at.files.lookAt(one.path, decode(one.bytes).text)),
  );
}

/** Names of files that are looked into when a whole folder or repository leaves. */
export const SECRET_FILE =
  /^\.|^id_|credential|secret|token|passw|auth|\.(?:pem|key|p8|ppk|asc|env|json|ya?ml|toml|ini|conf|cfg|properties|xml)$/i;

/** What the secret proves where it travels (D-18, D-19). */
export function strength({ secret, look, wholeFile }: Carried): Strength {
  if (secret.grade === "token") return "B2";
  // A password without a known format is B1 only inside a confirmed file sent as a whole.
  if (wholeFile && look?.identified?.class === "PROVEN") return "B1";
  if (secret.kind === "hash match") return secret.grade === "credential" ? "B3" : undefined;
  if (secret.grade !== "credential") return undefined;
  return look === undefined || look.identified?.class === "PROVEN" || secret.kind === "structure" ? "B1" : undefined;
}
