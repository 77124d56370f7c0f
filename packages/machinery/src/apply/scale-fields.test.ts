import { describe, expect, it } from "vitest";

import type { JsonObject } from "../json/json-value.ts";
import { parentManagedFields, scaleManagedFields } from "./scale-fields.ts";
import type { ReplicasPaths } from "./scale-fields.ts";

const paths: ReplicasPaths = new Map([
  ["apps/v1", ["f:spec", "f:replicas"]],
  ["apps/v0", null],
]);
const replicas = { "f:spec": { "f:replicas": {} } };
const entry = (manager: string, apiVersion: string, fieldsV1: JsonObject, more: JsonObject = {}): JsonObject => ({
  manager,
  operation: "Apply",
  apiVersion,
  fieldsType: "FieldsV1",
  fieldsV1,
  ...more,
});

describe("scaleManagedFields", () => {
  it("shows owners of the replicas only", () => {
    const parent = [
      entry("a", "apps/v1", { "f:spec": { "f:replicas": {}, "f:x": {} } }),
      entry("b", "apps/v1", { "f:spec": { "f:x": {} } }),
      entry("c", "apps/v0", replicas),
      entry("d", "apps/v9", replicas),
    ];
    expect(scaleManagedFields(parent, paths)).toEqual([entry("a", "autoscaling/v1", replicas)]);
    expect(scaleManagedFields(undefined, paths)).toBeUndefined();
  });

  it("moves ownership when another manager has it in the Scale", () => {
    const parent = [entry("a", "apps/v1", { "f:spec": { "f:replicas": {}, "f:x": {} } }), entry("alone", "apps/v1", replicas)];
    const scaled = entry("hpa", "autoscaling/v1", replicas, { operation: "Update", subresource: "scale", time: "2026-01-01T00:00:00Z" });
    expect(parentManagedFields(parent, [scaled], "apps/v1", paths)).toEqual([
      entry("a", "apps/v1", { "f:spec": { "f:x": {} } }),
      entry("hpa", "apps/v1", replicas, { operation: "Update", subresource: "scale" }),
    ]);
  });

  it("keeps an owner that still has it, and drops unserved versions", () => {
    const parent = [entry("a", "apps/v1", { "f:spec": { "f:replicas": {}, "f:x": {} } }), entry("d", "apps/v9", replicas)];
    expect(parentManagedFields(parent, [entry("a", "autoscaling/v1", replicas)], "apps/v1", paths)).toEqual([parent[0]]);
  });
});
