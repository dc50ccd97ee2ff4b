/** What a packing tool takes from a folder. */
/** A file that would go. `surely` is false where the tool's rules are only partly known. */
export interface Taken {
  /** From the folder it was chosen in. */
  readonly relative: string;
  readonly surely: boolean;
}

/** What one folder gives. */
export interface Chosen {
  readonly files: readonly Taken[];
  /** There is more than was looked at. */
  readonly cut: boolean;
}

/** One package, image or site. */
export interface Packed extends Chosen {
  /** Absolute; what `files` are relative to. */
  readonly folder: string;
  /** A container image; `text` is what it keeps of its Dockerfile. */
  readonly image?: true;
  readonly text?: string;
  /** The registry the project itself names, a URL; undefined: the tool's own. */
  readonly registry?: string;
  /** Nobody but invited people may see it, as far as the project says. */
  readonly restricted?: true;
}

/** Files chosen by rules that are only partly known. */
export function partly({ files, cut }: { readonly files: readonly string[]; readonly cut: boolean }): Chosen {
  return { files: files.map((relative) => ({ relative, surely: false })), cut };
}
