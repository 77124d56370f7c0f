import { isJsonObject, jsonEqual } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSameBesideVersion, withOldTimes } from "./managed-times.ts";

const entry = fc.record({ manager: fc.constantFrom("a", "b"), time: fc.constantFrom("1", "2") });
const metadata: fc.Arbitrary<JsonObject> = fc.record(
  {
    name: fc.constantFrom("x", "y"),
    labels: fc.constantFrom<JsonObject[]>({}, { app: "web" }),
    resourceVersion: fc.constantFrom("1", "2"),
    managedFields: fc.array(entry, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const object: fc.Arbitrary<JsonObject> = fc.record(
  { metadata, spec: fc.constantFrom<JsonObject[]>({ a: 1 }, { a: 2 }), status: fc.constantFrom<JsonObject[]>({}, { b: [1] }) },
  { requiredKeys: [] },
);

const without = (value: JsonObject, ...fields: readonly string[]): JsonObject => ({
  ...value,
  metadata: Object.fromEntries(
    Object.entries(isJsonObject(value["metadata"]) ? value["metadata"] : {}).filter(([key]) => !fields.includes(key)),
  ),
});
const entriesOf = ({ metadata: meta }: JsonObject): JsonValue | undefined => (isJsonObject(meta) ? meta["managedFields"] : undefined);
const withoutTimes = (entries: JsonValue[]): JsonValue[] => entries.map((each) => ({ ...(each as JsonObject), time: "" }));

describe("isSameBesideVersion", () => {
  it("ignores resourceVersion, and nothing else", () => {
    fc.assert(
      fc.property(object, object, (a, b) => {
        expect(isSameBesideVersion(a, b)).toBe(jsonEqual(without(a, "resourceVersion"), without(b, "resourceVersion")));
      }),
    );
  });
});

describe("withOldTimes", () => {
  it("returns the old timestamps if nothing else changed, and otherwise the object itself", () => {
    fc.assert(
      fc.property(object, object, (changed, old) => {
        const [entries, oldEntries] = [entriesOf(changed), entriesOf(old)];
        const isUnchanged =
          Array.isArray(entries) &&
          Array.isArray(oldEntries) &&
          jsonEqual(withoutTimes(entries), withoutTimes(oldEntries)) &&
          jsonEqual(without(changed, "resourceVersion", "managedFields"), without(old, "resourceVersion", "managedFields"));
        const result = withOldTimes(changed, old);
        if (!isUnchanged) expect(result).toBe(changed);
        else expect(result).toEqual({ ...changed, metadata: { ...(changed["metadata"] as JsonObject), managedFields: oldEntries } });
      }),
      { numRuns: 500 },
    );
  });
});
