/**
 * Decides what a DELETE does to a stored object: mark it as terminating, remove it, or leave it as it is. Pure: the
 * given object is not changed, and nothing is stored.
 *
 *     object, options → deletionStep → keep | mark | mark-and-remove | remove, with the object after it
 */
import { deepCopy, formatTime, isJsonObject, newConflict, parseTime } from "@drover/machinery";
import type { DeleteOptions, JsonObject, ObjectMeta } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import { keyOf } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import type { StrategyContext } from "../registry/strategy.ts";
import { StatusError } from "../status-error.ts";
import { finalizersForDeletion } from "./dependents.ts";
import { asKubeObject } from "./validation.ts";

export interface DeletionStep {
  /**
   * - "keep": the object is already being deleted, and nothing changes.
   * - "mark": it is stored with its deletion time and stays until its finalizers or its grace period are over.
   * - "mark-and-remove": it is stored with its deletion time, then removed at once.
   * - "remove": it is removed as it is.
   */
  readonly kind: "keep" | "mark" | "mark-and-remove" | "remove";
  /** The object after the step: with its deletion time if it is marked, otherwise the given one. */
  readonly object: JsonObject;
}

/** Returns the next step. Throws a 409 when a precondition names another object or version. */
export function deletionStep(resource: Resource, object: JsonObject, options: DeleteOptions, context: StrategyContext): DeletionStep {
  const { strategy, rules } = resource;
  // Only `metadata` changes here; strategies that change more get a deep copy.
  const draft: JsonObject = { ...object, metadata: isJsonObject(object["metadata"]) ? { ...object["metadata"] } : {} };
  const meta = metaOf(draft);
  const keep: DeletionStep = { kind: "keep", object };
  checkPreconditions(resource, meta, options);
  if (strategy.markForDeletion !== undefined && meta.deletionTimestamp === undefined)
    return markOnly(resource, deepCopy(draft), options, context);
  if (strategy.isHeldBack?.(asKubeObject(object)) === true) return keep;
  const graceful = strategy.gracePeriodSeconds === undefined ? "none" : settleGrace(resource, draft, options, context);
  if (graceful === "pending") return keep;
  const finalizers = finalizersForDeletion(meta, options, rules.orphansByDefault);
  const isHeld = (finalizers ?? meta.finalizers ?? []).length > 0;
  if (graceful === "none" && !isHeld) {
    if (finalizers !== undefined) checkLostVersion(resource, meta, options);
    return { kind: "remove", object };
  }
  if (finalizers !== undefined) setFinalizers(meta, finalizers);
  if (graceful === "none") return markAsDeleted(meta, context.now) || finalizers !== undefined ? { kind: "mark", object: draft } : keep;
  return { kind: isHeld || meta.deletionGracePeriodSeconds !== 0 ? "mark" : "mark-and-remove", object: draft };
}

/** Marks an object of a kind that its controller removes later: Namespace, CustomResourceDefinition. Changes `draft`. */
function markOnly({ strategy, rules }: Resource, draft: JsonObject, options: DeleteOptions, context: StrategyContext): DeletionStep {
  const meta = metaOf(draft);
  meta.deletionTimestamp = formatTime(context.now);
  strategy.markForDeletion?.(asKubeObject(draft), context);
  const finalizers = finalizersForDeletion(meta, options, rules.orphansByDefault);
  if (finalizers !== undefined) setFinalizers(meta, finalizers);
  const isHeld = (meta.finalizers ?? []).length > 0 || strategy.isHeldBack?.(asKubeObject(draft)) === true;
  return { kind: isHeld ? "mark" : "mark-and-remove", object: draft };
}

function checkPreconditions(
  { kind, storedGroup = kind.group }: Resource,
  { name = "", uid = "", resourceVersion = "" }: ObjectMeta,
  { preconditions }: DeleteOptions,
): void {
  // Namespaces are compared by code of their own, which has other words.
  const isNamespace = kind.group === "" && kind.kind === "Namespace";
  const refuse = (why: string, ofNamespace: string): never => {
    const resource = isNamespace ? kind.plural : kind.kind;
    throw new StatusError(newConflict({ group: storedGroup, resource }, name, isNamespace ? `Precondition failed: ${ofNamespace}` : why));
  };
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    refuse(
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
      `UID in precondition: ${preconditions.uid}, UID in object meta: ${uid}`,
    );
  }
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    refuse(
      `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
      `ResourceVersion in precondition: ${preconditions.resourceVersion}, ResourceVersion in object meta: ${resourceVersion}`,
    );
  }
}

/**
 * Throws kube-apiserver's 409 for a resourceVersion precondition on a deletion that itself removes the last finalizers:
 * it then compares that version with an empty one.
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

/** Sets the grace period and the deletion time of `draft`; a second deletion can only shorten them. */
function settleGrace(
  { strategy }: Resource,
  draft: JsonObject,
  { gracePeriodSeconds: asked }: DeleteOptions,
  { now }: StrategyContext,
): "set" | "pending" | "none" {
  const meta = metaOf(draft);
  const { deletionTimestamp, deletionGracePeriodSeconds: given = 0 } = meta;
  if (deletionTimestamp !== undefined) {
    // The grace period is over; only finalizers can still hold the object.
    if (given === 0) return "none";
    const wanted = asked !== undefined && asked < 0 ? 1 : asked;
    if (wanted === undefined || wanted >= given) return "pending";
    const end = parseTime(deletionTimestamp) - given * 1000 + wanted * 1000;
    meta.deletionTimestamp = formatTime(Math.max(end, now));
    meta.deletionGracePeriodSeconds = end < now && wanted !== 0 ? 1 : wanted;
    return "set";
  }
  const grace = strategy.gracePeriodSeconds?.(asKubeObject(draft), asked);
  if (grace === undefined) return "none";
  meta.deletionTimestamp = formatTime(now + grace * 1000);
  meta.deletionGracePeriodSeconds = grace;
  if ((meta.generation ?? 0) > 0) meta.generation = (meta.generation ?? 0) + 1;
  return "set";
}

/** Marks an object whose kind has no grace period; returns whether that changed anything. */
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
