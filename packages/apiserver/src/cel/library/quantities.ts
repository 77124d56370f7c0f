/** `quantity()`: exact arithmetic with amounts like "1.5Gi". */
import { Quantity, ValueSyntaxError } from "@drover/machinery";
import { overload } from "../check/environment.ts";
import type { Overload } from "../check/environment.ts";
import { boundedQuantity } from "../../codec/bounded-quantity.ts";
import { quantityType } from "../check/signature.ts";
import { failure } from "../value/failure.ts";
import type { CelFailure } from "../value/failure.ts";
import type { CelObject } from "../value/value.ts";

const quantityValue = (quantity: Quantity): CelObject => ({
  kind: "object",
  type: quantityType,
  value: quantity,
  size: 1,
  equals: (other) => quantity.equals(other as Quantity),
});
const quantityOf = ({ value }: CelObject): Quantity => value as Quantity;

function read(text: string): Quantity | CelFailure {
  try {
    return boundedQuantity(text, (given) => Quantity.parse(given));
  } catch (error) {
    if (error instanceof ValueSyntaxError) return failure(error.message);
    throw error;
  }
}

/** Returns the amount as a 64-bit integer, if it is one. */
function wholeOf(quantity: Quantity): bigint | undefined {
  const scaled = quantity.asApproximateNumber();
  if (!Number.isFinite(scaled) || Math.abs(scaled) > 2 ** 64) return undefined;
  const value = quantity.value();
  return Quantity.of(value).equals(quantity) && BigInt.asIntN(64, value) === value ? value : undefined;
}

const fromInt = (value: bigint): Quantity => Quantity.of(value, { format: "DecimalExponent" });

/** The overloads. */
export const quantityFunctions: readonly Overload[] = [
  overload("string_to_quantity", "quantity(string) quantity", (text: string) => {
    const quantity = read(text);
    return quantity instanceof Quantity ? quantityValue(quantity) : quantity;
  }),
  overload("is_quantity_string", "isQuantity(string) bool", (text: string) => read(text) instanceof Quantity),
  overload("quantity_sign", "sign(quantity) int", (object: CelObject) => BigInt(quantityOf(object).sign())),
  overload(
    "quantity_is_greater_than",
    "quantity . isGreaterThan(quantity) bool",
    (a: CelObject, b: CelObject) => quantityOf(a).compare(quantityOf(b)) > 0,
  ),
  overload(
    "quantity_is_less_than",
    "quantity . isLessThan(quantity) bool",
    (a: CelObject, b: CelObject) => quantityOf(a).compare(quantityOf(b)) < 0,
  ),
  overload("quantity_compare_to", "quantity . compareTo(quantity) int", (a: CelObject, b: CelObject) =>
    BigInt(quantityOf(a).compare(quantityOf(b))),
  ),
  overload("quantity_get_float", "quantity . asApproximateFloat() double", (object: CelObject) => quantityOf(object).asApproximateNumber()),
  overload(
    "quantity_get_int",
    "quantity . asInteger() int",
    (object: CelObject) => wholeOf(quantityOf(object)) ?? failure("cannot convert value to integer"),
  ),
  overload("quantity_is_integer", "quantity . isInteger() bool", (object: CelObject) => wholeOf(quantityOf(object)) !== undefined),
  overload("quantity_add", "quantity . add(quantity) quantity", (a: CelObject, b: CelObject) =>
    quantityValue(quantityOf(a).add(quantityOf(b))),
  ),
  overload("quantity_add_int", "quantity . add(int) quantity", (a: CelObject, b: bigint) => quantityValue(quantityOf(a).add(fromInt(b)))),
  overload("quantity_sub", "quantity . sub(quantity) quantity", (a: CelObject, b: CelObject) =>
    quantityValue(quantityOf(a).sub(quantityOf(b))),
  ),
  overload("quantity_sub_int", "quantity . sub(int) quantity", (a: CelObject, b: bigint) => quantityValue(quantityOf(a).sub(fromInt(b)))),
];
