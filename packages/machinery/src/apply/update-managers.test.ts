import { describe, expect, it } from "vitest";

import type { Schema } from "../schema/schema.ts";
import type { JsonObject } from "../json/json-value.ts";
import type { ApplyScope } from "./apply-scope.ts";
import { fieldSetOf } from "./field-set.ts";
import { managerIdentity } from "./managed-fields.ts";
import type { Manager } from "./managed-fields.ts";
import { builtInMergeType } from "./merge-type.ts";
import sampleSchema from "./sample-schema.vectors.json" with { type: "json" };
import type { TypedObject } from "./typed-object.ts";
import { reconcileManagers, updateManagers, withFields } from "./update-managers.ts";

const type = builtInMergeType(sampleSchema as Schema);
const scope: ApplyScope = { apiVersion: "v1", kind: "Sample", typeOf: (apiVersion) => (apiVersion === "v9" ? undefined : type) };
const object = (spec: JsonObject): TypedObject => ({ value: { spec }, type, apiVersion: "v1" });
const owner = (name: string, fields: readonly string[], more: Partial<Manager> = {}): [string, Manager] => {
  const manager: Manager = {
    manager: name,
    operation: "Apply",
    apiVersion: "v1",
    subresource: "",
    time: undefined,
    fields: fieldSetOf(...fields.map((field) => ["f:spec", `f:${field}`])),
    ...more,
  };
  return [managerIdentity(manager), manager];
};

describe("updateManagers", () => {
  it("takes set and removed fields from others, and reports set ones", () => {
    const [a, self, gone] = [owner("a", ["text", "whole", "flag"]), owner("self", ["text"]), owner("gone", ["text"])];
    const { managers, conflicts } = updateManagers(
      object({ text: "a", whole: 1, flag: true }),
      object({ text: "b", flag: true }),
      new Map([a, self, gone]),
      self[0],
      scope,
    );
    expect([...managers.values()].map(({ manager, fields }) => [manager, fields])).toEqual([
      ["a", fieldSetOf(["f:spec", "f:flag"])],
      ["self", fieldSetOf(["f:spec", "f:text"])],
    ]);
    expect(conflicts).toEqual(
      new Map([
        [a[0], fieldSetOf(["f:spec", "f:text"])],
        [gone[0], fieldSetOf(["f:spec", "f:text"])],
      ]),
    );
  });

  it("compares in each manager's version", () => {
    const convert = ({ spec }: JsonObject): JsonObject => ({ spec: { whole: (spec as JsonObject)["text"] === "a" ? 1 : 2 } });
    const [a, b] = [owner("a", ["whole"], { apiVersion: "v2" }), owner("b", ["text"], { apiVersion: "v9" })];
    const { managers, conflicts } = updateManagers(object({ text: "a" }), object({ text: "b" }), new Map([a, b]), "", {
      ...scope,
      convert,
    });
    expect(managers).toEqual(new Map());
    expect([...conflicts.keys()]).toEqual([a[0]]);
  });

  it("ignores changes of filtered fields", () => {
    const a = owner("a", ["text"]);
    const { conflicts, comparison } = updateManagers(object({ text: "a" }), object({ text: "b" }), new Map([a]), "", {
      ...scope,
      filterOf: () => () => ({}),
    });
    expect([conflicts.size, comparison]).toEqual([0, { added: {}, modified: {}, removed: {} }]);
  });
});

it("drops managers of unserved versions, and adapts the rest to the schema", () => {
  const [a, b] = [owner("a", ["text"], { apiVersion: "v9" }), owner("b", [], { fields: fieldSetOf(["f:spec", "f:atomicMap", "f:x"]) })];
  expect([...reconcileManagers(new Map([a, b]), object({}), scope).values()]).toEqual([
    { ...b[1], fields: fieldSetOf(["f:spec", "f:atomicMap"]) },
  ]);
});

it("keeps a manager whose fields stay the same", () => {
  const [, a] = owner("a", ["text"]);
  expect(withFields(a, a.fields)).toBe(a);
});
