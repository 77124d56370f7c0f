/** Whether the server refused a change because a field cannot be changed, and which fields those are. */
import { findApiError, isInvalid } from "@drover/machinery";

const says =
  /immutable|may not be (?:changed|updated)|may not change|cannot (?:be )?(?:change|update)|are forbidden|fields other than|not be changed once set|is not allowed to change/i;

/**
 * The paths the server names; undefined when that was not its reason. Goes by the words of the field errors, for there
 * is no other sign: an invalid
 * value and a forbidden change have the same reason. An object of another uid is none of it: that is another object.
 */
export function immutableFields(error: unknown): readonly string[] | undefined {
  if (!isInvalid(error)) return undefined;
  const causes = findApiError(error)?.details?.causes ?? [];
  const fields = causes
    .filter(({ message = "", field = "" }) => says.test(message) && field !== "metadata.uid")
    .map(({ field = "" }) => field);
  return fields.length === 0 ? undefined : [...new Set(fields)];
}

/** Whether the server refused because an object of this name is there, but not the one we meant. */
export function isOtherObject(error: unknown): boolean {
  return isInvalid(error) && findApiError(error)?.details?.causes?.some(({ field }) => field === "metadata.uid") === true;
}
