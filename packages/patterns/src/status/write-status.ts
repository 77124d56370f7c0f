/**
 * The status of an object, written once at the end of a run and only when it says something new.
 *
 *     pure function → status → writeStatus → equal? nothing : PUT …/status
 */
import type { Client } from "@drover/client";
import { findStatusCondition, formatTime, semanticEqual, withStatusCondition } from "@drover/machinery";
import type { Clock, Condition, ConditionUpdate, DeepReadonly, Kind, KubeObject } from "@drover/machinery";

/** A condition as an author says it: when it changed is found out. */
export type StatedCondition = Pick<Condition, "type" | "status" | "reason" | "message">;

/** What an author says of the state of things. */
export interface StatedStatus {
  readonly conditions?: readonly StatedCondition[];
}

/** A condition in one line: `condition("Ready", ready >= wanted, "Replicas", "2 of 3 ready")`. */
export function condition(type: string, status: boolean | "Unknown", reason: string, message = ""): StatedCondition {
  return { type, status: status === "Unknown" ? "Unknown" : status ? "True" : "False", reason, message };
}

interface WithStatus {
  readonly status?: { readonly conditions?: readonly Condition[]; readonly observedGeneration?: number };
}

/**
 * The status to be stored: what was stated, the generation it was computed from, and conditions whose times moved only
 * where their status did.
 * Conditions that were not stated stay: they are somebody else's. Undefined when the object says all of this already,
 * as far as its type can: a
 * generation that a status or a condition does not have is no news by itself, since many built-in kinds have no place for one.
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

/** Built-in kinds leave out texts that are empty, too. */
function saysAlready(old: Partial<Condition>, { status, reason, message, observedGeneration = 0 }: ConditionUpdate): boolean {
  return (
    old.status === status &&
    (old.reason ?? "") === reason &&
    (old.message ?? "") === message &&
    (old.observedGeneration ?? observedGeneration) === observedGeneration
  );
}

/** Where a status is written, and on which clock its times are read. */
export interface WriteStatusOptions {
  readonly client: Client;
  readonly clock: Clock;
}

/**
 * Writes the status if it says something new, with the version that was looked at: a change by somebody else is a
 * conflict. Gives the object
 * as it is then; the same one when nothing was written.
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
