/**
 * The repository as the rules read it: packages with their manifests, and source files as text with a syntax tree.
 * Rules are pure functions of it, so a test can build a repository of three lines and see a rule fail.
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
  /** Files that npm packs; all files when absent. */
  readonly files?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
}

export interface SourceFile {
  /** From the root of the repository: "packages/cache/src/store.ts". */
  readonly path: string;
  readonly text: string;
  /** Parsed on first use; most rules never read it. */
  readonly tree: ts.SourceFile;
  /** Everything it imports or re-exports, types and dynamic imports included. */
  readonly imports: readonly Import[];
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
  /** Scripts, benchmarks, conformance tests, examples: rules about layers do not apply to them. */
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
  let tree: ts.SourceFile | undefined;
  let imports: readonly Import[] | undefined;
  return {
    path,
    text,
    isTest: path.endsWith(".test.ts"),
    get tree() {
      return (tree ??= ts.createSourceFile(
        path,
        text,
        { languageVersion: ts.ScriptTarget.ES2022, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
        true,
      ));
    },
    get imports() {
      return (imports ??= ts
        .preProcessFile(upToLastImport(text), true, false)
        .importedFiles.map(({ fileName, pos }) => ({ specifier: fileName, line: lineAt(text, pos) })));
    },
  };
}

/** Returns the text up to the last statement that may be an import. Most files import only at the top, so this saves scanning. */
function upToLastImport(text: string): string {
  const last = [...text.matchAll(/\b(?:from|import|require)\s*[("'`]/g)].at(-1);
  const end = last === undefined ? 0 : text.indexOf(";", last.index + last[0].length);
  return end === -1 ? text : text.slice(0, end);
}

const lineAt = (text: string, end: number): number => text.slice(0, end).split("\n").length;

export const lineOf = (file: SourceFile, node: ts.Node): number =>
  file.tree.getLineAndCharacterOfPosition(node.getStart(file.tree)).line + 1;

/** Visits every node below and including `node`, parents first. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

export interface Import {
  readonly specifier: string;
  readonly line: number;
}

/** Resolves a relative import to a path from the root of the repository. */
export function resolveRelative(from: string, specifier: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
