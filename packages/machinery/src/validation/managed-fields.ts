/** Validation of `metadata.managedFields` and of field manager names. */
import { byteLength } from "../go/byte-text.ts";
import { fieldInvalid, fieldTooLong } from "../field/field-error.ts";
import type { FieldError } from "../field/field-error.ts";
import { fieldChild, fieldIndex } from "../field/field-path.ts";
import type { FieldPath } from "../field/field-path.ts";
import { printGoJson } from "../json/go-json.ts";
import { isPrintable } from "../go/go-quote.ts";
import type { ManagedFieldsEntry } from "../object/object.ts";
import type { DeepReadonly } from "../json/readonly.ts";

const fieldManagerBytesMax = 128;
const subresourceBytesMax = 256;

/** Every entry has a known operation, fields of a known type, and a printable manager. */
export function validateManagedFields(entries: readonly DeepReadonly<ManagedFieldsEntry>[] | undefined, path: FieldPath): FieldError[] {
  return (entries ?? []).flatMap((entry, index) => validateEntry(entry, fieldIndex(path, index)));
}

/** At most 128 printable bytes. Empty is fine. */
export function validateFieldManager(manager: string, path: FieldPath): FieldError[] {
  const errors = byteLength(manager) > fieldManagerBytesMax ? [fieldTooLong(path, fieldManagerBytesMax)] : [];
  let position = 0;
  for (const char of manager) {
    if (!isPrintable(char)) errors.push(fieldInvalid(path, manager, `invalid character ${printCodePoint(char)} (at position ${position})`));
    position += byteLength(char);
  }
  return errors;
}

function validateEntry(
  { operation = "", fieldsType = "", manager = "", subresource = "" }: DeepReadonly<ManagedFieldsEntry>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (operation !== "Apply" && operation !== "Update") {
    errors.push({
      ...fieldInvalid(fieldChild(path, "operation"), operation, "must be `Apply` or `Update`"),
      valueText: printGoJson(operation),
    });
  }
  if (fieldsType !== "" && fieldsType !== "FieldsV1")
    errors.push(fieldInvalid(fieldChild(path, "fieldsType"), fieldsType, "must be `FieldsV1`"));
  errors.push(...validateFieldManager(manager, fieldChild(path, "manager")));
  if (byteLength(subresource) > subresourceBytesMax) errors.push(fieldTooLong(fieldChild(path, "subresource"), subresourceBytesMax));
  return errors;
}

function printCodePoint(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
