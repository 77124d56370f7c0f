/** An entry point exports no more names than the plan allows. Every exported name is public API, so limits may only shrink. */
import ts from "typescript-ast";
import type { Finding, House, Package, SourceFile } from "../house.ts";
import { entryPointNames, isGenerated, ourFolder } from "../plan.ts";

/** Share of its limit that an entry point may leave unused before the limit must be lowered. */
const slack = 0.1;

export const entryPoints =
  (limits: Readonly<Record<string, number>> = entryPointNames) =>
  (house: House): Finding[] =>
    house.packages.flatMap((pkg) =>
      entriesOf(pkg).flatMap(({ name, file }) => {
        const [count, limit] = [exportedNames(file, house).size, limits[name]];
        const say = (message: string): Finding[] => [{ rule: "entry-points", path: file.path, message: `${name} ${message}` }];
        if (limit === undefined) return say(`exports ${count} names and has no limit; add it to entryPointNames in scripts/tidy/plan.ts`);
        if (count > limit) return say(`exports ${count} names, ${limit} are allowed; keep new names internal or add an entry point`);
        return count < limit * (1 - slack) ? say(`exports ${count} names; lower its limit of ${limit} in scripts/tidy/plan.ts`) : [];
      }),
    );

/** Returns the handwritten entry points of a package: name ("drover/testing") and source file. */
function entriesOf(pkg: Package): { readonly name: string; readonly file: SourceFile }[] {
  const files = new Map(pkg.files.map((file) => [file.path, file]));
  return Object.entries(pkg.manifest.exports ?? {}).flatMap(([entry, target]) => {
    const source = typeof target === "object" && target !== null && "drover-source" in target ? String(target["drover-source"]) : "";
    const file = files.get(`packages/${pkg.folder}/${source.replace(/^\.\//, "")}`);
    return file === undefined || isGenerated(file.path) ? [] : [{ name: pkg.manifest.name + entry.slice(1), file }];
  });
}

/** Returns the names listed one by one and those of packages that are re-exported as a whole. */
function exportedNames(file: SourceFile, house: House): Set<string> {
  const names = new Set<string>();
  for (const statement of file.tree.statements) {
    if (ts.isExportDeclaration(statement)) {
      if (statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause))
        for (const element of statement.exportClause.elements) names.add(element.name.text);
      else for (const name of namesOfPackage(statement.moduleSpecifier, house)) names.add(name);
    } else if (ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) {
      for (const name of declaredBy(statement)) names.add(name);
    }
  }
  return names;
}

function namesOfPackage(specifier: ts.Expression | undefined, house: House): Iterable<string> {
  const folder = specifier !== undefined && ts.isStringLiteral(specifier) ? ourFolder(specifier.text) : undefined;
  const index = house.packages.find((pkg) => pkg.folder === folder)?.files.find(({ path }) => path === `packages/${folder}/src/index.ts`);
  return index === undefined ? [] : exportedNames(index, house);
}

function declaredBy(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText());
  return "name" in statement && statement.name !== undefined ? [(statement.name as ts.Identifier).text] : [];
}
