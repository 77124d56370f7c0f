/**
 * How a definition goes: its objects go first.
 *
 *     DELETE → beginCrdDeletion → objects deleted → endCrdDeletion → removed
 */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { addFinalizer, hasFinalizer, removeFinalizer } from "@drover/machinery";
import { hasCondition, setCrdCondition } from "./crd-conditions.ts";

/** Keeps a definition until its objects are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/**
 * For the verb that deletes: marks a definition that is now being deleted. Changes it in place; its `deletionTimestamp`
 * is the verb's business.
 */
export function beginCrdDeletion(crd: CustomResourceDefinition, now: number): void {
  addFinalizer(crd, cleanupFinalizer);
  setCrdCondition(
    crd,
    {
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionPending",
      message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    },
    now,
  );
}

/** Whether the objects of a definition are to be deleted, or are being deleted. */
export function isBeingCleanedUp(crd: CustomResourceDefinition): boolean {
  return crd.metadata.deletionTimestamp !== undefined && hasFinalizer(crd, cleanupFinalizer);
}

/** Says that objects are being deleted now. */
export function markCleanup(crd: CustomResourceDefinition, now: number): void {
  setCrdCondition(
    crd,
    { type: "Terminating", status: "True", reason: "InstanceDeletionInProgress", message: "CustomResource deletion is in progress" },
    now,
  );
}

/** Lets the definition go: its objects are gone, or there never were any. */
export function endCrdDeletion(crd: CustomResourceDefinition, now: number): void {
  setCrdCondition(
    crd,
    hasCondition(crd, "Established")
      ? { type: "Terminating", status: "False", reason: "InstanceDeletionCompleted", message: "removed all instances" }
      : { type: "Terminating", status: "False", reason: "NeverEstablished", message: "resource was never established" },
    now,
  );
  removeFinalizer(crd, cleanupFinalizer);
}
