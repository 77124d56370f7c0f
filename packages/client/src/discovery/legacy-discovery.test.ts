import { describe, expect, it } from "vitest";
import type { JsonValue } from "@drover/machinery";
import { DiscoveryDocumentError } from "./discovery-error.ts";
import { decodeApiGroup, decodeApiGroupList, decodeApiResourceList, decodeApiVersions } from "./legacy-discovery.ts";

const apps = {
  name: "apps",
  versions: [
    { groupVersion: "apps/v1", version: "v1" },
    { groupVersion: "apps/v1beta1", version: "v1beta1" },
  ],
  preferredVersion: { groupVersion: "apps/v1beta1", version: "v1beta1" },
};

describe("decoders of group lists", () => {
  it("return the core group of /api", () => {
    expect(decodeApiVersions({ kind: "APIVersions", versions: ["v1", "v2"] })).toEqual([
      { name: "", versions: ["v1", "v2"], preferredVersion: "v1" },
    ]);
  });

  it("return no core group if /api has no versions", () => {
    expect(decodeApiVersions({ kind: "APIVersions", versions: null })).toEqual([]);
  });

  it("keep the server's order and preferred version", () => {
    expect(decodeApiGroupList({ kind: "APIGroupList", groups: [apps, { name: "batch", versions: [{ version: "v1" }] }] })).toEqual([
      { name: "apps", versions: ["v1", "v1beta1"], preferredVersion: "v1beta1" },
      { name: "batch", versions: ["v1"], preferredVersion: "v1" },
    ]);
    expect(decodeApiGroup({ kind: "APIGroup", ...apps }).preferredVersion).toBe("v1beta1");
  });

  it("ignore a preferred version that does not exist", () => {
    expect(decodeApiGroup({ ...apps, preferredVersion: { version: "v9" } }).preferredVersion).toBe("v1");
  });
});

describe("decodeApiResourceList", () => {
  it("assigns subresources to their resource, at any position of the list", () => {
    const { resources } = decodeApiResourceList(
      {
        kind: "APIResourceList",
        groupVersion: "apps/v1",
        resources: [
          {
            name: "deployments/scale",
            singularName: "",
            namespaced: true,
            group: "autoscaling",
            version: "v1",
            kind: "Scale",
            verbs: ["get"],
          },
          {
            name: "deployments",
            singularName: "deployment",
            namespaced: true,
            kind: "Deployment",
            verbs: ["list"],
            shortNames: ["deploy"],
            categories: ["all"],
          },
          { name: "deployments/status", singularName: "", namespaced: true, kind: "Deployment", verbs: ["get"] },
        ],
      },
      "apps/v1",
    );
    expect(resources).toEqual([
      {
        group: "apps",
        version: "v1",
        kind: "Deployment",
        plural: "deployments",
        singular: "deployment",
        scope: "Namespaced",
        shortNames: ["deploy"],
        categories: ["all"],
        verbs: ["list"],
        responseKind: { group: "apps", version: "v1", kind: "Deployment" },
        subresources: {
          scale: { group: "autoscaling", version: "v1", kind: "Scale", verbs: ["get"] },
          status: { group: "apps", version: "v1", kind: "Deployment", verbs: ["get"] },
        },
      },
    ]);
  });

  it("keeps subresources of resources that are absent, as metrics adapters have them", () => {
    const { resources } = decodeApiResourceList(
      {
        groupVersion: "custom.metrics.k8s.io/v1",
        resources: [{ name: "pods/requests", namespaced: true, kind: "MetricValueList", verbs: ["get"] }],
      },
      "custom.metrics.k8s.io/v1",
    );
    expect(resources).toMatchObject([
      { plural: "pods", kind: "", verbs: [], subresources: { requests: { kind: "MetricValueList", verbs: ["get"] } } },
    ]);
  });

  it("reads null and absent lists as empty", () => {
    expect(decodeApiResourceList({ groupVersion: "v1", resources: null }, "v1").resources).toEqual([]);
    expect(decodeApiResourceList({}, "v1").groupVersion).toBe("v1");
  });

  it("treats names like __proto__ as names", () => {
    const { resources } = decodeApiResourceList({ resources: [{ name: "__proto__/__proto__", kind: "X", verbs: [] }] }, "v1");
    expect(Object.keys(resources[0]?.subresources ?? {})).toEqual(["__proto__"]);
  });
});

it.each([
  [
    "a document of another kind, which would read as an empty one",
    () => decodeApiGroupList({ kind: "APIVersions", versions: ["v1"] }),
    "expected a document of kind APIGroupList, found APIVersions",
  ],
  [
    "another group version than was asked for",
    () => decodeApiResourceList({ groupVersion: "v2" }, "v1"),
    "asked for the resources of v1, the server answered with those of v2",
  ],
  ["groups that are no list", () => decodeApiGroupList({ groups: {} }), "groups: expected a list, found an object"],
  ["a resource without a name", () => decodeApiResourceList({ resources: [{}] }, "v1"), "v1 resources[0].name: must not be empty"],
  ["what is no object", () => decodeApiVersions([] as JsonValue), "APIVersions: expected an object, found a list"],
])("rejects %s", (_, read, message) => {
  expect(read).toThrow(DiscoveryDocumentError);
  expect(read).toThrow(message);
});
