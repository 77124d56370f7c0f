/**
 * `index.ts` exists only at a package's root and lists names one by one. A package has at most two entry points.
 * Exceptions: `api` has one per group version and three for what few programs load, `machinery` one each for CEL, codes, protobuf,
 * certificates and Node, `apiserver` one for sockets, and `drover` one each for the built-in kinds, for bridges to other libraries, and for
 * the names of client-go, Lasso and Wrangler.
 */
import ts from "typescript-ast";
import { lineOf, type Finding, type House, type Package } from "../house.ts";

const usualDoors: readonly string[] = [".", "./testing", "./package.json"];

/** Packages that need more entry points. */
const moreDoors: ReadonlyMap<string, RegExp> = new Map([
  ["api", /^\.\/(?:quota|schemas|shapes|[a-z0-9-]+\/v[a-z0-9]+)$/],
  ["apiserver", /^\.\/node$/],
  ["machinery", /^\.\/(?:cel|codes|node|protobuf|x509)$/],
  ["drover", /^\.\/(?:kinds|bridges|client|cache|controller|machinery|client-go|lasso|wrangler)$/],
]);

export function doors(house: House): Finding[] {
  return house.packages.flatMap((pkg) => [...extraDoors(pkg), ...innerIndexes(pkg), ...starExports(pkg)]);
}

function extraDoors(pkg: Package): Finding[] {
  const path = `packages/${pkg.folder}/package.json`;
  return Object.keys(pkg.manifest.exports ?? {})
    .filter((door) => !usualDoors.includes(door) && moreDoors.get(pkg.folder)?.test(door) !== true)
    .map((door) => ({ rule: "doors", path, message: `"${door}" is an extra entry point; a package has "." and "./testing"` }));
}

const innerIndexes = (pkg: Package): Finding[] =>
  pkg.files
    .filter((file) => file.path.endsWith("/index.ts") && file.path !== `packages/${pkg.folder}/src/index.ts`)
    .map((file) => ({ rule: "doors", path: file.path, message: "index.ts belongs only at a package's root; import the file itself" }));

function starExports(pkg: Package): Finding[] {
  const findings: Finding[] = [];
  for (const file of pkg.files) {
    if (!/\bexport\s*(?:type\s*)?\*/.test(file.text)) continue;
    for (const node of file.tree.statements) {
      if (!ts.isExportDeclaration(node) || node.moduleSpecifier === undefined) continue;
      if (node.exportClause !== undefined && ts.isNamedExports(node.exportClause)) continue;
      if (isWholePackage(file.path, node.moduleSpecifier)) continue;
      findings.push({
        rule: "doors",
        path: file.path,
        line: lineOf(file, node),
        message: "export * hides which names are public; list them one by one",
      });
    }
  }
  return findings;
}

/** `drover/client-go` re-exports all of `@drover/client-go`, whose index lists the names. */
const isWholePackage = (path: string, specifier: ts.Expression): boolean =>
  ts.isStringLiteral(specifier) &&
  specifier.text.startsWith("@drover/") &&
  /^packages\/drover\/src\/[a-z-]+\.ts$/.test(path) &&
  !path.endsWith("/index.ts");
