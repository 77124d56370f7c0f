/**
 * The house as tidy sees it: packages with their manifests, and source files as text with a syntax tree.
 * Rules are pure functions on it, so a test can build a house of three lines and see a rule fail.
 */
import ts from "typescript-ast";

export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly type?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

export interface SourceFile {
  /** From the root of the repository: "packages/cache/src/store.ts". */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  readonly isTest: boolean;
}

export interface Package {
  /** The folder under packages: "cache". */
  readonly folder: string;
  readonly manifest: Manifest;
  readonly files: readonly SourceFile[];
}

export interface House {
  readonly packages: readonly Package[];
  /** Scripts, benchmarks, conformance tests, examples: held to names and sizes, not to layers. */
  readonly yard: readonly SourceFile[];
}

export interface Finding {
  readonly rule: string;
  readonly path: string;
  readonly line?: number;
  /** What is wrong and what to do instead. */
  readonly message: string;
}

export type Rule = (house: House) => Finding[];

export function sourceFile(path: string, text: string): SourceFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  return { path, text, tree, isTest: path.endsWith(".test.ts") };
}

export const lineOf = (file: SourceFile, node: ts.Node): number => file.tree.getLineAndCharacterOfPosition(node.getStart(file.tree)).line + 1;

/** Visits every node below and including `node`, parents first. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

export interface Import {
  readonly specifier: string;
  readonly node: ts.Node;
}

/** Everything a file imports or re-exports, types and dynamic imports included. */
export function importsOf(file: SourceFile): Import[] {
  const found: Import[] = [];
  walk(file.tree, (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)) {
      found.push({ specifier: node.moduleSpecifier.text, node });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [target] = node.arguments;
      if (target !== undefined && ts.isStringLiteral(target)) found.push({ specifier: target.text, node });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
      found.push({ specifier: node.argument.literal.text, node });
    }
  });
  return found;
}

/** Where a relative import leads, from the root of the repository. */
export function resolveRelative(from: string, specifier: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
