/** The strategy of ControllerRevision. */
import { fieldInvalid, fieldRequired, jsonEqual } from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import type { ControllerRevision } from "@drover/api/apps/v1";
import type { Strategy } from "../../registry/strategy.ts";
import { immutableText, validateNonNegative } from "./checked-field.ts";

export const controllerRevisionStrategy: Strategy<ControllerRevision> = {
  validate: ({ revision, data }) => [...validateNonNegative(revision, "revision"), ...validateData(data)],
  validateUpdate: ({ revision, data }, old) => [
    ...validateNonNegative(revision, "revision"),
    ...(jsonEqual(data ?? null, old.data ?? null) ? [] : [fieldInvalid("data", data ?? null, immutableText)]),
  ],
};

function validateData(data: unknown): FieldError[] {
  if (data === undefined || data === null) return [fieldRequired("data", "data is mandatory")];
  return typeof data === "object" && !Array.isArray(data) ? [] : [fieldRequired("data", "data must be a valid JSON object")];
}
