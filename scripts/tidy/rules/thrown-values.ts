/**
 * A caught value is a stranger's: it may be a revoked proxy or an error whose getters throw. So code reads it only through the accessors
 * of machinery/src/error-text.ts and through predicates made by `errorBrand`.
 *
 *     catch (error), (error: unknown) → error instanceof Error · String(error) · `${error}` · (error as Error).message → a finding
 *
 * In packages that call no code of users, casts and `instanceof` with a class of our own are allowed: there the value is ours.
 */
import ts from "typescript-ast";
import { lineOf, walk, type Finding, type House, type SourceFile } from "../house.ts";
import { accessorsOfThrownValues, withoutStrangers } from "../plan.ts";
import { testFiles } from "../test-files.ts";

const builtIn: readonly string[] = [
  "Error",
  "AggregateError",
  "DOMException",
  "EvalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
  "URIError",
];
/** Names of parameters of type unknown that are thrown values. */
const thrownName = /^(?:again|cause|err|error|failure|reason|thrown)$/i;

export function thrownValues(house: House): Finding[] {
  return house.packages.flatMap((pkg) => {
    const forTests = testFiles(pkg);
    return pkg.files
      .filter(({ path }) => !forTests.has(path) && !accessorsOfThrownValues.includes(path))
      .flatMap((file) => check(file, !withoutStrangers.includes(pkg.folder)));
  });
}

/** A quick check before parsing. */
const suspicious = /\binstanceof\b|\bString\(|\bas\b|\$\{/;

function check(file: SourceFile, hasStrangers: boolean): Finding[] {
  if (!/\bcatch\b|\bunknown\b/.test(file.text) || !suspicious.test(file.text)) return [];
  const findings: Finding[] = [];
  walk(file.tree, (node) => {
    const bound = boundName(node);
    if (bound === undefined) return;
    walk(bound.scope, (inner) => {
      const instead = problemOf(inner, bound.name, hasStrangers);
      if (instead !== undefined)
        findings.push({
          rule: "thrown-values",
          path: file.path,
          line: lineOf(file, inner),
          message: `${inner.getText(file.tree).split("\n")[0]} can throw for what a stranger threw; use ${instead} of machinery`,
        });
    });
  });
  return findings;
}

/** Returns the thrown value that a catch clause or a function receives, and where it is visible. */
function boundName(node: ts.Node): { readonly name: string; readonly scope: ts.Node } | undefined {
  if (ts.isCatchClause(node)) {
    const name = node.variableDeclaration?.name;
    return name !== undefined && ts.isIdentifier(name) ? { name: name.text, scope: node.block } : undefined;
  }
  if (!ts.isParameter(node) || !ts.isIdentifier(node.name) || node.type?.kind !== ts.SyntaxKind.UnknownKeyword) return undefined;
  const body = "body" in node.parent ? (node.parent.body as ts.Node | undefined) : undefined;
  return body !== undefined && thrownName.test(node.name.text) ? { name: node.name.text, scope: body } : undefined;
}

/** Returns what to use instead of this expression; undefined when it is harmless. */
function problemOf(node: ts.Node, name: string, hasStrangers: boolean): string | undefined {
  const isIt = (expression: ts.Node): boolean => ts.isIdentifier(expression) && expression.text === name;
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword && isIt(node.left)) {
    const type = node.right.getText();
    return hasStrangers || builtIn.includes(type) ? `isError or isInstanceOf(${name}, ${type})` : undefined;
  }
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "String")
    return node.arguments.some(isIt) ? `errorText(${name})` : undefined;
  if (ts.isTemplateSpan(node)) return isIt(node.expression) ? `errorText(${name})` : undefined;
  if (hasStrangers && ts.isPropertyAccessExpression(node) && ts.isParenthesizedExpression(node.expression)) {
    const inner = node.expression.expression;
    return ts.isAsExpression(inner) && isIt(inner.expression) ? "errorText, errorName, errorStack, errorCause or errorCode" : undefined;
  }
  return undefined;
}
