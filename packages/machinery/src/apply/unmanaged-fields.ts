/** Fields that belong to the server or identify an object, which have no owner. */
import { fieldSetOf } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";

const inMetadata: readonly string[] = [
  "name",
  "namespace",
  "creationTimestamp",
  "selfLink",
  "uid",
  "clusterName",
  "generation",
  "managedFields",
  "resourceVersion",
];

/** Removed from what a writer has set before it is recorded; other fields of `metadata` are not. */
export const unmanagedFields: FieldSet = fieldSetOf(
  ["f:apiVersion"],
  ["f:kind"],
  ["f:metadata"],
  ...inMetadata.map((name) => ["f:metadata", `f:${name}`]),
);
