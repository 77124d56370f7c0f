/** Errors about parts that the server shows as it holds them in memory; `type` is what it calls them, see `internal-shapes.ts`. */
import { fieldInvalid } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import { immutableText } from "../checked-field.ts";
import { internalEqual, printInternal } from "./internal-value.ts";

/** Like `fieldInvalid`. */
export function invalidInternal(path: FieldPath, type: string, value: unknown, detail: string): FieldError {
  return { ...fieldInvalid(path, value, detail), valueText: printInternal(type, value) };
}

/** A part that may not change once the object exists. */
export function validateImmutableInternal(value: unknown, old: unknown, path: FieldPath, type: string): FieldError[] {
  return internalEqual(type, value, old) ? [] : [invalidInternal(path, type, value, immutableText)];
}
