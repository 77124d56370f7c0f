/**
 * Random sequences of requests in one small world: eight kinds, three names, one namespace.
 *
 *     world-kinds.ts, patch-grammar.ts → randomSequence → Step[]
 */
import { applyMergePatch, createRandom, isJsonObject, pick } from "@drover/machinery";
import type { JsonObject, JsonValue, Random } from "@drover/machinery";
import { patchTypes } from "../differential/session.ts";
import { jsonPatchOf, spoilt, withDirectives } from "./patch-grammar.ts";
import type { Spoilage } from "./patch-grammar.ts";
import { readStep, watchStep } from "./read-grammar.ts";
import type { Step, VersionWord } from "./step.ts";
import { chance, listOf, oneOf, some } from "./value-grammar.ts";
import { worldGroup, worldKinds } from "./world-kinds.ts";
import type { WorldKind } from "./world-kinds.ts";

const names = ["a", "b", "c"] as const;
const light: Spoilage = { nulls: 2, types: 1, unknown: 2 };
const patchy: Spoilage = { nulls: 12, types: 2, unknown: 3 };

const noUid = "00000000-0000-4000-8000-000000000001";
const metadata = some({
  labels: some({ a: oneOf("1", "2", ""), b: oneOf("1", "not valid!"), app: oneOf("web") }),
  annotations: some({ x: oneOf("1", "2"), "example.com/y": oneOf("") }),
  finalizers: listOf(oneOf("example.com/f", "example.com/g", "foregroundDeletion")),
  ownerReferences: listOf(
    some(
      { controller: oneOf(true, false), blockOwnerDeletion: oneOf(true) },
      {
        apiVersion: oneOf("v1"),
        kind: oneOf("ConfigMap"),
        name: oneOf("a", "b"),
        uid: oneOf("00000000-0000-4000-8000-000000000002", "00000000-0000-4000-8000-000000000003"),
      },
    ),
  ),
});

/** The sequence of a seed: ten to twenty-five steps, most about the same two kinds, and a watch. */
export function randomSequence(seed: number | string): Step[] {
  const random = createRandom(seed);
  const kinds = [pick(random, worldKinds), pick(random, worldKinds)];
  const steps = Array.from({ length: 10 + random.int(15) }, (): Step => randomStep(random, pick(random, kinds)));
  return [...kinds.slice(0, 1).map((kind) => createStep(random, kind, names[0])), ...steps, watchStep(random, pick(random, kinds))];
}

function randomStep(random: Random, kind: WorldKind): Step {
  const name = pick(random, [...names, names[0], names[0]]);
  const dice = random.int(100);
  if (dice < 14) return createStep(random, kind, name);
  if (dice < 30) return replaceStep(random, kind, name);
  if (dice < 70) return patchStep(random, kind, name);
  if (dice < 82) return deleteStep(random, kind, name);
  return readStep(random, kind, name);
}

/** Some of an object's members, its metadata among them. */
function membersOf(random: Random, { members, status }: WorldKind): JsonObject {
  const meta = chance(random, 50) ? { metadata: metadata(random) } : {};
  return { ...meta, ...members(random), ...(chance(random, 15) ? { status: status(random) } : {}) };
}

function writeQuery(random: Random): Record<string, string> {
  return {
    ...(chance(random, 10) ? { dryRun: "All" } : {}),
    ...(chance(random, 30) ? { fieldManager: pick(random, ["m1", "m2"]) } : {}),
    ...(chance(random, 25) ? { fieldValidation: pick(random, ["Strict", "Strict", "Ignore", "Warn"]) } : {}),
  };
}

const inYaml = (random: Random): Pick<Step, "contentType"> => (chance(random, 12) ? { contentType: "application/yaml" } : {});

function createStep(random: Random, kind: WorldKind, name: string): Step {
  const body = spoilt(random, applyMergePatch(kind.base(name), membersOf(random, kind)), light);
  return { method: "POST", resource: kind.resource, names: [], query: writeQuery(random), body, ...inYaml(random) };
}

function replaceStep(random: Random, kind: WorldKind, name: string): Step {
  const subresource = chance(random, 30) && kind.subresources.length > 0 ? pick(random, kind.subresources) : undefined;
  const common = {
    method: "PUT" as const,
    resource: kind.resource,
    names: subresource === undefined ? [name] : [name, subresource],
    query: writeQuery(random),
    ...inYaml(random),
  };
  const version: { version?: VersionWord } = chance(random, 85)
    ? { version: pick<VersionWord>(random, ["fresh", "fresh", "fresh", "fresh", "stale", "wrong"]) }
    : {};
  const uid: Pick<Step, "uid"> = chance(random, 12) ? { uid: pick<"same" | "wrong">(random, ["same", "wrong"]) } : {};
  if (subresource === "scale")
    return {
      ...common,
      ...version,
      ...uid,
      body: spoilt(
        random,
        { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name }, spec: { replicas: pick(random, [0, 1, 2, 4, -1]) } },
        light,
      ),
    };
  const members =
    subresource === "status"
      ? { ...(chance(random, 30) ? membersOf(random, kind) : {}), status: kind.status(random) }
      : membersOf(random, kind);
  if (chance(random, 75)) return { ...common, ...version, ...uid, edits: true, body: spoilt(random, managed(random, members), patchy) };
  return { ...common, ...version, ...uid, body: spoilt(random, applyMergePatch(kind.base(name), members), light) };
}

/** Sometimes managedFields are removed or left out. */
const managed = (random: Random, members: JsonObject): JsonObject =>
  chance(random, 10)
    ? (applyMergePatch(members, { metadata: { managedFields: pick<JsonValue>(random, [null, [], [{}]]) } }) as JsonObject)
    : members;

const scaleMembers = (random: Random): JsonObject => ({
  spec: { replicas: pick(random, [0, 1, 2, 3]) },
  ...(chance(random, 10) ? { metadata: { labels: { a: "1" } }, status: { replicas: 9 } } : {}),
});

function patchStep(random: Random, kind: WorldKind, name: string): Step {
  const subresource = chance(random, 25) && kind.subresources.length > 0 ? pick(random, kind.subresources) : undefined;
  const members =
    subresource === "scale"
      ? scaleMembers(random)
      : subresource === "status"
        ? { ...(chance(random, 20) ? membersOf(random, kind) : {}), status: kind.status(random) }
        : membersOf(random, kind);
  // For an apply to the Scale of a custom object the real server only reports that it cannot convert an internal type;
  // ours applies it.
  const isHopeless = subresource === "scale" && kind.resource.startsWith(worldGroup);
  const type = pick(random, isHopeless ? (["json", "merge"] as const) : (["json", "merge", "strategic", "apply", "apply"] as const));
  const common = {
    method: "PATCH" as const,
    resource: kind.resource,
    names: subresource === undefined ? [name] : [name, subresource],
    contentType: patchTypes[type],
  };
  if (type === "apply") return { ...common, ...applied(random, kind, name, subresource, members) };
  const query = writeQuery(random);
  if (type === "json") return { ...common, query, body: jsonPatchOf(random, members) };
  const version: { version?: VersionWord } = chance(random, 8) ? { version: pick<VersionWord>(random, ["fresh", "stale", "wrong"]) } : {};
  return { ...common, query, ...version, body: spoilt(random, type === "strategic" ? withDirectives(random, members) : members, patchy) };
}

function applied(
  random: Random,
  kind: WorldKind,
  name: string,
  subresource: string | undefined,
  members: JsonObject,
): Pick<Step, "query" | "body"> {
  const { apiVersion = null, kind: kindName = null } = kind.base(name);
  const head: JsonObject =
    subresource === "scale"
      ? { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name } }
      : { apiVersion, kind: kindName, metadata: { name } };
  const whole = subresource === undefined && chance(random, 60) ? kind.base(name) : head;
  const manager: Record<string, string> = chance(random, 97) ? { fieldManager: pick(random, ["m1", "m2", "m3"]) } : {};
  const query = { ...writeQuery(random), ...manager, ...(chance(random, 40) ? { force: "true" } : {}) };
  return { query, body: withoutEmptyMetadata(spoilt(random, applyMergePatch(whole, members), light), kind) };
}

/**
 * The real server stores empty lists, empty maps and nulls that are applied to the metadata of a custom object, so the
 * object counts as changed, and never shows them.
 */
function withoutEmptyMetadata(config: JsonValue, { resource }: WorldKind): JsonValue {
  if (!resource.startsWith(worldGroup) || !isJsonObject(config) || !isJsonObject(config["metadata"])) return config;
  return {
    ...config,
    metadata: Object.fromEntries(
      Object.entries(config["metadata"]).filter(([, member]) => typeof member !== "object" || Object.keys(member ?? {}).length > 0),
    ),
  };
}

function deleteStep(random: Random, kind: WorldKind, name: string): Step {
  const options: JsonObject = {
    ...(chance(random, 40) ? { propagationPolicy: pick(random, ["Background", "Foreground", "Orphan", "Odd"]) } : {}),
    ...(chance(random, 25) ? { gracePeriodSeconds: pick(random, [0, 1, 5, 60, -1]) } : {}),
    ...(chance(random, 12) ? { dryRun: ["All"] } : {}),
    ...(chance(random, 5) ? { orphanDependents: chance(random, 50) } : {}),
  };
  const common = { method: "DELETE" as const, resource: kind.resource };
  if (chance(random, 10))
    return {
      ...common,
      names: [],
      query: chance(random, 50) ? { labelSelector: pick(random, ["a", "a=1", "!a"]) } : {},
      ...(chance(random, 50) ? { body: options } : {}),
    };
  const inQuery = Object.fromEntries(
    Object.entries(options).map(([key, value]) => [key, String(Array.isArray(value) ? (value[0] as string) : (value as string | number))]),
  );
  if (chance(random, 25)) return { ...common, names: [name], query: inQuery };
  const version: { version?: VersionWord } = chance(random, 15) ? { version: pick<VersionWord>(random, ["fresh", "stale", "wrong"]) } : {};
  const uid: Pick<Step, "uid"> = chance(random, 12) ? { uid: pick<"same" | "wrong">(random, ["same", "wrong"]) } : {};
  return {
    ...common,
    names: [name],
    query: {},
    ...version,
    ...uid,
    body: { ...(chance(random, 70) ? { apiVersion: "v1", kind: "DeleteOptions" } : {}), ...options },
  };
}

/** A uid that no object has. */
export const wrongUid: string = noUid;
