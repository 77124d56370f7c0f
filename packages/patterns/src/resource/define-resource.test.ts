import { compileSchema, validate } from "@drover/machinery";
import type { ObjectOf } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { UnsayableSchemaError } from "../schema/refusal.ts";
import { defineResource } from "./define-resource.ts";
import { InvalidObjectError } from "./invalid-object-error.ts";

const names = { group: "demo.example.com", version: "v1", kind: "WebApp" };
const WebApp = defineResource({
  ...names,
  shortNames: ["wa"],
  spec: z.object({ image: z.string().min(1), replicas: z.int().min(0).default(1), host: z.string().optional() }),
  status: z.object({ ready: z.int().default(0) }),
  rules: [["!has(self.spec.host) || self.spec.replicas > 0", "a host needs at least one replica"]],
  columns: { Ready: ".status.ready", Host: ".spec.host", Since: { path: ".spec.image", type: "date", priority: 1 } },
});

describe("defineResource", () => {
  it("returns a kind with the type of its schemas", () => {
    expect(WebApp).toMatchObject({
      ...names,
      plural: "webapps",
      singular: "webapp",
      listKind: "WebAppList",
      shortNames: ["wa"],
      scope: "Namespaced",
    });
    expectTypeOf<ObjectOf<typeof WebApp>["spec"]>().toEqualTypeOf<{ image: string; replicas: number; host?: string | undefined }>();
    expectTypeOf<NonNullable<ObjectOf<typeof WebApp>["status"]>["ready"]>().toEqualTypeOf<number>();
    expectTypeOf<keyof typeof WebApp.subresources>().toEqualTypeOf<"status">();
  });

  it("returns the CRD that the server installs", () => {
    const { metadata, spec } = WebApp.definition();
    expect(metadata.name).toBe("webapps.demo.example.com");
    const [version] = spec.versions;
    expect(spec.versions).toHaveLength(1);
    expect(version).toMatchObject({ name: "v1", served: true, storage: true, subresources: { status: {} } });
    expect(version?.additionalPrinterColumns).toEqual([
      { name: "Ready", type: "integer", jsonPath: ".status.ready" },
      { name: "Host", type: "string", jsonPath: ".spec.host" },
      { name: "Since", type: "date", jsonPath: ".spec.image", priority: 1 },
      { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
    ]);
    expect(version?.schema?.openAPIV3Schema).toMatchObject({
      required: ["spec"],
      "x-kubernetes-validations": [{ message: "a host needs at least one replica" }],
      properties: {
        spec: { required: ["image"] },
        status: { properties: { conditions: { "x-kubernetes-list-type": "map" }, observedGeneration: {}, ready: { default: 0 } } },
      },
    });
  });

  it("declares the scale subresource if one is defined", () => {
    const scaled = defineResource({
      ...names,
      spec: z.object({ replicas: z.int32() }),
      status: z.object({ replicas: z.int32(), selector: z.string() }),
      scale: { replicas: ".spec.replicas", readyReplicas: ".status.replicas", selector: ".status.selector" },
    });
    expect(scaled.subresources.scale).toMatchObject({ group: "autoscaling", kind: "Scale" });
    expect(scaled.definition().spec.versions[0]?.subresources?.scale).toEqual({
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".status.selector",
    });
  });

  it("parses like a server: drops unknown fields, adds defaults, drops nulls that are not allowed", () => {
    expect(WebApp.parse({ metadata: { name: "shop" }, spec: { image: "shop:1", host: null, more: 1 }, status: {} })).toEqual({
      metadata: { name: "shop" },
      spec: { image: "shop:1", replicas: 1 },
      status: { ready: 0 },
    });
  });

  it("lists every invalid field", () => {
    const parse = (): unknown => WebApp.parse({ kind: "Shop", metadata: { namespace: "a", name: "b" }, spec: { image: "", replicas: -1 } });
    expect(parse).toThrow(InvalidObjectError);
    expect(parse).toThrow(/^WebApp a\/b is not valid: kind: is "Shop", not "WebApp"; spec\.image: .*; spec\.replicas: /);
    expect(() => WebApp.parse("x")).toThrow("WebApp is not valid: : must be an object, not string");
  });

  it("rejects duplicate items in a list of type set", () => {
    const Tagged = defineResource({ ...names, spec: z.object({ tags: z.array(z.string()).meta({ "x-kubernetes-list-type": "set" }) }) });
    expect(() => Tagged.parse({ metadata: {}, spec: { tags: ["a", "a"] } })).toThrow('spec.tags[1]: Duplicate value: "a"');
  });

  it("accepts exactly what the schema of the CRD accepts", () => {
    const compiled = compileSchema(WebApp.schema);
    const anything = fc.oneof(
      fc.string({ unit: "grapheme-ascii", maxLength: 3 }),
      fc.integer({ min: -2, max: 2 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
    );
    fc.assert(
      fc.property(fc.record({ image: anything, replicas: anything, host: anything }, { requiredKeys: [] }), (spec) => {
        const object = { apiVersion: "demo.example.com/v1", kind: "WebApp", metadata: { name: "a" }, spec };
        expect(accepts(() => WebApp.parse(object))).toBe(validate(object, compiled).length === 0);
      }),
    );
  });
});

const accepts = (work: () => unknown): boolean => {
  try {
    work();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidObjectError);
    return false;
  }
};

describe("a resource with older versions", () => {
  const Shop = defineResource({
    ...names,
    kind: "Shop",
    spec: z.object({ hosts: z.array(z.string()) }),
    olderVersions: {
      v1beta1: {
        spec: z.object({ host: z.string().optional() }),
        deprecated: "use v1",
        up: ({ spec }) => ({ spec: { hosts: (spec as { host?: string }).host === undefined ? [] : [(spec as { host: string }).host] } }),
        down: ({ spec }) => ({ spec: { host: (spec as { hosts: string[] }).hosts[0] } }),
      },
      v1alpha1: { spec: z.object({ hosts: z.array(z.string()) }), served: false },
    },
  });
  const conversionWebhook = { service: { namespace: "shop", name: "convert" } };

  it("converts through the current version", () => {
    const old = { apiVersion: "demo.example.com/v1beta1", kind: "Shop", metadata: { name: "a" }, spec: { host: "x" } };
    expect(Shop.convert(old, "v1")).toEqual({ ...old, apiVersion: "demo.example.com/v1", spec: { hosts: ["x"] } });
    expect(Shop.convert(Shop.convert(old, "v1alpha1"), "v1beta1")).toEqual(old);
  });

  it("throws and explains conversions that are not possible", () => {
    expect(() => Shop.convert({ apiVersion: "demo.example.com/v1", kind: "Shop", metadata: {} }, "v9")).toThrow(
      "Shop has no version v9; it has v1, v1beta1, v1alpha1",
    );
    expect(() => Shop.convert({ apiVersion: "v1", kind: "Pod", metadata: {} }, "v1")).toThrow("it is not a Shop of demo.example.com");
  });

  it("requires a conversion webhook and puts it in the CRD", () => {
    expect(() => Shop.definition()).toThrow("version v1beta1 is converted by code");
    const { versions, conversion } = Shop.definition({ conversionWebhook }).spec;
    expect(conversion).toEqual({ strategy: "Webhook", webhook: { clientConfig: conversionWebhook, conversionReviewVersions: ["v1"] } });
    expect(versions.map(({ name, served, storage, deprecationWarning }) => [name, served, storage, deprecationWarning])).toEqual([
      ["v1", true, true, undefined],
      ["v1beta1", true, false, "use v1"],
      ["v1alpha1", false, false, undefined],
    ]);
  });
});

describe("defineResource, invalid definitions", () => {
  const spec = z.object({ host: z.string() });

  it.each([
    [{ ...names, group: "demo" }, 'group: "demo" must be your domain'],
    [{ ...names, version: "1" }, 'version: "1" must look like'],
    [{ ...names, kind: "web-app" }, 'kind: "web-app" must be one word'],
    [{ ...names, olderVersions: { v1: { spec } } }, "olderVersions.v1: this is the current version"],
    [{ ...names, columns: { Host: "spec.host" } }, 'column Host: a path starts with a dot: ".spec.host"'],
    [{ ...names, columns: { Host: ".spec.hots" } }, "column Host: .spec.hots is not in the schema, which has host"],
  ])("rejects %o and names the field", (parts, message) => {
    expect(() => defineResource({ ...parts, spec })).toThrow(message);
  });

  it("reports everything that the server could not check", () => {
    expect(() => defineResource({ ...names, spec: z.object({ when: z.date() }), status: z.object({ at: z.set(z.string()) }) })).toThrow(
      UnsayableSchemaError,
    );
    expect(() => defineResource({ ...names, spec: z.object({ when: z.date() }), status: z.object({ at: z.set(z.string()) }) })).toThrow(
      /WebApp in demo.example.com\/v1 cannot be expressed as a custom resource \[DRV0101\]:\n {2}spec\.when: z\.date\(\) cannot be represented in JSON\n {4}instead: .*\n {2}status\.at: z\.set\(\)/,
    );
  });

  it("rejects a default that its own schema does not accept", () => {
    expect(() => defineResource({ ...names, spec: z.object({ size: z.string().min(3).default("s") }) })).toThrow(
      /openAPIV3Schema\.properties\[spec\].*default/,
    );
  });
});
