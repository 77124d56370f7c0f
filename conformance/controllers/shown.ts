/**
 * The leaves of an object that must be equal on every cluster: all of them, except those that differ in every run.
 *
 *     object, StableNames → shown → ["spec.replicas", "3"], ["status.conditions[Progressing].reason", "\"NewReplicaSetAvailable\""]
 *
 * Lists of objects are compared as sets: conditions, endpoints and addresses are in the order in which events happened.
 */
import type { KubeObject } from "@drover/machinery";
import type { StableNames } from "./names.ts";

/** Metadata that is left out: random, or compared elsewhere. */
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
/** The time of the last write: present or not, depending on timing. */
const unshownAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

/** A path and its value. */
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

/** Kinds that only controllers write: the number of writes is random. */
const ungenerated: ReadonlySet<string> = new Set(["ReplicaSet", "EndpointSlice"]);

/** Generations count writes; for observed generations it is enough that they are the latest. */
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

/** Where the node rather than a controller writes, only the fields that controllers read. */
function reduced(kind: string, { apiVersion: _, kind: __, ...object }: Fields): Fields {
  const { status = {}, spec = {} } = object as { readonly status?: Fields; readonly spec?: Fields };
  if (kind === "Pod") return { ...object, status: podStatus(status) };
  if (kind === "Node")
    return { spec: { taints: spec["taints"], unschedulable: spec["unschedulable"] }, status: { conditions: conditionsOf(status) } };
  if (kind === "PersistentVolumeClaim") return { metadata: withoutBinding(object["metadata"] as Fields) };
  return object;
}

/** Binding of claims to volumes is not compared. */
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

/** Steps of a kubelet, in which the two kinds of simulated nodes differ. */
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

/** Items with a type or a name are keyed by it; others are counted. */
function items(list: readonly Fields[], path: string): Leaf[] {
  const keys = list.map((item) => item["type"] ?? item["name"]);
  if (keys.every((key) => typeof key === "string") && new Set(keys).size === keys.length)
    return list.flatMap((item, index) => leaves(item, `${path}[${String(keys[index])}]`));
  return [[path, counted(list.map(canonical))]];
}

/** Fields sorted by name, and lists of objects sorted by their text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).toSorted().join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([field, item]) => `${field}:${canonical(item)}`)
    .toSorted()
    .join(",")}}`;
}

/** "3× a | b": the items without their order. */
export function counted(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .map(([text, count]) => (count === 1 ? text : `${count}× ${text}`))
    .toSorted()
    .join(" | ");
}
