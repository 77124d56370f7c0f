import { deepFreeze } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldChanges } from "./field-changes.ts";

const changed = (before: JsonValue, after: JsonValue): string[] =>
  fieldChanges(deepFreeze(before), deepFreeze(after)).fields.map(
    ({ path, before: old = "-", after: now = "-" }) => `${path}: ${old} → ${now}`,
  );

describe("fieldChanges", () => {
  it("returns readable paths", () => {
    const before = {
      spec: { replicas: 2, template: { spec: { containers: [{ name: "app", image: "a:1" }, { name: "log" }] } } },
      metadata: { labels: { app: "x" }, annotations: { "a/b": "1" } },
    };
    const after = {
      spec: { replicas: 3, template: { spec: { containers: [{ name: "log" }, { name: "app", image: "a:2" }] } } },
      metadata: { labels: { app: "y" }, annotations: { "a/b": "2" } },
    };
    expect(changed(before, after)).toEqual([
      "spec.replicas: 2 → 3",
      'spec.template.spec.containers[name=app].image: "a:1" → "a:2"',
      'metadata.labels[app]: "x" → "y"',
      'metadata.annotations[a/b]: "1" → "2"',
    ]);
  });

  it("returns one field for an object or list that was added or removed", () => {
    expect(changed({ spec: { a: { b: 1 } }, status: 1 }, { spec: {}, new: [1] })).toEqual([
      'spec.a: {"b":1} → -',
      "new: - → [1]",
      "status: 1 → -",
    ]);
    expect(changed({ c: [{ name: "a" }, { name: "b" }] }, { c: [{ name: "b" }, { name: "c" }] })).toEqual([
      'c[name=c]: - → {"name":"c"}',
      'c[name=a]: {"name":"a"} → -',
    ]);
  });

  it("names conditions by type, other items by index, and lists of values as a whole", () => {
    expect(
      changed(
        { status: { conditions: [{ type: "Ready", status: "False" }] } },
        { status: { conditions: [{ type: "Ready", status: "True" }] } },
      ),
    ).toEqual(['status.conditions[type=Ready].status: "False" → "True"']);
    expect(changed({ rules: [{ x: 1 }, { x: 2 }] }, { rules: [{ x: 1 }, { x: 3 }, { x: 4 }] })).toEqual([
      "rules[1].x: 2 → 3",
      'rules[2]: - → {"x":4}',
    ]);
    expect(changed({ metadata: { finalizers: ["a"] } }, { metadata: { finalizers: ["a", "b"] } })).toEqual([
      'metadata.finalizers: ["a"] → ["a","b"]',
    ]);
    expect(changed({ c: [{ name: "a" }, { name: "b" }] }, { c: [{ name: "b" }, { name: "a" }] })).toEqual([
      'c: [{"name":"a"},{"name":"b"}] → [{"name":"b"},{"name":"a"}]',
    ]);
  });

  it("ignores fields that every write changes, but not in user data", () => {
    const meta = (version: number): JsonValue => ({
      metadata: { resourceVersion: String(version), generation: version, managedFields: [{ time: version }] },
      spec: { resourceVersion: String(version) },
    });
    expect(changed(meta(1), meta(2))).toEqual(['spec.resourceVersion: "1" → "2"']);
  });

  it("never shows values of a Secret, although a listed object has no kind", () => {
    const secret = (password: string, kind?: string): JsonValue => ({ ...(kind === undefined ? {} : { kind }), data: { password } });
    const hidden = { fields: [{ path: "data[password]", before: "[redacted]", after: "[redacted]" }], count: 1 };
    expect(fieldChanges(secret("b2xk"), secret("bmV3"), { kind: { group: "", kind: "Secret" } })).toEqual(hidden);
    expect(fieldChanges(secret("b2xk", "Secret"), secret("bmV3", "Secret"))).toEqual(hidden);
    expect(fieldChanges(secret("b2xk"), secret("bmV3"), { kind: { group: "", kind: "ConfigMap" } }).fields[0]).toMatchObject({
      path: "data[password]",
      before: "[redacted]",
    });
  });

  it("lists a limited number of fields, and counts all", () => {
    const many = (value: number): JsonValue => ({
      spec: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}`, value])),
    });
    expect(fieldChanges(many(1), many(2))).toMatchObject({ count: 40, fields: { length: 16 } });
    expect(fieldChanges(many(1), many(2), { fieldsMax: 0 })).toEqual({ count: 40, fields: [] });
  });

  it("handles keys with special names", () => {
    const odd = JSON.parse('{"__proto__":1,"constructor":{"":1}}') as JsonValue;
    expect(changed({}, odd)).toEqual(["__proto__: - → 1", 'constructor: - → {"":1}']);
    expect(changed(odd, JSON.parse('{"__proto__":2,"constructor":{"":2}}') as JsonValue)).toEqual([
      "__proto__: 1 → 2",
      "constructor[]: 1 → 2",
    ]);
  });

  it("returns nothing exactly if nothing differs", () => {
    const numRuns = Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 10) + 100;
    const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
    fc.assert(
      fc.property(json, json, (before, after) => {
        expect(fieldChanges({ spec: before }, { spec: JSON.parse(JSON.stringify(before)) as JsonValue }).count).toBe(0);
        const same = JSON.stringify(sorted(before)) === JSON.stringify(sorted(after));
        expect(fieldChanges({ spec: before }, { spec: after }).count === 0).toBe(same);
      }),
      { numRuns },
    );
  });
});

function sorted(value: JsonValue): JsonValue {
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
