/** `x-state.ts` files contain pure functions, which never wait. */
import ts from "typescript-ast";
import { lineOf, walk, type Finding, type House } from "../house.ts";

export function pureState(house: House): Finding[] {
  const findings: Finding[] = [];
  for (const file of house.packages.flatMap((pkg) => pkg.files).filter(({ path }) => path.endsWith("-state.ts"))) {
    walk(file.tree, (node) => {
      const word = ts.isAwaitExpression(node)
        ? "await"
        : node.kind === ts.SyntaxKind.AsyncKeyword
          ? "async"
          : isPromise(node)
            ? "Promise"
            : undefined;
      if (word === undefined) return;
      findings.push({
        rule: "pure-state",
        path: file.path,
        line: lineOf(file, node),
        message: `${word} in a state file; return the effect and wait in the loop that calls it`,
      });
    });
  }
  return findings;
}

const isPromise = (node: ts.Node): boolean => ts.isIdentifier(node) && (node.text === "Promise" || node.text === "PromiseLike");
