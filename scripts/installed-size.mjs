/** The size of an installation: the packages in a node_modules folder, nested ones included, and the bytes of all its files. */
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, sep } from "node:path";

/** Limits for `npm install drover`: the package and its dependencies. */
export const facadeBounds = { packages: 5, bytes: 5_000_000 };

/** Counts below `folder`/node_modules, without npm's own files there (names that begin with a dot). */
export function installedSize(folder) {
  const modules = join(folder, "node_modules");
  const paths = readdirSync(modules, { recursive: true, encoding: "utf8" }).filter((path) => !path.startsWith("."));
  const bytes = paths.map((path) => statSync(join(modules, path))).reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
  return { packages: paths.filter((path) => isPackage(modules, path)).length, bytes };
}

/** A manifest with a name and a version; others only say how to read the files beside them. */
function isPackage(modules, path) {
  if (!/(?:^|\/node_modules\/)(?:@[^/]+\/)?[^@/]+\/package\.json$/.test(path.split(sep).join("/"))) return false;
  const { name, version } = JSON.parse(readFileSync(join(modules, path), "utf8"));
  return typeof name === "string" && typeof version === "string";
}
