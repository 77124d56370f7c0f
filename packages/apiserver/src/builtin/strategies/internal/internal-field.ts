/** Errors that show a value in kube-apiserver's internal form; `type` is its Go type, see `internal-shapes.ts`. */
import { fieldInvalid } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import { immutableText } from "../checked-field.ts";
import { internalEqual, printInternal } from "./internal-value.ts";

/** Like `fieldInvalid`. */
export function invalidInternal(path: FieldPath, type: string, value: unknown, detail: string): FieldError {
  return { ...fieldInvalid(path, value, detail), valueText: printInternal(type, value) };
}

/** An immutable value. */
export function validateImmutableInternal(value: unknown, old: unknown, path: FieldPath, type: string): FieldError[] {
  return internalEqual(type, value, old) ? [] : [invalidInternal(path, type, value, immutableText)];
}
