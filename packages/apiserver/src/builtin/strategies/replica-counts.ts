/** The numbers in the status of workloads: none negative, and parts no greater than the whole. */
import { fieldChild, fieldInvalid } from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import { validateNonNegative } from "./checked-field.ts";

/** Numbers by field of the status; one that is missing is 0. */
export type Counts = Readonly<Record<string, unknown>>;

/** In the given order, which is that of the errors. */
export function validateCounts(status: Counts | undefined, fields: readonly string[]): FieldError[] {
  return fields.flatMap((field) => validateNonNegative(countOf(status, field), fieldChild("status", field)));
}

/** `ready` is what the server calls the ready ones when more than those are available. */
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

/** How often names have collided can only grow. */
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
