/**
 * The last step of a run: what `status` states, what the run itself adds to it, and the one write that may follow.
 *
 *     status(context) → statedStatus: Ready after a failure, Held → writeStatus
 */
import type { Client } from "@drover/client";
import { compileSchema, findStatusCondition, isConflict, isNotFound, prune } from "@drover/machinery";
import type { Clock, CompiledSchema, Condition, DeepReadonly, JsonValue, Kind, KubeObject } from "@drover/machinery";
import type { Resource } from "../resource/resource.ts";
import { condition, writeStatus } from "../status/write-status.ts";
import type { StatedCondition, StatedStatus } from "../status/write-status.ts";
import { asyncMistake } from "./declared-controller.ts";
import { errorText } from "./error-text.ts";
import { MistakeError } from "./mistake-error.ts";
import type { HeldSlot } from "./operator-context.ts";

/** The reason of a `Ready` that the operator says itself, because a run failed. */
export const failedReason = "ReconcileFailed";

/** What a run adds to what its author states. */
export interface RunReport {
  readonly holds: readonly HeldSlot[];
  /** Undefined when all went well. */
  readonly failure: { readonly error: unknown } | undefined;
}

/**
 * What is to be stored: the author's words, and beside them
 *
 * - `Ready` False with the error when the run failed, unless the author states `Ready`; it is True again after the next
 *   run that did not fail;
 * - `Held` True with the reasons while slots stay as they are, and False afterwards.
 */
export function statedStatus(object: DeepReadonly<KubeObject>, stated: StatedStatus, { holds, failure }: RunReport): StatedStatus {
  const said = stated.conditions ?? [];
  const before = conditionsOf(object);
  const says = (type: string): boolean => said.some((one) => one.type === type);
  const added: StatedCondition[] = [];
  if (!says("Ready")) {
    if (failure !== undefined) added.push(condition("Ready", false, failedReason, errorText(failure.error)));
    else if (findStatusCondition(before, "Ready")?.reason === failedReason) added.push(condition("Ready", true, "Reconciled"));
  }
  if (!says("Held")) {
    if (holds.length > 0) added.push(condition("Held", true, "Waiting", holds.map(({ slot, why }) => `${slot}: ${why}`).join("; ")));
    else if (findStatusCondition(before, "Held")?.status === "True") added.push(condition("Held", false, "NothingHeld"));
  }
  return added.length === 0 ? stated : { ...stated, conditions: [...said, ...added] };
}

function conditionsOf(object: DeepReadonly<KubeObject>): readonly Condition[] {
  return (object as { readonly status?: { readonly conditions?: readonly Condition[] } }).status?.conditions ?? [];
}

/** What the object says already, for a run whose `status` could not be computed. */
export function unchangedStatus(object: DeepReadonly<KubeObject>): StatedStatus {
  const {
    conditions: _conditions,
    observedGeneration: _generation,
    ...rest
  } = (object as { readonly status?: Readonly<Record<string, unknown>> }).status ?? {};
  return rest;
}

/** Refuses what the server would drop without a word. Made once for a controller, since schemas are compiled for it. */
export function statusCheck(kind: Kind, title: string): (stated: unknown) => StatedStatus {
  const schema = (kind as Partial<Resource>).schema?.properties?.["status"];
  const compiled: CompiledSchema | undefined = schema === undefined ? undefined : compileSchema(schema);
  const where = `${title}, status`;
  return (stated) => {
    if (typeof stated !== "object" || stated === null || Array.isArray(stated))
      throw new MistakeError({
        where,
        what: `it answers with ${stated === null ? "null" : Array.isArray(stated) ? "a list" : typeof stated}`,
        fix: 'status: ({ object, owned }) => ({ ready: 1, conditions: [condition("Ready", true, "Replicas")] })',
      });
    if ("then" in stated && typeof stated.then === "function") throw asyncMistake(where, "status");
    const { pruned } = compiled === undefined ? { pruned: [] } : prune(stated as JsonValue, compiled, { root: "part" });
    if (pruned.length > 0) {
      throw new MistakeError({
        where,
        what: `it says ${pruned.join(" and ")}, which the schema of ${kind.kind} does not know, so the server would drop it without a word`,
        fix: `defineResource({ …, status: z.object({ ${pruned.map((path) => `${path.split(/[.[]/)[0] ?? path}: z.…`).join(", ")} }) }), or leave it out`,
      });
    }
    return stated;
  };
}

/**
 * Writes what is new. When somebody else changed the object meanwhile, but not its spec, what was computed still holds,
 * and it is written on top of theirs;
 * else the conflict is thrown, and the key tried again.
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
    // It is gone, and nobody will look.
    if (!isNotFound(error)) throw error;
  }
}
