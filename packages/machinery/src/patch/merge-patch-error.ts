/** Errors of merge patches and strategic merge patches. */
import { goType, printGo } from "../json/go-print.ts";
import type { JsonValue } from "../json/json-value.ts";

/** Why a merge patch or a strategic merge patch was refused. */
export type MergePatchFailure =
  /** Not a patch, or a malformed directive; the server responds with 400. */
  | "malformed"
  /** Lists of lists; the server responds with 422. */
  | "unprocessable"
  /** The patch does not fit the object or its schema; the server responds with 500. */
  | "inapplicable"
  /** The current object was changed differently than the modified one. */
  | "conflict"
  /** The patch would change what a precondition fixes. */
  | "precondition-failed";

/** A merge patch or strategic merge patch that failed. The message is that of Kubernetes' libraries. */
export class MergePatchError extends Error {
  override readonly name: string = "MergePatchError";
  readonly reason: MergePatchFailure;

  constructor(reason: MergePatchFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Error for an invalid `$patch`. Prints a text as it is, any other value with Go's complaint. */
export function unknownMarker(marker: JsonValue, patch: JsonValue): MergePatchError {
  const word = typeof marker === "string" ? marker : marker === null ? "%!s(<nil>)" : `%!s(${goType(marker)}=${printGo(marker)})`;
  return new MergePatchError("inapplicable", `unknown patch type: ${word} in map: ${printGo(patch)}`);
}

/** Error for a value of an unexpected type. */
export function wrongType(expected: "map[string]interface {}" | "[]interface {}", value: JsonValue): MergePatchError {
  return new MergePatchError("inapplicable", `expected a ${expected}, but received a ${value === null ? "%!s(<nil>)" : goType(value)}`);
}

/** Error for two conflicting sets of changes. Both are shown as JSON, which is YAML too. */
export function patchConflict(patch: JsonValue, changes: JsonValue): MergePatchError {
  const print = (value: JsonValue): string =>
    JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? Number(part) : part), 2);
  return new MergePatchError(
    "conflict",
    `patch:\n${print(patch)}\nconflicts with changes made from original to current:\n${print(changes)}\n`,
  );
}

/** Error for a patch that violates a precondition. */
export function preconditionFailed(patch: JsonValue): MergePatchError {
  return new MergePatchError("precondition-failed", `precondition failed for: ${printGo(patch)}`);
}
