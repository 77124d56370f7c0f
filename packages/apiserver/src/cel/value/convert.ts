/** Conversions: `int()`, `string()` and so on. */
import { formatGoFloat } from "@drover/machinery";
import { failure } from "./failure.ts";
import type { CelFailure } from "./failure.ts";
import { printDuration, printTimestamp } from "./time.ts";
import { typeName, uint } from "./value.ts";
import type { CelUint, CelValue } from "./value.ts";

type Outcome<T> = T | CelFailure;

const cannot = (value: CelValue, wanted: string): CelFailure => failure(`type conversion error from '${typeName(value)}' to '${wanted}'`);

/** Returns the value if it fits int64, else a failure. */
export function checkedInt(value: bigint): Outcome<bigint> {
  return BigInt.asIntN(64, value) === value ? value : failure("integer overflow");
}

/** Returns the value if it fits uint64, else a failure. */
export function checkedUint(value: bigint): Outcome<CelUint> {
  return BigInt.asUintN(64, value) === value ? uint(value) : failure("unsigned integer overflow");
}

/** Converts a double, a string, a timestamp (to seconds) or a duration (to nanoseconds). */
export function toInt(value: CelValue): Outcome<bigint> {
  if (typeof value === "bigint") return value;
  if (typeof value === "number")
    return Number.isFinite(value) && value > -(2 ** 63) && value < 2 ** 63 ? BigInt(Math.trunc(value)) : failure("integer overflow");
  if (typeof value === "string") {
    const parsed = /^[+-]?\d+$/.test(value) ? BigInt(value.replace(/^\+/, "")) : undefined;
    return parsed !== undefined && BigInt.asIntN(64, parsed) === parsed ? parsed : cannot(value, "int");
  }
  if (typeof value === "object" && value !== null && "kind" in value) {
    if (value.kind === "uint") return checkedInt(value.value);
    if (value.kind === "duration") return value.nanos;
    if (value.kind === "timestamp")
      return (value.nanos - (((value.nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n)) / 1_000_000_000n;
  }
  return cannot(value, "int");
}

export function toUint(value: CelValue): Outcome<CelUint> {
  if (typeof value === "bigint") return checkedUint(value);
  if (typeof value === "number")
    return Number.isFinite(value) && value > -1 && value < 2 ** 64
      ? checkedUint(BigInt(Math.trunc(value)))
      : failure("unsigned integer overflow");
  if (typeof value === "string") {
    const parsed = /^\d+$/.test(value) ? BigInt(value) : undefined;
    return parsed !== undefined && BigInt.asUintN(64, parsed) === parsed ? uint(parsed) : cannot(value, "uint");
  }
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "uint" ? value : cannot(value, "uint");
}

const decimalText = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

export function toDouble(value: CelValue): Outcome<number> {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string") {
    const word = /^([+-]?)(?:inf|infinity)$/i.exec(value);
    if (word !== null) return word[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    if (/^nan$/i.test(value)) return Number.NaN;
    const parsed = decimalText.test(value) ? Number(value) : Number.NaN;
    return Number.isFinite(parsed) ? parsed : cannot(value, "double");
  }
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "uint"
    ? Number(value.value)
    : cannot(value, "double");
}

export function toBool(value: CelValue): Outcome<boolean> {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") return cannot(value, "bool");
  if (/^(?:1|t|T|TRUE|true|True)$/.test(value)) return true;
  return /^(?:0|f|F|FALSE|false|False)$/.test(value) ? false : cannot(value, "bool");
}

/** Converts to a string. */
export function toText(value: CelValue): Outcome<string> {
  if (typeof value === "string") return value;
  if (typeof value === "number") return formatGoFloat(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Uint8Array) return bytesToText(value);
  if (value.kind === "uint") return String(value.value);
  if (value.kind === "duration") return printDuration(value);
  if (value.kind === "timestamp") return printTimestamp(value);
  return value.kind === "type" ? value.name : cannot(value, "string");
}

function bytesToText(bytes: Uint8Array): Outcome<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return failure("invalid UTF-8 in bytes, cannot convert to string");
  }
}
