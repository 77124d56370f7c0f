/**
 * Keywords for numbers. The server truncates bounds to integers when it compares an integer, and complains when a bound does not
 * fit the type; its messages show both, so both are implemented.
 */
import { formatGoFloat } from "../go/go-float.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { isInt64 } from "../json/go-print.ts";

/** Reports errors about one number. */
export interface NumberReport {
  /** The path as messages name it. */
  readonly name: string;
  /** Reports a wrong value. */
  readonly invalid: (value: number | bigint, detail: string, valueText?: string) => void;
  /** Reports a problem that the server ties to no field. */
  readonly loose: (detail: string) => void;
}

/** Checks range, multipleOf, minimum and maximum of a number, in the server's order. */
export function checkNumber(value: number | bigint, node: CompiledSchema, report: NumberReport): void {
  const { schema } = node;
  if (isPlainlyFine(value, node)) return;
  checkRange(value, node, "Checked", report);
  if (schema.multipleOf !== undefined) checkMultipleOf(value, schema.multipleOf, { node, report });
  if (schema.minimum !== undefined) {
    const exclusive = schema.exclusiveMinimum === true;
    checkBound(value, schema.minimum, {
      node,
      report,
      what: "Minimum",
      text: exclusive ? "greater than" : "greater than or equal to",
      holds: exclusive ? (a, b) => a > b : (a, b) => a >= b,
    });
  }
  if (schema.maximum !== undefined) {
    const exclusive = schema.exclusiveMaximum === true;
    checkBound(value, schema.maximum, {
      node,
      report,
      what: "Maximum",
      text: exclusive ? "less than" : "less than or equal to",
      holds: exclusive ? (a, b) => a < b : (a, b) => a <= b,
    });
  }
}

/** Fast path: a small integer within small integer bounds. */
function isPlainlyFine(
  value: number | bigint,
  { schema: { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }, format }: CompiledSchema,
): boolean {
  if (typeof value !== "number" || (value | 0) !== value || multipleOf !== undefined || format === "float") return false;
  if (minimum !== undefined && ((minimum | 0) !== minimum || value < minimum || (value === minimum && exclusiveMinimum === true)))
    return false;
  return maximum === undefined || ((maximum | 0) === maximum && (value < maximum || (value === maximum && exclusiveMaximum !== true)));
}

/** Whether a number counts as an integer: allows a tiny relative error above an integer. */
export function isJsonInteger(value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(value)) return true;
  if (value < 1) return false;
  const whole = Math.floor(value);
  return (value - whole) / (value + whole) < 1e-9;
}

/** Whether a number fits the schema's single type and format; reports an error if not. */
function checkRange(value: number | bigint, { types, format }: CompiledSchema, prefix: string, report: NumberReport): boolean {
  const type = types.length === 1 ? types[0] : undefined;
  if (type === "integer") {
    const fits = isWhole(value) && (format === "int32" ? value >= -(2 ** 31) && value < 2 ** 31 : fitsInt64(value));
    if (fits) return true;
    report.loose(
      `${prefix} value must be of type integer ${format === "int32" || format === "int64" ? `with format ${format}` : "(default format)"} in ${report.name}`,
    );
    return false;
  }
  if (type !== "number" || format !== "float" || Number.isFinite(Math.fround(Number(value)))) return true;
  report.loose(`${prefix} value must be of type number with format float in ${report.name}`);
  return false;
}

/** Go reads the shortest text of a double again, and that of -2^63 is below it. */
const fitsInt64 = (value: number | bigint): boolean =>
  value < 2 ** 63 && (typeof value === "bigint" ? value >= -(2n ** 63n) : value > -(2 ** 63));

const isWhole = (value: number | bigint): boolean => typeof value === "bigint" || Number.isInteger(value);

interface Bound {
  readonly node: CompiledSchema;
  readonly report: NumberReport;
  readonly what: "Minimum" | "Maximum";
  readonly text: string;
  readonly holds: (value: number | bigint, bound: number | bigint) => boolean;
}

function checkBound(value: number | bigint, bound: number, { node, report, what, text, holds }: Bound): void {
  const asInt = checkRange(bound, node, `${what} boundary`, report) && isInt64(value);
  const limit = asInt ? toInt64(bound) : bound;
  if (holds(asInt ? value : Number(value), limit)) return;
  report.invalid(
    value,
    `${report.name} in body should be ${text} ${typeof limit === "bigint" ? limit : formatGoFloat(limit)}`,
    asInt ? undefined : formatGoFloat(Number(value)),
  );
}

function checkMultipleOf(
  value: number | bigint,
  factor: number,
  { node, report }: { readonly node: CompiledSchema; readonly report: NumberReport },
): void {
  const asInt = checkRange(factor, node, "MultipleOf", report) && isInt64(value);
  if (asInt) {
    const whole = toInt64(factor);
    if (whole <= 0n) report.invalid(whole, `factor MultipleOf declared for ${report.name} must be positive: ${whole}`);
    else if (BigInt(value) % whole !== 0n) report.invalid(value, `${report.name} in body should be a multiple of ${whole}`);
    return;
  }
  const data = Number(value);
  if (factor <= 0)
    report.invalid(
      factor,
      `factor MultipleOf declared for ${report.name} must be positive: ${formatGoFloat(factor)}`,
      formatGoFloat(factor),
    );
  else if (!isJsonInteger(factor < 1 ? (1 / factor) * data : data / factor))
    report.invalid(value, `${report.name} in body should be a multiple of ${formatGoFloat(factor)}`, formatGoFloat(data));
}

/** Truncates to an integer; beyond 64 bits to the nearest that fits. */
function toInt64(value: number): bigint {
  return value >= 2 ** 63 ? 2n ** 63n - 1n : value <= -(2 ** 63) ? -(2n ** 63n) : BigInt(Math.trunc(value));
}
