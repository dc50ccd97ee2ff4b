/** Random package folders: lists, ignore files, nested and negated, hidden names, links, workspaces. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";

const FOLDERS = ["", "", "", "dist/", "src/", "src/deep/", "test/", ".hidden/", "node_modules/dep/", "packages/a/", "Build/", ".git/"];
const NAMES = [
  ".env",
  ".env.local",
  "index.js",
  "a.test.js",
  "README.md",
  "readme",
  "LICENSE.txt",
  "key.pem",
  ".npmrc",
  "x.log",
  "Config.JSON",
  "yarn.lock",
  "package-lock.json",
  "._x",
  "a.orig",
  ".DS_Store",
  "CHANGELOG.md",
  "@scope.js",
];
const path = fc.tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES)).map(([folder, name]) => folder + name);
const line = fc.oneof(
  path,
  path.map((one) => `/${one}`),
  path.map((one) => `!${one}`),
  fc.constantFrom(
    "*.log",
    "dist",
    "dist/",
    "/dist",
    "src/**",
    "**/deep",
    "test",
    "!test",
    "*",
    "!*.js",
    ".*",
    "!.env",
    "!.env*",
    "# note",
    "",
    "  *.pem  ",
    "src/*",
    "!src/deep/",
    "**/*.js",
    "{src,test}/*.js",
    ".env*",
    "node_modules",
    "CONFIG.json",
    "./src",
    "*.[jt]s",
    "**",
    "!**/*.md",
    "/*",
    "\\!x",
    "build",
    "deep/..",
    "src/deep",
    "[a-c]*",
    "!!dist",
    "*.{js,json}",
    "?eadme",
  ),
);
const listed = fc.oneof(
  path,
  path.map((one) => `./${one}`),
  path.map((one) => `!${one}`),
  fc.constantFrom(
    "dist",
    "dist/",
    "/dist",
    "./dist",
    "src",
    "src/*",
    "src/**/*",
    "*",
    "**/*.js",
    "!test",
    "!**/*.test.js",
    "*.md",
    ".env*",
    ".",
    "./",
    "lib",
    "!dist/.env",
    ".hidden",
    "packages",
    "{dist,src}",
    "*.js",
    "**/.env",
    "SRC",
    "test/../src",
  ),
);
const lines = fc.array(line, { maxLength: 5 }).map((all) => all.join("\n"));
export const scene = fc.record({
  files: fc.array(path, { minLength: 3, maxLength: 14 }),
  manifest: fc.record(
    {
      files: fc.array(listed, { maxLength: 4 }),
      main: fc.constantFrom("dist/index.js", "./index.js", "src/index.js", "dist"),
      bin: fc.constantFrom("./src/index.js", { x: "dist/index.js", y: "../y.js" }),
      browser: fc.constantFrom("index.js", { fs: false }),
      workspaces: fc.constant(["packages/*"]),
      bundleDependencies: fc.constant(["dep"]),
    },
    { requiredKeys: [] },
  ),
  ignore: fc.record(
    {
      ".npmignore": lines,
      ".gitignore": lines,
      "src/.npmignore": lines,
      "src/.gitignore": lines,
      "src/deep/.gitignore": lines,
      "packages/a/.gitignore": lines,
      "packages/a/.npmignore": lines,
    },
    { requiredKeys: [] },
  ),
  inner: fc.record({ files: fc.array(listed, { maxLength: 3 }) }, { requiredKeys: [] }),
  links: fc.boolean(),
  /** Packed as a workspace of the folder above. */
  from: fc.constantFrom("root" as const, "root" as const, "root" as const, "packages/a" as const),
});
export type Scene = typeof scene extends fc.Arbitrary<infer One> ? One : never;

/** Writes a package to disk. */
export function build(root: string, one: Scene): void {
  const put = (name: string, content: string): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  };
  const { bundleDependencies } = one.manifest;
  for (const name of one.files) put(name, name);
  put(
    "package.json",
    JSON.stringify({
      name: "p",
      version: "1.0.0",
      ...one.manifest,
      ...(bundleDependencies === undefined ? {} : { dependencies: { dep: "1" } }),
    }),
  );
  put("packages/a/package.json", JSON.stringify({ name: "a", version: "1.0.0", ...one.inner }));
  put("node_modules/dep/package.json", JSON.stringify({ name: "dep", version: "1.0.0" }));
  for (const [name, content] of Object.entries(one.ignore)) if (content !== undefined) put(name, content);
  if (one.links) {
    symlinkSync("../package.json", join(root, "link.json"));
    symlinkSync("src", join(root, "linked"));
  }
}
