import type { JsonValue, ManagedFieldsEntry } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { creatorOf, managersOf } from "./managers-of.ts";

function entry(
  manager: string,
  second: number,
  fieldsV1: Record<string, unknown>,
  rest: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry {
  return {
    manager,
    operation: "Update",
    apiVersion: "apps/v1",
    time: `2026-01-01T00:00:${String(second).padStart(2, "0")}Z`,
    fieldsType: "FieldsV1",
    fieldsV1,
    ...rest,
  };
}
const object = (fields: Record<string, JsonValue>, ...managedFields: ManagedFieldsEntry[]): unknown => ({
  ...fields,
  metadata: { managedFields },
});
const names = (before: unknown, after: unknown): string[] =>
  managersOf(before, after).map(({ manager, subresource }) => (subresource === "" ? manager : `${manager}/${subresource}`));
const replicas = { "f:spec": { "f:replicas": {} } };

describe("managersOf", () => {
  it("returns the owners of what changed, newest first, and no others", () => {
    const before = object(
      { spec: { replicas: 1, paused: false } },
      entry("kubectl", 1, { "f:spec": { "f:replicas": {}, "f:paused": {} } }),
    );
    const after = object(
      { spec: { replicas: 2, paused: false }, status: { ready: 1 } },
      entry("kubectl", 1, { "f:spec": { "f:paused": {} } }),
      entry("hpa", 5, replicas),
      entry("kubelet", 7, { "f:status": { "f:ready": {} } }, { subresource: "status" }),
    );
    expect(names(before, after)).toEqual(["kubelet/status", "hpa"]);
  });

  it("finds owners through keys and values of lists, and through atomic fields", () => {
    const containers = (image: string): JsonValue => ({
      containers: [
        { name: "log", image: "l" },
        { name: "app", image },
      ],
    });
    const byKey = { "f:spec": { "f:containers": { 'k:{"name":"app"}': { ".": {}, "f:image": {} } } } };
    const other = { "f:spec": { "f:containers": { 'k:{"name":"log"}': { ".": {}, "f:image": {} } } } };
    expect(
      names(object({ spec: containers("1") }), object({ spec: containers("2") }, entry("ci", 1, byKey), entry("other", 2, other))),
    ).toEqual(["ci"]);
    const list = (...values: string[]): Record<string, JsonValue> => ({ finalizers: values });
    expect(
      names(
        object(list("a")),
        object(list("a", "b"), entry("one", 1, { "f:finalizers": { 'v:"a"': {} } }), entry("two", 2, { "f:finalizers": { 'v:"b"': {} } })),
      ),
    ).toEqual(["two"]);
    expect(
      names(
        object({ selector: { a: 1 } }),
        object({ selector: { a: 2 } }, entry("whole", 1, { "f:selector": {} }), entry("nothing", 2, {})),
      ),
    ).toEqual(["whole"]);
    expect(
      names(
        object({}),
        object(
          { labels: { x: 1 } },
          entry("maker", 1, { "f:labels": { ".": {}, "f:x": {} } }),
          entry("by", 2, { "f:labels": { "f:y": {} } }),
        ),
      ),
    ).toEqual(["maker"]);
    expect(names(object({ list: [1] }), object({ list: [2] }, entry("indexed", 1, { "f:list": { "i:0": {} } })))).toEqual(["indexed"]);
  });

  it("returns managers that have written since if a field was removed: its former owner first", () => {
    const kept = entry("kubectl", 1, { "f:spec": { "f:paused": {} } });
    const before = object({ spec: { replicas: 1, paused: true } }, entry("hpa", 2, { "f:spec": { "f:replicas": {}, "f:min": {} } }), kept);
    expect(names(before, object({ spec: { paused: true } }, entry("hpa", 9, { "f:spec": { "f:min": {} } }), kept))).toEqual(["hpa"]);
    const both = entry("hpa", 9, { "f:spec": { "f:min": {} } });
    expect(names(before, object({ spec: { paused: true, min: 4 } }, both, kept))).toEqual(["hpa"]);
    // hpa lost its field and has not written: a manager that has written removed it.
    expect(
      names(
        before,
        object({ spec: { paused: true } }, entry("hpa", 2, { "f:spec": { "f:min": {} } }), { ...kept, time: "2026-01-01T00:00:08Z" }),
      ),
    ).toEqual(["kubectl"]);
    expect(names(before, object({ spec: { paused: true } }, entry("hpa", 2, { "f:spec": { "f:min": {} } }), kept))).toEqual([]);
    // A field that another manager took over is not gone, and an entry with an older time has not written.
    const taken = object(
      { spec: { replicas: 2, paused: true } },
      entry("hpa", 9, { "f:spec": { "f:min": {} } }),
      entry("ci", 8, replicas),
      kept,
    );
    expect(names(before, taken)).toEqual(["ci"]);
    expect(names(before, object({ spec: { paused: true } }, entry("hpa", 0, { "f:spec": { "f:min": {} } }), kept))).toEqual([]);
  });

  it("ignores owners of what changed that have not written since", () => {
    // A Secret's stringData is stored as data, and owned as stringData: seen on a real server, where another writer's edit was reverted.
    const edited = entry("kubectl-edit", 5, { "f:data": { "f:colour": {} } });
    const applied = { "f:stringData": { "f:colour": {} } };
    const before = object({ data: { colour: "red" } }, entry("copies", 1, applied, { operation: "Apply" }), edited);
    expect(names(before, object({ data: { colour: "blue" } }, entry("copies", 5, applied, { operation: "Apply" }), edited))).toEqual([
      "copies",
    ]);
    // Within one second entries may look unchanged: then only ownership tells.
    expect(names(before, object({ data: { colour: "green" } }, entry("copies", 1, applied, { operation: "Apply" }), edited))).toEqual([
      "kubectl-edit",
    ]);
  });

  it("returns nothing if managed fields were not kept or are invalid", () => {
    expect(names({ spec: 1 }, { spec: 2 })).toEqual([]);
    expect(names(object({ spec: 1 }), object({ spec: 2 }, { manager: "x", operation: "Guess" }))).toEqual([]);
    expect(names(object({ spec: 1 }), object({ spec: 2 }, entry("x", 1, { spec: {} })))).toEqual([]);
    expect(managersOf(undefined, null)).toEqual([]);
  });

  it("creatorOf returns the manager that created the object", () => {
    expect(
      creatorOf(object({}, entry("kubelet", 1, {}, { subresource: "status" }), entry("kubectl", 1, replicas), entry("hpa", 4, replicas)))
        ?.manager,
    ).toBe("kubectl");
    expect(creatorOf({})).toBeUndefined();
  });
});
