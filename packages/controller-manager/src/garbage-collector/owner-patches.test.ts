import { describe, expect, it } from "vitest";
import { dropFinalizerPatch, dropOwnersMergePatch, dropOwnersPatch, unblockOwnersMergePatch, unblockOwnersPatch } from "./owner-patches.ts";

const owner = { apiVersion: "v1", kind: "Pod", name: "web", uid: "1" };
const blocking = { ...owner, uid: "2", controller: true, blockOwnerDeletion: true };
const metadata = { name: "child", resourceVersion: "7", ownerReferences: [owner, blocking] };

describe("owner patches", () => {
  it("G007: carry the uid of the dependent and remove only the given owners", () => {
    expect(dropOwnersPatch("9", ["1", "2"])).toEqual({
      type: "strategic",
      body: {
        metadata: {
          uid: "9",
          ownerReferences: [
            { $patch: "delete", uid: "1" },
            { $patch: "delete", uid: "2" },
          ],
        },
      },
    });
  });

  it("as merge patches write the remaining owners on the observed version", () => {
    expect(dropOwnersMergePatch(metadata, ["1"])).toEqual({
      type: "merge",
      body: { metadata: { resourceVersion: "7", ownerReferences: [blocking] } },
    });
    expect(dropOwnersMergePatch(metadata, ["1", "2"])).toEqual({
      type: "merge",
      body: { metadata: { resourceVersion: "7", ownerReferences: null } },
    });
  });

  it("G008: unblock only blocking references", () => {
    expect(unblockOwnersPatch("9", metadata.ownerReferences)).toEqual({
      type: "strategic",
      body: { metadata: { uid: "9", ownerReferences: [{ ...blocking, blockOwnerDeletion: false }] } },
    });
    expect(unblockOwnersMergePatch(metadata)).toEqual({
      type: "merge",
      body: { metadata: { resourceVersion: "7", ownerReferences: [owner, { ...blocking, blockOwnerDeletion: false }] } },
    });
  });

  it("remove one finalizer, and the list with the last", () => {
    expect(dropFinalizerPatch({ resourceVersion: "7", finalizers: ["a", "orphan"] }, "orphan")).toEqual({
      type: "merge",
      body: { metadata: { resourceVersion: "7", finalizers: ["a"] } },
    });
    expect(dropFinalizerPatch({ resourceVersion: "7", finalizers: ["orphan"] }, "orphan")).toEqual({
      type: "merge",
      body: { metadata: { resourceVersion: "7", finalizers: null } },
    });
  });
});
