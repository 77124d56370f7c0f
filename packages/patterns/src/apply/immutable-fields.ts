/** Detects that the server rejected a change because of immutable fields, and which ones. */
import { findApiError, isInvalid } from "@drover/machinery";

const says =
  /immutable|may not be (?:changed|updated)|may not change|cannot (?:be )?(?:change|update)|are forbidden|fields other than|not be changed once set|is not allowed to change/i;

/**
 * Returns the immutable fields that the server names; undefined for any other error. Matches the texts of the field
 * errors, because an invalid value and a forbidden change have the same reason. A different uid does not count: that is
 * another object.
 */
export function immutableFields(error: unknown): readonly string[] | undefined {
  if (!isInvalid(error)) return undefined;
  const causes = findApiError(error)?.details?.causes ?? [];
  const fields = causes
    .filter(({ message = "", field = "" }) => says.test(message) && field !== "metadata.uid")
    .map(({ field = "" }) => field);
  return fields.length === 0 ? undefined : [...new Set(fields)];
}

/** Reports whether the server rejected a write because the object was replaced by another one of the same name. */
export function isOtherObject(error: unknown): boolean {
  return isInvalid(error) && findApiError(error)?.details?.causes?.some(({ field }) => field === "metadata.uid") === true;
}
