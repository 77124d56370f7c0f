import { describe, expect, it } from "vitest";
import { withItemKinds, withKind } from "./filled-kind.ts";

const target = { group: "apps", version: "v1", kind: "Deployment" };

describe("withKind", () => {
  it("adds apiVersion and kind, and keeps an object that has either", () => {
    expect(withKind(target, { metadata: {} })).toEqual({ apiVersion: "apps/v1", kind: "Deployment", metadata: {} });
    const scale = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: {} };
    expect(withKind(target, scale)).toBe(scale);
  });
});

describe("withItemKinds", () => {
  it("fills every item, and turns null into an empty list", () => {
    expect(withItemKinds(target, { metadata: {}, items: [{ metadata: { name: "a" } }] }).items).toEqual([
      { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" } },
    ]);
    expect(withItemKinds(target, { metadata: {}, items: null as never }).items).toEqual([]);
  });
});
