import { describe, expect, it } from "vitest";
import { kinds } from "../kind-list.ts";
import type { Shape } from "./shape.ts";
import { registeredKind, structShape, typedShape } from "./typed-shape.ts";

describe("typedShape", () => {
  it("describes every field of every served kind", () => {
    const seen = new Set<Shape>();
    const follow = (shape: Shape): void => {
      if (seen.has(shape)) return;
      seen.add(shape);
      if (shape.kind === "list" || shape.kind === "map") follow(shape.item);
      // Inherited names such as toString would be found in every struct.
      if (shape.kind === "struct")
        for (const field of shape.fields) {
          expect(field.name in {}, field.name).toBe(false);
          follow(field.shape);
        }
    };
    for (const kind of kinds) {
      const shape = typedShape(kind);
      expect(shape?.goName, kind.kind).toBe(kind.kind);
      if (shape !== undefined) follow(shape);
    }
    expect(seen.size).toBeGreaterThan(1000);
  });
  it("describes bodies that are not stored kinds", () => {
    const bodies = [
      ["autoscaling", "v1", "Scale"],
      ["policy", "v1", "Eviction"],
      ["", "v1", "Binding"],
      ["authentication.k8s.io", "v1", "TokenRequest"],
      ["meta.k8s.io", "v1", "DeleteOptions"],
    ] as const;
    for (const [group, version, kind] of bodies) expect(typedShape({ group, version, kind })?.goName).toBe(kind);
  });
  it("lists fields in the order of the Go type", () => {
    const names = typedShape({ group: "", version: "v1", kind: "Pod" })?.fields.map(({ name }) => name) ?? [];
    expect(names).toEqual(["kind", "apiVersion", "metadata", "spec", "status"]);
  });
  it("registeredKind knows list kinds by name only", () => {
    expect(registeredKind({ group: "apps", version: "v1", kind: "DeploymentList" })).toEqual({
      goType: "v1.DeploymentList",
      shape: undefined,
    });
  });
});

describe("structShape", () => {
  it("has the type and the metadata of any object as PartialObjectMetadata, which is no kind of its own", () => {
    const shape = structShape("partial.PartialObjectMetadata");
    expect(shape.fields.map(({ name }) => name)).toEqual(["kind", "apiVersion", "metadata"]);
    expect(shape.message.map(({ number }) => number)).toEqual([1]);
    expect(typedShape({ group: "meta.k8s.io", version: "v1", kind: "PartialObjectMetadata" })).toBeUndefined();
  });
});
