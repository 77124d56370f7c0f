/**
 * An expression as a tree. Macros (`all`, `map`, `has` …) are already what they stand for: loops and tests of presence.
 * Places in the text are indexes of the string.
 */

/** A constant as it was written. Whole numbers are bigints; an unsigned one and bytes have a shape of their own. */
export type LiteralValue = null | boolean | bigint | number | string | Uint8Array | { readonly uint: bigint };

interface Node {
  readonly position: number;
}

export interface Literal extends Node {
  readonly kind: "literal";
  readonly value: LiteralValue;
}

export interface Identifier extends Node {
  readonly kind: "identifier";
  readonly name: string;
}

/** `operand.field`; with `test` only the question whether it is there. */
export interface Select extends Node {
  readonly kind: "select";
  readonly operand: Expression;
  readonly field: string;
  readonly test: boolean;
}

/** A function, a method or an operator, by the name operators have in declarations: `_+_`, `!_`, `_?_:_`, `_[_]`. */
export interface Call extends Node {
  readonly kind: "call";
  readonly name: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

/** `[a, ?b]`; the indexes of the optional elements stand beside. */
export interface ListExpression extends Node {
  readonly kind: "list";
  readonly elements: readonly Expression[];
  readonly optional: ReadonlySet<number>;
}

export interface MapEntry {
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

export interface MapExpression extends Node {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
}

/** `Name{field: value}`. Nothing in a rule can be made this way; the name is what the error is about. */
export interface StructExpression extends Node {
  readonly kind: "struct";
  readonly name: string;
  readonly values: readonly Expression[];
}

/** A loop over a list or a map: while the condition holds, the accumulator becomes the step; what comes out is the result. */
export interface Comprehension extends Node {
  readonly kind: "comprehension";
  readonly range: Expression;
  readonly variable: string;
  /** With two variables the first is the index or the key. */
  readonly second: string | undefined;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

export type Expression = Literal | Identifier | Select | Call | ListExpression | MapExpression | StructExpression | Comprehension;

/** The name by which loops that macros make know their accumulator. */
export const accumulatorName = "__result__";

/** The expressions directly inside one, in the order they are met. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "literal":
    case "identifier":
      return [];
    case "select":
      return [expression.operand];
    case "call":
      return expression.target === undefined ? expression.args : [expression.target, ...expression.args];
    case "list":
      return expression.elements;
    case "map":
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case "struct":
      return expression.values;
    case "comprehension":
    default:
      return [expression.range, expression.initial, expression.condition, expression.step, expression.result];
  }
}

/** `a.b.c` as a name; undefined for anything else. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === "identifier") return expression.name;
  if (expression.kind !== "select" || expression.test) return undefined;
  const prefix = qualifiedName(expression.operand);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
}
