/** Validation of `metadata.finalizers`, and of those in a Namespace's spec. */
import { compareBytes } from "../go/byte-text.ts";
import { errorsOfEach } from "../field/errors-of-each.ts";
import { fieldForbidden, fieldInvalid } from "../field/field-error.ts";
import type { FieldError } from "../field/field-error.ts";
import type { FieldPath } from "../field/field-path.ts";
import { quoteGo } from "../go/go-quote.ts";
import { checkQualifiedName } from "./label.ts";

/** The server's finalizer that orphans dependents. */
export const orphanFinalizer = "orphan";
/** The server's finalizer that deletes dependents first. */
export const foregroundFinalizer = "foregroundDeletion";

const standardFinalizers: ReadonlySet<string> = new Set(["kubernetes", orphanFinalizer, foregroundFinalizer]);

/** Every finalizer is a qualified name, and at most one of `orphan` and `foregroundDeletion` is present. */
export function validateFinalizers(finalizers: readonly string[] | undefined, path: FieldPath): FieldError[] {
  if (finalizers === undefined) return [];
  const errors = errorsOfEach(finalizers, (name) => validateFinalizerName(name, path));
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    errors.push(fieldInvalid(path, finalizers, `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`));
  }
  return errors;
}

/** One finalizer is a qualified name. */
export function validateFinalizerName(name: string, path: FieldPath): FieldError[] {
  return checkQualifiedName(name).map((problem) => fieldInvalid(path, name, problem));
}

/** A finalizer of a built-in kind has a prefix, or is one of the server's own. Used together with {@link validateFinalizerName}. */
export function validateStandardFinalizerName(name: string, path: FieldPath): FieldError[] {
  if (name.includes("/") || standardFinalizers.has(name)) return [];
  return [fieldInvalid(path, name, "name is neither a standard finalizer name nor is it fully qualified")];
}

/** An object that is being deleted gets no new finalizers. */
export function validateNoNewFinalizers(
  finalizers: readonly string[] | undefined,
  old: readonly string[] | undefined,
  path: FieldPath,
): FieldError[] {
  const known = new Set(old);
  const added = [...new Set(finalizers)].filter((name) => !known.has(name)).toSorted(compareBytes);
  if (added.length === 0) return [];
  const found = `[]string{${added.map(quoteGo).join(", ")}}`;
  return [fieldForbidden(path, `no new finalizers can be added if the object is being deleted, found new finalizers ${found}`)];
}
