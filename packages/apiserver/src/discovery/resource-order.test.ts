import { describe, expect, it } from "vitest";
import { Deployment } from "@drover/api/apps/v1";
import { customResource, statusAndScale } from "../openapi/testing/small-resources.ts";
import { orderedSubresources, orderedVerbs } from "./resource-order.ts";

describe("order of verbs and subresources", () => {
  it("is alphabetical for built-in resources", () => {
    const resource = { kind: Deployment, isCustom: false };
    expect(orderedVerbs(resource)).toEqual(["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]);
    expect(orderedSubresources(resource).map(([name]) => name)).toEqual(["scale", "status"]);
  });

  it("is kube-apiserver's fixed order for custom resources", () => {
    const resource = customResource("Widget", { subresources: statusAndScale });
    expect(orderedVerbs(resource)).toEqual(["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"]);
    expect(orderedSubresources(resource).map(([name]) => name)).toEqual(["status", "scale"]);
  });
});
