import { describe, expect, it } from "vitest";
import { sampleServer } from "./sample-server.ts";
import { trimDescription } from "./trim-description.ts";

describe("trimDescription", () => {
  it("fills in the kinds that discovery leaves empty: they are of the resource's own version", () => {
    const [shop, core] = trimDescription(sampleServer()).discovery;
    expect([shop?.group, core?.group]).toEqual(["shop.example.com", ""]);
    expect(shop?.resources[0]).toEqual({
      kind: "Widget",
      plural: "widgets",
      singular: "widget",
      shortNames: ["w"],
      categories: [],
      scope: "Namespaced",
      verbs: ["get", "list"],
      subresources: {
        part: { group: "", version: "v1", kind: "Part", verbs: ["create"] },
        status: { group: "shop.example.com", version: "v1", kind: "Widget", verbs: ["update"] },
      },
    });
  });

  it("drops prose, and shared definitions that nothing refers to", () => {
    const { definitions } = trimDescription(sampleServer());
    expect(Object.keys(definitions)).toEqual([
      "com.example.api.core.v1.Part",
      "com.example.api.shop.v1.Widget",
      "com.example.api.shop.v1.WidgetSpec",
      "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
    ]);
    expect(JSON.stringify(definitions)).not.toContain("prose");
  });

  it("keeps a field that is called like a piece of prose", () => {
    const { definitions } = trimDescription(
      sampleServer({
        widgetSpec: { type: "object", properties: { title: { type: "string" }, description: { type: "string", description: "x" } } },
      }),
    );
    expect(definitions["com.example.api.shop.v1.WidgetSpec"]?.properties).toEqual({
      title: { type: "string" },
      description: { type: "string" },
    });
  });

  it("refuses documents that contradict each other", () => {
    const { discovery, openapi } = sampleServer();
    const other = { components: { schemas: { "com.example.api.core.v1.Part": { type: "string" } } } };
    expect(() => trimDescription({ discovery, openapi: [...openapi, other] })).toThrow(
      "com.example.api.core.v1.Part differs between two documents",
    );
  });

  it("refuses a reference to nothing", () => {
    const widgetSpec = { $ref: "#/components/schemas/com.example.Nothing" };
    expect(() => trimDescription(sampleServer({ widgetSpec }))).toThrow(
      'a schema refers to "com.example.Nothing", which no document defines',
    );
  });

  it.each([
    [{ verbs: ["get", "escalate"] }, 'widgets of shop.example.com/v1: unknown word "escalate"'],
    [{ scope: "Galaxy" }, 'widgets of shop.example.com/v1: unknown word "Galaxy"'],
    [{ responseKind: { group: "apps", version: "v1", kind: "Widget" } }, "its kind belongs to apps/v1"],
    [{ singularResource: 7 }, "widgets of shop.example.com/v1: expected a string, found a number"],
  ])("refuses the resource %j", (widgets, message) => {
    expect(() => trimDescription(sampleServer({ widgets }))).toThrow(message);
  });
});
