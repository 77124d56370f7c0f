/** The syntax of CEL: from the text of an expression to its tree. Types and values are part of the API server. */
export { accumulatorName, partsOf, qualifiedName } from "./cel/expression.ts";
export type {
  Call,
  Comprehension,
  Expression,
  Identifier,
  ListExpression,
  Literal,
  LiteralValue,
  MapEntry,
  MapExpression,
  Select,
  StructExpression,
  StructField,
} from "./cel/expression.ts";
export { printIssues } from "./cel/issue.ts";
export type { CelIssue } from "./cel/issue.ts";
export { parseExpression } from "./cel/parser.ts";
export type { Parsed } from "./cel/parser.ts";
