import { describe, expect, it } from "vitest";
import { isCrd, kindOf, readCrd } from "./crd-shape.ts";
import { sampleCrd } from "./testing/sample-crd.ts";
import type { SampleCrdParts } from "./testing/sample-crd.ts";

describe("readCrd", () => {
  it("adds the server's defaults", () => {
    expect(readCrd(sampleCrd({ version: { deprecated: true, subresources: { status: {}, scale: {} } } }))).toEqual({
      name: "widgets.shop.example.com",
      group: "shop.example.com",
      scope: "Namespaced",
      isConvertedByWebhook: false,
      names: { kind: "Widget", listKind: "WidgetList", plural: "widgets", singular: "widget", shortNames: [], categories: [] },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          deprecated: "this version will be removed",
          hasStatus: true,
          hasScale: true,
          schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { size: { type: "integer", default: 3, maximum: 9 } } } },
          },
        },
      ],
    });
    expect(
      readCrd(
        sampleCrd({
          conversion: { strategy: "Webhook" },
          names: { listKind: "Widgets", singular: "w", shortNames: ["x"], categories: ["all"] },
        }),
      ),
    ).toMatchObject({ isConvertedByWebhook: true, names: { listKind: "Widgets", singular: "w", shortNames: ["x"], categories: ["all"] } });
  });

  it.each<[string, SampleCrdParts]>([
    ["spec.group", { group: "../etc" }],
    ["spec.group", { group: "Shop.example.com" }],
    ["spec.scope", { scope: "Galaxy" }],
    ["spec.names.kind", { names: { kind: 'Wid"get' } }],
    ["spec.names.kind", { names: { kind: "" } }],
    ["spec.names.plural", { names: { plural: "wid/gets" } }],
    ["spec.names.plural", { names: { plural: 7 } }],
    ["spec.names.shortNames", { names: { shortNames: [1] } }],
    ["spec.versions", { versions: [] }],
    ["spec.versions[0].name", { version: { name: "V1" } }],
    ["spec.versions[0].name", { version: { name: "../v1" } }],
    ["spec.versions[0].deprecationWarning", { version: { deprecated: true, deprecationWarning: 1 } }],
  ])("names %s if it is invalid", (field, parts) => {
    expect(() => readCrd(sampleCrd(parts))).toThrow(TypeError);
    expect(() => readCrd(sampleCrd(parts))).toThrow(`CustomResourceDefinition widgets.${parts.group ?? "shop.example.com"}: ${field} `);
  });

  it.each([undefined, null, "text", [], {}, { kind: "CustomResourceDefinition" }, { kind: "Pod", apiVersion: "v1" }])(
    "readCrd rejects %j",
    (object) => {
      expect(isCrd(object)).toBe(false);
      expect(() => readCrd(object)).toThrow("not a CustomResourceDefinition");
    },
  );

  it("rejects an older apiVersion and says what to do", () => {
    const old = { ...sampleCrd(), apiVersion: "apiextensions.k8s.io/v1beta1" };
    expect(isCrd(old)).toBe(true);
    expect(() => readCrd(old)).toThrow("apiVersion must be apiextensions.k8s.io/v1, which every server since 1.16 serves");
    expect(() => readCrd({ ...sampleCrd(), metadata: {} })).toThrow("CustomResourceDefinition: metadata.name must be");
    expect(() => readCrd({ ...sampleCrd(), spec: [] })).toThrow("spec must be an object");
  });

  it("kindOf returns a descriptor per version", () => {
    const shape = readCrd(sampleCrd({ scope: "Cluster", version: { subresources: { status: {} } } }));
    const [version] = shape.versions;
    expect(version && kindOf(shape, version)).toMatchObject({
      group: "shop.example.com",
      version: "v1",
      kind: "Widget",
      plural: "widgets",
      scope: "Cluster",
      subresources: { status: { kind: "Widget", verbs: ["get", "patch", "update"] } },
    });
  });
});
