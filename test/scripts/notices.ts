/**
 * Writes install/THIRD_PARTY_NOTICES: whose work is inside the built product, and under which terms.
 *
 *   bun test/scripts/notices.ts            write it
 *   bun test/scripts/notices.ts --check    exit 1 when it is not current
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Where the notices lie, relative to the root. */
export const NOTICES_FILE = "install/THIRD_PARTY_NOTICES";

/** What the runtime's authors ask to be said; their full list stands in Bun's own repository. */
const RUNTIME = `Bun
The program libexec/poisonzero is made with Bun (https://bun.com), Copyright (c) Oven, used under the MIT License.
Bun contains JavaScriptCore and parts of WebKit (https://webkit.org), Copyright (c) Apple Inc. and others, used under the
GNU Library General Public License version 2 and BSD licenses. Bun's source, its patched WebKit and the instructions to
build Bun with a changed JavaScriptCore and to relink it are at https://github.com/oven-sh/bun and
https://github.com/oven-sh/WebKit; poisonzero's own source is built into any such Bun with \`bun run build\`.
Bun links further libraries statically, among them BoringSSL (several, mainly ISC and OpenSSL), brotli (MIT), c-ares (MIT),
libarchive (BSD), libdeflate (MIT), lol-html (BSD-3-Clause), ls-hpack (MIT), mimalloc (MIT), simdutf (Apache-2.0),
SQLite (public domain), uWebSockets (Apache-2.0), zlib (zlib) and zstd (BSD). Their notices: https://bun.com/docs/project/license
The names of some environment variables were taken out of the copy of Bun that poisonzero ships (targets/runtime.ts).`;

const ONNX_RUNTIME = `MIT License

Copyright (c) Microsoft Corporation

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH
THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

libexec/melira/runtime.wasm is this package's WebAssembly module. Linked into it are, among others, abseil (Apache-2.0), Eigen (MPL-2.0),
FlatBuffers (Apache-2.0), MLAS, ONNX (Apache-2.0), protobuf (BSD-3-Clause), re2 (BSD-3-Clause), safeint (MIT) and parts of emscripten (MIT).
Their notices: https://github.com/microsoft/onnxruntime/blob/main/ThirdPartyNotices.txt`;

/** What the model's files hold of other people's models (models/melira/teacher.py, judge.py). */
const WORD_VECTORS = `all-MiniLM-L6-v2
libexec/melira/judge.onnx and pieces.txt are made of the weights and the vocabulary of all-MiniLM-L6-v2 (sentence-transformers), and some
of the numbers in reader.onnx are computed from them, used under the Apache License, Version 2.0:
http://www.apache.org/licenses/LICENSE-2.0. They were changed: reduced in number, trained further and rounded.`;

/** Packages that bring no licence text, or need fewer packages than they name: of this one only the WebAssembly backend is built in. */
const BY_HAND: Readonly<Record<string, { readonly licence: string; readonly needs: readonly string[] }>> = {
  "onnxruntime-web": { licence: ONNX_RUNTIME, needs: ["onnxruntime-common"] },
  "onnxruntime-common": { licence: "The terms are those of onnxruntime-web below.", needs: [] },
};

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const read = (file: string): Manifest => JSON.parse(readFileSync(file, "utf8"));

/** The runtime packages with everything they need themselves, sorted by name. */
function packages(root: string): Manifest[] {
  const found = new Map<string, Manifest>();
  const queue = Object.keys(read(join(root, "package.json")).dependencies ?? {});
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (found.has(name)) continue;
    const manifest = read(join(root, "node_modules", name, "package.json"));
    found.set(name, manifest);
    queue.push(...(BY_HAND[name]?.needs ?? Object.keys(manifest.dependencies ?? {})));
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The text of the notices as they should be now. Throws when a package brings no licence text. */
export function notices(root: string): string {
  const parts = packages(root).map(({ name, version, license }) => {
    const folder = join(root, "node_modules", name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = BY_HAND[name]?.licence ?? (file && readFileSync(join(folder, file), "utf8"));
    if (!text) throw new Error(`${name} has no licence file. Next step: add its licence by hand here.`);
    return `${name} ${version} (${license ?? "see below"})\n\n${text.replace(/\r\n/g, "\n").trim()}`;
  });
  const head = "poisonzero contains the work of others. This file is made by test/scripts/notices.ts.";
  return `${[head, RUNTIME, WORD_VECTORS, ...parts].join(`\n\n${"-".repeat(100)}\n\n`)}\n`;
}

if (import.meta.main) {
  const root = resolve(import.meta.dir, "../..");
  const file = join(root, NOTICES_FILE);
  if (!Bun.argv.includes("--check")) writeFileSync(file, notices(root));
  else if (!existsSync(file) || readFileSync(file, "utf8") !== notices(root)) {
    console.error(`${NOTICES_FILE} is not current. Next step: bun test/scripts/notices.ts`);
    process.exitCode = 1;
  }
}
