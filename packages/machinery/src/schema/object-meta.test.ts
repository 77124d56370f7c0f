import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import { compileSchema } from "./compiled-schema.ts";
import { coerceObjectMeta } from "./object-meta.ts";

const resource = { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true } as const;
const schema = compileSchema({
  type: "object",
  properties: {
    spec: { type: "object", properties: { list: { type: "array", items: resource } } },
    map: { type: "object", additionalProperties: resource },
  },
});

describe("coerceObjectMeta", () => {
  it("normalizes the object and everything embedded in it", () => {
    expect(
      coerceObjectMeta(
        {
          metadata: { name: "a", odd: 1 },
          spec: { list: [{ metadata: { odd: 1, finalizers: [] } }] },
          map: { k: { metadata: { odd: 1 } } },
        },
        schema,
      ),
    ).toEqual({
      value: { metadata: { name: "a" }, spec: { list: [{ metadata: {} }] }, map: { k: { metadata: {} } } },
      unknown: ["map[k].metadata.odd", "metadata.odd", "spec.list[0].metadata.odd"],
    });
  });

  it("leaves anything but resources alone", () => {
    const value = { metadata: { odd: 1 }, spec: { metadata: { odd: 1 } } };
    expect(coerceObjectMeta(value, schema, { root: "part" })).toEqual({ value, unknown: [] });
    const fine = { metadata: { name: "a" }, spec: { list: [{ kind: "A" }] } };
    expect((coerceObjectMeta(fine, schema) as { value: unknown }).value).toBe(fine);
  });

  it("returns an error for invalid metadata", () => {
    const error = coerceObjectMeta({ spec: { list: [{}, { kind: 5 }] } }, schema, { path: "x" });
    expect("type" in error && printFieldError(error)).toBe("x.spec.list[1].kind: Invalid value: 5: must be a string");
    const meta = coerceObjectMeta({ metadata: { name: 5 } }, schema);
    expect("type" in meta && meta.field).toBe("metadata");
  });

  it("drops invalid fields on request", () => {
    expect(
      coerceObjectMeta({ kind: 5, apiVersion: "v1", metadata: { name: 5, uid: "u" }, map: { k: { metadata: 5 } } }, schema, {
        malformed: "drop",
      }),
    ).toEqual({ value: { apiVersion: "v1", metadata: { uid: "u" }, map: { k: { metadata: 5 } } }, unknown: [] });
  });
});
