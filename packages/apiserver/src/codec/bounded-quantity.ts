/**
 * Reads quantities of objects. kube-apiserver accepts any exponent; here later arithmetic, such as the sum of a pod's requests,
 * would need as many digits.
 */
import { budget, Quantity, ValueSyntaxError } from "@drover/machinery";

const quantityDigits = budget({
  name: "apiserver/quantity-digits",
  limit: 1000,
  unit: "items",
  atLimit: "A quantity with more characters, or a larger exponent, gets the 400 of one that does not parse.",
  uncounted: "The writer gets the 400 of any other text that is no quantity.",
});

// Quantities of up to three digits are already canonical. Most are of this form and need no arithmetic.
const shortQuantity = /^[1-9]\d{0,2}(?:m|[KMG]i)?$/;

/** Returns a quantity as Go writes it. `parse` and errors are those of {@link boundedQuantity}. */
export const canonicalQuantity = (text: string, parse?: (text: string) => Quantity): string =>
  shortQuantity.test(text) ? text : boundedQuantity(text, parse).toString();

/** Parses a quantity; JSON allows spaces around it. Throws a `ValueSyntaxError` with a message of the API server. */
export function boundedQuantity(text: string, parse: (text: string) => Quantity = (json) => Quantity.fromJson(json)): Quantity {
  if (text.length > quantityDigits.limit)
    throw new ValueSyntaxError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  const quantity = parse(text);
  const [, exponent] = /[eE]([+-]?[0-9]+)\s*$/.exec(text) ?? [];
  if (exponent !== undefined && Math.abs(Number(exponent)) > quantityDigits.limit)
    throw new ValueSyntaxError("unable to parse quantity's suffix");
  return quantity;
}
