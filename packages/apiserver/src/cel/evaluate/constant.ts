/**
 * Values that are known before a program runs: literals, types, lists and maps of them, and conversions such as `int("5")`. cel-go
 * evaluates these when it builds a program, so they cost nothing at run time, and some make the expression invalid.
 */
import type { Checked } from "../check/checker.ts";
import { namedTypes } from "../check/environment.ts";
import { compilePattern } from "../library/regexes.ts";
import { partsOf } from "@drover/machinery/cel";
import type { Call, Expression, Identifier, LiteralValue, MapExpression, Select } from "@drover/machinery/cel";
import { mapOf } from "../value/collections.ts";
import { isFailure } from "../value/failure.ts";
import { goTypeName, isOfType, kindOf, listOf, typeName, uint } from "../value/value.ts";
import type { CelList, CelValue } from "../value/value.ts";

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
  if (expression.kind === "identifier" || expression.kind === "select") return typeConstant(expression, checked);
  if (expression.kind === "call") return isInNothing(expression, checked) ? { value: false } : conversionOf(expression, checked);
  if (expression.kind === "map") return mapConstant(expression, checked);
  if (expression.kind !== "list" || expression.optional.size > 0) return undefined;
  const values: CelValue[] = [];
  for (const element of expression.elements) {
    const constant = constantOf(element, checked);
    if (constant === undefined || "problem" in constant) return constant;
    values.push(constant.value);
  }
  return { value: listOf(values) };
}

/** The name of a type. Any variable whose value is a type counts as one. */
function typeConstant(expression: Identifier | Select, { variableOf, typeOf }: Checked): Constant | undefined {
  const name = variableOf(expression);
  if (name === undefined || typeOf(expression).kind !== "type") return undefined;
  const type = namedTypes.get(name)?.params[0];
  return type === undefined ? { problem: `reference to undefined type: ${name}` } : { value: { kind: "type", name: type.name } };
}

/** Whether the call asks for membership in a list that is known to be empty: the wanted item does not matter, even if it fails. */
function isInNothing(call: Call, checked: Checked): boolean {
  const list = listOfMembership(call, checked);
  return list !== undefined && list.size === 0;
}

/** Returns the constant list of a membership test whose operand is a list by its static type. */
export function listOfMembership(call: Call, checked: Checked): CelList | undefined {
  const [, operand] = call.args;
  if (call.name !== "@in" || operand === undefined) return undefined;
  const [only, ...others] = checked.resolutionOf(call)?.overloads ?? [];
  if (only?.id !== "in_list" || others.length > 0) return undefined;
  const constant = constantOf(operand, checked);
  if (constant === undefined || "problem" in constant) return undefined;
  const { value } = constant;
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "list" ? value : undefined;
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
  return { value: mapOf(made) };
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

/** Returns why cel-go would not build a program: the first constant that is wrong where it is, in source order. */
export function constantProblem(checked: Checked): string | undefined {
  const seen = new Set<Expression>();
  const visit = (expression: Expression): string | undefined => {
    if (seen.has(expression)) return undefined;
    seen.add(expression);
    for (const part of partsOf(expression)) {
      const problem = visit(part);
      if (problem !== undefined) return problem;
    }
    return problemAt(expression, checked);
  };
  return visit(checked.expression);
}

function problemAt(expression: Expression, checked: Checked): string | undefined {
  const constant = constantOf(expression, checked);
  if (constant !== undefined) return "problem" in constant ? constant.problem : undefined;
  if (expression.kind !== "call") return undefined;
  const { name, target, args } = expression;
  const second = target === undefined ? args[1] : args[0];
  const known = second === undefined ? undefined : constantOf(second, checked);
  if (known === undefined || "problem" in known) return undefined;
  if (indexes.has(name)) return keyKinds.has(kindOf(known.value)) ? undefined : `invalid qualifier type: ${goTypeName(known.value)}`;
  if (!searches.has(name) || typeof known.value !== "string") return undefined;
  const pattern = compilePattern(known.value);
  return isFailure(pattern) ? pattern.message : undefined;
}

/** Operators whose second operand is an index or a key, and what it may be. */
const indexes: ReadonlySet<string> = new Set(["_[_]", "_[?_]"]);
const keyKinds: ReadonlySet<string> = new Set(["string", "int", "uint", "bool", "double"]);
/** Functions whose second argument is a regular expression. */
const searches: ReadonlySet<string> = new Set(["matches", "find", "findAll"]);

function literalValue(value: LiteralValue): CelValue {
  return typeof value === "object" && value !== null && "uint" in value ? uint(value.uint) : value;
}
