/**
 * Keeps a finalizer on an object: adds it before the first side effect and removes it after a successful cleanup.
 *
 *     object → finalize → continue the reconcile | return this result
 */
import type { Client, MergePatch } from "@drover/client";
import { done, retry } from "@drover/controller";
import type { ReconcileContext, Result } from "@drover/controller";
import { hasFinalizer, isNotFound, withFinalizer, withoutFinalizer } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";

/** What a finalizer needs from a run. A `ReconcileContext` provides it, and so does the context of a handler chain. */
export type FinalizerContext = Pick<ReconcileContext, "client">;

/** Options of `finalize`. */
export interface FinalizerOptions<T extends KubeObject, C extends FinalizerContext = ReconcileContext> {
  readonly kind: Kind<T>;
  /**
   * Name such as "demo.example.com/release-dns". Choose it explicitly: after a rename, objects with the old name are
   * stuck (see `supersedes`).
   */
  readonly finalizer: string;
  /**
   * Undoes what the reconcile did outside the cluster. May run more than once. Only `done` removes the finalizer; any
   * other result is the result of the run.
   */
  readonly cleanup: (object: DeepReadonly<T>, context: C) => Result | Promise<Result>;
  /** Which objects need the finalizer. Others never get it; objects that no longer need it are cleaned up and lose it. @default all */
  readonly when?: (object: DeepReadonly<T>) => boolean;
  /** Former names of the finalizer; removed together with it. @default none */
  readonly supersedes?: readonly string[];
}

/** What the caller does next. */
export type Finalized<T extends KubeObject> =
  /** Reconcile this object: as the server returned it if the finalizer was written, else as given. */
  | { readonly type: "reconcile"; readonly object: DeepReadonly<T> }
  /** Return this result. */
  | { readonly type: "settled"; readonly result: Result };

/**
 * Call it first in a reconcile, before any side effect.
 *
 * Guarantees: the server has stored the finalizer before this returns "reconcile". The finalizer is removed only after
 * a cleanup that returned `done`, and only from the version that was cleaned up: a change in between is a conflict, and
 * the key is retried. Finalizers of others are never touched. An object that is being deleted and has no finalizer of
 * ours is ignored.
 */
export async function finalize<T extends KubeObject, C extends FinalizerContext = ReconcileContext>(
  object: DeepReadonly<T>,
  context: C,
  options: FinalizerOptions<T, NoInfer<C>>,
): Promise<Finalized<T>> {
  const { kind, finalizer, when = () => true, supersedes = [], cleanup } = options;
  const names = [finalizer, ...supersedes];
  const isOurs = names.some((name) => hasFinalizer(object, name));
  if (object.metadata.deletionTimestamp === undefined && when(object)) {
    if (hasFinalizer(object, finalizer) && !supersedes.some((name) => hasFinalizer(object, name))) return { type: "reconcile", object };
    const finalizers = withFinalizer(without(object.metadata.finalizers, supersedes), finalizer);
    return { type: "reconcile", object: (await writeFinalizers(context.client, kind, object, finalizers)) as DeepReadonly<T> };
  }
  const isGoing = object.metadata.deletionTimestamp !== undefined;
  if (!isOurs) return isGoing ? { type: "settled", result: done } : { type: "reconcile", object };
  const result = await cleanup(object, context);
  if (result.type !== "done") return { type: "settled", result };
  try {
    const freed = await writeFinalizers(context.client, kind, object, without(object.metadata.finalizers, names));
    return isGoing ? { type: "settled", result: done } : { type: "reconcile", object: freed as DeepReadonly<T> };
  } catch (error) {
    // The object was deleted in the meantime: another client removed the finalizer.
    return { type: "settled", result: isNotFound(error) ? done : retry(error) };
  }
}

function without(finalizers: readonly string[] | undefined, names: readonly string[]): readonly string[] | undefined {
  return names.reduce((left, name) => withoutFinalizer(left, name), finalizers);
}

/** Patches only the finalizers. The resource version makes the server reject the merge patch if the object has changed. */
function writeFinalizers<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  object: DeepReadonly<T>,
  finalizers: readonly string[] | undefined,
): Promise<T> {
  const { name = "", namespace = "", resourceVersion = "" } = object.metadata;
  const body = { metadata: { resourceVersion, finalizers: finalizers ?? [] } } as MergePatch<T>;
  return client.patch(kind as Kind<T, "Namespaced">, name, { type: "merge", body }, namespace === "" ? {} : { namespace });
}
