import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ReplicationController } from "@drover/api/core/v1";
import { customResource } from "../openapi/testing/small-resources.ts";
import { aggregatedDocument, aggregatedGroups, aggregatedTag } from "./aggregated-discovery.ts";
import { servedGroups } from "./served-groups.ts";

const items = aggregatedGroups(
  servedGroups([{ kind: ReplicationController, isCustom: false }, customResource("Widget", { shortNames: ["wd"], categories: ["all"] })]),
);

describe("aggregated discovery", () => {
  it("names a subresource's group and version only where they differ from the list's", () => {
    expect(items[0]).toMatchObject({
      metadata: {},
      versions: [
        {
          version: "v1",
          freshness: "Current",
          resources: [
            {
              resource: "replicationcontrollers",
              responseKind: { group: "", version: "", kind: "ReplicationController" },
              scope: "Namespaced",
              singularResource: "replicationcontroller",
              subresources: [
                { subresource: "scale", responseKind: { group: "autoscaling", version: "v1", kind: "Scale" } },
                { subresource: "status", responseKind: { group: "", version: "", kind: "ReplicationController" } },
              ],
            },
          ],
        },
      ],
    });
  });

  it("always names them for custom resources, and omits empty lists", () => {
    expect(items[1]).toEqual({
      metadata: { name: "ex.io" },
      versions: [
        {
          version: "v1",
          freshness: "Current",
          resources: [
            {
              resource: "widgets",
              responseKind: { group: "ex.io", version: "v1", kind: "Widget" },
              scope: "Namespaced",
              singularResource: "widget",
              verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
              shortNames: ["wd"],
              categories: ["all"],
            },
          ],
        },
      ],
    });
  });

  it("has one ETag for all versions: the hash of its items", () => {
    const sha512Hex = (text: string): string => createHash("sha512").update(text).digest("hex");
    expect(aggregatedTag([], sha512Hex)).toBe(`"${sha512Hex('{"metadata":{},"items":[]}').toUpperCase()}"`);
    expect(aggregatedDocument([], "v2beta1")).toEqual({
      kind: "APIGroupDiscoveryList",
      apiVersion: "apidiscovery.k8s.io/v2beta1",
      metadata: {},
      items: [],
    });
  });
});
