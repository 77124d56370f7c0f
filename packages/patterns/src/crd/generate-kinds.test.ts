import { deepFreeze } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateKinds, generatedBy } from "./generate-kinds.ts";
import { sampleCrd } from "./testing/sample-crd.ts";

const only = (files: ReadonlyMap<string, string>): string => files.get("shop.example.com/v1.ts") ?? "";

describe("generateKinds", () => {
  it("returns a file per served version, with interface, descriptor, list and nested types (§2.7)", () => {
    const version = (name: string, served: boolean): object => ({ name, served, storage: false });
    expect([...generateKinds([sampleCrd({ versions: [version("v2", true), version("v1", true), version("v3", false)] })]).keys()]).toEqual([
      "shop.example.com/v1.ts",
      "shop.example.com/v2.ts",
    ]);
    expect(only(generateKinds([deepFreeze(sampleCrd())]))).toBe(`// shop.example.com/v1, ${generatedBy}
import type { Kind, KubeList, ObjectMeta } from "drover";

export interface Widget {
  apiVersion?: "shop.example.com/v1";
  kind?: "Widget";
  metadata: ObjectMeta;
  spec?: WidgetSpec;
}
export const Widget: Kind<Widget, "Namespaced", never> = {
  group: "shop.example.com", version: "v1", kind: "Widget", listKind: "WidgetList",
  plural: "widgets", singular: "widget", shortNames: [], categories: [],
  scope: "Namespaced", verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  subresources: {},
};

export interface WidgetList extends KubeList<Widget> {
  apiVersion?: "shop.example.com/v1";
  kind?: "WidgetList";
}

export interface WidgetSpec {
  size?: number;
}
`);
  });

  it("does not depend on the order of the definitions", () => {
    const crds = [
      sampleCrd(),
      sampleCrd({ group: "b.example.com" }),
      { ...sampleCrd({ names: { kind: "Gadget", plural: "gadgets" } }), metadata: { name: "gadgets.shop.example.com" } },
    ];
    expect([...generateKinds(crds)]).toEqual([...generateKinds(crds.toReversed())]);
    expect(() => generateKinds([sampleCrd(), sampleCrd()])).toThrow(
      "CustomResourceDefinition widgets.shop.example.com is given twice; remove one of them",
    );
  });

  it("imports from another module, and treats defaults as present, if configured", () => {
    const text = only(generateKinds([sampleCrd()], { from: "@drover/machinery", defaults: "present" }));
    expect(text).toContain('import type { Kind, KubeList, ObjectMeta } from "@drover/machinery";');
    expect(text).toContain("  size: number;");
  });

  it("keeps all fields of a version without a schema, and prints deprecations", () => {
    const text = only(generateKinds([sampleCrd({ version: { schema: undefined, deprecated: true, deprecationWarning: "use v2 */" } })]));
    expect(text).toContain("/** @deprecated use v2 *\\/ */\nexport interface Widget {");
    expect(text).toContain("  [key: string]: unknown;");
  });

  it("gives different names to kinds with the same name", () => {
    const named = (kind: string, plural: string): object => ({ ...sampleCrd({ names: { kind, plural } }), metadata: { name: plural } });
    const text = only(generateKinds([named("Web-App", "a"), named("WebApp", "b"), named("WebAppSpec", "c"), named("class", "d")]));
    expect([...text.matchAll(/export interface (\w+)/g)].map(([, name]) => name)).toEqual([
      "WebApp",
      "WebAppList",
      "WebAppSpec2",
      "WebApp2",
      "WebApp2List",
      "WebApp2Spec",
      "WebAppSpec",
      "WebAppSpecList",
      "WebAppSpecSpec",
      "Class",
      "ClassList",
      "ClassSpec",
    ]);
    expect(text).toContain('kind?: "Web-App";');
    expect(text).toContain('kind: "class", listKind: "classList"');
  });

  it("handles a definition of one megabyte within a second", () => {
    const field = (index: number): object => ({
      type: "object",
      description: `Field ${index}: ${"words of prose ".repeat(8)}`,
      properties: {
        name: { type: "string" },
        ports: {
          type: "array",
          items: {
            type: "object",
            properties: { number: { type: "integer", format: "int64" }, mode: { type: "string", enum: ["a", "b"] } },
          },
        },
      },
    });
    const crd = sampleCrd({
      spec: {
        type: "object",
        properties: Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`field-${index}`, field(index)])),
      },
    });
    expect(JSON.stringify(crd).length).toBeGreaterThan(1_000_000);
    const timeOf = (work: () => number): number => {
      const start = performance.now();
      expect(work()).toBeGreaterThan(500_000);
      return performance.now() - start;
    };
    const making = (): number => timeOf(() => only(generateKinds([crd])).length);
    if (making() < 1000) return;
    // On a busy machine copying the definition takes longer too, so the limit follows it.
    const copying = (): number => timeOf(() => JSON.stringify(JSON.parse(JSON.stringify(crd))).length);
    expect(Math.min(making(), making())).toBeLessThan(Math.max(1000, 60 * Math.min(copying(), copying(), copying())));
  });

  it("never emits text of a definition outside quotes and comments (§9.35, X16)", () => {
    const evil = fc.oneof(
      fc.constantFrom(
        "__proto__",
        '"; evil(); //',
        "*/ evil() /*",
        "`${evil()}`",
        "\\",
        "\nevil()",
        "\u2028evil()",
        " | evil()",
        "class",
        "x-y",
      ),
      fc.string({ unit: "binary", maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(evil, { minLength: 1, maxLength: 4 }), evil, (names, prose) => {
        const field = { type: "string", enum: names, description: prose };
        const properties = Object.fromEntries(
          names.map((name, index) => [name, index === 0 ? { type: "object", description: prose, properties: { a: field } } : field]),
        );
        const text = only(
          generateKinds([
            sampleCrd({
              names: { shortNames: names, singular: prose === "" ? "w" : prose, listKind: prose === "" ? "L" : prose },
              spec: { type: "object", description: prose, required: names, properties },
            }),
          ]),
        );
        const bare = text.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""').replaceAll(/\/\*\*[^]*?\*\//g, "");
        expect(bare).not.toContain("evil");
        expect(bare.replaceAll(/^\/\/ .*$/gm, "")).toMatch(/^[\w\s{}[\]<>():;,.?|="-]*$/);
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 10) },
    );
  });
});
