import { describe, expect, it } from "vitest";

import { deepFreeze } from "../json/readonly.ts";
import type { Schema } from "../schema/schema.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { Status } from "../wire/status.ts";
import { applyPatch } from "./apply-patch.ts";
import type { ApplyRequest } from "./apply-patch.ts";
import type { ApplyScope } from "./apply-scope.ts";
import { builtInMergeType } from "./merge-type.ts";
import { recordUpdate } from "./record-update.ts";
import sampleSchema from "./sample-schema.vectors.json" with { type: "json" };

const type = builtInMergeType(sampleSchema as Schema);
const scope: ApplyScope = { apiVersion: "v1", kind: "Sample", typeOf: (apiVersion) => (apiVersion === "v1" ? type : undefined) };
const config = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Sample",
  metadata: { name: "x", ...metadata },
  spec,
});
const attempt = (live: JsonObject | undefined, wanted: JsonObject, more: Partial<ApplyRequest> = {}): ReturnType<typeof applyPatch> =>
  applyPatch({
    scope,
    live: live === undefined ? undefined : (deepFreeze(live) as JsonObject),
    config: deepFreeze(wanted) as JsonObject,
    manager: "a",
    force: false,
    now: 0,
    ...more,
  });

function applied(live: JsonObject | undefined, wanted: JsonObject, more?: Partial<ApplyRequest>): JsonObject {
  const result = attempt(live, wanted, more);
  return result.kind === "applied" ? result.object : expect.unreachable(result.status.message);
}

function refused(live: JsonObject | undefined, wanted: JsonObject, more?: Partial<ApplyRequest>): Status {
  const result = attempt(live, wanted, more);
  return result.kind === "refused" ? result.status : expect.unreachable("applied");
}

const stored = (spec: JsonObject, manager = "u", metadata: JsonObject = {}): JsonObject =>
  recordUpdate({ scope, live: undefined, object: config(spec, { uid: "u", ...metadata }), manager, now: 0 }).object;
const metadataOf = (object: JsonObject): JsonObject => object["metadata"] as JsonObject;
const owners = (object: JsonObject): unknown =>
  ((metadataOf(object)["managedFields"] ?? []) as JsonObject[]).map(({ manager, operation, fieldsV1 }) => [
    manager,
    operation,
    (fieldsV1 as Record<string, JsonValue>)["f:spec"],
  ]);

describe("applyPatch", () => {
  it("creates a missing object, owned by the applier", () => {
    const object = applied(undefined, config({ text: "a", items: [{ name: "i" }] }));
    expect(object["spec"]).toEqual({ text: "a", items: [{ name: "i" }] });
    expect(owners(object)).toEqual([["a", "Apply", { "f:items": { 'k:{"name":"i"}': { ".": {}, "f:name": {} } }, "f:text": {} }]]);
  });

  it("changes nothing, times included, when nothing differs", () => {
    const object = applied(undefined, config({ text: "a" }));
    expect(applied(object, config({ text: "a" }), { now: 60_000 })).toEqual(object);
  });

  it("shares a field with another manager of the same value, in an entry without a time", () => {
    const object = applied(stored({ text: "a" }), config({ text: "a" }));
    expect(owners(object)).toEqual([
      ["a", "Apply", { "f:text": {} }],
      ["u", "Update", { ".": {}, "f:text": {} }],
    ]);
    expect((metadataOf(object)["managedFields"] as JsonObject[])[0]).not.toHaveProperty("time");
  });

  it("refuses to take a field from another manager, in the server's words", () => {
    expect(refused(stored({ text: "a" }), config({ text: "b" }))).toMatchObject({
      code: 409,
      reason: "Conflict",
      message: 'Apply failed with 1 conflict: conflict with "u" using v1: .spec.text',
    });
  });

  it("takes the field with force", () => {
    const object = applied(stored({ text: "a", whole: 1 }), config({ text: "b" }), { force: true });
    expect(object["spec"]).toEqual({ text: "b", whole: 1 });
    expect(owners(object)).toEqual([
      ["a", "Apply", { "f:text": {} }],
      ["u", "Update", { ".": {}, "f:whole": {} }],
    ]);
  });

  it("removes what only it owned and no longer applies, and releases shared fields", () => {
    const both = applied(applied(undefined, config({ text: "a", whole: 1 })), config({ whole: 1 }), { manager: "b" });
    const left = applied(both, config({}));
    expect(left["spec"]).toEqual({ whole: 1 });
    expect(owners(left)).toEqual([
      ["a", "Apply", {}],
      ["b", "Apply", { "f:whole": {} }],
    ]);
  });

  it("attributes the fields of an untracked object to a manager of their own", () => {
    const object = applied(config({ text: "a" }, { uid: "u" }), config({ whole: 1 }));
    expect(owners(object)).toEqual([
      ["a", "Apply", { "f:whole": {} }],
      ["before-first-apply", "Update", { ".": {}, "f:text": {} }],
    ]);
    expect(refused(config({ text: "a" }, { uid: "u" }), config({ text: "b" })).message).toContain(
      'conflict with "before-first-apply" using v1: .spec.text',
    );
  });

  it("ignores conflicts with kubectl's client-side apply, and updates the annotation", () => {
    const annotation = "kubectl.kubernetes.io/last-applied-configuration";
    const live = stored({ text: "a", whole: 1 }, "kubectl-client-side-apply", {
      annotations: { [annotation]: JSON.stringify(config({ text: "a", whole: 2 })) },
    });
    expect(refused(live, config({ text: "b", whole: 3 }), { manager: "kubectl" }).message).toBe(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .spec.whole',
    );
    expect(refused(live, config({ text: "b" }), { manager: "other" }).code).toBe(409);
    const object = applied(live, config({ text: "b" }), { manager: "kubectl" });
    expect((metadataOf(object)["annotations"] as JsonObject)[annotation]).toBe(
      '{"apiVersion":"v1","kind":"Sample","metadata":{"name":"x"},"spec":{"text":"b"}}\n',
    );
  });

  it("refuses configurations of another kind or version, and with managed fields", () => {
    expect(refused(undefined, { ...config({}), kind: "Other" })).toMatchObject({
      code: 400,
      message: "invalid object type: /v1, Kind=Other",
    });
    expect(refused(undefined, config({}, { managedFields: [] }))).toMatchObject({
      code: 400,
      message: "metadata.managedFields must be nil",
    });
  });

  it("refuses what does not fit the schema, duplicates included", () => {
    expect(refused(undefined, config({ zzz: 1 }))).toMatchObject({
      code: 500,
      message: "failed to create typed patch object (/x; /v1, Kind=Sample): .spec.zzz: field not declared in schema",
    });
    expect(refused(undefined, config({ words: ["a", "a"] })).message).toContain('.spec.words: duplicate entries for key [="a"]');
  });

  it("tolerates duplicates in the live object, but no errors", () => {
    expect(applied(stored({ words: ["a", "a"] }), config({ text: "a" }))["spec"]).toEqual({ words: ["a", "a"], text: "a" });
    const tracked = metadataOf(stored({ text: "a" }));
    expect(refused({ ...config({ zzz: 1 }), metadata: tracked }, config({ text: "a" })).message).toBe(
      "failed to create typed live object (/x; /v1, Kind=Sample): .spec.zzz: field not declared in schema",
    );
    expect(refused(config({ zzz: 1 }), config({ text: "a" })).message).toMatch(
      /^failed to create manager for existing fields: failed to convert new object/,
    );
  });

  it("reports invalid managed fields of the live object", () => {
    expect(refused(config({}, { managedFields: [{ operation: "Guess" }] }), config({}))).toMatchObject({
      code: 500,
      message: "failed to decode managed fields: operation must be `Apply` or `Update`",
    });
  });

  it("sets defaults in what it changed, without an owner", () => {
    const object = applied(undefined, config({ text: "a" }), {
      scope: { ...scope, setDefaults: (value) => ({ ...value, status: { text: "default" } }) },
    });
    expect(object["status"]).toEqual({ text: "default" });
    expect(owners(object)).toEqual([["a", "Apply", { "f:text": {} }]]);
  });

  it("accepts any key of users", () => {
    const map = JSON.parse('{"__proto__":"1","constructor":"2"}') as JsonObject;
    const object = applied(applied(undefined, config({ map })), config({ map: JSON.parse('{"__proto__":"3"}') as JsonObject }));
    expect(JSON.stringify((object["spec"] as JsonObject)["map"])).toBe('{"__proto__":"3"}');
  });
});
