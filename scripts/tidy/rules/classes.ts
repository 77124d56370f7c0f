/** Only errors use `extends`. Streams are async iterables: no EventEmitter outside the two socket files. */
import ts from "typescript-ast";
import { lineOf, walk, type Finding, type House } from "../house.ts";

const socketFiles: readonly string[] = ["packages/client/src/transport/node-transport.ts", "packages/apiserver/src/http/listener.ts"];

export function classes(house: House): Finding[] {
  const findings: Finding[] = [];
  for (const file of house.packages.flatMap((pkg) => pkg.files)) {
    if (!/\bclass\b[^{]*\bextends\b|\bEventEmitter\b/.test(file.text)) continue;
    walk(file.tree, (node) => {
      if (ts.isHeritageClause(node) && node.token === ts.SyntaxKind.ExtendsKeyword && !ts.isInterfaceDeclaration(node.parent)) {
        const base = node.types[0]?.expression.getText(file.tree) ?? "";
        if (!base.endsWith("Error"))
          findings.push({
            rule: "classes",
            path: file.path,
            line: lineOf(file, node),
            message: `extends ${base}: only errors may use extends; wrap a function or use a union`,
          });
      } else if (ts.isIdentifier(node) && node.text === "EventEmitter" && !socketFiles.includes(file.path)) {
        findings.push({
          rule: "classes",
          path: file.path,
          line: lineOf(file, node),
          message: "no EventEmitter; use an AsyncIterable for a stream, and run(signal) for a life cycle",
        });
      }
    });
  }
  return findings;
}
