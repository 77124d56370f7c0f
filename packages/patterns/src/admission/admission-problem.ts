/**
 * Problems that `validate` returns, and the refusal that users read: the same words as errors of the API server itself.
 *
 *     string | { field, message, value, reason } → refusalOf → AdmissionAnswer with 422, reason Invalid and causes
 */
import type { AdmissionAnswer } from "@drover/controller";
import { fieldErrorCause, getOwn, isJsonObject, newInvalid, printGroupKind, quoteGo } from "@drover/machinery";
import type { FieldError, FieldErrorType, GroupKind, JsonValue } from "@drover/machinery";

/** A field that is wrong. */
export interface FieldProblem {
  /** "spec.host", "spec.ports[0].name", "metadata.labels[app]" */
  readonly field: string;
  /** What is wrong: "must be a host of example.com". */
  readonly message: string;
  /** The wrong value, which the refusal quotes. @default the value of the field in the object */
  readonly value?: unknown;
  /** Kind of problem. @default "Required" if the object has no such field, else "Invalid" */
  readonly reason?: Exclude<FieldErrorType, "Internal" | "TypeInvalid">;
}

/** A problem of the whole object, or of one field. */
export type AdmissionProblem = string | FieldProblem;

/** What `validate` returns: nothing if the object is fine, a problem, or a list of problems, which may be empty. */
export type AdmissionVerdict = undefined | void | AdmissionProblem | readonly AdmissionProblem[];

/** Returns the problems of a verdict. Throws `TypeError` for anything else, so that a wrong value is not taken for "fine". */
export function problemsOf(verdict: unknown): readonly AdmissionProblem[] {
  if (verdict === undefined || verdict === null) return [];
  const list: readonly unknown[] = Array.isArray(verdict) ? verdict : [verdict];
  for (const problem of list) {
    if (isProblem(problem)) continue;
    throw new TypeError(
      `validate must return nothing, a string, { field, message }, or a list of these, not ${verdictText(problem)}; if the object is fine, return nothing`,
    );
  }
  return list as readonly AdmissionProblem[];
}

/** Returns the refusal. @param object - where missing values are read from */
export function refusalOf(
  kind: GroupKind,
  name: string,
  problems: readonly AdmissionProblem[],
  object: unknown,
): AdmissionAnswer & { readonly isAllowed: false } {
  const errors = problems.flatMap((problem) => (typeof problem === "string" ? [] : [errorOf(problem, object)]));
  const plain = problems.filter((problem) => typeof problem === "string");
  const { message = "" } = newInvalid(kind, name, errors);
  // A problem without a field has no place in the server's list of fields, so it comes first.
  const text =
    plain.length === 0
      ? message
      : `${printGroupKind(kind)} ${quoteGo(name)} is invalid: ${[...plain, ...(errors.length === 0 ? [] : [message.slice(message.indexOf(" is invalid: ") + 13)])].join("; ")}`;
  return {
    isAllowed: false,
    code: 422,
    reason: "Invalid",
    message: text,
    causes: [
      ...plain.map((detail) => ({ field: "", reason: "FieldValueInvalid", message: detail })),
      ...errors.map((error) => {
        const { field = "", reason = "", message: detail = "" } = fieldErrorCause(error);
        return { field, reason, message: detail };
      }),
    ],
  };
}

function errorOf({ field, message, value, reason }: FieldProblem, object: unknown): FieldError {
  const found = value === undefined ? valueAt(object as JsonValue | undefined, field) : value;
  return {
    type: reason ?? (found === undefined ? "Required" : "Invalid"),
    field,
    detail: message,
    ...(found === undefined ? {} : { value: found }),
  };
}

/** Returns the value of a field such as `spec.ports[0].name` or `metadata.labels[app.kubernetes.io/name]`; undefined if there is none. */
export function valueAt(object: JsonValue | undefined, field: string): JsonValue | undefined {
  let value = object;
  for (const [, name, key = ""] of field.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    const step = name ?? key;
    if (Array.isArray(value)) value = /^\d+$/.test(step) ? value[Number(step)] : undefined;
    else value = isJsonObject(value) ? getOwn(value, step) : undefined;
  }
  return value;
}

function isProblem(problem: unknown): problem is AdmissionProblem {
  if (typeof problem === "string") return problem !== "";
  if (typeof problem !== "object" || problem === null) return false;
  const { field, message } = problem as Partial<FieldProblem>;
  return typeof field === "string" && typeof message === "string";
}

const verdictText = (problem: unknown): string =>
  typeof problem === "boolean" || problem === ""
    ? JSON.stringify(problem)
    : problem === null
      ? "null"
      : `a value of type ${typeof problem}`;
