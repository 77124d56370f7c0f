/** A file over 500 lines or a function over 70 is a finding, unless it is on the ratchet list, whose numbers may only shrink. */
import ts from "typescript-ast";
import { lineOf, type Finding, type House, type SourceFile } from "../house.ts";
import { isEntryPoint, isGenerated } from "../plan.ts";

export const fileLinesMax = 500;
export const functionLinesMax = 70;

/** Path or path#function → maximum number of lines. */
export type Ratchet = Readonly<Record<string, number>>;

interface Measured {
  readonly key: string;
  readonly path: string;
  readonly line?: number;
  readonly lines: number;
  readonly max: number;
}

export const size =
  (ratchet: Ratchet) =>
  (house: House): Finding[] => {
    const measured = [...house.packages.flatMap((pkg) => pkg.files), ...house.yard]
      .filter((file) => !file.isTest && !isGenerated(file.path))
      .flatMap(measure);
    const tooLong = measured
      .filter(({ key, lines, max }) => lines > (ratchet[key] ?? max))
      .map(({ key, path, line, lines, max }) => ({
        rule: "size",
        path,
        ...(line === undefined ? {} : { line }),
        message: `${key} has ${lines} lines, ${ratchet[key] ?? max} are allowed; split it`,
      }));
    const byKey = new Map(measured.map((entry) => [entry.key, entry]));
    const loose = Object.entries(ratchet).flatMap(([key, allowed]) => {
      const now = byKey.get(key);
      if (now !== undefined && now.lines === allowed && allowed > now.max) return [];
      if (now !== undefined && now.lines > allowed) return [];
      const next = now === undefined || now.lines <= now.max ? "remove it from the list" : `lower it to ${now.lines}`;
      return [{ rule: "size", path: "scripts/tidy/ratchet.json", message: `${key} shrank below ${allowed}; ${next}` }];
    });
    return [...tooLong, ...loose];
  };

function measure(file: SourceFile): Measured[] {
  const fileLines = file.text.trimEnd().split("\n").length;
  const found: Measured[] = isEntryPoint(file.path) ? [] : [{ key: file.path, path: file.path, lines: fileLines, max: fileLinesMax }];
  if (fileLines <= functionLinesMax) return found;
  const lineAt = (position: number): number => file.tree.getLineAndCharacterOfPosition(position).line;
  const look = (node: ts.Node): void => {
    // A nested function is never longer than its parent.
    if (lineAt(node.end) - lineAt(node.pos) < functionLinesMax) return;
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const start = lineOf(file, node);
      const lines = lineAt(node.end) + 2 - start;
      if (lines > functionLinesMax)
        found.push({ key: `${file.path}#${functionName(file, node)}`, path: file.path, line: start, lines, max: functionLinesMax });
    }
    ts.forEachChild(node, look);
  };
  look(file.tree);
  return found;
}

function functionName(file: SourceFile, node: ts.Node): string {
  if ("name" in node && node.name !== undefined) return (node.name as ts.Node).getText(file.tree);
  if (ts.isVariableDeclaration(node.parent)) return node.parent.name.getText(file.tree);
  return "anonymous";
}
