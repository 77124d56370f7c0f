/** What merge patches and strategic merge patches throw when they cannot be read, applied or made. */
import { goType, printGo } from "../json/go-print.ts";
import type { JsonValue } from "../json/json-value.ts";

/** Why a merge patch or a strategic merge patch was refused. */
export type MergePatchFailure =
  /** Not a patch, or a directive of the wrong form; the server answers 400. */
  | "malformed"
  /** Lists of lists; the server answers 422. */
  | "unprocessable"
  /** The patch does not fit the object or its schema; the server answers 500. */
  | "inapplicable"
  /** The current object was changed in another way than the modified one. */
  | "conflict"
  /** The patch would change what a precondition holds fixed. */
  | "precondition-failed";

/** A merge patch or strategic merge patch that failed. The message is the one of Kubernetes' own libraries. */
export class MergePatchError extends Error {
  override readonly name: string = "MergePatchError";
  readonly reason: MergePatchFailure;

  constructor(reason: MergePatchFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * The error for a `$patch` that says something other than what it may say there. A text prints as it is, everything
 * else with Go's complaint.
 */
export function unknownMarker(marker: JsonValue, patch: JsonValue): MergePatchError {
  const word = typeof marker === "string" ? marker : marker === null ? "%!s(<nil>)" : `%!s(${goType(marker)}=${printGo(marker)})`;
  return new MergePatchError("inapplicable", `unknown patch type: ${word} in map: ${printGo(patch)}`);
}

/** The error for a value of another type than the one expected. */
export function wrongType(expected: "map[string]interface {}" | "[]interface {}", value: JsonValue): MergePatchError {
  return new MergePatchError("inapplicable", `expected a ${expected}, but received a ${value === null ? "%!s(<nil>)" : goType(value)}`);
}

/** The error for two sets of changes that exclude each other. Both are shown as JSON, which is YAML too. */
export function patchConflict(patch: JsonValue, changes: JsonValue): MergePatchError {
  const print = (value: JsonValue): string =>
    JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? Number(part) : part), 2);
  return new MergePatchError(
    "conflict",
    `patch:\n${print(patch)}\nconflicts with changes made from original to current:\n${print(changes)}\n`,
  );
}

/** The error for a patch that a precondition does not let pass. */
export function preconditionFailed(patch: JsonValue): MergePatchError {
  return new MergePatchError("precondition-failed", `precondition failed for: ${printGo(patch)}`);
}
