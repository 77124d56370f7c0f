import { describe, expect, it } from "vitest";

import type { JsonObject } from "../json/json-value.ts";
import {
  compareManagerTimes,
  decodeManagedFields,
  encodeManagedFields,
  ManagedFieldsError,
  managedFieldsOf,
  managerIdentity,
  withManagedFields,
} from "./managed-fields.ts";
import type { Manager } from "./managed-fields.ts";

const fieldsV1 = { "f:data": { "f:a": {} } };
const entry = (more: JsonObject = {}): JsonObject => ({
  manager: "m",
  operation: "Update",
  apiVersion: "v1",
  time: "2026-01-01T00:00:00Z",
  fieldsType: "FieldsV1",
  fieldsV1,
  ...more,
});
const decode = (...entries: readonly JsonObject[]): Map<string, Manager> => decodeManagedFields([...entries]);

describe("managedFields", () => {
  it("round-trip", () => {
    const entries = [entry({ operation: "Apply" }), entry({ subresource: "status" })];
    const encoded = encodeManagedFields(decode(...entries));
    expect(encoded).toEqual(entries);
    expect(Object.keys(encoded?.[1] ?? {})).toEqual([
      "manager",
      "operation",
      "apiVersion",
      "time",
      "fieldsType",
      "fieldsV1",
      "subresource",
    ]);
    expect(encodeManagedFields(new Map())).toBeUndefined();
  });

  it("omit empty parts", () => {
    const { manager: _, time: __, ...bare } = entry();
    expect(encodeManagedFields(decode(bare))).toEqual([bare]);
  });

  it("identify an applier across versions, and an updater per version", () => {
    const applier = { manager: "m", operation: "Apply", apiVersion: "v1", subresource: "" } as const;
    expect(managerIdentity(applier)).toBe('{"manager":"m","operation":"Apply"}');
    expect(managerIdentity({ ...applier, operation: "Update", subresource: "status" })).toBe(
      '{"manager":"m","operation":"Update","apiVersion":"v1","subresource":"status"}',
    );
    expect(managerIdentity({ ...applier, manager: "" })).toBe('{"operation":"Apply"}');
    expect(decode(entry(), entry({ apiVersion: "v2" })).size).toBe(2);
    expect(decode(entry({ operation: "Apply" }), entry({ operation: "Apply", apiVersion: "v2" })).size).toBe(1);
  });

  it("are sorted by operation, time, manager, version and subresource", () => {
    const ordered = [
      entry({ operation: "Apply", manager: "z" }),
      entry({ manager: "old", time: "2025-12-31T23:59:59Z" }),
      entry({ manager: "a" }),
      entry({ manager: "a", apiVersion: "v2" }),
      entry({ manager: "a", apiVersion: "v2", subresource: "status" }),
      entry({ manager: "b" }),
      entry({ manager: "a", apiVersion: "v3", time: "2026-01-01T00:00:01+00:00" }),
      entry({ manager: "young", time: "2026-01-01T00:00:02Z" }),
    ];
    expect(encodeManagedFields(decode(...ordered.toReversed()))).toEqual(ordered);
  });

  it("sort missing and invalid times first", () => {
    const at = (time: string | undefined): Manager => ({
      manager: "m",
      operation: "Update",
      apiVersion: "v1",
      subresource: "",
      time,
      fields: {},
    });
    expect(compareManagerTimes(at(undefined), at("2026-01-01T00:00:00Z"))).toBeLessThan(0);
    expect(compareManagerTimes(at("soon"), at("2026-01-01T00:00:00Z"))).toBeLessThan(0);
    expect(compareManagerTimes(at("2026-01-01T00:00:00Z"), at("2026-01-01T00:00:00Z"))).toBe(0);
  });

  it("throw for what no server has written", () => {
    expect(() => decode(entry({ operation: "Guess" }))).toThrow(new ManagedFieldsError("operation must be `Apply` or `Update`"));
    expect(() => decode(entry({ apiVersion: "" }))).toThrow("apiVersion must not be empty");
    expect(() => decode(entry({ fieldsType: "" }))).toThrow("missing fieldsType in managed fields entry 0");
    expect(() => decode(entry(), entry({ fieldsType: "FieldsV2" }))).toThrow('invalid fieldsType "FieldsV2" in managed fields entry 1');
    expect(() => decode(entry({ fieldsV1: { a: {} } }))).toThrow("is not a path element");
    expect(() => decodeManagedFields("x")).toThrow(ManagedFieldsError);
    expect(() => decodeManagedFields([1])).toThrow(ManagedFieldsError);
  });

  it("are set on and removed from a copy of the object", () => {
    const object = Object.freeze({ metadata: Object.freeze({ name: "a" }) });
    const managed = withManagedFields(object, [entry()]);
    expect(managedFieldsOf(managed)).toEqual([entry()]);
    expect(withManagedFields(managed, undefined)).toEqual(object);
    expect(withManagedFields(object, undefined)).toBe(object);
    expect(withManagedFields({}, [entry()])).toEqual({ metadata: { managedFields: [entry()] } });
    expect(managedFieldsOf({ metadata: null })).toBeUndefined();
  });
});
