/** Checks constants in a type-checked expression: timestamps, regular expressions, homogeneous lists, format strings. */
import { compilePattern } from "../library/regexes.ts";
import { clauseWants, parseFormat } from "../library/text-format.ts";
import { partsOf } from "@drover/machinery/cel";
import type { Call, CelIssue, Expression } from "@drover/machinery/cel";
import { isFailure } from "../value/failure.ts";
import { readDuration, readTimestamp } from "../value/time.ts";
import { printType, sameType, withoutOptional } from "./cel-type.ts";
import type { CelType } from "./cel-type.ts";
import type { Checked } from "./checker.ts";

/** Returns all issues. */
export function checkLiterals(checked: Checked): CelIssue[] {
  const issues: CelIssue[] = [];
  visit(checked.expression, { checked, issues, inFormat: false, seen: new Set() });
  return issues;
}

interface Visit {
  readonly checked: Checked;
  readonly issues: CelIssue[];
  /** Whether the expression is an argument of `format`, which accepts any type. */
  readonly inFormat: boolean;
  /** Subexpressions already visited; macros share them. */
  readonly seen: Set<Expression>;
}

function visit(expression: Expression, around: Visit): void {
  if (around.seen.has(expression)) return;
  around.seen.add(expression);
  if (expression.kind === "call") checkCall(expression, around);
  if (!around.inFormat) checkMixed(expression, around);
  const inFormat = around.inFormat || (expression.kind === "call" && expression.name === "format");
  for (const part of partsOf(expression)) visit(part, inFormat === around.inFormat ? around : { ...around, inFormat });
}

function checkCall(call: Call, { checked, issues }: Visit): void {
  const [arg] = call.args;
  const text = arg?.kind === "literal" && typeof arg.value === "string" ? arg.value : undefined;
  if (arg !== undefined && text !== undefined && isBadArgument(call, text))
    issues.push({ position: arg.position, message: `invalid ${call.name} argument` });
  if (call.name === "format" && call.target?.kind === "literal" && typeof call.target.value === "string" && arg?.kind === "list")
    issues.push(...formatIssues(call, call.target.value, arg.elements, checked));
}

function isBadArgument({ name, target }: Call, text: string): boolean {
  if (target === undefined && name === "duration") return readDuration(text) === undefined;
  if (target === undefined && name === "timestamp") {
    const read = readTimestamp(text);
    return read === undefined || isFailure(read);
  }
  return name === "matches" && isFailure(compilePattern(text));
}

function checkMixed(expression: Expression, { checked: { typeOf }, issues }: Visit): void {
  const mismatch = (part: Expression, wanted: CelType, found: CelType): void => {
    issues.push({ position: part.position, message: `expected type '${printType(wanted)}' but found '${printType(found)}'` });
  };
  if (expression.kind === "list") {
    const types = expression.elements.map((element, index) =>
      expression.optional.has(index) ? withoutOptional(typeOf(element)) : typeOf(element),
    );
    const wrong = types.findIndex((type) => !sameType(type, types[0] ?? type));
    const [first, element, found] = [types[0], expression.elements[wrong], types[wrong]];
    if (first !== undefined && element !== undefined && found !== undefined) mismatch(element, first, found);
  } else if (expression.kind === "map") {
    const [first] = expression.entries;
    for (const { key, value, optional } of expression.entries) {
      if (first === undefined) break;
      const valueType = (part: Expression, isOptional: boolean): CelType => (isOptional ? withoutOptional(typeOf(part)) : typeOf(part));
      if (!sameType(typeOf(key), typeOf(first.key))) mismatch(key, typeOf(first.key), typeOf(key));
      if (!sameType(valueType(value, optional), valueType(first.value, first.optional)))
        mismatch(value, valueType(first.value, first.optional), valueType(value, optional));
    }
  }
}

function formatIssues(call: Call, format: string, args: readonly Expression[], { typeOf }: Checked): CelIssue[] {
  const parts = parseFormat(format);
  if ("problem" in parts) return [{ position: call.position, message: parts.problem }];
  const clauses = parts.filter((part) => typeof part === "object");
  for (const [index, { verb }] of clauses.entries()) {
    const arg = args[index];
    if (arg === undefined) return [{ position: call.position, message: `index ${index} out of range` }];
    const [kinds, message] = clauseWants.get(verb) ?? [[], ""];
    const wrong = wrongPart(arg, verb === "s", (part) => ["dyn", ...kinds].includes(typeOf(part).kind));
    if (wrong !== undefined) return [{ position: wrong.position, message: `error during formatting: ${message} ${typeOf(wrong).name}` }];
  }
  return args.length > clauses.length
    ? [
        {
          position: call.position,
          message: `too many arguments supplied to string.format (expected ${clauses.length}, got ${args.length})`,
        },
      ]
    : [];
}

/** Returns the first part with a wrong type: the argument itself or, for clauses that print contents, a part of a literal list or map. */
function wrongPart(arg: Expression, hasContents: boolean, isRight: (part: Expression) => boolean): Expression | undefined {
  if (!isRight(arg)) return arg;
  if (!hasContents || (arg.kind !== "list" && arg.kind !== "map")) return undefined;
  for (const part of partsOf(arg)) {
    const wrong = wrongPart(part, true, isRight);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
