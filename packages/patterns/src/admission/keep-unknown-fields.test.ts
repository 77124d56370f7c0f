import type { JsonObject } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepUnknownFields } from "./keep-unknown-fields.ts";

const schema = {
  type: "object",
  properties: {
    metadata: { type: "object" },
    spec: {
      type: "object",
      properties: {
        host: { type: "string" },
        labels: { type: "object", additionalProperties: { type: "string" } },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map" as const,
          "x-kubernetes-list-map-keys": ["name"],
          items: { type: "object", properties: { name: { type: "string" }, port: { type: "integer" } } },
        },
        rows: { type: "array", items: { type: "object", properties: { a: { type: "integer" } } } },
      },
    },
  },
};

describe("keepUnknownFields", () => {
  it("restores fields that only a newer definition knows", () => {
    expect(keepUnknownFields({ spec: { host: "a", tls: { on: true } } }, { spec: { host: "b" } }, schema)).toEqual({
      spec: { host: "b", tls: { on: true } },
    });
  });

  it("lets authors remove fields and entries that the schema describes", () => {
    const before = { metadata: { labels: { a: "1" } }, spec: { host: "a", labels: { a: "1", b: "2" } } };
    expect(keepUnknownFields(before, { metadata: {}, spec: { labels: { b: "2" } } }, schema)).toEqual({
      metadata: {},
      spec: { labels: { b: "2" } },
    });
  });

  it("pairs items of maps by their keys", () => {
    const before = {
      spec: {
        ports: [
          { name: "a", port: 1, tls: true },
          { name: "b", port: 2 },
        ],
      },
    };
    const after = {
      spec: {
        ports: [
          { name: "c", port: 3 },
          { name: "a", port: 9 },
        ],
      },
    };
    expect(keepUnknownFields(before, after, schema)).toEqual({
      spec: {
        ports: [
          { name: "c", port: 3 },
          { name: "a", port: 9, tls: true },
        ],
      },
    });
  });

  it("pairs items of other lists by position, unless items came or went", () => {
    const before = {
      spec: {
        rows: [
          { a: 1, x: 1 },
          { a: 2, x: 2 },
        ],
      },
    };
    expect(keepUnknownFields(before, { spec: { rows: [{ a: 1 }, { a: 3 }] } }, schema)).toEqual({
      spec: {
        rows: [
          { a: 1, x: 1 },
          { a: 3, x: 2 },
        ],
      },
    });
    expect(keepUnknownFields(before, { spec: { rows: [{ a: 2 }] } }, schema)).toEqual({ spec: { rows: [{ a: 2 }] } });
  });

  it("changes nothing that the author returned, and loses nothing that the schema does not describe", () => {
    const spec = fc.dictionary(fc.constantFrom("host", "labels", "newer", "newest"), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
    fc.assert(
      fc.property(spec, spec, (before, after) => {
        const result = keepUnknownFields({ spec: before } as JsonObject, { spec: after } as JsonObject, schema)["spec"] as JsonObject;
        for (const [key, value] of Object.entries(after)) expect(result[key]).toEqual(value);
        for (const key of ["newer", "newest"]) {
          if (!Object.hasOwn(after, key)) expect(result[key]).toEqual(before[key]);
        }
        for (const key of ["host", "labels"]) expect(Object.hasOwn(result, key)).toBe(Object.hasOwn(after, key));
      }),
    );
  });
});
