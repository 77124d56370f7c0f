/** Whether the owners of an object exist, according to the server; owners known to be absent are not requested again. */
import { foregroundFinalizer } from "@drover/machinery";
import type { DeepReadonly, OwnerReference, PartialObjectMetadata } from "@drover/machinery";
import type { AbsentOwners } from "./absent-owners.ts";
import { NamespacedOwnerError } from "./live-objects.ts";
import type { LiveView } from "./live-objects.ts";
import { identityOfOwner } from "./object-identity.ts";

type Owner = DeepReadonly<OwnerReference>;

export interface ClassifiedOwners {
  /** They exist and stay. */
  readonly solid: readonly Owner[];
  /** They do not exist, or another object has their name. */
  readonly dangling: readonly Owner[];
  /** They are being deleted in the foreground. */
  readonly waiting: readonly Owner[];
}

/**
 * Requests owners in the order of the references. Rejects with an `UnservedKindError` when the kind is not served, and with a
 * `NamespacedOwnerError` for a cluster-scoped object with a namespaced owner.
 */
export async function classifyOwners(
  owners: readonly Owner[],
  namespace: string,
  { live, absentOwners }: { readonly live: LiveView; readonly absentOwners: AbsentOwners },
): Promise<ClassifiedOwners> {
  const [solid, dangling, waiting]: [Owner[], Owner[], Owner[]] = [[], [], []];
  for (const reference of owners) {
    const owner = await findOwner(reference, namespace, { live, absentOwners });
    if (owner === undefined) dangling.push(reference);
    else if (owner.metadata.deletionTimestamp !== undefined && owner.metadata.finalizers?.includes(foregroundFinalizer) === true)
      waiting.push(reference);
    else solid.push(reference);
  }
  return { solid, dangling, waiting };
}

async function findOwner(
  reference: Owner,
  namespace: string,
  { live, absentOwners }: { readonly live: LiveView; readonly absentOwners: AbsentOwners },
): Promise<PartialObjectMetadata | undefined> {
  if (absentOwners.has(identityOfOwner(reference, "")) || absentOwners.has(identityOfOwner(reference, namespace))) return undefined;
  const { scope } = await live.kindOf(reference);
  if (scope === "Namespaced" && namespace === "") throw new NamespacedOwnerError();
  const identity = identityOfOwner(reference, scope === "Namespaced" ? namespace : "");
  const owner = await live.get(identity);
  if (owner?.metadata.uid === reference.uid) return owner;
  absentOwners.add(identity);
  return undefined;
}
