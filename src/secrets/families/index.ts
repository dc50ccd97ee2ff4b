/**
 * Every token family. To add a format, add one entry to the list it belongs to (or a new list here); nothing else changes.
 *
 * The lists are functions so that the hook builds them only when there is text to look at.
 */
import { privateKey } from "../private-key.ts";
import { azure } from "./azure.ts";
import { checksum } from "./checksum.ts";
import { clouds } from "./clouds.ts";
import { development } from "./development.ts";
import type { Family } from "./family.ts";
import { generic } from "./generic.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { messaging } from "./messaging.ts";
import { models } from "./models.ts";
import { payments } from "./payments.ts";
import { services } from "./services.ts";
import { wallets } from "./wallets.ts";

/** Proven families first: of two equal findings the earlier family names it. */
const LISTS = [privateKey, github, gitlab, checksum, azure, wallets, models, clouds, development, messaging, payments, services, generic];

let made: { readonly families: readonly Family[]; readonly needles: readonly string[] } | undefined;

function table(): { readonly families: readonly Family[]; readonly needles: readonly string[] } {
  if (made === undefined) {
    const families = LISTS.flatMap((list) => list());
    made = { families, needles: [...new Set(families.flatMap((family) => family.needles))] };
  }
  return made;
}

/** All families, made at the first call. */
export function families(): readonly Family[] {
  return table().families;
}

/** What the filter looks for: each needle once, always the same array. */
export function needles(): readonly string[] {
  return table().needles;
}
