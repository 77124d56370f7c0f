/** Validation of `metadata.annotations`. */
import { byteLength } from "../go/byte-text.ts";
import { errorsOfEach } from "../field/errors-of-each.ts";
import { fieldInvalid, fieldTooLong } from "../field/field-error.ts";
import type { FieldError } from "../field/field-error.ts";
import type { FieldPath } from "../field/field-path.ts";
import { checkQualifiedName } from "./label.ts";

/** Maximum size of all annotations of an object, keys and values: 256 KiB. */
export const annotationsBytesMax: number = 256 * 1024;

/** Keys are qualified names in any case, and the total size is limited. Errors are in the order of the annotations. */
export function validateAnnotations(annotations: Readonly<Record<string, string>> | undefined, path: FieldPath): FieldError[] {
  const entries = Object.entries(annotations ?? {});
  const errors = errorsOfEach(entries, ([key]) => checkQualifiedName(lowerCase(key)).map((problem) => fieldInvalid(path, key, problem)));
  const bytes = entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  return bytes > annotationsBytesMax ? [...errors, fieldTooLong(path, annotationsBytesMax)] : errors;
}

// The dotted capital I is the one letter that Go lowers to plain ASCII and JavaScript to two characters.
function lowerCase(key: string): string {
  return key.replaceAll("\u0130", "i").toLowerCase();
}
