import { decodeJson, encodeJson } from "@drover/machinery";
import type { JsonObject, JsonValue, KubeObject } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conversionReviewText, convertAll, readConversionReview } from "./conversion-review.ts";
import { conversionBody, webApp } from "./testing/reviews.ts";
import type { ConversionWebhook } from "./webhook.ts";

/** v1 has spec.size, v2 has spec.replicas; everything else is kept. */
const renaming: ConversionWebhook = {
  group: "demo.example.com",
  resource: "webapps",
  kind: "WebApp",
  convert: (object, version) => {
    const { spec, ...rest } = object as unknown as { readonly spec: JsonObject };
    const [from, to] = version === "v2" ? ["size", "replicas"] : ["replicas", "size"];
    const { [from]: count, ...others } = spec;
    const converted = count === undefined ? others : { ...others, [to]: count };
    return { ...rest, apiVersion: `demo.example.com/${version}`, spec: converted } as unknown as KubeObject;
  },
};
const converted = (objects: readonly JsonObject[], webhooks: readonly ConversionWebhook[], desired = "demo.example.com/v2") =>
  convertAll(readConversionReview(conversionBody(objects, desired)), webhooks);
const returning = (change: (object: JsonObject) => unknown): ConversionWebhook => ({
  ...renaming,
  convert: (object, version) => change({ ...(object as unknown as JsonObject), apiVersion: `demo.example.com/${version}` }) as KubeObject,
});

describe("A conversion review", () => {
  it("converts all objects in order, also of mixed versions, with the uid of the request", () => {
    const names = ["a", "b", "c"];
    const objects = names.map((name, index) => ({
      apiVersion: `demo.example.com/v${index === 1 ? 2 : 1}`,
      metadata: { name, uid: name },
      spec: index === 1 ? { replicas: 1 } : { size: index },
    }));
    const outcome = converted(objects, [renaming]);
    expect(JSON.parse(conversionReviewText("c1", outcome))).toEqual({
      kind: "ConversionReview",
      apiVersion: "apiextensions.k8s.io/v1",
      response: {
        uid: "c1",
        convertedObjects: names.map((name, index) => ({
          apiVersion: "demo.example.com/v2",
          kind: "WebApp",
          metadata: { name, uid: name },
          spec: { replicas: index },
        })),
        result: { metadata: {}, status: "Success" },
      },
    });
  });

  it("keeps metadata except labels and annotations, whatever the converter returns", () => {
    const metadata = {
      name: "shop",
      namespace: "default",
      uid: "1",
      resourceVersion: "7",
      labels: { old: "x" },
      annotations: { old: "x" },
    };
    const outcome = converted(
      [{ metadata }],
      [
        returning((object) => {
          (object["metadata"] as JsonObject)["uid"] = "changed in place";
          return { ...object, metadata: { name: "other", uid: "2", finalizers: ["x"], labels: { new: "y" } } };
        }),
      ],
    );
    expect(outcome).toMatchObject({
      objects: [{ metadata: { name: "shop", namespace: "default", uid: "1", resourceVersion: "7", labels: { new: "y" } } }],
    });
    expect(JSON.stringify(outcome)).not.toContain("old");
    expect(JSON.stringify(outcome)).not.toContain("finalizers");
  });

  it.each<[string, ConversionWebhook[], string]>([
    ["a converter that throws", [{ ...renaming, convert: () => expectedError() }], "size has no equivalent"],
    ["no converter", [{ ...renaming, kind: "Other" }], "converts no WebApp"],
    ["no object", [returning(() => "text")], "returned no object"],
    ["another kind", [returning((object) => ({ ...object, kind: "Pod" }))], 'changed kind to "Pod"'],
    ["another version", [returning((object) => ({ ...object, apiVersion: "demo.example.com/v9" }))], 'apiVersion "demo.example.com/v9"'],
    ["no metadata", [returning(({ kind, apiVersion }) => ({ kind, apiVersion }))], "no metadata"],
    [
      "labels that are numbers",
      [returning((object) => ({ ...object, metadata: { labels: { a: 1 } } }))],
      "metadata.labels that are not texts",
    ],
  ])("fails as a whole for %s, with the name of the object", (_, webhooks, text) => {
    const outcome = converted([{}, {}], webhooks);
    expect(outcome).toEqual({ failure: expect.stringContaining(text) as string });
    expect(outcome).toEqual({
      failure: expect.stringContaining("WebApp default/shop of demo.example.com/v1 cannot be converted to demo.example.com/v2") as string,
    });
    expect(JSON.parse(conversionReviewText("c1", outcome))).toMatchObject({
      response: { uid: "c1", convertedObjects: [], result: { status: "Failure" } },
    });
  });

  it("refuses to convert to another group", () => {
    expect(converted([{}], [renaming], "other.example.com/v2")).toEqual({ failure: expect.stringContaining("differ") as string });
  });

  it.each([
    ["another kind", JSON.stringify({ apiVersion: "v1", kind: "Pod" })],
    ["v1beta1", conversionBody([]).replace("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1")],
    ["no request", JSON.stringify({ apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview" })],
    ["objects that are none", conversionBody([]).replace('"objects":[]', '"objects":[1]')],
    ["no desired version", conversionBody([], "")],
  ])("is refused with %s", (_, body) => {
    expect(() => readConversionReview(body)).toThrow();
  });

  it("loses nothing on the way to another version and back (F5)", () => {
    const json = fc.jsonValue({ maxDepth: 3, noUnicodeString: false }) as fc.Arbitrary<JsonValue>;
    const texts = fc.dictionary(fc.string(), fc.string());
    const object = fc.record({
      metadata: fc.record({ name: fc.string(), labels: texts, annotations: texts, generation: fc.nat() }),
      spec: fc.dictionary(
        fc.string().filter((key) => key !== "replicas" && key !== "__proto__"),
        json,
      ),
      status: json,
    });
    fc.assert(
      fc.property(fc.array(object, { maxLength: 4 }), (objects) => {
        const start = objects.map((each) => ({ ...webApp, ...each }));
        const away = converted(start, [renaming]);
        const back = "objects" in away ? converted(away.objects, [renaming], "demo.example.com/v1") : away;
        expect(back).toEqual({ objects: decodeJson(encodeJson(start)) });
      }),
      { numRuns: 500 },
    );
  });
});

function expectedError(): never {
  throw new Error("size has no equivalent");
}
