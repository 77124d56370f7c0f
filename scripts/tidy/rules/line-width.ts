/**
 * No line is wider than the formatter's limit, unless one literal that cannot be broken fills most of it: a string, a
 * template, a regular expression or the path of an import. Comments are never exempt; generated files always are.
 */
import ts from "typescript-ast";
import { walk, type Finding, type House, type SourceFile } from "../house.ts";
import { isGenerated, wideForNow } from "../plan.ts";

/** `printWidth` of .oxfmtrc.json, in characters. */
export const lineWidthMax = 140;

/** Minimum length of a literal that excuses a wide line: the formatter has broken everything around it. */
const literalMin = (lineWidthMax * 3) / 5;

export function lineWidth(house: House): Finding[] {
  return [...house.packages.flatMap((pkg) => pkg.files), ...house.yard]
    .filter(({ path }) => !isGenerated(path) && !wideForNow.includes(path))
    .flatMap(check);
}

function check(file: SourceFile): Finding[] {
  const wide = file.text
    .split("\n")
    .flatMap((line, index) => (line.length > lineWidthMax && widthOf(line) > lineWidthMax ? [{ line, index }] : []));
  if (wide.length === 0) return [];
  const filled = linesFilledByLiterals(file);
  return wide
    .filter(({ index }) => !filled.has(index))
    .map(({ line, index }) => ({
      rule: "line-width",
      path: file.path,
      line: index + 1,
      message: `${widthOf(line)} characters, ${lineWidthMax} are allowed; wrap the comment or break the expression`,
    }));
}

/** Counts code points: an arrow is one character, and so is a letter outside the basic plane. */
const widthOf = (line: string): number => Array.from(line).length;

/** Returns the lines, counted from 0, on which a literal takes most of the width. */
function linesFilledByLiterals(file: SourceFile): Set<number> {
  const starts = file.tree.getLineStarts();
  const found = new Set<number>();
  walk(file.tree, (node) => {
    if (!isLiteral(node)) return;
    const [from, to] = [node.getStart(file.tree), node.end];
    const first = file.tree.getLineAndCharacterOfPosition(from).line;
    const last = file.tree.getLineAndCharacterOfPosition(to).line;
    for (let line = first; line <= last; line += 1) {
      const start = starts[line] ?? 0;
      const end = line === last ? to : (starts[line + 1] ?? to);
      if (end - Math.max(from, start) >= literalMin) found.add(line);
    }
  });
  return found;
}

const isLiteral = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isRegularExpressionLiteral(node);
