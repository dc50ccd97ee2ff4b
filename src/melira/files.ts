/**
 * The model's files: found, compared with their manifest, and read.
 *
 * Trust: the folder lies beside the program and belongs to whoever installed it; files that were torn, swapped or left over from
 * another version are refused before a byte of them is run. What a manifest says is bounded before it is believed.
 */
import { CHOSEN } from "../limits.ts";
import type { System } from "../system.ts";
import type { Curve } from "./calibration.ts";
import { MeliraFailure } from "./failure.ts";
import { KINDS, type Kind } from "./tokens.ts";

/** Counts up when the program and the files must change together: tokens, windows, inputs, the form of the manifest. */
export const FORMAT = 3;

/** The files a model consists of, beside its manifest. */
export const FILES = ["runtime.wasm", "reader.onnx", "judge.onnx", "pieces.txt", "scan.bin"] as const;
/** One of them. */
export type FileName = (typeof FILES)[number];

/** A model whose files were compared with its manifest. */
export interface Model {
  /** Which training it is of: a date and a number. */
  readonly version: string;
  readonly calibration: Readonly<Record<Kind, Curve>>;
  readonly files: Readonly<Record<FileName, Uint8Array>>;
}

interface Manifest {
  readonly format: number;
  readonly version: string;
  readonly files: Readonly<Record<FileName, { readonly bytes: number; readonly sha256: string }>>;
  readonly calibration: Readonly<Record<Kind, Curve>>;
}

/** Where the files lie; the runtime is a package's and may lie elsewhere. */
export interface ModelPlace {
  readonly folder: string;
  readonly runtime: string;
}

/** Reads and checks everything. Throws a MeliraFailure: missing, damaged or version. */
export function readModel({ folder, runtime }: ModelPlace, system: System): Model {
  const text = system.read(`${folder}/manifest.json`, CHOSEN.melira_manifest_bytes);
  if (text === undefined) throw new MeliraFailure("missing", `${folder}/manifest.json`);
  const manifest = manifestOf(text.bytes);
  const pathOf = (name: FileName): string => (name === "runtime.wasm" ? runtime : `${folder}/${name}`);
  const files = Object.fromEntries(FILES.map((name) => [name, readFile(pathOf(name), name, manifest, system)])) as Record<
    FileName,
    Uint8Array
  >;
  return { version: manifest.version, calibration: manifest.calibration, files };
}

function manifestOf(bytes: Uint8Array): Manifest {
  let manifest: Partial<Manifest>;
  try {
    manifest = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Manifest>;
  } catch {
    throw new MeliraFailure("damaged", "manifest.json");
  }
  if (typeof manifest !== "object" || manifest === null) throw new MeliraFailure("damaged", "manifest.json");
  if (manifest.format !== FORMAT) throw new MeliraFailure("version", `format ${String(manifest.format)}, expected ${FORMAT}`);
  const named = FILES.every((name) => typeof manifest.files?.[name]?.sha256 === "string");
  const curves = KINDS.every((kind) => isCurve(manifest.calibration?.[kind]));
  if (typeof manifest.version !== "string" || !named || !curves) throw new MeliraFailure("damaged", "manifest.json");
  return manifest as Manifest;
}

function isCurve(value: unknown): value is Curve {
  const { slope, points } = (value ?? {}) as Partial<Curve>;
  const isPoint = (point: unknown) => Array.isArray(point) && point.length === 2 && point.every(Number.isFinite);
  return Number.isFinite(slope) && Array.isArray(points) && points.length > 0 && points.every(isPoint);
}

function readFile(path: string, name: FileName, manifest: Manifest, system: System): Uint8Array {
  const read = system.read(path, CHOSEN.melira_file_bytes);
  if (read === undefined) throw new MeliraFailure("missing", path);
  const { bytes, sha256 } = manifest.files[name];
  if (read.cut || read.bytes.length !== bytes || new Bun.CryptoHasher("sha256").update(read.bytes).digest("hex") !== sha256)
    throw new MeliraFailure("damaged", name);
  return read.bytes;
}
