import { describe, expect, it } from "vitest";

import type { Schema } from "../schema/schema.ts";
import type { JsonObject } from "../json/json-value.ts";
import { strategicMergePatchesConflict } from "./strategic-conflicts.ts";
import schemas from "./workload-schemas.vectors.json" with { type: "json" };

const podSchema: Schema = schemas.pod;
const conflict = (left: JsonObject, right: JsonObject): boolean =>
  strategicMergePatchesConflict({ spec: left }, { spec: right }, podSchema);

describe("strategicMergePatchesConflict", () => {
  it("is false for different keys, different containers and equal values", () => {
    expect(conflict({ nodeSelector: { a: "1" } }, { nodeSelector: { b: "2" } })).toBe(false);
    expect(conflict({ containers: [{ name: "a", image: "1" }] }, { containers: [{ name: "b", image: "2" }] })).toBe(false);
    expect(conflict({ containers: [{ name: "a", image: "1" }] }, { containers: [{ name: "a", image: "1", command: [] }] })).toBe(false);
    expect(strategicMergePatchesConflict({ metadata: { finalizers: ["a"] } }, { metadata: { finalizers: ["b"] } }, podSchema)).toBe(false);
  });

  it("is true for one field of one container, a marker, and kinds of value", () => {
    expect(conflict({ containers: [{ name: "a", image: "1" }] }, { containers: [{ name: "a", image: "2" }] })).toBe(true);
    expect(conflict({ containers: [{ name: "a", image: "1" }] }, { containers: [{ name: "a", $patch: "delete" }] })).toBe(true);
    expect(conflict({ nodeSelector: { $patch: "replace" } }, { nodeSelector: { a: "1" } })).toBe(true);
    expect(conflict({ nodeSelector: { a: "1" } }, { nodeSelector: null })).toBe(true);
    expect(conflict({ tolerations: [{ key: "a" }] }, { tolerations: "odd" })).toBe(true);
  });

  it("compares replaced lists by item, scalars in any order", () => {
    expect(conflict({ tolerations: [{ key: "a" }] }, { tolerations: [{ key: "a" }, { key: "b" }] })).toBe(true);
    expect(conflict({ tolerations: [{ key: "a" }] }, { tolerations: [{ key: "b" }] })).toBe(true);
    const command = (...words: string[]): JsonObject => ({ containers: [{ name: "a", command: words }] });
    expect(conflict(command("x", "y"), command("y", "x"))).toBe(false);
    expect(conflict(command("x", "y"), command("x", "z"))).toBe(true);
  });

  it("ignores what is within a replaced object", () => {
    const selector = (value: string): JsonObject => ({ spec: { selector: { matchLabels: { a: value } } } });
    expect(strategicMergePatchesConflict(selector("1"), selector("2"), schemas.deployment)).toBe(false);
  });

  it("requires merge keys and known fields", () => {
    expect(() => conflict({ containers: [{ image: "1" }] }, { containers: [{ name: "a" }] })).toThrow(
      "cannot find merge key `name` in merging list element:map[image:1]",
    );
    expect(() => conflict({ bogus: {} }, { bogus: {} })).toThrow('for the json field "bogus"');
  });
});
