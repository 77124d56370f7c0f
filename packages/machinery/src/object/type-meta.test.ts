import { describe, expect, it } from "vitest";
import type { TypeMeta } from "./object.ts";
import { groupVersionKindOf, setGroupVersionKind } from "./type-meta.ts";

describe("groupVersionKindOf", () => {
  it("reads the two type fields", () => {
    expect(groupVersionKindOf({ apiVersion: "apps/v1", kind: "Deployment" })).toEqual({ group: "apps", version: "v1", kind: "Deployment" });
    expect(groupVersionKindOf({ apiVersion: "v1", kind: "Pod" })).toEqual({ group: "", version: "v1", kind: "Pod" });
  });

  it("is empty for missing or invalid fields", () => {
    const nothing = { group: "", version: "", kind: "" };
    for (const value of [
      undefined,
      null,
      1,
      "Pod",
      [],
      {},
      { apiVersion: 1, kind: {} },
      Object.create({ apiVersion: "v1", kind: "Pod" }),
    ]) {
      expect(groupVersionKindOf(value)).toEqual(nothing);
    }
    expect(groupVersionKindOf({ apiVersion: "a/b/c", kind: "Pod" })).toEqual({ ...nothing, kind: "Pod" });
  });

  it("is set by setGroupVersionKind, and cleared with the empty kind", () => {
    const object: TypeMeta & { data: number } = { data: 1 };
    setGroupVersionKind(object, { group: "apps", version: "v1", kind: "Deployment" });
    expect(object).toEqual({ data: 1, apiVersion: "apps/v1", kind: "Deployment" });
    setGroupVersionKind(object, { group: "", version: "", kind: "" });
    expect(object).toEqual({ data: 1 });
  });
});
