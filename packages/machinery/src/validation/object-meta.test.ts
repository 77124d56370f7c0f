import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import type { ObjectMeta } from "../object/object.ts";
import { validateObjectMeta, validateObjectMetaUpdate } from "./object-meta.ts";
import { checkSubdomainName } from "./object-name.ts";

const good: ObjectMeta = Object.freeze({
  name: "web",
  namespace: "default",
  uid: "u",
  resourceVersion: "5",
  generation: 2,
  creationTimestamp: "2026-11-15T13:35:46Z",
});
const create = (change: ObjectMeta, namespaced = true): string[] =>
  validateObjectMeta({ ...good, ...change }, { namespaced, checkName: checkSubdomainName }).map(printFieldError);
const update = (change: ObjectMeta, old: ObjectMeta = {}): string[] =>
  validateObjectMetaUpdate({ ...good, ...change }, { ...good, ...old }).map(printFieldError);
const deleted = { deletionTimestamp: "2026-11-15T13:40:00Z" };

describe("validateObjectMeta", () => {
  it("requires name and namespace", () => {
    expect(create({})).toEqual([]);
    expect(create({ name: "", namespace: "" })).toEqual([
      "metadata.name: Required value: name or generateName is required",
      "metadata.namespace: Required value",
    ]);
    expect(create({}, false)).toEqual(["metadata.namespace: Forbidden: not allowed on this type"]);
    expect(create({ namespace: "a.b" })).toEqual(['metadata.namespace: Invalid value: "a.b": must not contain dots']);
    expect(create({ generateName: "Web-", name: "x" })[0]).toMatch(
      /^metadata\.generateName: Invalid value: "Web-": a lowercase RFC 1123 subdomain/,
    );
    expect(validateObjectMeta({ name: "system:node" }, { namespaced: false, path: "m" })).toEqual([]);
  });

  it("checks part by part, in the server's order", () => {
    const fields = validateObjectMeta(
      {
        generateName: "/",
        generation: -1,
        labels: { "-": "" },
        annotations: { "-": "" },
        ownerReferences: [{ ...good, apiVersion: "v1", kind: "Pod", name: "p", uid: "" }],
        finalizers: [""],
        managedFields: [{}],
      },
      { namespaced: true },
    ).map((error) => error.field);
    expect([...new Set(fields)]).toEqual([
      "metadata.generateName",
      "metadata.name",
      "metadata.namespace",
      "metadata.generation",
      "metadata.labels",
      "metadata.annotations",
      "metadata.ownerReferences.uid",
      "metadata.finalizers",
      "metadata.managedFields[0].operation",
    ]);
  });
});

describe("validateObjectMetaUpdate", () => {
  it("requires the resource version, and never lets it go back", () => {
    expect(update({})).toEqual([]);
    expect(update({ resourceVersion: "", generation: 1 })).toEqual([
      'metadata.resourceVersion: Invalid value: "": must be specified for an update',
      "metadata.generation: Invalid value: 1: must not be decremented",
    ]);
    expect(update({ generation: 3 })).toEqual([]);
  });

  it("rejects changes of identity", () => {
    expect(update({ name: "a", namespace: "b", uid: "<c>", creationTimestamp: null, ...deleted, deletionGracePeriodSeconds: 0 })).toEqual([
      'metadata.name: Invalid value: "a": field is immutable',
      'metadata.namespace: Invalid value: "b": field is immutable',
      'metadata.uid: Invalid value: "\\u003cc\\u003e": field is immutable',
      "metadata.creationTimestamp: Invalid value: null: field is immutable",
      'metadata.deletionTimestamp: Invalid value: "2026-11-15T13:40:00Z": field is immutable',
      "metadata.deletionGracePeriodSeconds: Invalid value: 0: field is immutable",
    ]);
    expect(update({}, deleted)).toEqual(["metadata.deletionTimestamp: Invalid value: null: field is immutable"]);
  });

  it("accepts the same moment in another zone", () => {
    expect(update({ creationTimestamp: "2026-11-15T14:35:46+01:00" })).toEqual([]);
  });

  it("accepts new finalizers only before deletion", () => {
    expect(update({ ...deleted, finalizers: ["x.io/a", "x.io/b"] }, { ...deleted, finalizers: ["x.io/a"] })).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.io/b"}',
    ]);
    expect(update({ ...deleted }, { ...deleted, finalizers: ["x.io/a"] })).toEqual([]);
    expect(update({ finalizers: ["x.io/a"] })).toEqual([]);
  });

  it("accepts no change whenever the metadata is valid", () => {
    const text = fc.constantFrom("a", "b-1", "");
    const time = "2026-11-15T13:35:46Z";
    const meta = fc.record(
      {
        uid: text,
        labels: fc.dictionary(text, text),
        annotations: fc.dictionary(text, text),
        finalizers: fc.array(text),
        creationTimestamp: fc.constantFrom(null, time),
        deletionTimestamp: fc.constant(time),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(meta, (change) => {
        const given: ObjectMeta = { ...good, ...change };
        if (validateObjectMeta(given, { namespaced: true }).length === 0) expect(validateObjectMetaUpdate(given, given)).toEqual([]);
      }),
    );
  });
});
