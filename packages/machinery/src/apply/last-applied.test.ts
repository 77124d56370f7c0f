import { describe, expect, it } from "vitest";

import type { Schema } from "../schema/schema.ts";
import type { JsonObject } from "../json/json-value.ts";
import { fieldSetOf } from "./field-set.ts";
import { lastAppliedFields, refreshLastApplied } from "./last-applied.ts";
import { builtInMergeType } from "./merge-type.ts";
import sampleSchema from "./sample-schema.vectors.json" with { type: "json" };

const key = "kubectl.kubernetes.io/last-applied-configuration";
const type = builtInMergeType(sampleSchema as Schema);
const live = (spec: JsonObject, annotation: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Sample",
  metadata: { annotations: { [key]: annotation, ...more } },
  spec,
});
const allowed = (spec: JsonObject, annotation: unknown): unknown =>
  lastAppliedFields({
    value: live(spec, typeof annotation === "string" ? annotation : JSON.stringify(annotation)),
    type,
    apiVersion: "v1",
  });

describe("lastAppliedFields", () => {
  it("returns fields that still match the annotation", () => {
    expect(allowed({ text: "a", whole: 2 }, { apiVersion: "v1", kind: "Sample", spec: { text: "a", whole: 1 } })).toEqual(
      fieldSetOf(["f:apiVersion"], ["f:kind"], ["f:spec", "f:text"]),
    );
  });

  it("is undefined without a valid annotation of this version", () => {
    for (const annotation of ["", "{broken", "[]", { apiVersion: "v2" }, {}, { apiVersion: "v1", zzz: 1 }])
      expect(allowed({ text: "a" }, annotation)).toBeUndefined();
    expect(allowed({ words: ["a", "a"] }, { apiVersion: "v1" })).toBeUndefined();
    expect(lastAppliedFields({ value: {}, type, apiVersion: "v1" })).toBeUndefined();
  });
});

describe("refreshLastApplied", () => {
  const annotationOf = (object: JsonObject): unknown => ((object["metadata"] as JsonObject)["annotations"] as JsonObject)[key];

  it("writes sorted, escaped JSON without the annotation itself, as the server does", () => {
    const config = { spec: { text: "<" }, apiVersion: "v1", metadata: { name: "x", annotations: { [key]: "old", a: "1" } } };
    expect(annotationOf(refreshLastApplied(live({}, "old"), config))).toBe(
      '{"apiVersion":"v1","metadata":{"annotations":{"a":"1"},"name":"x"},"spec":{"text":"\\u003c"}}\n',
    );
  });

  it("decodes annotations as strings, in object and configuration", () => {
    const object = refreshLastApplied(live({}, "old", { a: null }), { metadata: { annotations: { b: null } } });
    expect((object["metadata"] as JsonObject)["annotations"]).toEqual({ a: "", [key]: '{"metadata":{"annotations":{"b":""}}}\n' });
    expect(annotationOf(refreshLastApplied(live({}, "old"), { metadata: { name: "x", annotations: null } }))).toBe(
      '{"metadata":{"name":"x"}}\n',
    );
  });

  it("leaves objects without the annotation alone", () => {
    const object = live({}, "");
    expect(refreshLastApplied(object, {})).toBe(object);
    expect(refreshLastApplied({}, {})).toEqual({});
  });

  it("removes an annotation that would be too large", () => {
    expect(annotationOf(refreshLastApplied(live({}, "old"), { spec: "x".repeat(256 * 1024) }))).toBeUndefined();
  });
});
