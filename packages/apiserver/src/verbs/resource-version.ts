/** Resource versions that clients send, as numbers. Each verb refuses a malformed one in kube-apiserver's own words. */
import { newBadRequest, newFailure, quoteGo } from "@drover/machinery";
import { StatusError } from "../status-error.ts";

/** Returns the version in an object that is to be written. Throws a 500. */
export function writtenVersion(text: string): bigint {
  return parseUint64(text, (why) => new StatusError(newFailure(500, "", why)));
}

/** Returns the version that a get or a watch starts at. Throws a 500. */
export function readVersion(text: string): bigint {
  return parseUint64(text, (why) => new StatusError(newFailure(500, "", `${invalidValue(text)}: ${why}`)));
}

/** Returns the version that a list starts at. Throws a 400, unlike every other verb. */
export function listedVersion(text: string): bigint {
  return parseUint64(text, (why) => new StatusError(newBadRequest(`invalid resource version: ${invalidValue(text)}: ${why}`)));
}

const invalidValue = (text: string): string => `resourceVersion: Invalid value: ${quoteGo(text)}`;

function parseUint64(text: string, refuse: (why: string) => StatusError): bigint {
  const isNumber = /^[0-9]+$/.test(text);
  if (isNumber && BigInt(text) < 2n ** 64n) return BigInt(text);
  throw refuse(`strconv.ParseUint: parsing ${quoteGo(text)}: ${isNumber ? "value out of range" : "invalid syntax"}`);
}
