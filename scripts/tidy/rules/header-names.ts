/**
 * Names in header diagrams must exist in the code: an outdated diagram is worse than none.
 *
 *     first block comment → lines with an arrow, indented → names in them → code of the package and of those it imports
 *
 * Names are words in camelCase or PascalCase, `name.member` and `name(…)`. Plain lowercase words are prose, and quoted
 * text is data.
 */
import { ourFolder, staleHeaders } from "../plan.ts";
import type { Finding, House, Package, SourceFile } from "../house.ts";

export function headerNames(house: House): Finding[] {
  const words = new Map<string, ReadonlySet<string>>();
  const wordsOf = (key: string, files: readonly SourceFile[]): ReadonlySet<string> => {
    const known = words.get(key);
    if (known !== undefined) return known;
    const found = new Set(files.flatMap((file) => identifiersIn(file.text)));
    words.set(key, found);
    return found;
  };
  const byFolder = new Map(house.packages.map((pkg) => [pkg.folder, pkg]));
  const ofPackage = (pkg: Package): ReadonlySet<string> => wordsOf(pkg.folder, pkg.files);
  const inPackages = house.packages.flatMap((pkg) => {
    const around = lazily(() => [pkg, ...importedBy(pkg, byFolder)]);
    return pkg.files.flatMap((file) => check(file, (name) => byFolder.has(name) || around().some((each) => ofPackage(each).has(name))));
  });
  const inYard = house.yard.flatMap((file) => {
    const yard = file.path.split("/")[0] ?? "";
    const isKnown = (name: string): boolean =>
      wordsOf(
        `/${yard}`,
        house.yard.filter(({ path }) => path.startsWith(`${yard}/`)),
      ).has(name) || house.packages.some((pkg) => pkg.folder === name || ofPackage(pkg).has(name));
    return check(file, isKnown);
  });
  return [...inPackages, ...inYard];
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function importedBy(pkg: Package, byFolder: ReadonlyMap<string, Package>): Package[] {
  const folders = new Set(pkg.files.flatMap((file) => file.imports.map(({ specifier }) => ourFolder(specifier))));
  return [...folders].flatMap((folder) => byFolder.get(folder ?? "") ?? []);
}

function check(file: SourceFile, isKnown: (name: string) => boolean): Finding[] {
  if (staleHeaders.includes(file.path)) return [];
  return diagramLines(file.text).flatMap(({ text, line }) =>
    namesIn(text)
      .filter((name) => !isKnown(name) && !isKnown(singular(name)))
      .map((name) => ({
        rule: "header-names",
        path: file.path,
        line,
        message: `the diagram names "${name}", which is not in the code; use its current name or plain words`,
      })),
  );
}

/** Returns the lines of the header comment that are indented like code and have an arrow. */
function diagramLines(text: string): { readonly text: string; readonly line: number }[] {
  const header = /^\/\*\*?[\s\S]*?\*\//.exec(text)?.[0];
  if (header === undefined || !/[→←⇄]/.test(header)) return [];
  return header.split("\n").flatMap((each, index) => (/^ \* {4,}.*[→←⇄]/.test(each) ? [{ text: each.slice(2), line: index + 1 }] : []));
}

/** Returns the words written as identifiers; members and calls may be lowercase. */
function namesIn(line: string): string[] {
  const bare = line
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, " ")
    .replaceAll(/[\w./-]*\.(?:test\.)?[cm]?[jt]sx?\b|[\w-]+(?:\/[\w.-]+)+|\b(?:e\.g|i\.e)\./g, " ");
  const found = new Set<string>();
  for (const [word] of bare.matchAll(/(?<![\w$.-])[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\()?(?![\w-])/g)) {
    const parts = word.replace(/\($/, "").split(".");
    const isCode = parts.length > 1 || word.endsWith("(");
    for (const part of parts) if (isCode || /^[a-z]+[A-Z]|^[A-Z]+[a-z]\w*[A-Z]|^[A-Z][a-z]/.test(part)) found.add(part);
  }
  return [...found];
}

/** "Nodes" in a diagram refers to `Node`. */
const singular = (name: string): string => name.replace(/(?<=ss|x|ch)es$|s$/, "");

/** Returns every word outside comments, words in strings included. */
const identifiersIn = (text: string): readonly string[] =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, " ")
    .replaceAll(/(?:^|\s)\/\/.*$/gm, " ")
    .match(/[A-Za-z_$][\w$]*/g) ?? [];
