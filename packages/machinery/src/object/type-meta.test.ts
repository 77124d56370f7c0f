import { describe, expect, it } from "vitest";
import type { TypeMeta } from "./object.ts";
import { groupVersionKindOf, setGroupVersionKind } from "./type-meta.ts";

describe("what an object says it is", () => {
  it("is read from its own two fields", () => {
    expect(groupVersionKindOf({ apiVersion: "apps/v1", kind: "Deployment" })).toEqual({ group: "apps", version: "v1", kind: "Deployment" });
    expect(groupVersionKindOf({ apiVersion: "v1", kind: "Pod" })).toEqual({ group: "", version: "v1", kind: "Pod" });
  });

  it("is empty where nothing readable stands", () => {
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

  it("can be set, and cleared with the empty kind", () => {
    const object: TypeMeta & { data: number } = { data: 1 };
    setGroupVersionKind(object, { group: "apps", version: "v1", kind: "Deployment" });
    expect(object).toEqual({ data: 1, apiVersion: "apps/v1", kind: "Deployment" });
    setGroupVersionKind(object, { group: "", version: "", kind: "" });
    expect(object).toEqual({ data: 1 });
  });
});
