/** References to owners that are there twice. */
import { semanticEqual } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import type { Warnings } from "../request/warnings.ts";

/** Leaves out references that are equal to one before them, and warns of it. */
export function dropDuplicateOwners(object: JsonObject, warnings: Warnings): void {
  const meta = metaOf(object);
  const { ownerReferences } = meta;
  if (!Array.isArray(ownerReferences) || ownerReferences.length < 2) return;
  const kept: typeof ownerReferences = [];
  const duplicates: string[] = [];
  for (const reference of ownerReferences) {
    if (!kept.some((other) => semanticEqual(other, reference))) kept.push(reference);
    else if (!duplicates.includes(reference.uid)) duplicates.push(reference.uid);
  }
  if (duplicates.length === 0) return;
  meta.ownerReferences = kept;
  warnings.add(`.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${duplicates.join(", ")}`);
}
