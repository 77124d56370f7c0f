/**
 * The last step of a run: combines the stated status with conditions of the run, and writes it at most once.
 *
 *     status(context) → statedStatus: Reconciled, Stalled, Ready after a failure, Held → writeStatus
 */
import type { Client } from "@drover/client";
import { compileSchema, findStatusCondition, isConflict, isNotFound, isThenable, prune } from "@drover/machinery";
import type { Clock, CompiledSchema, Condition, DeepReadonly, JsonValue, Kind, KubeObject } from "@drover/machinery";
import type { Resource } from "../resource/resource.ts";
import { condition, writeStatus } from "../status/write-status.ts";
import type { StatedCondition, StatedStatus } from "../status/write-status.ts";
import { asyncMistake } from "./declared-controller.ts";
import { errorText } from "./error-text.ts";
import { MistakeError } from "./mistake-error.ts";
import type { HeldSlot } from "./operator-context.ts";
import { isResource } from "./operator-plan.ts";

/** Reason of conditions after a failed run that is tried again. */
export const failedReason = "ReconcileFailed";
const stoppedReason = "ReconcileStopped";
const cleanupReason = "CleanupFailed";

/** A failed run. */
export interface RunFailure {
  readonly error: unknown;
  /** Whether it is not tried again by itself. */
  readonly isStalled: boolean;
  /** Whether the finalizer's work failed. */
  readonly isCleanup?: boolean;
}

/** Whether failures show on objects of a kind without a `status` function: an operator's own kinds always have conditions. */
export const writesConditions = (kind: Kind): boolean => isResource(kind) && kind.fields === undefined;

/** What a run adds to the stated status. */
export interface RunReport {
  readonly holds: readonly HeldSlot[];
  /** Undefined after success. */
  readonly failure: RunFailure | undefined;
}

/**
 * Returns the status to write: the stated one, plus
 *
 * - `Reconciled` False with the error after a failed run, and True again after the next successful one;
 * - `Stalled` True with the error if it is not tried again by itself, and False afterwards;
 * - `Ready` as `Reconciled`, unless the author states `Ready`;
 * - `Held` True with the reasons while slots are held, and False afterwards.
 *
 * A condition of these types that the author states is theirs.
 */
export function statedStatus(object: DeepReadonly<KubeObject>, stated: StatedStatus, { holds, failure }: RunReport): StatedStatus {
  const conditions = stated.conditions ?? [];
  const added = [...failureConditions(object, failure), ...heldConditions(conditionsOf(object), holds)].filter(
    ({ type }) => !conditions.some((one) => one.type === type),
  );
  return added.length === 0 ? stated : { ...stated, conditions: [...conditions, ...added] };
}

/** The conditions of a run without a `status` function: `Ready` is the author's, who may write the status in `reconcile`. */
function ownConditions(object: DeepReadonly<KubeObject>, failure: RunFailure | undefined): readonly StatedCondition[] {
  return failureConditions(object, failure).filter(({ type }) => type !== "Ready");
}

/**
 * Writes the conditions of a run and leaves everything else of the status as it is on the server, also after a conflict: the run itself may
 * have written the status. Writes nothing if no condition changes, or the object is gone.
 */
export async function putConditions(
  kind: Kind,
  object: DeepReadonly<KubeObject>,
  failure: RunFailure | undefined,
  { client, clock }: { readonly client: Client; readonly clock: Clock },
): Promise<void> {
  const write = async (seen: DeepReadonly<KubeObject>): Promise<void> => {
    const conditions = ownConditions(seen, failure);
    if (conditions.length === 0) return;
    const stated: StatedStatus = { ...unchangedStatus(seen), conditions };
    await writeStatus(kind as Kind<KubeObject, "Namespaced" | "Cluster", "status">, seen, stated, { client, clock });
  };
  try {
    await write(object).catch(async (error: unknown) => {
      if (!isConflict(error)) throw error;
      const { name = "", namespace = "", uid } = object.metadata;
      const live = await client.get(kind as Kind<KubeObject, "Namespaced">, name, namespace === "" ? {} : { namespace });
      if (live.metadata.uid === uid) await write(live);
    });
  } catch (error) {
    // The object was deleted; its status no longer matters.
    if (!isNotFound(error)) throw error;
  }
}

/** Message of the failed run that an object shows; undefined if it shows none. */
export function shownFailure(object: DeepReadonly<KubeObject>): string | undefined {
  const reconciled = findStatusCondition(conditionsOf(object), "Reconciled");
  return reconciled?.status === "False" ? reconciled.message : undefined;
}

/** The message of a failed run in conditions. */
export const failureMessage = ({ error }: RunFailure): string => errorText(error);

function failureConditions(object: DeepReadonly<KubeObject>, failure: RunFailure | undefined): readonly StatedCondition[] {
  const before = conditionsOf(object);
  const { generation } = object.metadata;
  const was = (type: string): Condition | undefined => findStatusCondition(before, type);
  const wasStalled = was("Stalled")?.reason === stoppedReason && was("Stalled")?.status === "True";
  if (failure === undefined)
    return [
      ...(isOver(was("Reconciled"), generation) ? [condition("Reconciled", true, "Reconciled")] : []),
      ...(ownReasons.has(was("Ready")?.reason) ? [condition("Ready", true, "Reconciled")] : []),
      ...(wasStalled ? [condition("Stalled", false, "Reconciled")] : []),
    ];
  const { isStalled, isCleanup = false } = failure;
  const reason = isCleanup ? cleanupReason : isStalled ? stoppedReason : failedReason;
  const message = failureMessage(failure);
  return [
    condition("Reconciled", false, reason, message),
    condition("Ready", false, reason, message),
    ...(isStalled ? [condition("Stalled", true, stoppedReason, message)] : wasStalled ? [condition("Stalled", false, "Retrying")] : []),
  ];
}

/** After a success: it is False, or True for an older generation. Absent, it stays absent. */
const isOver = (reconciled: Condition | undefined, generation: number | undefined): boolean =>
  reconciled?.status === "False" || (reconciled !== undefined && (reconciled.observedGeneration ?? generation) !== generation);

const ownReasons: ReadonlySet<string | undefined> = new Set([failedReason, stoppedReason, cleanupReason]);

function heldConditions(before: readonly Condition[], holds: readonly HeldSlot[]): readonly StatedCondition[] {
  if (holds.length > 0) return [condition("Held", true, "Waiting", holds.map(({ slot, why }) => `${slot}: ${why}`).join("; "))];
  return findStatusCondition(before, "Held")?.status === "True" ? [condition("Held", false, "NothingHeld")] : [];
}

function conditionsOf(object: DeepReadonly<KubeObject>): readonly Condition[] {
  return (object as { readonly status?: { readonly conditions?: readonly Condition[] } }).status?.conditions ?? [];
}

/** Returns the current status, for a run whose `status` could not be computed. */
export function unchangedStatus(object: DeepReadonly<KubeObject>): StatedStatus {
  const {
    conditions: _conditions,
    observedGeneration: _generation,
    ...rest
  } = (object as { readonly status?: Readonly<Record<string, unknown>> }).status ?? {};
  return rest;
}

/**
 * Returns a function that rejects fields the server would silently drop. Create it once per controller, since it
 * compiles the schema.
 */
export function statusCheck(kind: Kind, title: string): (stated: unknown) => StatedStatus {
  const schema = (kind as Partial<Resource>).schema?.properties?.["status"];
  const compiled: CompiledSchema | undefined = schema === undefined ? undefined : compileSchema(schema);
  const where = `${title}, status`;
  return (stated) => {
    if (typeof stated !== "object" || stated === null || Array.isArray(stated))
      throw new MistakeError({
        where,
        what: `it returns ${stated === null ? "null" : Array.isArray(stated) ? "a list" : typeof stated}`,
        fix: 'status: ({ object, owned }) => ({ ready: 1, conditions: [condition("Ready", true, "Replicas")] })',
      });
    if (isThenable(stated)) throw asyncMistake(where, "status");
    const { pruned } = compiled === undefined ? { pruned: [] } : prune(stated as JsonValue, compiled, { root: "part" });
    if (pruned.length > 0) {
      throw new MistakeError({
        where,
        what: `it returns ${pruned.join(" and ")}, which is not in the schema of ${kind.kind}, so the server would silently drop it`,
        code: "DRV0420",
        fix: `defineResource({ …, status: z.object({ ${pruned.map((path) => `${path.split(/[.[]/)[0] ?? path}: z.…`).join(", ")} }) }), or leave it out`,
      });
    }
    return stated;
  };
}

/**
 * Writes the status if it changed. After a conflict in which the spec did not change, the computed status still holds
 * and is written to the newer version; otherwise the conflict is thrown and the key is retried.
 */
export async function putStatus(
  kind: Kind,
  object: DeepReadonly<KubeObject>,
  stated: StatedStatus,
  { client, clock }: { readonly client: Client; readonly clock: Clock },
): Promise<void> {
  const write = (seen: DeepReadonly<KubeObject>): Promise<unknown> =>
    writeStatus(kind as Kind<KubeObject, "Namespaced" | "Cluster", "status">, seen, stated, { client, clock });
  try {
    await write(object).catch(async (error: unknown) => {
      if (!isConflict(error)) throw error;
      const { name = "", namespace = "", uid, generation } = object.metadata;
      const live = await client.get(kind as Kind<KubeObject, "Namespaced">, name, namespace === "" ? {} : { namespace });
      if (generation === undefined || live.metadata.uid !== uid || live.metadata.generation !== generation) throw error;
      await write(live);
    });
  } catch (error) {
    // The object was deleted; its status no longer matters.
    if (!isNotFound(error)) throw error;
  }
}
