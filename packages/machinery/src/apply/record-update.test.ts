import { describe, expect, it } from "vitest";

import { deepFreeze } from "../json/readonly.ts";
import type { Schema } from "../schema/schema.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { ApplyScope } from "./apply-scope.ts";
import { excludeFields } from "./field-filter.ts";
import { fieldSetOf } from "./field-set.ts";
import { builtInMergeType } from "./merge-type.ts";
import { recordUpdate } from "./record-update.ts";
import sampleSchema from "./sample-schema.vectors.json" with { type: "json" };

const type = builtInMergeType(sampleSchema as Schema);
const scope: ApplyScope = { apiVersion: "v1", kind: "Sample", typeOf: (apiVersion) => (apiVersion === "v1" ? type : undefined) };
const object = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Sample",
  metadata: { name: "x", uid: "u", ...metadata },
  spec,
});
const entriesOf = (value: JsonObject): JsonValue | undefined => (value["metadata"] as JsonObject)["managedFields"];
const owners = (value: JsonObject): unknown =>
  ((entriesOf(value) ?? []) as JsonObject[]).map(({ manager, subresource, time, fieldsV1 }) => [
    manager,
    subresource ?? "",
    (time as string).slice(17, 19),
    fieldsV1,
  ]);

/** Writes one after another, a second apart. */
function write(steps: readonly { readonly manager: string; readonly object: JsonObject; readonly scope?: ApplyScope }[]): JsonObject {
  return (
    steps.reduce<JsonObject | undefined>(
      (live, step, index) =>
        recordUpdate({
          scope: step.scope ?? scope,
          live,
          object: deepFreeze(step.object) as JsonObject,
          manager: step.manager,
          now: index * 1000,
        }).object,
      undefined,
    ) ?? {}
  );
}

describe("recordUpdate", () => {
  it("gives a creator everything it set, except the server's fields", () => {
    expect(owners(write([{ manager: "a", object: object({ text: "a" }, { labels: { l: "1" }, resourceVersion: "7" }) }]))).toEqual([
      ["a", "", "00", { "f:metadata": { "f:labels": { ".": {}, "f:l": {} } }, "f:spec": { ".": {}, "f:text": {} } }],
    ]);
  });

  it("excludes parts that always exist", () => {
    const withParts: ApplyScope = { ...scope, emptyObject: { apiVersion: "v1", kind: "Sample", metadata: {}, spec: {} } };
    expect(owners(write([{ manager: "a", object: object({ text: "a" }), scope: withParts }]))).toEqual([
      ["a", "", "00", { "f:spec": { "f:text": {} } }],
    ]);
  });

  it("moves changed fields to the writer, and drops removed ones", () => {
    const result = write([
      { manager: "a", object: object({ text: "a", whole: 1, flag: true }) },
      { manager: "b", object: object({ text: "b", flag: true }) },
    ]);
    expect(owners(result)).toEqual([
      ["a", "", "00", { "f:spec": { ".": {}, "f:flag": {} } }],
      ["b", "", "01", { "f:spec": { "f:text": {} } }],
    ]);
  });

  it("keeps the time of an unchanged entry", () => {
    const result = write([
      { manager: "a", object: object({ text: "a" }) },
      { manager: "a", object: object({ text: "a" }) },
      { manager: "b", object: object({ text: "a" }) },
    ]);
    expect(owners(result)).toEqual([["a", "", "00", { "f:spec": { ".": {}, "f:text": {} } }]]);
  });

  it("takes managed fields from the object, or from the live one when they are invalid", () => {
    const own = [
      {
        manager: "p",
        operation: "Update",
        apiVersion: "v1",
        time: "2026-01-01T00:00:09Z",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": { "f:text": {} } },
      },
    ];
    expect(
      owners(
        write([
          { manager: "a", object: object({ text: "a" }) },
          { manager: "b", object: object({ text: "a" }, { managedFields: own }) },
        ]),
      ),
    ).toEqual([["p", "", "09", { "f:spec": { "f:text": {} } }]]);
    expect(
      owners(
        write([
          { manager: "a", object: object({ text: "a" }) },
          { manager: "b", object: object({ text: "a" }, { managedFields: [{ manager: "p" }] }) },
        ]),
      ),
    ).toHaveLength(1);
  });

  it("ignores those of the object at a subresource", () => {
    const status: ApplyScope = { ...scope, subresource: "status" };
    const result = write([
      { manager: "a", object: object({ text: "a" }) },
      { manager: "b", object: object({ text: "b" }, { managedFields: [] }), scope: status },
    ]);
    expect(owners(result)).toEqual([
      ["a", "", "00", { "f:spec": {} }],
      ["b", "status", "01", { "f:spec": { "f:text": {} } }],
    ]);
  });

  it.each([[[]], [[{}]], [[{ manager: "", time: null }]]])("clears the record for managedFields: %j", (managedFields) => {
    const result = write([
      { manager: "a", object: object({ text: "a" }) },
      { manager: "b", object: object({ text: "b" }, { managedFields }) },
      { manager: "c", object: object({ text: "c" }) },
    ]);
    expect(entriesOf(result)).toBeUndefined();
  });

  it("excludes fields that the endpoint cannot change", () => {
    const filtered: ApplyScope = { ...scope, filterOf: () => excludeFields(fieldSetOf(["f:spec", "f:text"])) };
    expect(owners(write([{ manager: "a", object: object({ text: "a", whole: 1 }), scope: filtered }]))).toEqual([
      ["a", "", "00", { "f:spec": { ".": {}, "f:whole": {} } }],
    ]);
  });

  it("calls a writer without a name unknown", () => {
    expect(owners(write([{ manager: "", object: object({}) }]))).toEqual([["unknown", "", "00", { "f:spec": {} }]]);
  });

  it("drops the record of an object that does not fit its schema, and says why", () => {
    const live = write([{ manager: "a", object: object({ text: "a" }) }]);
    const { object: result, problem } = recordUpdate({ scope, live, object: object({ zzz: 1 }), manager: "b", now: 0 });
    expect(entriesOf(result)).toBeUndefined();
    expect(problem).toBe("failed to convert new object (/x; /v1, Kind=Sample) to smd typed: .spec.zzz: field not declared in schema");
  });

  it("merges the oldest of more than ten writers", () => {
    const steps = Array.from({ length: 12 }, (_, index) => ({
      manager: `m${index}`,
      object: object({ map: Object.fromEntries(Array.from({ length: index + 1 }, (__, key) => [`k${key}`, "1"])) }),
    }));
    const names = (owners(write(steps)) as string[][]).map(([name]) => name);
    expect(names).toEqual(["ancient-changes", ...Array.from({ length: 9 }, (_, index) => `m${index + 3}`)]);
  });
});
