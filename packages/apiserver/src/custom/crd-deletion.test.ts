import { describe, expect, it } from "vitest";
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { setCrdCondition } from "./crd-conditions.ts";
import { beginCrdDeletion, cleanupFinalizer, endCrdDeletion, isBeingCleanedUp, markCleanup } from "./crd-deletion.ts";

const crd = (): CustomResourceDefinition => ({
  metadata: { finalizers: ["mine.io/x"], deletionTimestamp: "2026-11-15T20:00:00Z" },
  spec: { group: "", names: { plural: "", kind: "" }, scope: "", versions: [] },
});
const terminating = ({ status }: CustomResourceDefinition): unknown => status?.conditions?.find(({ type }) => type === "Terminating");

describe("deletion of a CustomResourceDefinition", () => {
  it("starts with a finalizer and the Terminating condition, once", () => {
    const definition = crd();
    expect(isBeingCleanedUp(definition)).toBe(false);
    beginCrdDeletion(definition, 0);
    beginCrdDeletion(definition, 5000);
    expect(definition.metadata.finalizers).toEqual(["mine.io/x", cleanupFinalizer]);
    expect(terminating(definition)).toEqual({
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionPending",
      message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
      lastTransitionTime: "1970-01-01T00:00:00Z",
    });
    expect(isBeingCleanedUp(definition)).toBe(true);
  });

  it("ends when its objects are gone, or when it was never established", () => {
    const never = crd();
    beginCrdDeletion(never, 0);
    markCleanup(never, 0);
    expect(terminating(never)).toMatchObject({ reason: "InstanceDeletionInProgress" });
    endCrdDeletion(never, 0);
    expect([terminating(never), never.metadata.finalizers]).toMatchObject([{ status: "False", reason: "NeverEstablished" }, ["mine.io/x"]]);
    const once = crd();
    setCrdCondition(once, { type: "Established", status: "True", reason: "A", message: "a" }, 0);
    beginCrdDeletion(once, 0);
    endCrdDeletion(once, 0);
    expect(terminating(once)).toMatchObject({ status: "False", reason: "InstanceDeletionCompleted", message: "removed all instances" });
  });
});
