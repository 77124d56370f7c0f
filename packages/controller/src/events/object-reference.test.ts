import { deepFreeze } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { objectReference } from "./object-reference.ts";
import type { Referable } from "./object-reference.ts";

describe("objectReference", () => {
  it("returns all identifying fields of an object", () => {
    expect(
      objectReference({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { namespace: "shop", name: "web", uid: "u", resourceVersion: "7", labels: { a: "b" } },
      }),
    ).toEqual({ apiVersion: "v1", kind: "Pod", namespace: "shop", name: "web", uid: "u", resourceVersion: "7" });
    expect(objectReference({ apiVersion: "v1", kind: "Node", metadata: { name: "n" } })).toEqual({
      apiVersion: "v1",
      kind: "Node",
      name: "n",
    });
  });

  it("returns a copy of a reference", () => {
    const given = deepFreeze({ apiVersion: "v1", kind: "Pod", name: "web", fieldPath: "spec.containers{app}" });
    const made = objectReference(given);
    expect(made).toEqual(given);
    expect(made).not.toBe(given);
  });

  it("returns undefined for an incomplete object", () => {
    const bad = [
      { metadata: { name: "web" } },
      { apiVersion: "v1", kind: "Pod", metadata: {} },
      { kind: "Pod", name: "web" },
      { apiVersion: "v1", kind: "", name: "web" },
      undefined,
      null,
    ];
    for (const about of bad) expect(objectReference(about as Referable)).toBeUndefined();
  });
});
