import { describe, expect, it } from "vitest";
import { GoJsonFields } from "./go-json-fields.ts";
import { compact, orderedReference, orderedSelector, readMetric, readReference } from "./metric-parts.ts";

describe("parts of autoscaler metrics", () => {
  it("are written in Go's field order", () => {
    expect(JSON.stringify(orderedReference({ apiVersion: "v1", name: "n", kind: "k" }))).toBe('{"kind":"k","name":"n","apiVersion":"v1"}');
    expect(JSON.stringify(orderedSelector({ matchExpressions: [{ operator: "Exists", key: "k" }], matchLabels: { b: "1", a: "2" } }))).toBe(
      '{"matchLabels":{"a":"2","b":"1"},"matchExpressions":[{"key":"k","operator":"Exists"}]}',
    );
    expect(orderedSelector(undefined)).toBeUndefined();
  });

  it("omit absent members when read", () => {
    expect(readReference(new GoJsonFields({ kind: "k" }))).toEqual({ kind: "k", name: "" });
    expect(readMetric(new GoJsonFields({ metricName: "m", metricSelector: {} }), "metricSelector")).toEqual({ name: "m", selector: {} });
    expect(Object.keys(compact<{ a?: number; b?: number }>({ a: undefined, b: 1 }))).toEqual(["b"]);
  });
});
