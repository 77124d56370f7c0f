import { describe, expect, it } from "vitest";
import { Deployment } from "@drover/api/apps/v1";
import { customResource, statusAndScale } from "../openapi/testing/small-resources.ts";
import { orderedSubresources, orderedVerbs } from "./resource-order.ts";

describe("the order of what a resource has", () => {
  it("is that of the alphabet for built-in ones", () => {
    const resource = { kind: Deployment, isCustom: false };
    expect(orderedVerbs(resource)).toEqual(["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]);
    expect(orderedSubresources(resource).map(([name]) => name)).toEqual(["scale", "status"]);
  });

  it("is a fixed one for custom ones", () => {
    const resource = customResource("Widget", { subresources: statusAndScale });
    expect(orderedVerbs(resource)).toEqual(["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"]);
    expect(orderedSubresources(resource).map(([name]) => name)).toEqual(["status", "scale"]);
  });
});
