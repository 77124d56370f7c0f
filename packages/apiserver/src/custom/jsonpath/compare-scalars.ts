/** Comparisons in JSONPath filters, between scalars of the same type only. */
import { compareBytes } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import { JsonPathError } from "./json-path.ts";

type Order = -1 | 0 | 1;

/** Returns whether the comparison holds. Throws a {@link JsonPathError} for types that do not compare. */
export function compareScalars(left: JsonValue, operator: string, right: JsonValue): boolean {
  const type = basicType(left);
  if (type !== basicType(right)) throw new JsonPathError("incompatible types for comparison");
  if (type === "boolean" && operator !== "==" && operator !== "!=") throw new JsonPathError("invalid type for comparison");
  const order = orderOf(left, right);
  switch (operator) {
    case "==":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}

/** kube-apiserver distinguishes 64-bit integers from other numbers. */
function basicType(value: JsonValue): string {
  if (typeof value === "object") throw new JsonPathError("invalid type for comparison");
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "integer" : "float";
  return typeof value;
}

function orderOf(left: JsonValue, right: JsonValue): Order {
  if (left === right) return 0;
  if (typeof left === "string" && typeof right === "string") return compareBytes(left, right) < 0 ? -1 : 1;
  // Both are numbers, or both are booleans.
  const [a, b] = [left as number | bigint, right as number | bigint];
  return a < b ? -1 : a > b ? 1 : 0;
}
