/** Duplicate owner references. */
import { encodeJson } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import type { Warnings } from "../request/warnings.ts";

/** Drops owner references that repeat an earlier one and adds a warning. The text for patches is kube-apiserver's own. */
export function dropDuplicateOwners(object: JsonObject, warnings: Warnings, when: "sent" | "patched" = "sent"): void {
  const meta = metaOf(object);
  const { ownerReferences } = meta;
  if (!Array.isArray(ownerReferences) || ownerReferences.length < 2) return;
  const kept = new Map<string, (typeof ownerReferences)[number]>();
  const duplicates: string[] = [];
  for (const reference of ownerReferences) {
    const text = encodeJson(reference, { sortKeys: true });
    if (kept.has(text)) duplicates.push(reference.uid);
    else kept.set(text, reference);
  }
  if (duplicates.length === 0) return;
  meta.ownerReferences = [...kept.values()];
  warnings.add(
    `.metadata.ownerReferences contains duplicate entries${when === "patched" ? " after mutating admission happens" : ""}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${duplicates.join(", ")}`,
  );
}
