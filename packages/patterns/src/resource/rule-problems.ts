/**
 * Checks the CEL rules of a schema without a server: syntax, variables, and the names of fields. The server also checks types and costs,
 * when the definition is installed.
 *
 *     Schema → ruleProblems → refusals with the field, the rule and the position
 */
import { getOwn } from "@drover/machinery";
import type { Schema, ValidationRule } from "@drover/machinery";
import { parseExpression, qualifiedName } from "@drover/machinery/cel";
import type { CelIssue, Comprehension, Expression } from "@drover/machinery/cel";
import type { Refusal } from "../schema/refusal.ts";

/** Returns one refusal for each expression that the server would refuse. @param path - of the schema in an object; "" for the object */
export function ruleProblems(schema: Schema, path = ""): readonly Refusal[] {
  const { properties = {}, items, additionalProperties } = schema;
  return [
    ...(schema["x-kubernetes-validations"] ?? []).flatMap((rule) => problemsOf(rule, schema, path)),
    ...Object.entries(properties).flatMap(([name, inner]) => ruleProblems(inner, path === "" ? name : `${path}.${name}`)),
    ...(items === undefined ? [] : ruleProblems(items, `${path}[]`)),
    ...(typeof additionalProperties === "object" ? ruleProblems(additionalProperties, `${path}[]`) : []),
  ];
}

function problemsOf({ rule, messageExpression, optionalOldSelf }: ValidationRule, schema: Schema, path: string): readonly Refusal[] {
  const variables: Variables = new Map([
    ["self", schema],
    ["oldSelf", optionalOldSelf === true ? undefined : schema],
  ]);
  return [
    ...refusalsOf("rule", rule, variables, path),
    ...(messageExpression === undefined ? [] : refusalsOf("messageExpression", messageExpression, variables, path)),
  ];
}

function refusalsOf(noun: string, text: string, variables: Variables, path: string): readonly Refusal[] {
  const parsed = parseExpression(text);
  const [issue]: readonly (CelIssue & Partial<NameIssue>)[] = "issues" in parsed ? parsed.issues : namesIn(parsed.expression, variables);
  if (issue === undefined) return [];
  return [
    {
      path: path === "" ? "the object" : path,
      what: `${noun} ${JSON.stringify(text.length > textMax ? `${text.slice(0, textMax)}…` : text)}`,
      why: `is not valid CEL${placeOf(text, issue.position)}: ${issue.message}`,
      instead: issue.instead ?? 'a CEL expression: ["self.min <= self.max", "min must not exceed max"]',
    },
  ];
}

const textMax = 200;

/** " at 1:12": line and column, from 1. */
function placeOf(text: string, position: number): string {
  if (position < 0) return "";
  const before = text.slice(0, position).split("\n");
  return ` at ${before.length}:${Array.from(before.at(-1) ?? "").length + 1}`;
}

/** Variables in scope, with the schema of their values if it is known. */
type Variables = ReadonlyMap<string, Schema | undefined>;

interface NameIssue extends CelIssue {
  readonly instead: string;
}

/** Types and packages, which are names but no variables. */
const typeNames: ReadonlySet<string> = new Set(
  "bool bytes double int uint string list map null_type type optional_type google net kubernetes".split(" "),
);

/** Returns variables that are not declared and fields that are not in the schema, in source order. */
function namesIn(expression: Expression, variables: Variables): readonly NameIssue[] {
  switch (expression.kind) {
    case "literal":
      return [];
    case "identifier":
      return variables.has(expression.name) || typeNames.has(expression.name) ? [] : [undeclared(expression.position, expression.name)];
    case "select": {
      const inner = namesIn(expression.operand, variables);
      return inner.length > 0 ? inner : fieldIssue(expression, schemaAt(expression.operand, variables));
    }
    case "call": {
      const { target, args } = expression;
      // The target may be the package of a function: optional.of(…).
      const [root] = (target === undefined ? undefined : qualifiedName(target))?.split(".") ?? [];
      const isPackage = root !== undefined && !variables.has(root);
      return [...(target === undefined || isPackage ? [] : [target]), ...args].flatMap((part) => namesIn(part, variables));
    }
    case "list":
      return expression.elements.flatMap((part) => namesIn(part, variables));
    case "map":
      return expression.entries.flatMap(({ key, value }) => [...namesIn(key, variables), ...namesIn(value, variables)]);
    case "struct":
      return expression.fields.flatMap(({ value }) => namesIn(value, variables));
    case "comprehension":
    default: {
      const { range, initial, condition, step, result } = expression;
      const inner = withLoop(expression, variables);
      return [
        ...[range, initial].flatMap((part) => namesIn(part, variables)),
        ...[condition, step, result].flatMap((part) => namesIn(part, inner)),
      ];
    }
  }
}

function withLoop({ range, variable, second, accumulator }: Comprehension, variables: Variables): Variables {
  const elements = schemaAt(range, variables)?.items;
  const loop: readonly (readonly [string, Schema | undefined])[] =
    second === undefined
      ? [[variable, elements]]
      : [
          [variable, undefined],
          [second, elements],
        ];
  return new Map([...variables, ...loop, [accumulator, undefined]]);
}

/** Returns the schema of a value; undefined if it is not known. */
function schemaAt(expression: Expression, variables: Variables): Schema | undefined {
  if (expression.kind === "identifier") return variables.get(expression.name);
  if (expression.kind === "select") return getOwn(schemaAt(expression.operand, variables)?.properties ?? {}, expression.field);
  const [operand] = expression.kind === "call" && expression.name === "_[_]" ? expression.args : [];
  return operand && schemaAt(operand, variables)?.items;
}

/** Reports a field that the schema excludes. Escaped names (`a__dash__b`) are left to the server. */
function fieldIssue({ field, position }: { readonly field: string; readonly position: number }, schema: Schema | undefined): NameIssue[] {
  const { type, properties, additionalProperties = false } = schema ?? {};
  if (schema?.["x-kubernetes-preserve-unknown-fields"] === true || schema?.["x-kubernetes-embedded-resource"] === true) return [];
  if (type !== "object" || properties === undefined || additionalProperties !== false) return [];
  if (Object.hasOwn(properties, field) || field.includes("__")) return [];
  const known = Object.keys(properties);
  return [
    {
      position,
      message: `there is no field ${field}`,
      instead: `one of its fields: ${known.slice(0, knownMax).join(", ")}${known.length > knownMax ? ", …" : ""}`,
    },
  ];
}

const knownMax = 10;

function undeclared(position: number, name: string): NameIssue {
  return { position, message: `there is no variable ${name}`, instead: `self.${name}, if it is a field of the value that the rule checks` };
}
