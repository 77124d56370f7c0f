/**
 * The places where the packages call code of their users: function types and function-typed members of option interfaces that an entry
 * point exports. The table of hostile values must cover each.
 *
 *     House → callbackPlaces → "cache InformerOptions.transform"
 */
import ts from "typescript-ast";
import { resolveRelative, type House, type Package, type SourceFile } from "./house.ts";
import { withoutStrangers } from "./plan.ts";

/** Interfaces that users fill in. Others are values that the packages return. */
const filledIn =
  /(?:Options|Config|Declaration|Definition|Funcs|Handlers?|Limiter|Recorder|Request|Reconciler|Runnable|Source|Spec|(?<!Recording)Tape)$/;

/** Returns every place as "package Type" or "package Interface.member", sorted. */
export function callbackPlaces(house: House): readonly string[] {
  const places = house.packages.filter(({ folder }) => !withoutStrangers.includes(folder) && folder !== "cli").flatMap(placesOf);
  return [...new Set(places)].toSorted();
}

function placesOf(pkg: Package): string[] {
  const files = new Map(pkg.files.map((file) => [file.path, file]));
  const index = files.get(`packages/${pkg.folder}/src/index.ts`);
  if (index === undefined) return [];
  return index.tree.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined || statement.exportClause === undefined) return [];
    if (!ts.isNamedExports(statement.exportClause) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const file = files.get(resolveRelative(index.path, statement.moduleSpecifier.text));
    if (file === undefined) return [];
    return statement.exportClause.elements.flatMap(({ name }) => placesIn(file, name.text).map((place) => `${pkg.folder} ${place}`));
  });
}

function placesIn(file: SourceFile, name: string): string[] {
  for (const statement of file.tree.statements) {
    if (ts.isTypeAliasDeclaration(statement) && statement.name.text === name) return ts.isFunctionTypeNode(statement.type) ? [name] : [];
    if (ts.isInterfaceDeclaration(statement) && statement.name.text === name && filledIn.test(name))
      return statement.members.flatMap((member) => (isCallback(member) ? [`${name}.${member.name.getText(file.tree)}`] : []));
  }
  return [];
}

function isCallback(member: ts.TypeElement): member is ts.TypeElement & { readonly name: ts.PropertyName } {
  if (ts.isMethodSignature(member)) return true;
  return ts.isPropertySignature(member) && member.type !== undefined && hasFunction(member.type);
}

/** Also `(…) => void | undefined`, a list of functions, and a record of functions. */
function hasFunction(type: ts.TypeNode): boolean {
  if (ts.isFunctionTypeNode(type)) return true;
  if (ts.isParenthesizedTypeNode(type)) return hasFunction(type.type);
  return ts.isUnionTypeNode(type) && type.types.some(hasFunction);
}
