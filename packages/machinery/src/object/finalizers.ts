/**
 * Finalizers: names that keep a deleted object around until whoever added them has tidied up.
 *
 * `add…` and `remove…` change an object that is the caller's own (a new one, or a draft of `edit`); the list itself is replaced and
 * never written to, so it may be frozen or shared. `with…` are the same on a bare list.
 */
import type { KubeObject } from "./object.ts";
import type { DeepReadonly } from "../json/readonly.ts";

/** Whether the object carries the finalizer. */
export function hasFinalizer(object: DeepReadonly<KubeObject>, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

/** Adds the finalizer at the end unless it is there. Returns whether the object changed. */
export function addFinalizer(object: KubeObject, finalizer: string): boolean {
  return replaceFinalizers(object, withFinalizer(object.metadata.finalizers, finalizer));
}

/** Removes the finalizer wherever it stands; the others keep their order. Returns whether the object changed. */
export function removeFinalizer(object: KubeObject, finalizer: string): boolean {
  return replaceFinalizers(object, withoutFinalizer(object.metadata.finalizers, finalizer));
}

/** The list with the finalizer at its end; the same list when it is in there already. */
export function withFinalizer(finalizers: readonly string[] | undefined, finalizer: string): readonly string[] {
  if (finalizers === undefined) return [finalizer];
  return finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer];
}

/** The list without the finalizer; the same list when it is not in there. */
export function withoutFinalizer(finalizers: readonly string[] | undefined, finalizer: string): readonly string[] | undefined {
  return finalizers?.includes(finalizer) === true ? finalizers.filter((entry) => entry !== finalizer) : finalizers;
}

function replaceFinalizers({ metadata }: KubeObject, finalizers: readonly string[] | undefined): boolean {
  if (finalizers === metadata.finalizers) return false;
  if (finalizers === undefined || finalizers.length === 0) delete metadata.finalizers;
  else metadata.finalizers = [...finalizers];
  return true;
}
