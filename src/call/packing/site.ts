/** What deployment tools upload: the site's own folder, named by the command or by the tool's configuration. */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Work } from "./pattern.ts";
import { type Packed, partly } from "./chosen.ts";
import { fieldsOf, joined, jsonOf, textsOf, tomlOf } from "./text.ts";
import { type Rules, walk } from "./walk.ts";

const HIDDEN = /(?:^|\/)\.(?!well-known(?:\/|$))|(?:^|\/)node_modules(?:\/|$)/;
const COMMON = /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/;

/** The files of the site or service in `folder` that `tool` uploads. */
export function site(tool: string, folder: string, system: System, work: Work): readonly Packed[] {
  const exactly = (place: string, rules: Rules): readonly Packed[] => {
    const { files, cut } = walk(place, rules, system, work);
    return [{ folder: place, files: files.map((relative) => ({ relative, surely: true })), cut }];
  };
  const about = (place: string, rules: Rules): readonly Packed[] => [{ folder: place, ...partly(walk(place, rules, system, work)) }];
  switch (tool) {
    case "vercel":
      return about(folder, {
        ignoreFiles: [".vercelignore", ".gitignore"],
        never:
          /(?:^|\/)(?:\.git|\.hg|\.svn|node_modules|\.env(?:\.[^/]{1,60})?\.local|\.env\.local|\.vercel|\.venv|venv|__pycache__|\.next|\.cache|npm-debug\.log|\.(?:git|npm|docker)ignore|\.DS_Store)(?:\/|$)|(?:^|\/)\.[^/]{1,60}\.swp$/,
      });
    case "netlify": {
      const place = stated(fieldsOf(tomlOf(`${folder}/netlify.toml`, system)["build"])["publish"], folder);
      return place === undefined ? [] : exactly(place, { never: HIDDEN });
    }
    case "wrangler":
      return worker(folder, system).flatMap((place) => exactly(place, { ignoreFiles: [".assetsignore"], never: COMMON }));
    case "firebase":
      return hosting(folder, system, work);
    case "gcloud":
      // Without an ignore file of its own the tool writes one that takes over .gitignore.
      return about(folder, { ignoreFiles: [".gcloudignore", ".gitignore"], never: COMMON });
    case "railway":
      return about(folder, { git: true, ignoreFiles: [".railwayignore"], never: COMMON });
    case "heroku":
      return about(folder, { ignoreFiles: [".slugignore"], git: true, never: COMMON });
    case "eb":
      return about(folder, { ignoreFiles: [".ebignore", ".gitignore"], never: COMMON });
    case "helm":
      return exactly(folder, { ignoreFiles: [".helmignore"], never: COMMON });
    case "dotted":
      // Names that begin with a dot go as well.
      return exactly(folder, { never: COMMON });
    default:
      return exactly(folder, { never: HIDDEN });
  }
}

function stated(value: unknown, folder: string): string | undefined {
  return typeof value === "string" && value !== "" ? joined(folder, value) : undefined;
}

/** Static files of a Worker or of Pages, as the project's configuration names them. */
function worker(folder: string, system: System): readonly string[] {
  const config = [
    jsonOf(`${folder}/wrangler.json`, system),
    jsonOf(`${folder}/wrangler.jsonc`, system),
    tomlOf(`${folder}/wrangler.toml`, system),
  ];
  return config.flatMap((one) => {
    const { assets, pages_build_output_dir: pages, site: old } = one;
    return [
      stated(typeof assets === "string" ? assets : fieldsOf(assets)["directory"], folder),
      stated(pages, folder),
      stated(fieldsOf(old)["bucket"], folder),
    ].filter((place) => place !== undefined);
  });
}

/** What one call of Bun's glob costs beside its pattern, as characters of a pattern. */
const GLOB_WORK = 20;

/** `firebase.json`: one or several sites with their own ignore lists. */
function hosting(folder: string, system: System, work: Work): readonly Packed[] {
  const listed = jsonOf(`${folder}/firebase.json`, system)["hosting"];
  const sites = Array.isArray(listed) ? listed : listed === undefined ? [] : [listed];
  return sites.flatMap((one): readonly Packed[] => {
    const config = fieldsOf(one);
    const place = stated(config["public"], folder);
    if (place === undefined) return [];
    const patterns = (textsOf(config["ignore"]) ?? []).slice(0, CHOSEN.ignore_lines).map((pattern) => ({
      length: pattern.length,
      glob: new Bun.Glob(pattern),
    }));
    const { files, cut } = walk(
      place,
      {
        never: COMMON,
        takes: (relative) =>
          !patterns.some(({ length, glob }) => {
            work.spend(GLOB_WORK + length);
            return !work.spent && glob.match(relative);
          }),
      },
      system,
      work,
    );
    return [{ folder: place, files: files.map((relative) => ({ relative, surely: true })), cut }];
  });
}
