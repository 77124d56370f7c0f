import { describe, expect, it } from "vitest";

import type { Schema } from "../schema/schema.ts";
import type { ApplyScope } from "./apply-scope.ts";
import { builtInMergeType } from "./merge-type.ts";
import sampleSchema from "./sample-schema.vectors.json" with { type: "json" };
import { asTyped, convertTyped, TypedObjectError, withValue } from "./typed-object.ts";

const type = builtInMergeType(sampleSchema as Schema);
const scope: ApplyScope = { apiVersion: "g/v1", kind: "Sample", typeOf: (apiVersion) => (apiVersion === "g/v9" ? undefined : type) };
const object = { apiVersion: "g/v1", kind: "Sample", metadata: { name: "x", namespace: "ns" }, spec: { text: "a" } };
const typed = asTyped(object, scope, () => "");

describe("TypedObject", () => {
  it("names attempt, object and problem when it does not fit", () => {
    const broken = { ...object, spec: { zzz: 1 } };
    expect(() => asTyped(broken, scope, (name) => `failed to try (${name})`)).toThrow(
      new TypedObjectError("failed to try (ns/x; g/v1, Kind=Sample): .spec.zzz: field not declared in schema"),
    );
    expect(() => asTyped({}, { ...scope, apiVersion: "g/v9" }, (name) => name)).toThrow(
      "/; /, Kind=: no corresponding type for g/v9, Kind=Sample",
    );
  });

  it("changes only the version without a conversion", () => {
    expect(convertTyped(typed, "g/v2", scope, "")?.value).toEqual({ ...object, apiVersion: "g/v2" });
    expect(convertTyped(typed, "g/v1", scope, "")).toBe(typed);
  });

  it("is undefined in unserved versions", () => {
    expect(convertTyped(typed, "g/v9", scope, "")).toBeUndefined();
    expect(convertTyped(typed, "g/v2", { ...scope, convert: () => undefined }, "")).toBeUndefined();
  });

  it("must fit after conversion too", () => {
    expect(() => convertTyped(typed, "g/v2", { ...scope, convert: () => ({ spec: { words: ["a", "a"] } }) }, "failed: ")).toThrow(
      'failed: .spec.words: duplicate entries for key [="a"]',
    );
  });

  it("is an empty object when nothing is left", () => {
    expect(withValue(typed, null).value).toEqual({});
    expect(withValue(typed, { a: 1 })).toEqual({ ...typed, value: { a: 1 } });
  });
});
