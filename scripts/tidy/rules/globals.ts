/**
 * Time, random numbers, ids, processes and sockets come from a Runtime or a Transport. Only the files listed in
 * `outsideWorld` of plan.ts use the real ones.
 */
import ts from "typescript-ast";
import { lineOf, walk, type Finding, type House, type SourceFile } from "../house.ts";
import { outsideWorld } from "../plan.ts";
import { testFiles } from "../test-files.ts";

const replacements: ReadonlyMap<string, string> = new Map([
  ["Date", "take runtime.clock.now(), and values/time for calendars"],
  ["performance", "take runtime.clock.monotonic()"],
  ["setTimeout", "take runtime.clock.timer() or sleep()"],
  ["setInterval", "take runtime.clock with until()"],
  ["setImmediate", "take runtime.clock.timer(0, …)"],
  ["clearTimeout", "use the value that clock.timer() returns"],
  ["clearInterval", "use the value that clock.timer() returns"],
  ["clearImmediate", "use the value that clock.timer() returns"],
  ["crypto", "take runtime.uid() or runtime.random"],
  ["process", "let drover or cli read it and pass the value in"],
  ["fetch", "take a Transport"],
  ["WebSocket", "take a Transport"],
  ["XMLHttpRequest", "take a Transport"],
  ["console", "take runtime.log"],
  ["require", "import it"],
  ["eval", "data is never run as code"],
  ["Function", "data is never run as code"],
]);

/** A test may read the environment but must not wait in real time. */
const refusedInTests: readonly string[] = ["setTimeout", "setInterval"];

export function globals(house: House): Finding[] {
  return house.packages.flatMap((pkg) => {
    const forTests = testFiles(pkg);
    return pkg.files.filter((file) => !isOutside(file.path)).flatMap((file) => check(file, forTests.has(file.path)));
  });
}

/** A quick check before parsing: a name that does not occur is not used. */
const mentions = new RegExp(`\\b(?:globalThis|random|${[...replacements.keys()].join("|")})\\b`);
const mentionsInTests = new RegExp(`\\b(?:globalThis|${refusedInTests.join("|")})\\b`);

function check(file: SourceFile, isForTests: boolean): Finding[] {
  if (!(isForTests ? mentionsInTests : mentions).test(file.text)) return [];
  let local: ReadonlySet<string> | undefined;
  const findings: Finding[] = [];
  walk(file.tree, (node) => {
    const name = globalName(node);
    const instead = name === undefined ? undefined : replacementFor(name);
    if (name === undefined || instead === undefined || (isForTests && !refusedInTests.includes(name))) return;
    local ??= declaredNames(file);
    if (!local.has(name))
      findings.push({ rule: "globals", path: file.path, line: lineOf(file, node), message: `${name} is not allowed here; ${instead}` });
  });
  return findings;
}

const replacementFor = (name: string): string | undefined => (name === "Math.random" ? "take runtime.random" : replacements.get(name));

/** Returns the name that a node reads from the global scope; undefined when it reads none. */
function globalName(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    if (!ts.isIdentifier(node.expression)) return undefined;
    if (node.expression.text === "globalThis") return node.name.text;
    return node.expression.text === "Math" && node.name.text === "random" ? "Math.random" : undefined;
  }
  if (!ts.isIdentifier(node) || !isExpressionUse(node)) return undefined;
  return node.text;
}

function isExpressionUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent) || ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isTypeNode(parent) || ts.isQualifiedName(parent) || ts.isTypeElement(parent) || ts.isTypeParameterDeclaration(parent))
    return false;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent)) return false;
  if (ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent) || ts.isGetAccessor(parent) || ts.isSetAccessor(parent)) {
    return ts.isPropertyDeclaration(parent) && parent.initializer === node;
  }
  return true;
}

/** Returns the names that the file declares anywhere. Scopes are ignored: shadowing a global is rare and easy to see. */
function declaredNames(file: SourceFile): Set<string> {
  const names = new Set<string>();
  walk(file.tree, (node) => {
    const named =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isImportSpecifier(node) ||
      ts.isImportClause(node) ||
      ts.isClassDeclaration(node);
    if (named && node.name !== undefined && ts.isIdentifier(node.name)) names.add(node.name.text);
  });
  return names;
}

const isOutside = (path: string): boolean => outsideWorld.some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));
