/**
 * Deletion of a CustomResourceDefinition: its objects are deleted first.
 *
 *     DELETE → beginCrdDeletion → objects deleted → endCrdDeletion → removed
 */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { addFinalizer, hasFinalizer, removeFinalizer } from "@drover/machinery";
import { hasCondition, setCrdCondition } from "./crd-conditions.ts";

/** Holds a definition until its objects are deleted. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** Marks a definition as terminating, in place. The DELETE verb sets `deletionTimestamp`. */
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

/** Whether the objects of a definition have to be deleted. */
export function isBeingCleanedUp(crd: CustomResourceDefinition): boolean {
  return crd.metadata.deletionTimestamp !== undefined && hasFinalizer(crd, cleanupFinalizer);
}

/** Sets the condition that objects are being deleted. */
export function markCleanup(crd: CustomResourceDefinition, now: number): void {
  setCrdCondition(
    crd,
    { type: "Terminating", status: "True", reason: "InstanceDeletionInProgress", message: "CustomResource deletion is in progress" },
    now,
  );
}

/** Releases the definition: its objects are deleted, or it never had any. */
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
