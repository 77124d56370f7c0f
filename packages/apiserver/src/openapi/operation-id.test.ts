import { describe, expect, it } from "vitest";
import { operationId, operationTag } from "./operation-id.ts";

describe("operation ids in OpenAPI", () => {
  it("consist of verb, group, version and noun", () => {
    expect(operationId("ex.io", "v1", { verb: "list", noun: "WidgetForAllNamespaces" })).toBe("listExIoV1WidgetForAllNamespaces");
    expect(operationTag("ex.io", "v1")).toBe("exIo_v1");
  });

  it("omit the suffix of Kubernetes' own groups", () => {
    expect(operationId("zoo.k8s.io", "v2", { verb: "create", noun: "Zebra" })).toBe("createZooV2Zebra");
    expect(operationTag("zoo.k8s.io", "v2")).toBe("zoo_v2");
  });

  it("start a new word after other characters, and never with a digit", () => {
    expect(operationId("my-group.example.com", "v1beta1", { verb: "delete", noun: "collectionNamespacedWidget" })).toBe(
      "deleteMyGroupExampleComV1beta1CollectionNamespacedWidget",
    );
    expect(operationTag("3scale.net", "v1")).toBe("ScaleNet_v1");
  });
});
