import { describe, expect, it } from "vitest";
import type { JsonObject } from "@drover/machinery";
import { builtInParts } from "./built-in-parts.ts";
import { customV3Part, customV3Text } from "./custom-v3.ts";
import type { PublishedResource } from "./custom-definition.ts";
import { smallApps, smallV2 } from "./testing/small-archive.ts";
import { customResource, statusAndScale } from "./testing/small-resources.ts";

const parts = builtInParts(smallApps, smallV2);
type Paths = Readonly<Record<string, Readonly<Record<string, JsonObject>> & { readonly parameters: readonly { readonly name: string }[] }>>;
const documentOf = (...resources: readonly PublishedResource[]): JsonObject =>
  JSON.parse(
    customV3Text(
      resources.map((resource) => customV3Part(resource, parts)),
      parts,
    ),
  ) as JsonObject;
const document = documentOf(customResource("Widget", { subresources: statusAndScale }), customResource("Gadget", { scope: "Cluster" }));
const paths = document["paths"] as unknown as Paths;
const object = paths["/apis/ex.io/v1/namespaces/{namespace}/widgets/{name}"];

describe("customV3Text", () => {
  it("contains all paths, sorted", () => {
    expect(Object.keys(paths)).toEqual([
      "/apis/ex.io/v1/gadgets",
      "/apis/ex.io/v1/gadgets/{name}",
      "/apis/ex.io/v1/namespaces/{namespace}/widgets",
      "/apis/ex.io/v1/namespaces/{namespace}/widgets/{name}",
      "/apis/ex.io/v1/namespaces/{namespace}/widgets/{name}/scale",
      "/apis/ex.io/v1/namespaces/{namespace}/widgets/{name}/status",
      "/apis/ex.io/v1/widgets",
    ]);
  });

  it("names kind and action of every operation, as kubectl needs", () => {
    expect(object?.["patch"]).toMatchObject({
      "x-kubernetes-action": "patch",
      "x-kubernetes-group-version-kind": { group: "ex.io", version: "v1", kind: "Widget" },
      tags: ["exIo_v1"],
    });
  });

  it("accepts three patch types, and a body for delete only if there is one", () => {
    const { content } = (object?.["patch"]?.["requestBody"] ?? expect.fail("no body")) as { readonly content: JsonObject };
    expect(Object.keys(content)).toEqual(["application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"]);
    expect(object?.["delete"]?.["requestBody"]).not.toHaveProperty("required");
    expect(object?.["put"]?.["requestBody"]).toMatchObject({ required: true });
  });

  it("hoists parameters that all operations of a path share", () => {
    expect(object?.parameters.map(({ name }) => name)).toEqual(["name", "namespace", "pretty"]);
    expect(paths["/apis/ex.io/v1/widgets"]?.parameters.map(({ name }) => name)).toEqual(["limit", "pretty", "resourceVersion"]);
    expect(paths["/apis/ex.io/v1/widgets"]?.["get"]).not.toHaveProperty("parameters");
  });

  it("contains its own definitions and those they refer to", () => {
    const schemas = Object.keys((document["components"] as JsonObject)["schemas"] as JsonObject);
    expect(schemas).toEqual([
      "io.ex.v1.Gadget",
      "io.ex.v1.GadgetList",
      "io.ex.v1.Widget",
      "io.ex.v1.WidgetList",
      "io.k8s.api.autoscaling.v1.Scale",
      ...["DeleteOptions", "ListMeta", "Patch", "Status"].map((name) => `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`),
    ]);
    const withSchema = documentOf(customResource("Gadget", {}, { type: "object" }));
    expect((withSchema["components"] as JsonObject)["schemas"]).toMatchObject({
      "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": {},
      "io.k8s.apimachinery.pkg.apis.meta.v1.Time": {},
    });
  });
});
