import { describe, expect, expectTypeOf, it } from "vitest";
import { accessor, asPartialObjectMetadata } from "./meta.ts";
import type { KubeObject } from "./object.ts";
import { deepFreeze, edit } from "../json/readonly.ts";

const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "u1" };
const metadata = {
  name: "web-0",
  generateName: "web-",
  namespace: "default",
  selfLink: "/x",
  uid: "u2",
  resourceVersion: "42",
  generation: 3,
  creationTimestamp: "2026-11-15T13:35:46Z",
  deletionTimestamp: "2026-11-15T13:36:00Z",
  deletionGracePeriodSeconds: 30,
  labels: { app: "web" },
  annotations: { note: "x" },
  ownerReferences: [owner],
  finalizers: ["a"],
  managedFields: [{ manager: "kubectl" }],
};

describe("accessor", () => {
  it("reads every field of metadata", () => {
    const meta = accessor(deepFreeze({ metadata: structuredClone(metadata) }));
    expect({
      name: meta.getName(),
      generateName: meta.getGenerateName(),
      namespace: meta.getNamespace(),
      selfLink: meta.getSelfLink(),
      uid: meta.getUID(),
      resourceVersion: meta.getResourceVersion(),
      generation: meta.getGeneration(),
      creationTimestamp: meta.getCreationTimestamp(),
      deletionTimestamp: meta.getDeletionTimestamp(),
      deletionGracePeriodSeconds: meta.getDeletionGracePeriodSeconds(),
      labels: meta.getLabels(),
      annotations: meta.getAnnotations(),
      ownerReferences: meta.getOwnerReferences(),
      finalizers: meta.getFinalizers(),
      managedFields: meta.getManagedFields(),
    }).toEqual(metadata);
  });

  it("writes every field of metadata", () => {
    const object = { kind: "Pod", metadata: {} };
    const meta = accessor(object);
    meta.setName(metadata.name);
    meta.setGenerateName(metadata.generateName);
    meta.setNamespace(metadata.namespace);
    meta.setSelfLink(metadata.selfLink);
    meta.setUID(metadata.uid);
    meta.setResourceVersion(metadata.resourceVersion);
    meta.setGeneration(metadata.generation);
    meta.setCreationTimestamp(metadata.creationTimestamp);
    meta.setDeletionTimestamp(metadata.deletionTimestamp);
    meta.setDeletionGracePeriodSeconds(metadata.deletionGracePeriodSeconds);
    meta.setLabels(metadata.labels);
    meta.setAnnotations(metadata.annotations);
    meta.setOwnerReferences(metadata.ownerReferences);
    meta.setFinalizers(metadata.finalizers);
    meta.setManagedFields(metadata.managedFields);
    expect(object).toEqual({ kind: "Pod", metadata });
  });

  it("removes a field that is set to its empty value", () => {
    const object = { metadata: { ...structuredClone(metadata), custom: "kept" } };
    const meta = accessor(object);
    for (const set of ["setName", "setGenerateName", "setNamespace", "setSelfLink", "setUID", "setResourceVersion"] as const) meta[set]("");
    for (const set of ["setCreationTimestamp", "setDeletionTimestamp", "setDeletionGracePeriodSeconds"] as const) meta[set](undefined);
    meta.setGeneration(0);
    meta.setLabels({});
    meta.setAnnotations(undefined);
    for (const set of ["setOwnerReferences", "setFinalizers", "setManagedFields"] as const) meta[set]([]);
    expect(object).toEqual({ metadata: { custom: "kept" } });
  });

  it("keeps a grace period of zero", () => {
    const object = { metadata: {} };
    accessor(object).setDeletionGracePeriodSeconds(0);
    expect(object).toEqual({ metadata: { deletionGracePeriodSeconds: 0 } });
    expect(accessor(object).getDeletionGracePeriodSeconds()).toBe(0);
  });

  it("reads absent, null, inherited and mistyped fields as empty", () => {
    const odd = Object.fromEntries(Object.keys(metadata).map((field) => [field, field === "name" ? 5 : null]));
    const inherited: unknown = Object.create(metadata);
    for (const meta of [{}, odd, inherited, { labels: ["x"], finalizers: { a: 1 }, generation: "3" }].map((value) =>
      accessor({ metadata: value }),
    )) {
      expect([
        meta.getName(),
        meta.getNamespace(),
        meta.getUID(),
        meta.getResourceVersion(),
        meta.getSelfLink(),
        meta.getGenerateName(),
      ]).toEqual(["", "", "", "", "", ""]);
      expect([meta.getCreationTimestamp(), meta.getDeletionTimestamp(), meta.getDeletionGracePeriodSeconds()]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(meta.getGeneration()).toBe(0);
      expect([meta.getLabels(), meta.getAnnotations()]).toEqual([{}, {}]);
      expect([meta.getOwnerReferences(), meta.getFinalizers(), meta.getManagedFields()]).toEqual([[], [], []]);
    }
  });

  it("rejects a value without metadata", () => {
    for (const value of [
      undefined,
      null,
      1,
      "pod",
      {},
      { metadata: null },
      { metadata: "x" },
      { metadata: [] },
      Object.create({ metadata: {} }),
    ]) {
      expect(() => accessor(value)).toThrow("object does not implement the Object interfaces");
    }
  });

  it("explains how to change a cached object, and works on a draft", () => {
    const cached = deepFreeze({ metadata: { name: "web" } });
    expect(() => accessor(cached).setName("other")).toThrow("metadata is read-only, so its name cannot be set: work on a draft of edit()");
    expect(edit(cached, (draft) => accessor(draft).setLabels({ ["__proto__"]: "x" })).metadata).toEqual({
      name: "web",
      labels: { ["__proto__"]: "x" },
    });
  });

  it("returns an integer too large for a number as a bigint", () => {
    expect(accessor({ metadata: { generation: 2n ** 60n } }).getGeneration()).toBe(2n ** 60n);
  });
});

describe("asPartialObjectMetadata", () => {
  it("returns the object without the rest", () => {
    const pod = deepFreeze({ apiVersion: "v1", kind: "Pod", metadata, spec: {} });
    const partial = asPartialObjectMetadata(pod);
    expect(partial).toEqual({ apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata });
    expect(partial.metadata).toBe(pod.metadata);
    expectTypeOf(asPartialObjectMetadata({} as KubeObject & { spec: number }).metadata).toExtend<KubeObject["metadata"]>();
  });
});
