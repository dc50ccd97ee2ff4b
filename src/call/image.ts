/** Container images by their names, as builds, tags and pushes write them. */
import type { Packing } from "./effect.ts";

/** One spelling of an image's name: no scheme, no default registry, always a tag. What only the shell knows stays as written (`$`). */
export function plainImage(name: string): string {
  const bare = name
    .replace(/^[a-z-]{3,20}:\/\//, "")
    .replace(/^(?:index\.)?docker\.io\//, "")
    .replace(/^(?:library|localhost)\//, "");
  return bare.lastIndexOf(":") > bare.lastIndexOf("/") || bare.includes("@") ? bare : `${bare}:latest`;
}

/** The name of an image that was given none, or one that a file tells: any may be meant. */
export const ANY_IMAGE = "$";

/** Whether two plain names may stand for the same image. The newest tag stands for the whole repository, an id for any image. */
export function mayBeSameImage(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => name.split("$", 1)[0] ?? "") as [string, string];
  if (a !== one || b !== other) return a.startsWith(b) || b.startsWith(a);
  return one === other || ID.test(one) || ID.test(other) || isTagOf(one, other) || isTagOf(other, one);
}

/** An id in full or as `docker images` shows it. */
const ID = /^(?:sha256:[0-9a-f]{12,64}|[0-9a-f]{12}:latest|[0-9a-f]{64}:latest)$/;

function isTagOf(name: string, repository: string): boolean {
  return repository.endsWith(":latest") && name.startsWith(repository.slice(0, -"latest".length));
}

/** Of the images a compose file builds, the one of that name; anything else that is packed is itself. */
export function ofService(packing: Packing, name: string): Packing {
  return packing.tool === "compose" && packing.members === undefined ? { ...packing, members: [name] } : packing;
}
