/** Random objects and sequences of requests for apply.test.ts. There are few names, so that managers often collide. */
import { schemaFor } from "@drover/api/schemas";
import { pick, setOwn } from "@drover/machinery";
import type { JsonObject, JsonValue, Random, Schema } from "@drover/machinery";

import { sampleSchema } from "./apply-sample.ts";
import { builtInEmpty } from "./apply-sequence.ts";
import type { ApplyQuestion, ApplyStep } from "./apply-sequence.ts";

/** The fields of built-in kinds that appear; others would only make random objects larger. */
const fieldsInUse: ReadonlySet<string> = new Set([
  "metadata",
  "labels",
  "annotations",
  "finalizers",
  "ownerReferences",
  "uid",
  "spec",
  "status",
  "data",
  "binaryData",
  "immutable",
  "replicas",
  "selector",
  "matchLabels",
  "matchExpressions",
  "template",
  "containers",
  "name",
  "image",
  "command",
  "env",
  "value",
  "valueFrom",
  "fieldRef",
  "fieldPath",
  "ports",
  "containerPort",
  "protocol",
  "port",
  "targetPort",
  "nodePort",
  "resources",
  "limits",
  "requests",
  "volumeMounts",
  "mountPath",
  "volumes",
  "emptyDir",
  "configMap",
  "tolerations",
  "key",
  "operator",
  "nodeSelector",
  "strategy",
  "rollingUpdate",
  "maxSurge",
  "type",
  "conditions",
  "clusterIPs",
  "loadBalancer",
  "ingress",
  "ip",
  "securityContext",
  "runAsUser",
  "imagePullSecrets",
  "hostAliases",
  "topologySpreadConstraints",
  "topologyKey",
  "whenUnsatisfiable",
  "allocatedResources",
]);

const words = ["a", "b", "c"];
const oddWords = ["a", "b", "<c>", 'é"', "a.b/c"];

interface Grammar {
  readonly random: Random;
  /** Percentage of null values. */
  readonly nulls: number;
  /** Whether two items of a list may have the same keys. */
  readonly duplicates: boolean;
  readonly builtIn: boolean;
}

const chance = (random: Random, hundredths: number): boolean => random.int(100) < hundredths;

function randomValue(grammar: Grammar, schema: Schema, depth: number): JsonValue {
  const { random, nulls } = grammar;
  if (chance(random, nulls)) return null;
  if (schema.format === "quantity") return pick(random, ["1", "2Gi"]);
  switch (schema.type) {
    case "string":
      return pick(random, chance(random, 5) ? oddWords : words);
    case "integer":
    case "number":
      return random.int(chance(random, 5) ? 3_000_000 : 3);
    case "boolean":
      return chance(random, 50);
    case "array":
      return randomList(grammar, schema, depth);
    case "object":
      return randomObject(grammar, schema, depth);
    case undefined:
    default:
      return schema["x-kubernetes-int-or-string"] === true ? pick<JsonValue>(random, [1, 2, "a", "50%"]) : randomAnything(random, depth);
  }
}

function randomAnything(random: Random, depth: number): JsonValue {
  const kind = random.int(depth > 5 ? 2 : 5);
  if (kind === 0) return pick(random, words);
  if (kind === 1) return random.int(3);
  if (kind === 2) return Array.from({ length: random.int(3) }, () => randomAnything(random, depth + 2));
  return Object.fromEntries(Array.from({ length: random.int(3) }, () => [pick(random, words), randomAnything(random, depth + 1)]));
}

function randomObject(grammar: Grammar, schema: Schema, depth: number): JsonObject {
  const { random, builtIn } = grammar;
  const object: JsonObject = {};
  const likely = depth < 2 ? 60 : 40;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (builtIn && !fieldsInUse.has(name)) continue;
    if (chance(random, schema.required?.includes(name) === true || name === "spec" ? 92 : likely))
      setOwn(object, name, randomValue(grammar, property, depth + 1));
  }
  if (typeof schema.additionalProperties === "object") {
    for (let count = random.int(3); count > 0; count--)
      setOwn(object, pick(random, words), randomValue(grammar, schema.additionalProperties, depth + 1));
  }
  if (!builtIn && schema["x-kubernetes-preserve-unknown-fields"] === true) {
    for (let count = random.int(3); count > 0; count--) setOwn(object, pick(random, ["b", "c", "d"]), randomAnything(random, depth));
  }
  if (schema["x-kubernetes-embedded-resource"] === true && chance(random, 50))
    setOwn<JsonValue>(object, "metadata", { labels: { [pick(random, words)]: "x" } });
  return object;
}

function randomList(grammar: Grammar, schema: Schema, depth: number): JsonValue {
  const { random, duplicates } = grammar;
  const items = Array.from({ length: random.int(4) }, () => randomValue({ ...grammar, nulls: 0 }, schema.items ?? {}, depth + 1));
  if (duplicates || schema["x-kubernetes-list-type"] === undefined || schema["x-kubernetes-list-type"] === "atomic") return items;
  const keys = schema["x-kubernetes-list-map-keys"];
  const keyOf = (value: JsonValue): string =>
    JSON.stringify(
      keys === undefined ? value : keys.map((key) => (value as JsonObject)[key] ?? schema.items?.properties?.[key]?.default ?? null),
    );
  return items.filter((value, index) => items.findIndex((other) => keyOf(other) === keyOf(value)) === index);
}

/** A random object of the custom kind; items of its lists may have the same keys. */
export function randomSample(random: Random): JsonObject {
  return {
    ...randomObject({ random, nulls: 3, duplicates: chance(random, 20), builtIn: false }, sampleSchema, 0),
    apiVersion: "example.com/v1",
    kind: "Sample",
  };
}

const someElements = [
  "f:spec",
  "f:map",
  "f:items",
  "f:words",
  "f:part",
  "f:a",
  "f:b",
  'k:{"name":"a"}',
  'k:{"name":"b c"}',
  'k:{"port":1,"protocol":"TCP"}',
  'k:{"port":10,"protocol":"TCP"}',
  'k:{"port":9}',
  'v:"a"',
  'v:"b"',
  "v:1000000",
  "v:2",
  "v:true",
  "i:0",
  "i:10",
  "i:9",
];

/** A random FieldsV1, in any order. */
export function randomFields(random: Random, depth: number): JsonObject {
  const fields: JsonObject = {};
  for (let count = random.int(depth === 0 ? 5 : 4 - Math.min(depth, 3)); count > 0; count--)
    fields[pick(random, someElements)] = randomFields(random, depth + 1);
  if (depth > 0 && Object.keys(fields).length > 0 && chance(random, 40)) fields["."] = {};
  return fields;
}

interface Subject {
  readonly group: string;
  readonly kind: string;
  readonly schema: Schema;
  readonly question: Omit<ApplyQuestion, "steps">;
}

function subjectOf(random: Random): Subject {
  const reset = chance(random, 30) ? { reset: { "": [["status"]], status: [["spec"], ["metadata", "labels"]] } } : {};
  const choice = random.int(10);
  if (choice < 5) {
    const base = { group: "example.com", kind: "Sample" };
    const empty = { apiVersion: "example.com/v1", kind: "Sample" };
    if (choice === 0) return { ...base, schema: sampleSchema, question: { ...base, empty, deduced: true, ...reset } };
    return { ...base, schema: sampleSchema, question: { ...base, empty, custom: true, ...reset } };
  }
  const [group, kind] = pick(random, [
    ["", "ConfigMap"],
    ["", "Service"],
    ["", "Pod"],
    ["apps", "Deployment"],
    ["apps", "Deployment"],
  ] as const);
  return {
    group,
    kind,
    schema: schemaFor({ group, version: "v1", kind }) ?? {},
    question: { group, kind, empty: builtInEmpty(group, kind), ...reset },
  };
}

const managers = ["a", "b", "c", "kubectl", ""];

/** A random sequence. */
export function randomSequence(random: Random): ApplyQuestion {
  const { group, kind, schema, question } = subjectOf(random);
  const custom = question.custom === true || question.deduced === true;
  const crowd = chance(random, 6);
  const identity = (version: string): JsonObject => ({ apiVersion: group === "" ? version : `${group}/${version}`, kind });
  const whole = (nulls: number, duplicates: boolean, version: string): JsonObject => {
    const object = randomObject({ random, nulls, duplicates, builtIn: !custom }, schema, 0);
    const { uid: _, ...metadata } = (typeof object["metadata"] === "object" ? (object["metadata"] ?? {}) : {}) as JsonObject;
    const labels: JsonObject = custom && chance(random, 30) ? { labels: { [pick(random, words)]: pick(random, words) } } : {};
    return { ...object, ...identity(version), metadata: { ...metadata, ...labels, name: "x", namespace: "ns" } };
  };
  const steps = Array.from({ length: (crowd ? 13 : 3) + random.int(6) }, (_, index): ApplyStep => {
    const version = custom && chance(random, 25) ? "v2" : "v1";
    const manager = crowd && chance(random, 80) ? `m${index}` : pick(random, managers);
    const base = { manager, ...(version === "v1" ? {} : { version }), ...(chance(random, 12) ? { subresource: "status" } : {}) };
    if (!crowd && chance(random, 55))
      return { ...base, op: "apply", force: chance(random, 35), config: whole(chance(random, 20) ? 4 : 0, chance(random, 4), version) };
    const object = whole(chance(random, 20) ? 4 : 0, chance(random, 10), version);
    if (chance(random, 12)) return { op: "update", ...base, manager: "kubectl-client-side-apply", object: withLastApplied(object) };
    if (chance(random, 35)) return { ...base, op: "update", object };
    return { ...base, op: "update", patch: randomPatch(random, whole(25, false, version)) };
  });
  return { ...question, steps };
}

function withLastApplied(object: JsonObject): JsonObject {
  const metadata = object["metadata"] as JsonObject;
  return {
    ...object,
    metadata: { ...metadata, annotations: { "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify(object) } },
  };
}

/** A merge patch, sometimes with its own managed fields. */
function randomPatch(random: Random, { metadata, ...rest }: JsonObject): JsonObject {
  const entries: readonly JsonValue[] = [
    [],
    [{}],
    null,
    [
      {
        manager: "p",
        operation: "Update",
        apiVersion: "v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": { "f:replicas": {}, "f:text": {} } },
      },
    ],
    [
      {
        manager: "a",
        operation: "Apply",
        apiVersion: "example.com/v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": { "f:map": { "f:a": {} }, "f:items": { 'k:{"name": "a"}': { "f:value": {}, ".": {} } } } },
      },
    ],
    [{ manager: "a", operation: "Apply", apiVersion: "example.com/v9", fieldsType: "FieldsV1", fieldsV1: { "f:spec": {} } }],
    [{ manager: "q", operation: "Guess" }],
  ];
  const managedFields: JsonObject = chance(random, 8) ? { managedFields: pick(random, entries) } : {};
  return { ...rest, metadata: { ...(metadata as JsonObject), ...managedFields } };
}
