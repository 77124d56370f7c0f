import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap } from "@drover/api/core/v1";
import { deducedMergeType } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { kindShape } from "./kind-shape.ts";

describe("kindShape", () => {
  it("uses the built-in schemas, which allow strategic patches", () => {
    const { schema, isBuiltIn } = kindShape(Deployment);
    expect([schema?.properties?.["spec"]?.type, isBuiltIn]).toEqual(["object", true]);
  });

  it("uses the schema of a defined resource, with standard metadata", () => {
    const Thing = {
      ...ConfigMap,
      group: "example.com",
      kind: "Thing",
      schema: {
        type: "object",
        properties: {
          spec: { type: "object", properties: { tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" } } },
        },
      },
    };
    const { type, schema, isBuiltIn } = kindShape(Thing);
    expect(isBuiltIn).toBe(false);
    expect(type.map?.field("spec")?.type.map?.field("tags")?.type.list?.atomic).toBe(false);
    expect(
      schema?.properties?.["metadata"]?.properties?.["ownerReferences"]?.["x-kubernetes-list-map-keys"] ??
        schema?.properties?.["metadata"]?.properties?.["ownerReferences"]?.["x-kubernetes-patch-merge-key"],
    ).toBeDefined();
  });

  it("deduces the merge type of kinds without a schema", () => {
    expect(kindShape({ ...ConfigMap, group: "example.com", kind: "Thing" })).toEqual({
      schema: undefined,
      type: deducedMergeType,
      isBuiltIn: false,
    });
  });
});
