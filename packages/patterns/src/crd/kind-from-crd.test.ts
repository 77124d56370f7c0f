import { deepFreeze } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { InvalidObjectError } from "../resource/invalid-object-error.ts";
import { kindFromCrd } from "./kind-from-crd.ts";
import { sampleCrd } from "./testing/sample-crd.ts";

const served = (name: string, more: object = {}): object => ({ name, served: true, storage: false, ...more });

describe("kindFromCrd", () => {
  it("returns a descriptor with the schema, and does not change its input", () => {
    const kind = kindFromCrd(deepFreeze(sampleCrd({ version: { subresources: { scale: {} } } })));
    expect(kind).toMatchObject({
      group: "shop.example.com",
      version: "v1",
      kind: "Widget",
      listKind: "WidgetList",
      plural: "widgets",
      singular: "widget",
      scope: "Namespaced",
    });
    expect([Object.keys(kind.subresources), kind.subresources["scale"]?.kind]).toEqual([["scale"], "Scale"]);
    expect(kind.schema.properties?.["spec"]?.type).toBe("object");
  });

  it("uses the storage version, else the newest served one, or the requested one", () => {
    expect(kindFromCrd(sampleCrd({ versions: [served("v2"), served("v1", { storage: true })] })).version).toBe("v1");
    expect(
      kindFromCrd(sampleCrd({ versions: [served("v1beta1"), served("v2"), served("v10"), { name: "v11", served: false, storage: true }] }))
        .version,
    ).toBe("v10");
    expect(kindFromCrd(sampleCrd({ versions: [served("v2"), served("v1", { storage: true })] }), { version: "v2" }).version).toBe("v2");
    expect(() =>
      kindFromCrd(sampleCrd({ versions: [served("v2"), { name: "v1", served: false, storage: true }] }), { version: "v1" }),
    ).toThrow("CustomResourceDefinition widgets.shop.example.com serves no version v1; it serves v2");
    expect(() => kindFromCrd(sampleCrd({ version: { served: false } }))).toThrow("serves no version");
  });

  it("parses like the server: drops unknown fields, adds defaults, lists invalid fields", () => {
    const kind = kindFromCrd(sampleCrd());
    expect(kind.parse({ metadata: { name: "a" }, spec: { color: "red" }, more: 1 })).toEqual({
      metadata: { name: "a" },
      spec: { size: 3 },
    });
    expect(() => kind.parse({ kind: "Gadget", metadata: { name: "a" }, spec: { size: 10 } })).toThrow(InvalidObjectError);
    expect(() => kind.parse({ metadata: { name: "a" }, spec: { size: 10 } })).toThrow("spec.size");
    expect(() => kind.parse([])).toThrow("must be an object");
  });

  it("accepts everything if its version has no schema", () => {
    expect(kindFromCrd(sampleCrd({ versions: [served("v1")] })).parse({ metadata: {}, any: [1] })).toEqual({ metadata: {}, any: [1] });
  });

  it("returns its definition without the server's additions", () => {
    const crd = sampleCrd();
    expect(kindFromCrd(crd).definition()).toEqual({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "widgets.shop.example.com", labels: { a: "b" } },
      spec: crd["spec"],
    });
  });

  it("converts like the server without a webhook, and throws if one is needed", () => {
    const object = deepFreeze({ apiVersion: "shop.example.com/v1", kind: "Widget", metadata: { name: "a" } });
    const plain = kindFromCrd(sampleCrd({ versions: [served("v1"), served("v2")] }));
    expect(plain.convert(object, "v2")).toEqual({ ...object, apiVersion: "shop.example.com/v2" });
    expect(plain.convert(object, "v1")).toBe(object);
    expect(() => plain.convert(object, "v3")).toThrow("Widget has no version v3; it has v1, v2");
    expect(() => plain.convert({ ...object, apiVersion: "apps/v1" }, "v2")).toThrow("it is not a Widget of shop.example.com");
    const hooked = kindFromCrd(sampleCrd({ versions: [served("v1"), served("v2")], conversion: { strategy: "Webhook" } }));
    expect(() => hooked.convert(object, "v2")).toThrow("request the object in v2 from the server instead");
  });
});
