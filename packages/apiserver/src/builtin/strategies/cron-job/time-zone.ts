/** Validates names of time zones. */
import { fieldInvalid, isTimeZone } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";

const part = /^[A-Za-z.\-_0-9+]{1,14}$/;

/** The zone must be known and not "Local"; unset is valid. */
export function validateTimeZone(name: string | undefined, path: FieldPath): FieldError[] {
  if (name === undefined) return [];
  if (name === "") return [fieldInvalid(path, name, "timeZone must be nil or non-empty string")];
  const unknown = fieldInvalid(path, name, `unknown time zone ${name}`);
  if (name.split("/").some((piece) => piece === "." || piece === ".." || piece.startsWith("-") || !part.test(piece))) return [unknown];
  const local =
    name.toLowerCase() === "local"
      ? [fieldInvalid(path, name, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones")]
      : [];
  return name === "Local" || isTimeZone(name) ? local : [...local, unknown];
}
