/**
 * Writes the status of an object once, at the end of a run, and only if it changed.
 *
 *     pure function → status → writeStatus → equal? nothing : PUT …/status
 */
import type { Client } from "@drover/client";
import { findStatusCondition, formatTime, semanticEqual, withStatusCondition } from "@drover/machinery";
import type { Clock, Condition, ConditionUpdate, DeepReadonly, Kind, KubeObject } from "@drover/machinery";

/** A condition as an author states it; timestamps and generation are added. */
export type StatedCondition = Pick<Condition, "type" | "status" | "reason" | "message">;

/** A status as an author states it. */
export interface StatedStatus {
  readonly conditions?: readonly StatedCondition[];
}

/** Builds a condition in one line: `condition("Ready", ready >= wanted, "Replicas", "2 of 3 ready")`. */
export function condition(type: string, status: boolean | "Unknown", reason: string, message = ""): StatedCondition {
  return { type, status: status === "Unknown" ? "Unknown" : status ? "True" : "False", reason, message };
}

interface WithStatus {
  readonly status?: { readonly conditions?: readonly Condition[]; readonly observedGeneration?: number };
}

/**
 * Returns the status to store: the stated fields, the observed generation, and conditions whose timestamps change only
 * with their status. Conditions that were not stated are kept, since other controllers own them. Returns undefined if
 * nothing would change. A missing `observedGeneration` is not a change by itself: many built-in kinds have no such
 * field.
 */
export function nextStatus(
  object: DeepReadonly<KubeObject>,
  stated: DeepReadonly<StatedStatus>,
  now: string,
): Readonly<Record<string, unknown>> | undefined {
  const { generation = 0 } = object.metadata;
  const { status } = object as DeepReadonly<KubeObject> & WithStatus;
  const { conditions: updates = [], ...rest } = stated;
  const observed = generation === 0 ? {} : { observedGeneration: generation };
  const conditions = updates.reduce<readonly Readonly<Condition>[] | undefined>(
    (list, update) => withCondition(list, { ...(update as ConditionUpdate), ...observed }, now),
    status?.conditions,
  );
  const listed = conditions === undefined ? {} : { conditions };
  const next = { ...rest, ...observed, ...listed };
  const hasPlace = status === undefined || status.observedGeneration !== undefined;
  return semanticEqual(status ?? {}, hasPlace ? next : { ...rest, ...listed }) ? undefined : next;
}

function withCondition(
  conditions: readonly Readonly<Condition>[] | undefined,
  update: ConditionUpdate,
  now: string,
): readonly Readonly<Condition>[] {
  const old = findStatusCondition(conditions, update.type);
  return conditions !== undefined && old !== undefined && saysAlready(old, update)
    ? conditions
    : withStatusCondition(conditions, update, now);
}

/** Built-in kinds omit empty texts. */
function saysAlready(old: Partial<Condition>, { status, reason, message, observedGeneration = 0 }: ConditionUpdate): boolean {
  return (
    old.status === status &&
    (old.reason ?? "") === reason &&
    (old.message ?? "") === message &&
    (old.observedGeneration ?? observedGeneration) === observedGeneration
  );
}

/** Client and clock for a status write. */
export interface WriteStatusOptions {
  readonly client: Client;
  readonly clock: Clock;
}

/**
 * Writes the status if it changed, based on the observed version: a concurrent change is a conflict. Returns the
 * updated object, or the given one if nothing was written.
 */
export async function writeStatus<T extends KubeObject>(
  kind: Kind<T, "Namespaced" | "Cluster", "status">,
  object: DeepReadonly<T>,
  stated: DeepReadonly<StatedStatus>,
  { client, clock }: WriteStatusOptions,
): Promise<DeepReadonly<T>> {
  const status = nextStatus(object, stated, formatTime(clock.now()));
  if (status === undefined) return object;
  const { namespace = "" } = object.metadata;
  const resource = client.resource(kind as Kind<T, "Namespaced", "status">);
  return (await resource.status.update({ ...object, status }, namespace === "" ? {} : { namespace })) as DeepReadonly<T>;
}
