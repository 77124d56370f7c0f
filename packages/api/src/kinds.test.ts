import { describe, expect, it } from "vitest";
import { Deployment } from "./apps/v1.ts";
import { Event as CoreEvent } from "./core/v1.ts";
import { Event } from "./events/v1.ts";
import { kinds } from "./kind-list.ts";
import { findKind } from "./kinds.ts";

describe("findKind", () => {
  it("finds a kind by group, version and name", () => {
    expect(findKind({ group: "apps", version: "v1", kind: "Deployment" })).toBe(Deployment);
    expect(findKind({ group: "", version: "v1", kind: "Event" })).toBe(CoreEvent);
    expect(findKind({ group: "events.k8s.io", version: "v1", kind: "Event" })).toBe(Event);
  });

  it("finds every kind, and no other", () => {
    for (const kind of kinds) expect(findKind(kind)).toBe(kind);
    expect(findKind({ group: "apps", version: "v1beta1", kind: "Deployment" })).toBeUndefined();
    expect(findKind({ group: "", version: "v1", kind: "constructor" })).toBeUndefined();
    expect(findKind({ group: "autoscaling", version: "v1", kind: "Scale" })).toBeUndefined();
  });
});

describe("a Kind descriptor", () => {
  it("is a plain literal with everything that discovery tells", () => {
    expect(Deployment).toEqual({
      group: "apps",
      version: "v1",
      kind: "Deployment",
      listKind: "DeploymentList",
      plural: "deployments",
      singular: "deployment",
      shortNames: ["deploy"],
      categories: ["all"],
      scope: "Namespaced",
      verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
      subresources: {
        scale: { group: "autoscaling", version: "v1", kind: "Scale", verbs: ["get", "patch", "update"] },
        status: { group: "apps", version: "v1", kind: "Deployment", verbs: ["get", "patch", "update"] },
      },
    });
  });
});
