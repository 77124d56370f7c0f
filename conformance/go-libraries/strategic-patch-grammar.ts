/**
 * Random objects and strategic merge patches that follow a schema, and the schemas of Go types from the oracle.
 *
 * Names and values are few, so that objects and patches often touch the same fields.
 */
import { isJsonObject, pick, shuffle } from "@drover/machinery";
import type { JsonObject, JsonValue, Random, Schema } from "@drover/machinery";

/** A Go type as the oracle describes it: definitions that refer to each other by name. */
export interface DescribedType {
  readonly root: string;
  readonly definitions: Readonly<Record<string, JsonObject>>;
}

/** The described type as a schema without references. */
export function linkSchema({ root, definitions }: DescribedType): Schema {
  const linked = new Map<string, Record<string, unknown>>();
  const link = (node: JsonValue): unknown => {
    if (!isJsonObject(node)) return node;
    const reference = node["$ref"];
    if (typeof reference === "string")
      return { ...named(reference), ...Object.fromEntries(Object.entries(node).filter(([key]) => key !== "$ref")) };
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, link(value)]));
  };
  // The properties are filled in later, so that a type may contain itself.
  const named = (name: string): Record<string, unknown> => {
    const known = linked.get(name);
    if (known !== undefined) return known;
    const { properties, ...rest } = definitions[name] ?? {};
    const filled: Record<string, unknown> = {};
    const node = { ...rest, properties: filled };
    linked.set(name, node);
    for (const [key, value] of Object.entries((properties ?? {}) as JsonObject)) filled[key] = link(value);
    return node;
  };
  return named(root);
}

const fields: ReadonlySet<string> = new Set([
  "name",
  "value",
  "number",
  "simple",
  "nested",
  "replaced",
  "retained",
  "merging",
  "byNumber",
  "mergingRetain",
  "atomic",
  "words",
  "numbers",
  "atomicWords",
  "metadata",
  "labels",
  "finalizers",
  "ownerReferences",
  "uid",
  "spec",
  "containers",
  "image",
  "command",
  "ports",
  "containerPort",
  "protocol",
  "env",
  "valueFrom",
  "configMapKeyRef",
  "key",
  "volumeMounts",
  "mountPath",
  "resources",
  "limits",
  "volumes",
  "emptyDir",
  "medium",
  "configMap",
  "hostPath",
  "path",
  "tolerations",
  "nodeSelector",
  "hostAliases",
  "ip",
  "hostnames",
  "imagePullSecrets",
  "readinessGates",
  "status",
  "conditions",
  "type",
  "template",
  "strategy",
  "rollingUpdate",
  "maxSurge",
  "maxUnavailable",
  "replicas",
  "selector",
  "matchLabels",
  "port",
  "targetPort",
  "clusterIPs",
  "loadBalancerSourceRanges",
]);

const depthMax = 6;

/** An object that fits the schema. */
export function randomObject(random: Random, schema: Schema, depth = 0): JsonObject {
  const entries = chosenFields(random, schema, depth).map(([key, field]): [string, JsonValue] => [
    key,
    randomValue(random, field, depth + 1),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

/** The object with some of its parts removed, replaced or reordered. */
export function randomEdit(random: Random, object: JsonObject, schema: Schema, depth = 0): JsonObject {
  const edited: JsonObject = {};
  for (const [key, value] of Object.entries({ ...object, ...(chance(random, 0.3) ? randomObject(random, schema, depth) : {}) })) {
    const field = schema.properties?.[key];
    if (chance(random, 0.15) && key !== "name" && key !== "number") continue;
    if (field === undefined || chance(random, 0.1)) edited[key] = field === undefined ? value : randomValue(random, field, depth);
    else if (isJsonObject(value) && field.properties !== undefined) edited[key] = randomEdit(random, value, field, depth + 1);
    else if (Array.isArray(value)) edited[key] = randomListEdit(random, value, field, depth);
    else edited[key] = value;
  }
  return edited;
}

/** A patch that mostly fits the schema, with every directive and some nonsense. */
export function randomPatch(random: Random, schema: Schema, depth = 0): JsonObject {
  const patch: JsonObject = {};
  if (chance(random, 0.04)) patch["$patch"] = pick(random, ["replace", "replace", "delete", "merge"]);
  for (const [key, field] of chosenFields(random, schema, depth)) {
    if (chance(random, 0.12)) patch[key] = null;
    else if (chance(random, 0.02)) patch[key] = "odd";
    else if (field.type === "array") addListPatch(random, patch, key, field, depth + 1);
    else if (field.properties !== undefined) patch[key] = depth < depthMax ? randomPatch(random, field, depth + 1) : {};
    else patch[key] = randomValue(random, field, depth + 1);
  }
  if (chance(random, 0.05)) patch["bogus"] = pick<JsonValue>(random, [1, null, { x: null }, [{ x: 1, $patch: "delete" }]]);
  if (depth > 0 && chance(random, 0.1)) {
    const present = Object.keys(patch).filter((key) => patch[key] !== null && !key.startsWith("$"));
    patch["$retainKeys"] = [...present.slice(chance(random, 0.1) ? 1 : 0), ...(chance(random, 0.5) ? ["name"] : [])];
  }
  return patch;
}

function addListPatch(random: Random, patch: JsonObject, name: string, field: Schema, depth: number): void {
  const items = field.items ?? {};
  const mergeKey = field["x-kubernetes-patch-merge-key"];
  const merges = field["x-kubernetes-patch-strategy"]?.includes("merge") === true;
  if (!merges) {
    patch[name] = randomValue(random, field, depth);
    return;
  }
  const identities = shuffle(random, identitiesOf(mergeKey === undefined ? items : (items.properties?.[mergeKey] ?? {})));
  const order = identities.slice(0, random.int(identities.length + 1));
  const chosen = (chance(random, 0.05) ? shuffle(random, identities) : order).filter(() => chance(random, 0.6));
  const orders = chance(random, 0.5);
  const list: JsonValue[] = chosen.map((identity) =>
    mergeKey === undefined ? identity : { ...randomPatch(random, items, depth), [mergeKey]: identity },
  );
  if (mergeKey === undefined) {
    if (chance(random, 0.4))
      patch[`$deleteFromPrimitiveList/${name}`] = orders
        ? identities.filter(() => chance(random, 0.3))
        : identities.filter((identity) => !chosen.includes(identity) && chance(random, 0.4));
    if (orders) patch[`$setElementOrder/${name}`] = order;
  } else {
    for (const identity of identities)
      if (chance(random, 0.15)) list.splice(random.int(list.length + 1), 0, { $patch: "delete", [mergeKey]: identity });
    if (chance(random, 0.05)) list.splice(random.int(list.length + 1), 0, { $patch: "replace" });
    if (chance(random, 0.02)) list.push({ $patch: pick(random, ["merge", "delete", "zap"]) });
    if (chance(random, 0.02)) list.push({ value: "without key" });
    if (orders) patch[`$setElementOrder/${name}`] = order.map((identity) => ({ [mergeKey]: identity }));
  }
  if (list.length > 0 || chance(random, 0.3)) patch[name] = list;
}

function randomListEdit(random: Random, list: readonly JsonValue[], field: Schema, depth: number): JsonValue[] {
  const items = field.items ?? {};
  const kept = list
    .filter(() => chance(random, 0.8))
    .map((item) => (isJsonObject(item) ? { ...randomEdit(random, item, items, depth + 1), ...mergeKeyOf(item, field) } : item));
  const more = chance(random, 0.4) ? (randomValue(random, field, depth) as JsonValue[]) : [];
  const mergeKey = field["x-kubernetes-patch-merge-key"];
  const taken = new Set(kept.map((item) => (mergeKey !== undefined && isJsonObject(item) ? item[mergeKey] : item)));
  const added = more.filter((item) => !taken.has(mergeKey !== undefined && isJsonObject(item) ? (item[mergeKey] ?? null) : item));
  return chance(random, 0.3) ? shuffle(random, [...kept, ...added]) : [...kept, ...added];
}

function mergeKeyOf(item: JsonObject, field: Schema): JsonObject {
  const mergeKey = field["x-kubernetes-patch-merge-key"];
  return mergeKey === undefined ? {} : { [mergeKey]: item[mergeKey] ?? null };
}

function randomValue(random: Random, schema: Schema, depth: number): JsonValue {
  if (schema.properties !== undefined) return depth < depthMax ? randomObject(random, schema, depth) : {};
  if (schema.type === "array") return randomList(random, schema, depth);
  if (schema.type === "object")
    return Object.fromEntries(["x", "y", "z"].filter(() => chance(random, 0.5)).map((key) => [key, pick(random, ["1", "2"])]));
  return pick(random, identitiesOf(schema));
}

function randomList(random: Random, schema: Schema, depth: number): JsonValue[] {
  const items = schema.items ?? {};
  const mergeKey = schema["x-kubernetes-patch-merge-key"];
  if (items.properties === undefined) return shuffle(random, identitiesOf(items)).slice(0, random.int(4));
  const count = depth < depthMax ? random.int(4) : 0;
  const identities = shuffle(random, identitiesOf(mergeKey === undefined ? {} : (items.properties[mergeKey] ?? {})));
  return Array.from({ length: count }, (_, index) => ({
    ...randomObject(random, items, depth + 1),
    ...(mergeKey === undefined ? {} : { [mergeKey]: identities[index] ?? null }),
  }));
}

function identitiesOf(schema: Schema): JsonValue[] {
  if (schema.type === "integer") return [1, 2, 10, 9];
  if (schema.type === "boolean") return [true, false];
  return ["a", "b", "c", "d", "é"];
}

function chosenFields(random: Random, schema: Schema, depth: number): [string, Schema][] {
  const all = Object.entries(schema.properties ?? {}).filter(([key]) => fields.has(key));
  const wanted = all.length <= 3 ? 0.8 : (4 - depth * 0.6) / all.length;
  return all.filter(() => chance(random, wanted));
}

function chance(random: Random, probability: number): boolean {
  return random.next() < probability;
}
