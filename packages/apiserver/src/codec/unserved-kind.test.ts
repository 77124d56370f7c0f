import { describe, expect, it } from "vitest";
import { unservedKind } from "./unserved-kind.ts";

const known = (apiVersion: string, kind: string): string | undefined => {
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  return unservedKind({ group: group ?? "", version: version ?? "", kind })?.goType;
};

describe("unservedKind", () => {
  it("knows old versions and versions that are off by default, with their lists", () => {
    expect(known("extensions/v1beta1", "Ingress")).toBe("v1beta1.Ingress");
    expect(known("apps/v1beta2", "DaemonSetList")).toBe("v1beta2.DaemonSetList");
    expect(known("policy/v1beta1", "EvictionList")).toBe(undefined);
    expect(known("apps/v1", "Deployment")).toBe(undefined);
  });

  it("knows options in every version that exists, and messages in the core", () => {
    expect([known("apps/v1", "DeleteOptions"), known("apps/v1beta1", "WatchEvent")]).toEqual(["v1.DeleteOptions", "v1beta1.WatchEvent"]);
    expect([known("nope/v1", "DeleteOptions"), known("v1", "Status"), known("apps/v1", "Status")]).toEqual([
      undefined,
      "v1.Status",
      undefined,
    ]);
  });
});
