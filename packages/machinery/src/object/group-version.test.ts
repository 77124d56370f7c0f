import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  apiVersionOf,
  groupVersionKindFrom,
  parseGroupKind,
  parseGroupResource,
  parseGroupVersion,
  parseKindArg,
  parseResourceArg,
  printGroupKind,
  printGroupResource,
  printGroupVersionKind,
  printGroupVersionResource,
  sameGroupKind,
  sameGroupResource,
  sameGroupVersion,
  sameGroupVersionKind,
  sameGroupVersionResource,
} from "./group-version.ts";

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const group = fc.oneof(
  fc.constant(""),
  fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(".")),
);

describe("parseGroupVersion", () => {
  it("parses no slash for the core group and one for any other", () => {
    expect(parseGroupVersion("v1")).toEqual({ group: "", version: "v1" });
    expect(parseGroupVersion("apps/v1")).toEqual({ group: "apps", version: "v1" });
    expect(apiVersionOf({ group: "", version: "v1" })).toBe("v1");
    expect(apiVersionOf({ group: "apps", version: "v1" })).toBe("apps/v1");
  });

  it("accepts empty text and a lone slash", () => {
    expect(parseGroupVersion("")).toEqual({ group: "", version: "" });
    expect(parseGroupVersion("/")).toEqual({ group: "", version: "" });
  });

  it("accepts a missing part on either side", () => {
    expect(parseGroupVersion("apps/")).toEqual({ group: "apps", version: "" });
    expect(parseGroupVersion("/v1")).toEqual({ group: "", version: "v1" });
  });

  it("rejects more than one slash", () => {
    expect(() => parseGroupVersion("apps/v1/extra")).toThrow("unexpected GroupVersion string: apps/v1/extra");
    expect(() => parseGroupVersion("//")).toThrow("unexpected GroupVersion string: //");
  });

  it("counts as empty for an invalid apiVersion of a kind", () => {
    expect(groupVersionKindFrom("a/b/c", "Pod")).toEqual({ group: "", version: "", kind: "Pod" });
    expect(groupVersionKindFrom("apps/v1", "Deployment")).toEqual({ group: "apps", version: "v1", kind: "Deployment" });
  });

  it("round-trips", () => {
    fc.assert(
      fc.property(group, word, (name, version) => {
        expect(parseGroupVersion(apiVersionOf({ group: name, version }))).toEqual({ group: name, version });
      }),
    );
  });
});

describe("parseGroupResource and parseResourceArg", () => {
  it("take the group after the first dot", () => {
    expect(parseGroupResource("storageclasses.storage.k8s.io")).toEqual({ group: "storage.k8s.io", resource: "storageclasses" });
    expect(parseGroupKind("StorageClass.storage.k8s.io")).toEqual({ group: "storage.k8s.io", kind: "StorageClass" });
    expect(parseGroupResource("pods")).toEqual({ group: "", resource: "pods" });
    expect(parseGroupKind("")).toEqual({ group: "", kind: "" });
  });

  it("return both readings from two dots on", () => {
    expect(parseResourceArg("deployments.v1.apps")).toEqual({
      versioned: { group: "apps", version: "v1", resource: "deployments" },
      unversioned: { group: "v1.apps", resource: "deployments" },
    });
    expect(parseResourceArg("cronjobs.v1.batch.example.com").versioned).toEqual({
      group: "batch.example.com",
      version: "v1",
      resource: "cronjobs",
    });
    expect(parseResourceArg("deployments.apps")).toEqual({ unversioned: { group: "apps", resource: "deployments" } });
    expect(parseKindArg("Deployment.v1.apps").versioned).toEqual({ group: "apps", version: "v1", kind: "Deployment" });
    expect(parseKindArg("Pod.v1.")).toEqual({
      versioned: { group: "", version: "v1", kind: "Pod" },
      unversioned: { group: "v1.", kind: "Pod" },
    });
    expect(parseKindArg("Pod")).toEqual({ unversioned: { group: "", kind: "Pod" } });
  });

  it("round-trip", () => {
    fc.assert(
      fc.property(group, word, (name, text) => {
        expect(parseGroupResource(printGroupResource({ group: name, resource: text }))).toEqual({ group: name, resource: text });
        expect(parseGroupKind(printGroupKind({ group: name, kind: text }))).toEqual({ group: name, kind: text });
      }),
    );
  });
});

describe("printGroupVersionKind and the like", () => {
  it("print as Go does", () => {
    expect(printGroupVersionKind({ group: "apps", version: "v1", kind: "Deployment" })).toBe("apps/v1, Kind=Deployment");
    expect(printGroupVersionKind({ group: "", version: "v1", kind: "Pod" })).toBe("/v1, Kind=Pod");
    expect(printGroupVersionResource({ group: "apps", version: "v1", resource: "deployments" })).toBe("apps/v1, Resource=deployments");
    expect(printGroupResource({ group: "apps", resource: "deployments" })).toBe("deployments.apps");
    expect(printGroupKind({ group: "", kind: "Pod" })).toBe("Pod");
  });
});

describe("sameGroupKind and the like", () => {
  const pod = { group: "", version: "v1", kind: "Pod" };
  const pods = { group: "", version: "v1", resource: "pods" };

  it("compare each part", () => {
    for (const other of [
      { ...pod, group: "x" },
      { ...pod, version: "v2" },
      { ...pod, kind: "Node" },
    ])
      expect(sameGroupVersionKind(pod, other)).toBe(false);
    for (const other of [
      { ...pods, group: "x" },
      { ...pods, version: "v2" },
      { ...pods, resource: "nodes" },
    ])
      expect(sameGroupVersionResource(pods, other)).toBe(false);
    expect(sameGroupVersionKind(pod, { ...pod })).toBe(true);
    expect(sameGroupVersionResource(pods, { ...pods })).toBe(true);
  });

  it("ignore other members", () => {
    const [laterPod, laterPods] = [
      { ...pod, version: "v2" },
      { ...pods, version: "v2" },
    ];
    expect(sameGroupKind(pod, laterPod)).toBe(true);
    expect(sameGroupResource(pods, laterPods)).toBe(true);
    expect(sameGroupVersion(pod, pods)).toBe(true);
    expect(sameGroupKind(pod, { group: "", kind: "Node" })).toBe(false);
    expect(sameGroupResource(pods, { group: "x", resource: "pods" })).toBe(false);
  });
});
