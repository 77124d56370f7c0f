/**
 * Values that are known before a program runs: literals, lists and maps of them, and conversions such as `int("5")`. cel-go evaluates
 * these when it builds a program, so they cost nothing at run time, and a conversion that fails makes the expression invalid.
 */
import type { Checked } from "../check/checker.ts";
import { partsOf } from "../syntax/expression.ts";
import type { Call, Expression, LiteralValue, MapExpression } from "../syntax/expression.ts";
import { growingList, mapOf } from "../value/collections.ts";
import { isFailure } from "../value/failure.ts";
import { isOfType, typeName, uint } from "../value/value.ts";
import type { CelValue } from "../value/value.ts";

const conversions: ReadonlySet<string> = new Set([
  "bool",
  "bytes",
  "double",
  "duration",
  "dyn",
  "int",
  "string",
  "timestamp",
  "type",
  "uint",
]);

/** A known value, or why there is none. */
export type Constant = { readonly value: CelValue } | { readonly problem: string };

/** Returns the value of a constant expression; undefined for others. */
export function constantOf(expression: Expression, checked: Checked): Constant | undefined {
  if (expression.kind === "literal") return { value: literalValue(expression.value) };
  if (expression.kind === "call") return conversionOf(expression, checked);
  if (expression.kind === "map") return mapConstant(expression, checked);
  if (expression.kind !== "list" || expression.elements.length === 0 || expression.optional.size > 0) return undefined;
  const values: CelValue[] = [];
  for (const element of expression.elements) {
    const constant = constantOf(element, checked);
    if (constant === undefined || "problem" in constant) return constant;
    values.push(constant.value);
  }
  return { value: growingList(values) };
}

function mapConstant({ entries }: MapExpression, checked: Checked): Constant | undefined {
  const made: (readonly [CelValue, CelValue])[] = [];
  for (const { key: keyPart, value: valuePart, optional } of entries) {
    const [key, value] = [constantOf(keyPart, checked), constantOf(valuePart, checked)];
    if (optional || key === undefined || value === undefined) return undefined;
    if ("problem" in key) return key;
    if ("problem" in value) return value;
    made.push([key.value, value.value]);
  }
  return made.length === 0 ? undefined : { value: mapOf(made) };
}

function conversionOf(call: Call, checked: Checked): Constant | undefined {
  const [arg, ...more] = call.args;
  if (!conversions.has(call.name) || call.target !== undefined || arg === undefined || more.length > 0) return undefined;
  const constant = constantOf(arg, checked);
  if (constant === undefined || "problem" in constant) return constant;
  const { value } = constant;
  const overload = checked.resolutionOf(call)?.overloads.find(({ args: [type] }) => type !== undefined && isOfType(value, type));
  const result = overload?.run?.(value);
  if (result === undefined) return { problem: `no such overload: ${call.name}(${typeName(value)})` };
  return isFailure(result) ? { problem: result.message } : { value: result };
}

/** Returns the problem of the first conversion that fails, in source order. */
export function constantProblem(checked: Checked): string | undefined {
  const seen = new Set<Expression>();
  const visit = (expression: Expression): string | undefined => {
    if (seen.has(expression)) return undefined;
    seen.add(expression);
    for (const part of partsOf(expression)) {
      const problem = visit(part);
      if (problem !== undefined) return problem;
    }
    const constant = expression.kind === "call" ? conversionOf(expression, checked) : undefined;
    return constant !== undefined && "problem" in constant ? constant.problem : undefined;
  };
  return visit(checked.expression);
}

function literalValue(value: LiteralValue): CelValue {
  return typeof value === "object" && value !== null && "uint" in value ? uint(value.uint) : value;
}
