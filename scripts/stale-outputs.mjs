/**
 * The first step of `npm run build`: removes what the compiler wrote for sources that no longer exist. The compiler itself leaves it, and
 * a package would then contain files that a build of a fresh clone does not.
 *
 *     packages/a/dist/b.js, b.d.ts, b.js.map without packages/a/src/b.ts  →  removed
 */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const output = /\.(?:js|d\.ts)(?:\.map)?$/;

/** Returns the compiler's outputs below `outDir`, relative to it, for which `rootDir` has no source. */
export function staleOutputs(outDir, rootDir) {
  if (!existsSync(outDir)) return [];
  return readdirSync(outDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && output.test(entry.name))
    .map((entry) => relative(outDir, join(entry.parentPath, entry.name)))
    .filter((path) => !existsSync(join(rootDir, path.replace(output, ".ts"))));
}

/** The folders of the compiler's projects, from the file that lists them. */
function projects(root) {
  const { references } = JSON.parse(readFileSync(join(root, "tsconfig.build.json"), "utf8"));
  return references.map(({ path }) => {
    const { rootDir, outDir } = JSON.parse(readFileSync(join(root, path, "tsconfig.json"), "utf8")).compilerOptions;
    return { rootDir: join(root, path, rootDir), outDir: join(root, path, outDir) };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  for (const { rootDir, outDir } of projects(root)) for (const path of staleOutputs(outDir, rootDir)) rmSync(join(outDir, path));
}
