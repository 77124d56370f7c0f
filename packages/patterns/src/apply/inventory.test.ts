import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap } from "@drover/api/core/v1";
import { ClusterRole } from "@drover/api/rbac/v1";
import { describe, expect, it } from "vitest";
import { inventoryAnnotation, parseInventory, printInventory } from "./inventory.ts";

describe("parseInventory and printInventory", () => {
  it("round-trip, with each kind once and independent of the order", () => {
    const text = printInventory([Deployment, ConfigMap, ClusterRole, ConfigMap]);
    expect(text).toBe(
      "apps/v1/deployments/Deployment/Namespaced,rbac.authorization.k8s.io/v1/clusterroles/ClusterRole/Cluster,v1/configmaps/ConfigMap/Namespaced",
    );
    expect(parseInventory(text)).toEqual([Deployment, ClusterRole, ConfigMap]);
    expect(printInventory(parseInventory(text))).toBe(text);
  });

  it("return a usable descriptor for an unknown kind", () => {
    expect(parseInventory("demo.example.com/v1/webapps/WebApp/Namespaced")).toEqual([
      expect.objectContaining({ group: "demo.example.com", version: "v1", plural: "webapps", kind: "WebApp", scope: "Namespaced" }),
    ]);
  });

  it("skip malformed entries", () => {
    expect(parseInventory("")).toEqual([]);
    expect(parseInventory("nonsense,a/b/c/d/e/f,v1/configmaps/ConfigMap/Nowhere")).toEqual([]);
  });

  it("use one annotation per set", () => {
    expect(inventoryAnnotation("web-app")).toBe("web-app.sets.drover.dev/kinds");
  });
});
