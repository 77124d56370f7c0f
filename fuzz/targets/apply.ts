/** Server-side apply: applying again changes nothing, and managers own only fields that exist. */
import { schemaFor } from "@drover/api/schemas";
import {
  ManagedFieldsError,
  PathElementError,
  applyPatch,
  builtInMergeType,
  customMergeType,
  decodeManagedFields,
  emptyFieldSet,
  emptyObjectOf,
  encodeManagedFields,
  fieldPaths,
  isJsonObject,
  printPath,
  recordUpdate,
  subtractFieldSet,
  toFieldSet,
} from "@drover/machinery";
import type { ApplyScope, JsonObject, JsonValue, Schema } from "@drover/machinery";
import { attempt, equal, holds, show } from "../expect.ts";
import { jsonObjectPart, textParts } from "../parts.ts";
import type { FuzzTarget } from "../target.ts";

const podSchema = schemaFor({ group: "", version: "v1", kind: "Pod" }) ?? {};
const metaSchema = podSchema.properties?.["metadata"] ?? {};
const item: Schema = {
  type: "object",
  properties: { key: { type: "string" }, port: { type: "integer", default: 80 }, text: { type: "string" } },
};
const customSchema: Schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        text: { type: "string" },
        count: { type: "integer" },
        set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
        map: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["key", "port"], items: item },
        atomic: { type: "array", items: item },
        whole: { type: "object", "x-kubernetes-map-type": "atomic", additionalProperties: { type: "string" } },
        entries: { type: "object", additionalProperties: item },
        any: { "x-kubernetes-preserve-unknown-fields": true },
      },
    },
  },
};
const podType = builtInMergeType(podSchema);
const customType = customMergeType(customSchema, metaSchema);
const scopes: readonly ApplyScope[] = [
  {
    apiVersion: "v1",
    kind: "Pod",
    typeOf: (version) => (version === "v1" ? podType : undefined),
    emptyObject: emptyObjectOf(podSchema, "v1", "Pod"),
  },
  { apiVersion: "a.io/v1", kind: "Thing", typeOf: (version) => (version === "a.io/v1" ? customType : undefined) },
];

export const applyTarget: FuzzTarget = {
  name: "apply",
  perSecond: 1200,
  tokens: [
    [
      '"spec":{}',
      '"metadata":{"labels":{"a":"b"}}',
      '"containers":[{"name":"a","ports":[{"containerPort":80,"protocol":"TCP"}]}]',
      '"set":["a","b"]',
    ],
    [
      '"map":[{"key":"a"}]',
      '"map":[{"key":"a","port":80}]',
      '"atomic":[{"key":"a"}]',
      '"whole":{"a":"b"}',
      '"entries":{"a":{"text":"b"}}',
      '"any":{"a":[1]}',
    ],
    [
      '"finalizers":["a"]',
      '"managedFields":[{"manager":"c","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{}}}]',
    ],
    [
      '"f:spec":{}',
      '"k:{\\"name\\":\\"a\\"}":{".":{}}',
      '"v:\\"a\\"":{}',
      '"i:0":{}',
      '"annotations":{"a":"b"}',
      '"text":"x"',
      '"count":1',
      '"value":null',
    ],
  ].flat(),
  run(input) {
    const parts = textParts(input, 3).map(jsonObjectPart);
    // The server rounds such numbers in the keys of list items, and so do we.
    if (parts.some(hasBigint)) return;
    const [first = {}, second = {}, live = {}] = parts;
    for (const scope of scopes) {
      const as = (object: JsonObject): JsonObject => ({ ...object, apiVersion: scope.apiVersion, kind: scope.kind });
      scenario(scope, as(first), as(second), as(live));
    }
    for (const part of parts) managedFields(entriesOf(part) ?? [part]);
  },
};

function scenario(scope: ApplyScope, first: JsonObject, second: JsonObject, live: JsonObject): void {
  const applied = apply(scope, undefined, first, "a");
  if (applied === undefined) return;
  const both = apply(scope, applied, second, "b") ?? applied;
  apply(scope, both, first, "a");
  applyPatch({ scope, live: both, config: first, manager: "a", force: false, now: 1000 });
  // The live object as it is, and with what was applied.
  apply(scope, live, first, "a");
  const { object } = recordUpdate({ scope, live: both, object: live, manager: "c", now: 2000 });
  apply(scope, object, second, "b");
}

/** Applies with force; checks the result. Returns undefined when refused. */
function apply(scope: ApplyScope, live: JsonObject | undefined, config: JsonObject, manager: string): JsonObject | undefined {
  const before = show([live, config]);
  const result = applyPatch({ scope, live, config, manager, force: true, now: 1000 });
  holds(show([live, config]) === before, "changes neither object nor configuration");
  if (result.kind === "refused") {
    holds((result.status.code ?? 0) >= 400, "refuses with a status", () => show(result.status));
    return undefined;
  }
  const { object } = result;
  checkOwners(scope, object, live === undefined);
  const again = applyPatch({ scope, live: object, config, manager, force: true, now: 5000 });
  holds(again.kind === "applied", "accepts the same configuration again", () => show(again));
  // As upstream, empty lists are not owned; an object without owners gets "before-first-apply" next time.
  if (entriesOf(object) === undefined) return object;
  equal(again.object, object, "applying twice changes nothing");
  const unforced = applyPatch({ scope, live: object, config, manager, force: false, now: 5000 });
  holds(unforced.kind === "applied", "has no conflicts with itself", () => show(unforced));
  return object;
}

function hasBigint(value: JsonValue): boolean {
  if (typeof value === "bigint") return true;
  return typeof value === "object" && value !== null && Object.values<JsonValue>(value as Record<string, JsonValue>).some(hasBigint);
}

const entriesOf = ({ metadata }: JsonObject): JsonValue | undefined => (isJsonObject(metadata) ? metadata["managedFields"] : undefined);

/** Managers that an object brought along may own anything; those of our own only what exists. */
function checkOwners(scope: ApplyScope, object: JsonObject, isNew: boolean): void {
  const entries = entriesOf(object);
  managedFields(entries);
  if (!isNew) return;
  const type = scope.typeOf(scope.apiVersion);
  const present = type === undefined ? emptyFieldSet : toFieldSet(object, type);
  const paths = fieldPaths(present).map((path) => printPath(path));
  for (const { manager, fields } of decodeManagedFields(entries).values()) {
    const missing = fieldPaths(subtractFieldSet(fields, present)).map((path) => printPath(path));
    // An object that was empty when it was applied exists through its members.
    const absent = missing.filter((path) => !paths.some((other) => other.startsWith(path)));
    holds(absent.length === 0, "owned fields exist", () => `${manager} owns ${absent.join(" ")}`);
  }
}

function managedFields(entries: JsonValue | undefined): void {
  const decoded = attempt(() => decodeManagedFields(entries), ManagedFieldsError, PathElementError);
  if ("error" in decoded) return;
  const encoded = encodeManagedFields(decoded.value);
  equal(encodeManagedFields(decodeManagedFields(encoded)), encoded, "managed fields round-trip");
}
