/** Finds the budgets that the packages declare, and prints them as a page. */
import { runInNewContext } from "node:vm";
import ts from "typescript-ast";
import { amountText, type Budget } from "@drover/machinery";
import type { SourceFile } from "./source-files.ts";

/** Every `budget({ … })` of the sources, ordered by name. Throws for a declaration that is not made of literals. */
export function declaredBudgets(files: readonly SourceFile[]): readonly Budget[] {
  const found = files.filter(({ text }) => /\bbudget\(\{/.test(text)).flatMap(budgetsIn);
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function budgetsIn({ path, text }: SourceFile): readonly Budget[] {
  const found: Budget[] = [];
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "budget") {
      const [declaration] = node.arguments;
      if (declaration !== undefined) found.push(evaluated(path, declaration.getText(tree)));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function evaluated(path: string, declaration: string): Budget {
  try {
    return runInNewContext(`(${declaration})`) as Budget;
  } catch (error) {
    throw new Error(`${path}: budget(${declaration}) must consist of literals, so that docs/budgets.md can show it`, { cause: error });
  }
}

/**
 * Returns the names of budgets that neither count what exceeds them nor say why not. A budget counts if its constant is passed to
 * `countExceeded`, to a callback that ends there, or to what throws a `BudgetExceededError`, which its catcher counts.
 */
export function silentBudgets(files: readonly SourceFile[]): readonly string[] {
  const declaring = files.filter(({ text }) => /\bbudget\(\{/.test(text));
  return declaring.flatMap((file) =>
    [...file.text.matchAll(/\bconst (\w+)(?:: Budget)? = budget\((\{[^}]*\})\)/g)].flatMap(([, constant = "", declaration = ""]) => {
      const { name, uncounted } = evaluated(file.path, declaration);
      const uses = new RegExp(`\\b(?:countExceeded\\([^;]*|onFull\\(|onExceeded\\(|BudgetExceededError\\(|Allowance\\()\\b${constant}\\b`);
      return uncounted !== undefined || files.some(({ text }) => uses.test(text)) ? [] : [name];
    }),
  );
}

const cell = (text: string): string => text.replaceAll("|", "\\|");

export function budgetsPage(budgets: readonly Budget[]): string {
  const rows = budgets.map(
    ({ name, limit, unit, atLimit, uncounted = "yes" }) =>
      `| ${[`\`${name}\``, amountText(limit, unit), cell(atLimit), cell(uncounted)].join(" | ")} |`,
  );
  return `# Budgets

<!-- Written by scripts/docs/budgets.test.ts: npx vitest run scripts/docs/budgets -u -->

Every buffer, history and loop that a stranger can fill has a limit in bytes, items, steps or time. It is checked before the work. Reaching one is
counted in \`drover_budget_exceeded_total\`, under the name in the first column, unless the last column gives a reason why not.

| budget | default | at the limit | counted |
|---|---|---|---|
${rows.join("\n")}
`;
}
