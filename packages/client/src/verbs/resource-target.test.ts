import { Deployment } from "@drover/api/apps/v1";
import { Node } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { placeOf, targetOf } from "./resource-target.ts";

const deployments = { group: "apps", version: "v1", resource: "deployments", kind: "Deployment", scope: "Namespaced" } as const;
const nodes = targetOf(Node);

describe("targetOf", () => {
  it("accepts a kind, a row, a mapping and a target", () => {
    expect(targetOf(Deployment)).toEqual(deployments);
    expect(targetOf({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments", scope: "Namespaced" })).toEqual(deployments);
    expect(
      targetOf({
        resource: { group: "apps", version: "v1", resource: "deployments" },
        kind: { group: "apps", version: "v1", kind: "Deployment" },
        scope: "Namespaced",
      }),
    ).toEqual(deployments);
    expect(targetOf(deployments)).toEqual(deployments);
  });
});

describe("placeOf", () => {
  it.each([
    ["update", deployments, { name: "web" }, "update deployments/web in shop", "/apis/apps/v1/namespaces/shop/deployments/web"],
    [
      "get",
      deployments,
      { name: "web", subresource: "scale", namespace: "a" },
      "get deployments/web/scale in a",
      "/apis/apps/v1/namespaces/a/deployments/web/scale",
    ],
    ["list", deployments, {}, "list deployments in shop", "/apis/apps/v1/namespaces/shop/deployments"],
    ["list", deployments, { namespace: "*" }, "list deployments in all namespaces", "/apis/apps/v1/deployments"],
    ["get", nodes, { name: "n1" }, "get nodes/n1", "/api/v1/nodes/n1"],
    ["list", nodes, {}, "list nodes", "/api/v1/nodes"],
  ] as const)("%s %#", (verb, target, location, attempt, path) => {
    expect(placeOf(verb, target, location, "shop")).toMatchObject({ attempt, path });
  });

  it("rejects invalid locations, and names the operation", () => {
    const refused = (location: object, target: typeof deployments | typeof nodes = deployments): unknown => {
      try {
        return placeOf("get", target, location, "shop");
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(refused({ name: ".." })).toBe("get deployments/.. in shop: invalid resource name \"..\": [may not be '..']");
    expect(refused({ name: "web", namespace: "a/b" })).toContain('get deployments/web in a/b: invalid namespace "a/b"');
    expect(refused({ name: "web", namespace: "" })).toContain("the namespace is empty");
    expect(refused({ name: "web", namespace: "*" })).toContain("one object is in one namespace");
    expect(refused({ name: "n1", namespace: "shop" }, nodes)).toContain("not namespaced");
  });
});
