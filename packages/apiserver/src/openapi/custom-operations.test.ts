import { describe, expect, it } from "vitest";
import { customPaths } from "./custom-operations.ts";
import { customResource, statusAndScale } from "./testing/small-resources.ts";

const lines = (...of: Parameters<typeof customResource>): string[] =>
  customPaths(customResource(...of)).flatMap(({ path, operations }) => operations.map(({ method, id }) => `${method} ${path} ${id}`));

describe("customPaths", () => {
  it("covers all namespaces, one namespace, objects and subresources", () => {
    const root = "/apis/ex.io/v1/namespaces/{namespace}/widgets";
    expect(lines("Widget", { subresources: statusAndScale })).toEqual([
      "get /apis/ex.io/v1/widgets listExIoV1WidgetForAllNamespaces",
      `get ${root} listExIoV1NamespacedWidget`,
      `post ${root} createExIoV1NamespacedWidget`,
      `delete ${root} deleteExIoV1CollectionNamespacedWidget`,
      `get ${root}/{name} readExIoV1NamespacedWidget`,
      `put ${root}/{name} replaceExIoV1NamespacedWidget`,
      `delete ${root}/{name} deleteExIoV1NamespacedWidget`,
      `patch ${root}/{name} patchExIoV1NamespacedWidget`,
      `get ${root}/{name}/status readExIoV1NamespacedWidgetStatus`,
      `put ${root}/{name}/status replaceExIoV1NamespacedWidgetStatus`,
      `patch ${root}/{name}/status patchExIoV1NamespacedWidgetStatus`,
      `get ${root}/{name}/scale readExIoV1NamespacedWidgetScale`,
      `put ${root}/{name}/scale replaceExIoV1NamespacedWidgetScale`,
      `patch ${root}/{name}/scale patchExIoV1NamespacedWidgetScale`,
    ]);
  });

  it("has no namespaced paths for a cluster-scoped resource", () => {
    expect(lines("Gadget", { scope: "Cluster" })[0]).toBe("get /apis/ex.io/v1/gadgets listExIoV1Gadget");
    expect(lines("Gadget", { scope: "Cluster" }).filter((line) => line.includes("amespace"))).toEqual([]);
  });

  it("uses Scale for the scale subresource", () => {
    const scale = customPaths(customResource("Widget", { subresources: statusAndScale })).at(-1);
    expect(scale?.operations.map(({ answer, body }) => [answer, body])).toEqual([
      ["io.k8s.api.autoscaling.v1.Scale", undefined],
      ["io.k8s.api.autoscaling.v1.Scale", "io.k8s.api.autoscaling.v1.Scale"],
      ["io.k8s.api.autoscaling.v1.Scale", "io.k8s.apimachinery.pkg.apis.meta.v1.Patch"],
    ]);
  });
});
