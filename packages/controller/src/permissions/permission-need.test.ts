import { Deployment } from "@drover/api/apps/v1";
import { expect, it } from "vitest";
import { leaseNeed, needOf } from "./permission-need.ts";

it("needOf returns the kind's group and resource, with the verbs and where", () => {
  expect(needOf(Deployment, ["list"])).toEqual({ group: "apps", resource: "deployments", verbs: ["list"] });
  expect(needOf(Deployment, ["patch"], { subresource: "status", namespace: "shop" })).toEqual({
    group: "apps",
    resource: "deployments",
    verbs: ["patch"],
    subresource: "status",
    namespace: "shop",
  });
  expect(leaseNeed("shop")).toMatchObject({ verbs: ["get", "create", "update"], namespace: "shop" });
});
