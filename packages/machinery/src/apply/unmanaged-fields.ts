/** Fields that belong to the server or say what an object is. Nobody owns them. */
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

/** Taken out of what a writer has set before it is recorded; what is below `metadata` otherwise is not. */
export const unmanagedFields: FieldSet = fieldSetOf(
  ["f:apiVersion"],
  ["f:kind"],
  ["f:metadata"],
  ...inMetadata.map((name) => ["f:metadata", `f:${name}`]),
);
