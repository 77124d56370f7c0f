import { describe, expect, it } from "vitest";
import { goTypeOf, partialMetadata, wrongNumber } from "./partial-metadata.ts";

describe("partialMetadata", () => {
  it("writes the metadata in the order of Go's JSON, whatever its order in the object is", () => {
    const object = {
      kind: "Widget",
      metadata: {
        labels: { b: "2", a: "1" },
        managedFields: [{ time: "2026-01-01T00:00:00Z", manager: "m", fieldsV1: { "f:b": {}, "f:a": {} } }],
        name: "a",
        ownerReferences: [{ uid: "u", name: "o", kind: "Owner", apiVersion: "v1" }],
        resourceVersion: "7",
      },
      spec: {},
    };
    expect(JSON.stringify(partialMetadata(object, "v1"))).toBe(
      '{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","resourceVersion":"7","labels":{"a":"1","b":"2"},' +
        '"ownerReferences":[{"apiVersion":"v1","kind":"Owner","name":"o","uid":"u"}],' +
        '"managedFields":[{"manager":"m","time":"2026-01-01T00:00:00Z","fieldsV1":{"f:b":{},"f:a":{}}}]}}',
    );
  });

  it("has metadata also for an object without", () => {
    expect(partialMetadata({ kind: "Widget" }, "v1beta1")).toEqual({
      kind: "PartialObjectMetadata",
      apiVersion: "meta.k8s.io/v1beta1",
      metadata: {},
    });
  });
});

describe("wrongNumber", () => {
  it("names the Go type of the answer", () => {
    const kind = { group: "apps", version: "v1", kind: "Deployment" };
    expect(wrongNumber("PartialObjectMetadata", goTypeOf({ kind, isCustom: false } as never, "List")).message).toContain(
      "you requested PartialObjectMetadata, but the requested object is a list (*apps.DeploymentList)",
    );
  });
});
