/**
 * Which files of a package exist for its tests. They are neither built nor published, so the layer rules do not apply
 * to them: a test of `patterns` may start `@drover/apiserver`.
 *
 *     *.test.ts · *-scene.ts · *-rig.ts · everything in a folder testing/, unless the entry point ./testing reaches it
 */
import { resolveRelative, type Manifest, type Package, type SourceFile } from "./house.ts";

/** Returns the paths of the files that only tests may import. */
export function testFiles(pkg: Package): ReadonlySet<string> {
  const published = publishedForTests(pkg);
  return new Set(
    pkg.files.filter((file) => file.isTest || (isNamedForTests(file.path) && !published.has(file.path))).map(({ path }) => path),
  );
}

const isNamedForTests = (path: string): boolean => /\/testing\/|-(?:scene|rig)\.ts$/.test(path);

/** Returns the files that users reach through the entry point `./testing`. */
function publishedForTests(pkg: Package): Set<string> {
  const files = new Map(pkg.files.map((file) => [file.path, file]));
  const entry = pkg.manifest.exports?.["./testing"] === undefined ? undefined : files.get(`packages/${pkg.folder}/src/testing.ts`);
  const reached = new Set<string>();
  const waiting: SourceFile[] = entry === undefined ? [] : [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    reached.add(file.path);
    for (const { specifier } of file.imports) {
      const next = specifier.startsWith(".") ? files.get(resolveRelative(file.path, specifier)) : undefined;
      if (next !== undefined && !reached.has(next.path)) waiting.push(next);
    }
  }
  return reached;
}

/** Reports whether `npm pack` would pack a file, by `files` of the manifest. The path starts at the package's folder. */
export function isPacked({ files }: Manifest, path: string): boolean {
  if (files === undefined) return true;
  const matches = (pattern: string): boolean => globExpression(pattern).test(path);
  const [refused, taken] = [files.filter((entry) => entry.startsWith("!")), files.filter((entry) => !entry.startsWith("!"))];
  return taken.some(matches) && !refused.some((entry) => matches(entry.slice(1)));
}

/** Converts a pattern of a manifest to a regular expression; a folder matches everything in it. */
function globExpression(pattern: string): RegExp {
  const body = pattern
    .split(/(\*\*\/|\*\*|\*)/)
    .map((part) => {
      if (part === "**/") return "(?:.*/)?";
      if (part === "**") return ".*";
      return part === "*" ? "[^/]*" : part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
    })
    .join("");
  return new RegExp(`^${body}(?:/.*)?$`);
}
