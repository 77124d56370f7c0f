import { decodeJson, encodeJson } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { decodeEnvelope, encodeEnvelope } from "@drover/machinery/protobuf";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { etcdObjectValues } from "./etcd-object-values.ts";

const { decode, encode } = etcdObjectValues(new ManualClock());
const bytes = (object: JsonObject): Uint8Array => new TextEncoder().encode(`${encodeJson(object)}\n`);
const text = (value: Uint8Array): string => new TextDecoder().decode(value);

describe("etcdObjectValues", () => {
  it("stores a built-in kind as protobuf in its envelope, without resourceVersion, and reads it back", () => {
    const stored = '{"metadata":{"name":"a","namespace":"b","uid":"u","resourceVersion":"","creationTimestamp":null},"data":{"k":"v"}}';
    const value = encode("/registry/configmaps/b/a", stored, undefined);
    expect(text(value)).toContain("k8s\0");
    const again = decode("/registry/configmaps/b/a", value) ?? "";
    expect(decodeJson(again)).toEqual({ metadata: { name: "a", namespace: "b", uid: "u", resourceVersion: "" }, data: { k: "v" } });
    expect(encode("/registry/configmaps/b/a", again, undefined)).toEqual(value);
  });
  it("stores a custom object as sorted JSON with the kind that its text lacks, and reads the version back as the mark", () => {
    const stored = '{"apiVersion":"ex.io/v1","metadata":{"name":"a","resourceVersion":""},"spec":{"a":1}}';
    const value = encode("/registry/ex.io/widgets/default/a", stored, "Widget");
    expect(text(value)).toBe('{"apiVersion":"ex.io/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"a":1}}\n');
    expect(decode("/registry/ex.io/widgets/default/a", value)).toBe(stored);
    expect(() => encode("/registry/ex.io/widgets/default/a", stored, undefined)).toThrow("neither of a built-in kind nor of a custom one");
  });
  it("stores definitions in v1beta1, with the fields that all versions share once, and reads them back as v1", () => {
    const versions = (["v1", "v2"] as const).map((name) => ({
      name,
      served: true,
      storage: name === "v1",
      schema: { openAPIV3Schema: { type: "object" } },
      additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: `.${name}` }],
    }));
    const spec: JsonObject = {
      group: "ex.io",
      names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      scope: "Namespaced",
      versions,
      conversion: { strategy: "Webhook", webhook: { clientConfig: { url: "https://a.example.com" }, conversionReviewVersions: ["v1"] } },
    };
    const status = { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: ["v1"] };
    const key = "/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.ex.io";
    const value = encode(key, encodeJson({ metadata: { name: "widgets.ex.io", resourceVersion: "" }, spec, status }), undefined);
    const column = (path: string): JsonObject => ({ name: "A", type: "string", JSONPath: path });
    expect(decodeJson(text(value))).toMatchObject({
      apiVersion: "apiextensions.k8s.io/v1beta1",
      spec: {
        version: "v1",
        validation: { openAPIV3Schema: { type: "object" } },
        versions: [{ additionalPrinterColumns: [column(".v1")] }, { additionalPrinterColumns: [column(".v2")] }],
        conversion: { strategy: "Webhook", webhookClientConfig: { url: "https://a.example.com" }, conversionReviewVersions: ["v1"] },
        preserveUnknownFields: false,
      },
    });
    expect(decodeJson(decode(key, value) ?? "")).toMatchObject({ spec });
    expect(encode(key, decode(key, value) ?? "", undefined)).toEqual(value);
  });
  it("reads an object in an older version that is converted, and refuses one that it does not know", () => {
    const autoscaler = {
      apiVersion: "autoscaling/v1",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "a" },
      spec: { maxReplicas: 2, scaleTargetRef: { kind: "Deployment", name: "d" }, targetCPUUtilizationPercentage: 50 },
    };
    const key = "/registry/horizontalpodautoscalers/default/a";
    expect(decodeJson(decode(key, bytes(autoscaler)) ?? "")).toMatchObject({
      spec: { metrics: [{ resource: { name: "cpu", target: { averageUtilization: 50 } } }] },
    });
    expect(() => decode(key, bytes({ ...autoscaler, apiVersion: "autoscaling/v3" }))).toThrow(
      "it is stored as autoscaling/v3, which this server does not read; it reads autoscaling/v1, autoscaling/v2",
    );
  });
  it("leaves keys alone that are no objects of this server", () => {
    const range = encodeEnvelope({ apiVersion: "v1", kind: "RangeAllocation", message: new Uint8Array() });
    expect(decode("/registry/ranges/serviceips", range)).toBe(undefined);
    expect(decode("/registry/health", new TextEncoder().encode("ok"))).toBe(undefined);
  });

  it("stores the record of node ports as kube-apiserver does, and never encrypts it", () => {
    const { resourceOf } = etcdObjectValues(new ManualClock());
    const key = "/registry/ranges/servicenodeports";
    const stored = encode(key, '{"metadata":{},"range":"30000-32767","data":"ggE="}', undefined);
    expect(decodeEnvelope(stored)).toMatchObject({ apiVersion: "v1", kind: "RangeAllocation" });
    expect(decodeJson(decode(key, stored) ?? "")).toMatchObject({ range: "30000-32767", data: "ggE=" });
    expect(encode(key, decode(key, stored) ?? "", undefined)).toEqual(stored);
    expect(resourceOf(key)).toBe(undefined);
  });

  it("returns the group and the resource of a key, of built-in and of custom kinds", () => {
    const { resourceOf } = etcdObjectValues(new ManualClock());
    expect(resourceOf("/registry/secrets/a/b")).toEqual({ group: "", resource: "secrets" });
    expect(resourceOf("/registry/deployments/a/b")).toEqual({ group: "apps", resource: "deployments" });
    expect(resourceOf("/registry/services/specs/a/b")).toEqual({ group: "", resource: "services" });
    expect(resourceOf("/registry/ex.io/widgets/a/b")).toEqual({ group: "ex.io", resource: "widgets" });
  });
});
