/** Replica counts in a workload's status: non-negative, and parts not greater than the whole. */
import { fieldChild, fieldInvalid } from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import { validateNonNegative } from "./checked-field.ts";

/** Counts by field; a missing one is 0. */
export type Counts = Readonly<Record<string, unknown>>;

/** Counts must not be negative; errors are in the given order. */
export function validateCounts(status: Counts | undefined, fields: readonly string[]): FieldError[] {
  return fields.flatMap((field) => validateNonNegative(countOf(status, field), fieldChild("status", field)));
}

/** Parts must not exceed the whole; `ready` is the field that available replicas must not exceed. */
export function validateShares(status: Counts | undefined, parts: readonly string[], ready: string): FieldError[] {
  const replicas = countOf(status, "replicas");
  const tooMany = parts.filter((field) => countOf(status, field) > replicas);
  const available = countOf(status, "availableReplicas");
  return [
    ...tooMany.map((field) => fieldInvalid(fieldChild("status", field), countOf(status, field), "cannot be greater than status.replicas")),
    ...(available > countOf(status, "readyReplicas")
      ? [fieldInvalid("status.availableReplicas", available, `cannot be greater than ${ready}`)]
      : []),
  ];
}

/** collisionCount must not decrease. */
export function validateCollisionCount(status: Counts | undefined, old: Counts | undefined): FieldError[] {
  const isLess =
    old?.collisionCount !== undefined &&
    (status?.collisionCount === undefined || countOf(status, "collisionCount") < countOf(old, "collisionCount"));
  return isLess ? [fieldInvalid("status.collisionCount", countOf(status, "collisionCount"), "cannot be decremented")] : [];
}

function countOf(status: Counts | undefined, field: string): number {
  const value = status?.[field];
  return typeof value === "number" ? value : 0;
}
