import { describe, expect, it } from "vitest";
import type { JsonValue } from "../json/json-value.ts";
import { readObjectMeta } from "./meta-shape.ts";

const problem = (metadata: JsonValue): string | undefined => {
  const read = readObjectMeta(metadata);
  return "problem" in read ? read.problem : undefined;
};

describe("readObjectMeta", () => {
  it("returns valid metadata itself", () => {
    const metadata = {
      name: "a",
      labels: { a: "b" },
      generation: 3,
      creationTimestamp: "2020-01-01T00:00:00Z",
      ownerReferences: [{ apiVersion: "v1", kind: "A", name: "a", uid: "u", controller: false }],
    };
    expect(readObjectMeta(metadata)).toEqual({ meta: metadata, unknown: [] });
    expect((readObjectMeta(metadata) as { meta: unknown }).meta).toBe(metadata);
  });

  it("removes unknown and empty fields, and adds required fields of owners", () => {
    expect(
      readObjectMeta({
        name: "",
        labels: {},
        finalizers: [],
        generation: 0,
        odd: 1,
        ownerReferences: [{ name: "a", odd: 1 }],
        managedFields: [{ odd: 1, fieldsV1: { x: 1 } }],
        deletionGracePeriodSeconds: 0,
      }),
    ).toEqual({
      meta: {
        ownerReferences: [{ name: "a", apiVersion: "", kind: "", uid: "" }],
        managedFields: [{ fieldsV1: { x: 1 } }],
        deletionGracePeriodSeconds: 0,
      },
      unknown: ["odd", "ownerReferences[0].odd", "managedFields[0].odd"],
    });
    expect(readObjectMeta(null)).toEqual({ meta: {}, unknown: [] });
  });

  it("writes missing and null members of an owner as empty texts", () => {
    expect(readObjectMeta({ ownerReferences: [{ apiVersion: "v1", kind: null, name: "a" }] })).toEqual({
      meta: { ownerReferences: [{ apiVersion: "v1", kind: "", name: "a", uid: "" }] },
      unknown: [],
    });
  });

  it("writes times in UTC and nulls as empty texts", () => {
    expect(
      readObjectMeta({
        creationTimestamp: "2020-01-01T00:00:00.5+01:00",
        deletionTimestamp: null,
        labels: { a: null },
        finalizers: [null],
      }),
    ).toEqual({ meta: { creationTimestamp: "2019-12-31T23:00:00Z", labels: { a: "" }, finalizers: [""] }, unknown: [] });
  });

  it.each<[JsonValue, string]>([
    ["x", "json: cannot unmarshal string into Go value of type v1.ObjectMeta"],
    [{ name: 5 }, "json: cannot unmarshal number into Go struct field ObjectMeta.name of type string"],
    [{ uid: true }, "json: cannot unmarshal bool into Go struct field ObjectMeta.uid of type types.UID"],
    [{ generation: 1.5 }, "json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.generation of type int64"],
    [{ labels: [] }, "json: cannot unmarshal array into Go struct field ObjectMeta.labels of type map[string]string"],
    [{ labels: { z: 1, a: {} } }, "json: cannot unmarshal object into Go struct field ObjectMeta.labels of type string"],
    [
      { ownerReferences: [{ name: 5 }] },
      "json: cannot unmarshal number into Go struct field OwnerReference.ownerReferences.name of type string",
    ],
    [{ ownerReferences: [5] }, "json: cannot unmarshal number into Go struct field ObjectMeta.ownerReferences of type v1.OwnerReference"],
    [{ name: 5, creationTimestamp: "x" }, 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
  ])("%j: %s", (metadata, text) => expect(problem(metadata)).toBe(text));

  it("drops malformed fields on request", () => {
    expect(readObjectMeta({ name: "a", labels: { a: 1 }, odd: 1, creationTimestamp: 5 }, { malformed: "drop" })).toEqual({
      meta: { name: "a" },
      unknown: ["odd"],
    });
    expect(readObjectMeta(5, { malformed: "drop" })).toHaveProperty("problem");
  });

  it("accepts a label called __proto__", () => {
    const metadata = JSON.parse('{"labels":{"__proto__":null,"a":"b"},"__proto__":1}') as JsonValue;
    const read = readObjectMeta(metadata) as { meta: unknown; unknown: string[] };
    expect(JSON.stringify(read.meta)).toBe('{"labels":{"__proto__":"","a":"b"}}');
    expect(read.unknown).toEqual(["__proto__"]);
  });
});
