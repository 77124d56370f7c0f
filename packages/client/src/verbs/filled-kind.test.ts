import { describe, expect, it } from "vitest";
import { withItemKinds, withKind } from "./filled-kind.ts";

const target = { group: "apps", version: "v1", kind: "Deployment" };

describe("withKind", () => {
  it("fills in what is missing and leaves alone what says itself what it is", () => {
    expect(withKind(target, { metadata: {} })).toEqual({ apiVersion: "apps/v1", kind: "Deployment", metadata: {} });
    const scale = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: {} };
    expect(withKind(target, scale)).toBe(scale);
  });
});

describe("withItemKinds", () => {
  it("fills every item, and makes an empty list of null", () => {
    expect(withItemKinds(target, { metadata: {}, items: [{ metadata: { name: "a" } }] }).items).toEqual([
      { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" } },
    ]);
    expect(withItemKinds(target, { metadata: {}, items: null as never }).items).toEqual([]);
  });
});
