import { deepFreeze } from "@drover/machinery";
import type { OwnerReference } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { adoptionPatch, releasePatch } from "./reference-patch.ts";

const ownerKind = { group: "batch", version: "v1", kind: "Job" };
const owner = deepFreeze({ metadata: { name: "sum", namespace: "shop", uid: "u1" } });
const ours: OwnerReference = { apiVersion: "batch/v1", kind: "Job", name: "sum", uid: "u1", controller: true, blockOwnerDeletion: true };
const other: OwnerReference = { apiVersion: "v1", kind: "Node", name: "n1", uid: "u9" };
const child = (ownerReferences: readonly OwnerReference[], finalizers?: readonly string[]): Parameters<typeof adoptionPatch>[0] =>
  deepFreeze({
    metadata: {
      name: "sum-0",
      namespace: "shop",
      uid: "c1",
      resourceVersion: "7",
      ownerReferences: [...ownerReferences],
      ...(finalizers === undefined ? {} : { finalizers: [...finalizers] }),
    },
  });

describe("a strategic patch", () => {
  it("equals, byte for byte, what kube-controller-manager sends (row C011)", () => {
    const text = (patch: { readonly strategic: object }): string => JSON.stringify(patch.strategic);
    const reference = '{"apiVersion":"batch/v1","kind":"Job","name":"sum","uid":"u1","controller":true,"blockOwnerDeletion":true}';
    expect(text(adoptionPatch(child([]), { owner, ownerKind, finalizers: [] }))).toBe(
      `{"metadata":{"ownerReferences":[${reference}],"uid":"c1"}}`,
    );
    expect(text(adoptionPatch(child([]), { owner, ownerKind, finalizers: ["f"] }))).toBe(
      `{"metadata":{"ownerReferences":[${reference}],"uid":"c1","finalizers":["f"]}}`,
    );
    expect(text(releasePatch(child([ours]), { owner, ownerKind, finalizers: [] }))).toBe(
      '{"metadata":{"uid":"c1","ownerReferences":[{"$patch":"delete","uid":"u1"}]}}',
    );
    expect(text(releasePatch(child([ours]), { owner, ownerKind, finalizers: ["f", "g"] }))).toBe(
      '{"metadata":{"uid":"c1","ownerReferences":[{"$patch":"delete","uid":"u1"}],"$deleteFromPrimitiveList/finalizers":["f","g"]}}',
    );
  });
});

describe("a merge patch", () => {
  it("contains the version of the list it replaces, and keeps references of others", () => {
    expect(adoptionPatch(child([other], ["theirs"]), { owner, ownerKind, finalizers: ["f", "theirs"] }).merge).toEqual({
      metadata: { uid: "c1", resourceVersion: "7", ownerReferences: [other, ours], finalizers: ["theirs", "f"] },
    });
    expect(releasePatch(child([other, ours], ["theirs", "f"]), { owner, ownerKind, finalizers: ["f"] }).merge).toEqual({
      metadata: { uid: "c1", resourceVersion: "7", ownerReferences: [other], finalizers: ["theirs"] },
    });
  });

  it("omits finalizers if none are ours", () => {
    expect(adoptionPatch(child([], ["theirs"]), { owner, ownerKind, finalizers: [] }).merge).not.toHaveProperty("metadata.finalizers");
    expect(releasePatch(child([ours], ["theirs"]), { owner, ownerKind, finalizers: [] }).merge).not.toHaveProperty("metadata.finalizers");
  });

  it("turns a non-controller reference to the same owner into the controller reference, in place", () => {
    const { controller: _controller, blockOwnerDeletion: _block, ...plain } = ours;
    expect(adoptionPatch(child([plain, other]), { owner, ownerKind, finalizers: [] }).merge).toMatchObject({
      metadata: { ownerReferences: [ours, other] },
    });
  });
});
