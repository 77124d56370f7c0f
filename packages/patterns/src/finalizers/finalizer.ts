/**
 * Something must be put in order before an object may go: a finalizer is on it before the first side effect, and comes
 * off when the cleanup has
 * succeeded.
 *
 *     object → finalize → carry on with the reconcile | this is the result, leave it at that
 */
import type { Client, MergePatch } from "@drover/client";
import { done, retry } from "@drover/controller";
import type { ReconcileContext, Result } from "@drover/controller";
import { hasFinalizer, isNotFound, withFinalizer, withoutFinalizer } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";

/** What a finalizer needs of a run; a `ReconcileContext` has it, and what a handler of a chain gets too. */
export type FinalizerContext = Pick<ReconcileContext, "client">;

export interface FinalizerOptions<T extends KubeObject, C extends FinalizerContext = ReconcileContext> {
  readonly kind: Kind<T>;
  /** "demo.example.com/release-dns". Chosen by you and never made of a handler's name: whoever renames it strands objects. */
  readonly finalizer: string;
  /**
   * Undoes what the reconcile did outside of the cluster. May run more than once. Only `done` takes the finalizer off;
   * anything else is the run's result.
   */
  readonly cleanup: (object: DeepReadonly<T>, context: C) => Result | Promise<Result>;
  /** Which objects need it. Those that do not never get it, and those that need it no longer are cleaned up and lose it. @default all */
  readonly when?: (object: DeepReadonly<T>) => boolean;
  /** Names the finalizer had before; they come off with it. @default none */
  readonly supersedes?: readonly string[];
}

/** What is left to do. */
export type Finalized<T extends KubeObject> =
  /** The object lives and has what it needs: reconcile it. It is the one the server answered with, if it had to be changed. */
  | { readonly type: "reconcile"; readonly object: DeepReadonly<T> }
  /** Nothing but this. */
  | { readonly type: "settled"; readonly result: Result };

/**
 * Call it first in a reconcile, before anything is done.
 *
 * Guarantees: the server has the finalizer before this says "reconcile"; it comes off only after a cleanup that was done, and only of the
 * version that was cleaned up after: somebody else's change in between is a conflict, and the key is tried again. Finalizers of others are
 * never touched. An object that is going and has no finalizer of ours is none of our business.
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
    // It went while we took the finalizer off: somebody else had done it for us.
    return { type: "settled", result: isNotFound(error) ? done : retry(error) };
  }
}

function without(finalizers: readonly string[] | undefined, names: readonly string[]): readonly string[] | undefined {
  return names.reduce((left, name) => withoutFinalizer(left, name), finalizers);
}

/**
 * Of the version that was seen, and nothing else of the object: a merge patch with a version is refused as a conflict
 * when it is not the last.
 */
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
