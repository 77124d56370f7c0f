/** The syntax tree of an expression. Macros (`all`, `map`, `has` …) are already expanded. Positions are string indexes. */

/** A literal. Integers are bigints; unsigned integers and bytes have types of their own. */
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

/** `operand.field`; with `test`, whether the field is present. */
export interface Select extends Node {
  readonly kind: "select";
  readonly operand: Expression;
  readonly field: string;
  readonly test: boolean;
}

/** A function, method or operator; operators have their declared names: `_+_`, `!_`, `_?_:_`, `_[_]`. */
export interface Call extends Node {
  readonly kind: "call";
  readonly name: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

/** `[a, ?b]`, with the indexes of optional elements. */
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

/** A field of a constructed object; its position is that of the colon. */
export interface StructField extends Node {
  readonly name: string;
  readonly value: Expression;
  readonly optional: boolean;
}

/** `Name{field: value}`. */
export interface StructExpression extends Node {
  readonly kind: "struct";
  readonly name: string;
  readonly fields: readonly StructField[];
}

/** A fold over a list or map: while the condition holds, the accumulator becomes the step; then the result is returned. */
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

/** The accumulator of comprehensions that macros produce. */
export const accumulatorName = "__result__";

/** Returns the direct subexpressions, in source order. */
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
      return expression.fields.map(({ value }) => value);
    case "comprehension":
    default:
      return [expression.range, expression.initial, expression.condition, expression.step, expression.result];
  }
}

/** Returns `a.b.c` as a name; undefined for other expressions. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === "identifier") return expression.name;
  if (expression.kind !== "select" || expression.test) return undefined;
  const prefix = qualifiedName(expression.operand);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
}
