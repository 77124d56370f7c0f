/**
 * What a deletion does to an object that is there: nothing yet but a mark on it, or its end. No waiting, no store: the step alone.
 *
 *     object, options → mark | remove | keep
 */
import { formatTime, newConflict, parseTime } from "@drover/machinery";
import type { DeleteOptions, JsonObject, ObjectMeta } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import { keyOf } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import type { StrategyContext } from "../registry/strategy.ts";
import { StatusError } from "../status-error.ts";
import { finalizersForDeletion } from "./dependents.ts";
import { asKubeObject } from "./validation.ts";

export type DeletionStep =
  /** It is being deleted already, and nothing changes. */
  | { readonly kind: "keep" }
  /** It changes in place, and stays: somebody has to let go of it first. */
  | { readonly kind: "mark" }
  /** It changes in place, is stored so, and then goes at once. */
  | { readonly kind: "mark-and-remove" }
  | { readonly kind: "remove" };

/** The next step; changes the object in place where it says so. Throws a 409 when another object is meant. */
export function deletionStep(resource: Resource, object: JsonObject, options: DeleteOptions, context: StrategyContext): DeletionStep {
  const { strategy, rules } = resource;
  const meta = metaOf(object);
  checkPreconditions(resource, meta, options);
  if (strategy.markForDeletion !== undefined && meta.deletionTimestamp === undefined) return markOnly(resource, object, options, context);
  if (strategy.isHeldBack?.(asKubeObject(object)) === true) return { kind: "keep" };
  const graceful = strategy.gracePeriodSeconds === undefined ? "none" : settleGrace(resource, object, options, context);
  if (graceful === "pending") return { kind: "keep" };
  const finalizers = finalizersForDeletion(meta, options, rules.orphansByDefault);
  const isHeld = (finalizers ?? meta.finalizers ?? []).length > 0;
  if (graceful === "none" && !isHeld) {
    if (finalizers !== undefined) checkLostVersion(resource, meta, options);
    return { kind: "remove" };
  }
  if (finalizers !== undefined) setFinalizers(meta, finalizers);
  if (graceful === "none") return markAsDeleted(meta, context.now) || finalizers !== undefined ? { kind: "mark" } : { kind: "keep" };
  return isHeld || meta.deletionGracePeriodSeconds !== 0 ? { kind: "mark" } : { kind: "mark-and-remove" };
}

function markOnly({ strategy, rules }: Resource, object: JsonObject, options: DeleteOptions, context: StrategyContext): DeletionStep {
  const meta = metaOf(object);
  meta.deletionTimestamp = formatTime(context.now);
  strategy.markForDeletion?.(asKubeObject(object), context);
  const finalizers = finalizersForDeletion(meta, options, rules.orphansByDefault);
  if (finalizers !== undefined) setFinalizers(meta, finalizers);
  const isHeld = (meta.finalizers ?? []).length > 0 || strategy.isHeldBack?.(asKubeObject(object)) === true;
  return isHeld ? { kind: "mark" } : { kind: "mark-and-remove" };
}

function checkPreconditions(
  { kind }: Resource,
  { name = "", uid = "", resourceVersion = "" }: ObjectMeta,
  { preconditions }: DeleteOptions,
): void {
  const refuse = (why: string): never => {
    throw new StatusError(newConflict({ group: kind.group, resource: kind.kind }, name, why));
  };
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    refuse(
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  }
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    refuse(
      `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
  }
}

/**
 * Where the last finalizers go with the deletion itself, the server compares the version that is asked for with none,
 * and refuses: nothing happens.
 */
function checkLostVersion(
  resource: Resource,
  { name = "", namespace = "", resourceVersion = "" }: ObjectMeta,
  { preconditions }: DeleteOptions,
): void {
  if (preconditions?.resourceVersion === undefined) return;
  const {
    kind: { group, plural },
  } = resource;
  const why = `StorageError: invalid object, Code: 4, Key: ${keyOf(resource, namespace, name)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ResourceVersion in precondition: , ResourceVersion in object meta: ${resourceVersion}`;
  throw new StatusError(newConflict({ group, resource: plural }, name, why));
}

/** Gives the object its time to end; once given it can only become shorter. */
function settleGrace(
  { strategy }: Resource,
  object: JsonObject,
  { gracePeriodSeconds: asked }: DeleteOptions,
  { now }: StrategyContext,
): "set" | "pending" | "none" {
  const meta = metaOf(object);
  const { deletionTimestamp, deletionGracePeriodSeconds: given = 0 } = meta;
  if (deletionTimestamp !== undefined) {
    // Its time is over: nothing is left to wait for but finalizers.
    if (given === 0) return "none";
    const wanted = asked !== undefined && asked < 0 ? 1 : asked;
    if (wanted === undefined || wanted >= given) return "pending";
    const end = parseTime(deletionTimestamp) - given * 1000 + wanted * 1000;
    meta.deletionTimestamp = formatTime(Math.max(end, now));
    meta.deletionGracePeriodSeconds = end < now && wanted !== 0 ? 1 : wanted;
    return "set";
  }
  const grace = strategy.gracePeriodSeconds?.(asKubeObject(object), asked);
  if (grace === undefined) return "none";
  meta.deletionTimestamp = formatTime(now + grace * 1000);
  meta.deletionGracePeriodSeconds = grace;
  if ((meta.generation ?? 0) > 0) meta.generation = (meta.generation ?? 0) + 1;
  return "set";
}

/** Marks an object that has no grace period of its own; whether that changed anything. */
function markAsDeleted(meta: ObjectMeta, now: number): boolean {
  if (meta.deletionTimestamp !== undefined) return false;
  if ((meta.generation ?? 0) > 0) meta.generation = (meta.generation ?? 0) + 1;
  meta.deletionTimestamp = formatTime(now);
  meta.deletionGracePeriodSeconds = 0;
  return true;
}

function setFinalizers(meta: ObjectMeta, finalizers: string[]): void {
  if (finalizers.length === 0) delete meta.finalizers;
  else meta.finalizers = finalizers;
}
