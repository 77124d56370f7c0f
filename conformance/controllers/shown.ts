/**
 * What of an object must be the same on every cluster, leaf by leaf: all of it, but for what is different every time.
 *
 *     object, StableNames → shown → ["spec.replicas", "3"], ["status.conditions[Progressing].reason", "\"NewReplicaSetAvailable\""]
 *
 * Lists of objects are taken as sets: conditions, endpoints and addresses come in the order in which things happened to
 * happen.
 */
import type { KubeObject } from "@drover/machinery";
import type { StableNames } from "./names.ts";

/** What is left out of metadata: chance, or said elsewhere. */
const unshown: ReadonlySet<string> = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "managedFields",
  "name",
  "generateName",
  "namespace",
  "selfLink",
]);
/** When somebody last had a reason to write: there or not, as it happens. */
const unshownAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

/** Where something stands, and what. */
export type Leaf = readonly [path: string, value: string];

export function shown(kind: string, object: KubeObject, names: StableNames): readonly Leaf[] {
  const { annotations = {}, ...others } = object.metadata;
  const kept = Object.entries(annotations).filter(([name]) => name !== unshownAnnotation);
  const metadata = {
    ...Object.fromEntries(Object.entries(others).filter(([field]) => !unshown.has(field))),
    ...(kept.length === 0 ? {} : { annotations: Object.fromEntries(kept) }),
  };
  const fields = reduced(kind, upToDate(kind, { ...object, metadata }));
  return leaves(maskedValue(fields, names), "");
}

type Fields = Readonly<Record<string, unknown>>;

/** Kinds that are written by controllers alone: how often is chance. */
const ungenerated: ReadonlySet<string> = new Set(["ReplicaSet", "EndpointSlice"]);

/** Generations tell how often somebody wrote; of those that were seen it is enough that it is the last. */
function upToDate(kind: string, { metadata, status, ...others }: Fields): Fields {
  const { generation, ...meta } = metadata as Fields;
  const { observedGeneration, ...rest } = (status ?? {}) as Fields;
  return {
    ...others,
    metadata: { ...meta, ...(ungenerated.has(kind) ? {} : { generation }) },
    ...(status === undefined
      ? {}
      : {
          status: {
            ...rest,
            ...(observedGeneration === undefined
              ? {}
              : { observedGeneration: observedGeneration === generation ? "the last" : "an older one" }),
          },
        }),
  };
}

/** Where it is more the node's word than a controller's, only what controllers go by. */
function reduced(kind: string, { apiVersion: _, kind: __, ...object }: Fields): Fields {
  const { status = {}, spec = {} } = object as { readonly status?: Fields; readonly spec?: Fields };
  if (kind === "Pod") return { ...object, status: podStatus(status) };
  if (kind === "Node")
    return { spec: { taints: spec["taints"], unschedulable: spec["unschedulable"] }, status: { conditions: conditionsOf(status) } };
  if (kind === "PersistentVolumeClaim") return { metadata: withoutBinding(object["metadata"] as Fields) };
  return object;
}

/** Who binds claims to volumes is not compared. */
function withoutBinding({ annotations = {}, ...metadata }: Fields): Fields {
  return {
    ...metadata,
    annotations: Object.fromEntries(Object.entries(annotations as Fields).filter(([name]) => !name.includes("kubernetes.io/"))),
  };
}

function podStatus(status: Fields): Fields {
  const {
    phase,
    reason,
    message,
    containerStatuses = [],
  } = status as {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly containerStatuses?: readonly {
      readonly name: string;
      readonly ready: boolean;
      readonly restartCount: number;
      readonly state?: Fields;
    }[];
  };
  return {
    phase,
    reason,
    message,
    conditions: conditionsOf(status),
    containers: containerStatuses.map(({ name, ready, restartCount, state = {} }) => ({
      name,
      ready,
      restartCount,
      state: Object.keys(state)[0],
    })),
  };
}

function conditionsOf(status: Fields): readonly Fields[] {
  const { conditions = [] } = status as {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
  };
  return conditions
    .filter(({ type }) => !nodesOwnConditions.has(type))
    .map(({ type, status: is, reason }) => ({ type, status: is, reason }));
}

/** Steps of a kubelet, which the two kinds of simulated nodes take in their own way. */
const nodesOwnConditions: ReadonlySet<string> = new Set(["PodReadyToStartContainers", "Initialized", "NetworkUnavailable"]);

function maskedValue(value: unknown, names: StableNames): unknown {
  if (typeof value === "string") return names.text(value);
  if (Array.isArray(value)) return value.map((item) => maskedValue(item, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, item]) => [names.text(field), maskedValue(item, names)]));
}

function leaves(value: unknown, path: string): Leaf[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === "object" && item !== null))
    return items(value as readonly Fields[], path);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[path, JSON.stringify(value)]];
  const entries = Object.entries(value);
  if (entries.length === 0) return [[path, "{}"]];
  return entries.flatMap(([field, item]) => leaves(item, path === "" ? field : `${path}.${field}`));
}

/** Items with a type or a name go by that; the others are counted. */
function items(list: readonly Fields[], path: string): Leaf[] {
  const keys = list.map((item) => item["type"] ?? item["name"]);
  if (keys.every((key) => typeof key === "string") && new Set(keys).size === keys.length)
    return list.flatMap((item, index) => leaves(item, `${path}[${String(keys[index])}]`));
  return [[path, counted(list.map(canonical))]];
}

/** Fields in the order of their names, and lists of objects in that of their texts. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).toSorted().join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([field, item]) => `${field}:${canonical(item)}`)
    .toSorted()
    .join(",")}}`;
}

/** "3× a | b": what there is, without its order. */
export function counted(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .map(([text, count]) => (count === 1 ? text : `${count}× ${text}`))
    .toSorted()
    .join(" | ");
}
