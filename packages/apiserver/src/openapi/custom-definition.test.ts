import { describe, expect, it } from "vitest";
import type { JsonObject, Schema } from "@drover/machinery";
import { customDefinitions, definitionName } from "./custom-definition.ts";
import type { OpenApiVersion } from "./custom-schema.ts";
import { customResource } from "./testing/small-resources.ts";

const definitions = (schema: Schema | undefined, version: OpenApiVersion = "v3"): Readonly<Record<string, JsonObject>> =>
  Object.fromEntries(customDefinitions(customResource("Widget", {}, schema), version));
const theObject = (schema: Schema | undefined, version: OpenApiVersion = "v3"): JsonObject | undefined =>
  definitions(schema, version)["io.ex.v1.Widget"];

const gvk = [{ group: "ex.io", kind: "Widget", version: "v1" }];

describe("customDefinitions", () => {
  it("names the definition with the group reversed", () => {
    expect(definitionName("stable.example.com", "v1", "CronTab")).toBe("com.example.stable.v1.CronTab");
  });

  it("adds the metadata of every object, whatever the schema says", () => {
    expect(theObject({ type: "object", properties: { metadata: { type: "object" }, spec: {} } })).toEqual({
      type: "object",
      "x-kubernetes-group-version-kind": gvk,
      properties: {
        apiVersion: { type: "string" },
        kind: { type: "string" },
        spec: {},
        metadata: { allOf: [{ $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" }] },
      },
    });
  });

  it("refers to metadata directly in v2", () => {
    expect(theObject({ type: "object" }, "v2")).toMatchObject({
      properties: { metadata: { $ref: "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" } },
    });
  });

  it("lists no fields without a schema, or in v2 with preserved unknown fields", () => {
    expect(theObject(undefined)).toEqual({ type: "object", "x-kubernetes-group-version-kind": gvk });
    const open: Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    expect(theObject(open, "v2")).toEqual({ type: "object", "x-kubernetes-group-version-kind": gvk });
    expect(theObject(open)).toHaveProperty("properties");
  });

  it("adds metadata to embedded resources and requires their kind", () => {
    const inner: Schema = { type: "object", required: ["kind", "spec"], "x-kubernetes-embedded-resource": true };
    const found = theObject({ type: "object", properties: { templates: { type: "array", items: inner } } });
    expect(found).toMatchObject({
      properties: {
        templates: {
          items: { required: ["kind", "spec", "apiVersion"], properties: { kind: { type: "string" }, metadata: { allOf: [{}] } } },
        },
      },
    });
    const open = { ...inner, "x-kubernetes-preserve-unknown-fields": true };
    expect(theObject({ type: "object", properties: { template: open } }, "v2")).toMatchObject({
      properties: { template: { required: ["kind", "spec"], "x-kubernetes-embedded-resource": true } },
    });
  });

  it("contains only the author's descriptions", () => {
    const schema: Schema = {
      type: "object",
      description: "A widget.",
      properties: { spec: { type: "object", description: "What is wanted.", "x-kubernetes-embedded-resource": true } },
    };
    for (const version of ["v2", "v3"] as const)
      expect(JSON.stringify(definitions(schema, version)).match(/"description":"[^"]*"/g)).toEqual([
        '"description":"A widget."',
        '"description":"What is wanted."',
      ]);
  });

  it("adds the definition of the list", () => {
    expect(definitions({ type: "object" })["io.ex.v1.WidgetList"]).toMatchObject({
      required: ["items"],
      properties: {
        items: { type: "array", items: { $ref: "#/components/schemas/io.ex.v1.Widget" } },
        metadata: { allOf: [{ $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta" }] },
      },
    });
  });

  it("publishes selectable fields on object and list", () => {
    const resource = { ...customResource("Widget"), selectableFields: new Map([["spec.color", () => ""]]) };
    for (const [, definition] of customDefinitions(resource, "v3"))
      expect(definition["x-kubernetes-selectable-fields"]).toEqual([{ fieldPath: "spec.color" }]);
  });
});
