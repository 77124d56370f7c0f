/**
 * Finalizers: names that keep a deleted object until their owners have cleaned up.
 *
 * `add…` and `remove…` change an object that the caller owns (a new one, or a draft of `edit`); they replace the list and never
 * write to it, so it may be frozen or shared. `with…` do the same on a bare list.
 */
import type { KubeObject } from "./object.ts";
import type { DeepReadonly } from "../json/readonly.ts";

/** Whether the object has the finalizer. */
export function hasFinalizer(object: DeepReadonly<KubeObject>, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

/** Adds the finalizer at the end if it is missing. Returns whether the object changed. */
export function addFinalizer(object: KubeObject, finalizer: string): boolean {
  return replaceFinalizers(object, withFinalizer(object.metadata.finalizers, finalizer));
}

/** Removes the finalizer; the others keep their order. Returns whether the object changed. */
export function removeFinalizer(object: KubeObject, finalizer: string): boolean {
  return replaceFinalizers(object, withoutFinalizer(object.metadata.finalizers, finalizer));
}

/** Returns the list with the finalizer at its end; the same list when it has it. */
export function withFinalizer(finalizers: readonly string[] | undefined, finalizer: string): readonly string[] {
  if (finalizers === undefined) return [finalizer];
  return finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer];
}

/** Returns the list without the finalizer; the same list when it lacks it. */
export function withoutFinalizer(finalizers: readonly string[] | undefined, finalizer: string): readonly string[] | undefined {
  return finalizers?.includes(finalizer) === true ? finalizers.filter((entry) => entry !== finalizer) : finalizers;
}

function replaceFinalizers({ metadata }: KubeObject, finalizers: readonly string[] | undefined): boolean {
  if (finalizers === metadata.finalizers) return false;
  if (finalizers === undefined || finalizers.length === 0) delete metadata.finalizers;
  else metadata.finalizers = [...finalizers];
  return true;
}
