import { describe, expect, it } from "vitest";
import { operationId, operationTag } from "./operation-id.ts";

describe("names of operations", () => {
  it("put the group and the version behind the verb", () => {
    expect(operationId("ex.io", "v1", { verb: "list", noun: "WidgetForAllNamespaces" })).toBe("listExIoV1WidgetForAllNamespaces");
    expect(operationTag("ex.io", "v1")).toBe("exIo_v1");
  });

  it("leave out the end of Kubernetes' own groups", () => {
    expect(operationId("zoo.k8s.io", "v2", { verb: "create", noun: "Zebra" })).toBe("createZooV2Zebra");
    expect(operationTag("zoo.k8s.io", "v2")).toBe("zoo_v2");
  });

  it("start a new word after what is no letter or digit, and never with a digit", () => {
    expect(operationId("my-group.example.com", "v1beta1", { verb: "delete", noun: "collectionNamespacedWidget" })).toBe(
      "deleteMyGroupExampleComV1beta1CollectionNamespacedWidget",
    );
    expect(operationTag("3scale.net", "v1")).toBe("ScaleNet_v1");
  });
});
