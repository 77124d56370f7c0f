import { describe, expect, it } from "vitest";
import type { KubeObject, OwnerReference } from "./object.ts";
import {
  addOwnerReference,
  AlreadyOwnedError,
  controllerOf,
  hasOwnerReference,
  isControlledBy,
  newControllerRef,
  newOwnerReference,
  removeOwnerReference,
  setControllerReference,
  withOwnerReference,
} from "./owner.ts";
import { deepFreeze } from "../json/readonly.ts";

const kind = { group: "apps", version: "v1", kind: "ReplicaSet" };
const owner = deepFreeze({ metadata: { name: "web", namespace: "default", uid: "u1" } });
const reference: OwnerReference = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "u1" };
const controllerReference = { ...reference, controller: true, blockOwnerDeletion: true };
const other: OwnerReference = { apiVersion: "v1", kind: "Node", name: "n1", uid: "u9" };
const pod = (...ownerReferences: OwnerReference[]): KubeObject => ({
  metadata: { name: "web-0", namespace: "default", ...(ownerReferences.length > 0 ? { ownerReferences } : {}) },
});

describe("newOwnerReference and newControllerRef", () => {
  it("name the owner; a controller reference also blocks its deletion", () => {
    expect(newOwnerReference(owner, kind)).toEqual(reference);
    expect(newOwnerReference(owner, kind, { blockOwnerDeletion: true })).toEqual({ ...reference, blockOwnerDeletion: true });
    expect(newControllerRef(owner, kind)).toEqual(controllerReference);
    expect(newControllerRef(owner, kind, { blockOwnerDeletion: false })).toEqual({ ...controllerReference, blockOwnerDeletion: false });
  });

  it("lead to the controller, compared by uid", () => {
    expect(controllerOf(pod(other, controllerReference))).toEqual(controllerReference);
    expect(controllerOf(pod(other, { ...reference, controller: false }))).toBeUndefined();
    expect(controllerOf(pod())).toBeUndefined();
    expect(isControlledBy(pod(controllerReference), owner)).toBe(true);
    expect(isControlledBy(pod(controllerReference), { metadata: { name: "web", namespace: "default", uid: "u2" } })).toBe(false);
    expect(isControlledBy(pod(reference), owner)).toBe(false);
  });

  it("are replaced in place, never in the list itself", () => {
    const list = deepFreeze([other, { ...reference, uid: "old" }]);
    expect(withOwnerReference(list, reference)).toEqual([other, reference]);
    expect(withOwnerReference([other], reference)).toEqual([other, reference]);
    expect(withOwnerReference(undefined, reference)).toEqual([reference]);
    expect(list[1]?.uid).toBe("old");
  });
});

describe("addOwnerReference", () => {
  it("adds a reference, or updates the one to the same group, kind and name", () => {
    const object = pod(other);
    addOwnerReference(object, owner, kind);
    expect(object.metadata.ownerReferences).toEqual([other, reference]);
    addOwnerReference(object, { metadata: { ...owner.metadata, uid: "new" } }, { ...kind, version: "v2" });
    expect(object.metadata.ownerReferences).toEqual([other, { ...reference, apiVersion: "apps/v2", uid: "new" }]);
    addOwnerReference(object, owner, { ...kind, group: "extensions" });
    expect(object.metadata.ownerReferences).toHaveLength(3);
  });

  it("is found and removed by group, kind and name", () => {
    const object = pod(other, { ...reference, apiVersion: "apps/v1beta1", uid: "old" });
    expect(hasOwnerReference(object, owner, kind)).toBe(true);
    expect(hasOwnerReference(object, owner, { ...kind, kind: "Deployment" })).toBe(false);
    expect(hasOwnerReference(pod(), owner, kind)).toBe(false);
    expect(removeOwnerReference(object, owner, kind)).toBe(true);
    expect(object.metadata.ownerReferences).toEqual([other]);
    expect(removeOwnerReference(object, owner, kind)).toBe(false);
  });

  it("leaves no empty list behind", () => {
    const object = pod(reference);
    expect(removeOwnerReference(object, owner, kind)).toBe(true);
    expect(object).toEqual(pod());
    expect(removeOwnerReference(object, owner, kind)).toBe(false);
  });

  it("stays within a namespace, unless the owner is cluster-scoped", () => {
    const elsewhere = { metadata: { name: "web", namespace: "elsewhere", uid: "u1" } };
    for (const own of [addOwnerReference, setControllerReference]) {
      expect(() => own(pod(), elsewhere, kind)).toThrow(
        "cross-namespace owner references are disallowed, owner's namespace elsewhere, obj's namespace default",
      );
      expect(() => own({ metadata: { name: "n1" } }, elsewhere, kind)).toThrow(
        "cluster-scoped resource must not have a namespace-scoped owner, owner's namespace elsewhere",
      );
      const object = pod();
      own(object, { metadata: { name: "web", uid: "u1" } }, kind);
      expect(object.metadata.ownerReferences).toHaveLength(1);
    }
  });
});

describe("setControllerReference", () => {
  it("makes a plain owner the controller, repeatably", () => {
    const object = pod(reference, other);
    setControllerReference(object, owner, kind);
    setControllerReference(object, owner, kind);
    expect(object.metadata.ownerReferences).toEqual([controllerReference, other]);
  });

  it("replaces an earlier object of the same name", () => {
    const object = pod({ ...controllerReference, uid: "old", apiVersion: "apps/v1beta1" });
    setControllerReference(object, owner, kind);
    expect(object.metadata.ownerReferences).toEqual([controllerReference]);
  });

  it("throws while another controller exists", () => {
    const object = pod({ ...controllerReference, name: "api" });
    const error = expect(() => setControllerReference(object, owner, kind));
    error.toThrow(AlreadyOwnedError);
    error.toThrow("Object default/web-0 is already owned by another ReplicaSet controller api");
    expect(object).toEqual(pod({ ...controllerReference, name: "api" }));
  });
});
