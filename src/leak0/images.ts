/**
 * Container images over several calls: what a push sends was built by an earlier command. An image that was not built in
 * the session came from elsewhere, and pushing it is nobody's business.
 */
import type { Effect, Packing } from "../call/effect.ts";
import { mayBeSameImage, ofService } from "../call/image.ts";
import type { BuiltImage } from "../session/image.ts";
import type { Session } from "../session/session.ts";

/** What the image that a packing names was built from in this session; any other packing is itself. */
export function builtFrom(packing: Packing, { images }: Pick<Session, "images">): readonly Packing[] {
  const [name] = packing.members ?? [];
  if (packing.tool !== "image" || name === undefined) return [packing];
  return images.filter((image) => mayBeSameImage(image.name, name)).map((image) => ofService(image.packing, name));
}

/** Images that a call builds or gives another name. */
export function builtImages(effects: readonly Effect[], session: Pick<Session, "images">): readonly BuiltImage[] {
  return effects.flatMap((effect) =>
    effect.kind === "image" ? builtFrom(effect.packing, session).map((packing) => ({ name: effect.name, packing })) : [],
  );
}
