/** Validates the name of a driver, which is also the domain in the name of an attribute. */
import { checkDns1123Subdomain, fieldInvalid, fieldRequired, fieldTooLong } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";

const bytesMax = 63;

/** A subdomain of at most 63 bytes; capitals are accepted. */
export function validateDriverName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [fieldRequired(path)];
  return [
    ...(name.length > bytesMax ? [fieldTooLong(path, bytesMax)] : []),
    ...checkDns1123Subdomain(name.toLowerCase()).map((problem) => fieldInvalid(path, name, problem)),
  ];
}
