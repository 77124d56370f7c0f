/**
 * The claims of a pod on the server: creates missing ones and sets their owners by the set's retention policy.
 *
 *     claimsOf → createClaims;   hasRightOwners? → fixClaimOwners
 */
import { PersistentVolumeClaim } from "@drover/api/core/v1";
import { errorText, isAlreadyExists, objectKeyOf } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";
import { deletesWhenScaled, hasForeignController, hasRightOwners, isStaleFor, rightOwners } from "./claim-owners.ts";
import { claimsOf } from "./pod-claims.ts";
import { ordinalOf } from "./pod-identity.ts";
import { tellClaim } from "./stateful-set-run.ts";
import type { StatefulSetRun } from "./stateful-set-run.ts";
import type { ClaimView, StatefulSetView } from "./stateful-set-view.ts";

/**
 * Creates missing claims and records an event for each. After trying all, rejects if one failed; a claim that is being deleted
 * counts as failed.
 */
export async function createClaims(run: StatefulSetRun, set: StatefulSetView, pod: PodView): Promise<void> {
  const failures: Error[] = [];
  for (const claim of wantedClaims(set, pod)) {
    const found = run.claims.get(objectKeyOf(claim));
    if (found?.metadata.deletionTimestamp !== undefined) failures.push(new Error(`pvc ${claim.metadata.name} is being deleted`));
    if (found !== undefined) continue;
    try {
      await run.client.create(PersistentVolumeClaim, claim, { namespace: claim.metadata.namespace ?? "", signal: run.signal });
      tellClaim(run, set, pod, claim, {});
    } catch (error) {
      run.signal.throwIfAborted();
      if (!isAlreadyExists(error)) tellClaim(run, set, pod, claim, { error });
      failures.push(new Error(`failed to create PVC ${claim.metadata.name}: ${errorText(error)}`, { cause: error }));
    }
  }
  const [first] = failures;
  if (first !== undefined) throw failures.length === 1 ? first : new AggregateError(failures, `[${failures.map(errorText).join(", ")}]`);
}

/** Whether a claim still belongs to an earlier pod and will be deleted with it: then no pod can use it. */
export function isWaitingForClaims(run: StatefulSetRun, set: StatefulSetView, pod: PodView): boolean {
  return deletesWhenScaled(set) && existingClaims(run, set, pod).some((claim) => isStaleFor(pod, claim));
}

/** Whether the existing claims have the right owners. */
export function areClaimsRight(run: StatefulSetRun, set: StatefulSetView, pod: PodView): boolean {
  return existingClaims(run, set, pod).every((claim) => hasRightOwners(claim, set, pod));
}

/** Sets the owners of existing claims, and records an event for a claim that another controller owns. */
export async function fixClaimOwners(run: StatefulSetRun, set: StatefulSetView, pod: PodView): Promise<void> {
  for (const claim of existingClaims(run, set, pod)) {
    const { name = "", namespace = "" } = claim.metadata;
    if (hasForeignController(claim, set, pod)) {
      run.events.eventf({
        regarding: set,
        related: claim,
        type: "Warning",
        reason: "ConflictingController",
        action: "UpdateClaim",
        note: `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`,
      });
    }
    if (hasRightOwners(claim, set, pod)) continue;
    await run.client
      .update(
        PersistentVolumeClaim,
        { ...claim, metadata: { ...claim.metadata, ownerReferences: rightOwners(claim, set, pod) } },
        { namespace, signal: run.signal },
      )
      .catch((error: unknown) => {
        run.signal.throwIfAborted();
        throw new Error(`could not update claim ${name} for delete policy ownerRefs: ${errorText(error)}`, { cause: error });
      });
  }
}

function wantedClaims(set: StatefulSetView, pod: PodView): readonly ClaimView[] {
  const ordinal = ordinalOf(pod);
  return ordinal === undefined ? [] : claimsOf(set, ordinal);
}

function existingClaims({ claims }: StatefulSetRun, set: StatefulSetView, pod: PodView): readonly ClaimView[] {
  return wantedClaims(set, pod).flatMap((claim) => claims.get(objectKeyOf(claim)) ?? []);
}
