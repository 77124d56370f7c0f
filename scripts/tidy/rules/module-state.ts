/**
 * A module has no mutable state: no `let`, no mutable collection and no mutable static field. Two clusters in one
 * process share nothing.
 */
import ts from "typescript-ast";
import { lineOf, type Finding, type House, type SourceFile } from "../house.ts";

const collections: readonly string[] = ["Map", "Set", "WeakMap", "WeakSet", "Array"];

export function moduleState(house: House): Finding[] {
  return house.packages.flatMap((pkg) => pkg.files.filter((file) => !file.isTest).flatMap(check));
}

/** A declaration at the beginning of a line that may be module state. */
const suspicious = /^(?:export\s+)?(?:let|var)\b|^(?:export\s+)?const\s[^=]*=\s*(?:new\b|\[|\{)|\bstatic\b/m;

function check(file: SourceFile): Finding[] {
  if (!suspicious.test(file.text)) return [];
  const findings: Finding[] = [];
  const say = (node: ts.Node, message: string): void =>
    void findings.push({ rule: "module-state", path: file.path, line: lineOf(file, node), message });
  for (const statement of file.tree.statements) {
    if (ts.isVariableStatement(statement)) {
      if ((statement.declarationList.flags & ts.NodeFlags.Const) === 0)
        say(statement, "module-level let; move it into an object that the caller creates");
      for (const declaration of statement.declarationList.declarations) {
        if (isMutable(declaration))
          say(
            declaration,
            `${declaration.name.getText(file.tree)} can change; type it readonly (ReadonlyMap, readonly T[], Readonly<Record<…>>, as const) or move it into an object that the caller creates`,
          );
      }
    } else if (ts.isClassDeclaration(statement)) {
      for (const member of statement.members) {
        const modifiers = ts.isPropertyDeclaration(member) ? (member.modifiers ?? []).map((modifier) => modifier.kind) : [];
        if (modifiers.includes(ts.SyntaxKind.StaticKeyword) && !modifiers.includes(ts.SyntaxKind.ReadonlyKeyword))
          say(member, "a static field is module state; make it readonly or an instance field");
      }
    }
  }
  return findings;
}

function isMutable({ type, initializer }: ts.VariableDeclaration): boolean {
  if (initializer === undefined || ts.isAsExpression(initializer)) return false;
  const isCollection =
    ts.isNewExpression(initializer) && ts.isIdentifier(initializer.expression) && collections.includes(initializer.expression.text);
  if (!isCollection && !ts.isArrayLiteralExpression(initializer) && !ts.isObjectLiteralExpression(initializer)) return false;
  if (type === undefined) return true;
  if (ts.isTypeOperatorNode(type)) return type.operator !== ts.SyntaxKind.ReadonlyKeyword;
  if (ts.isArrayTypeNode(type) || ts.isTypeLiteralNode(type)) return true;
  if (!ts.isTypeReferenceNode(type)) return false;
  const name = type.typeName.getText();
  return collections.includes(name) || name === "Record";
}
