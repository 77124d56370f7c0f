/**
 * The events of a shared index informer as a source of keys: every object that is added, changed or deleted asks for its own key.
 *
 *     SharedIndexInformer → Change → selfHandler → the controller's queue
 */
import { DeletedFinalStateUnknown, lastKnownState } from "@drover/cache";
import type { Change, DeletedObject, SharedIndexInformer } from "@drover/cache";
import { abortable, groupVersionKindOf, objectKeyOf, poll } from "@drover/machinery";
import type { Clock, DeepReadonly, KubeObject } from "@drover/machinery";
import { selfHandler } from "../handlers/self-handler.ts";
import type { Source, SourceSink } from "../sources/source.ts";

export interface SharedInformerSourceOptions {
  readonly clock: Clock;
  /** For people. */
  readonly name: string;
  /** Tells clusters apart, in causes. */
  readonly cluster: string;
  /** Leaves resyncs out, in which nothing has changed. */
  readonly onlyChanged: boolean;
}

const syncPollMs = 100;

/** A source that never starts its informer: whoever made that does. Rejects when the informer has ended. */
export function sharedInformerSource<T extends KubeObject>(
  informer: SharedIndexInformer<T>,
  { clock, name, cluster, onlyChanged }: SharedInformerSourceOptions,
): Source {
  const told = (sink: SourceSink, change: Change): void => {
    if (onlyChanged && change.type === "updated" && change.isResync) return;
    const { group, kind } = groupVersionKindOf(change.object);
    for (const { key, priority, cause } of selfHandler(change))
      sink.request(key, { priority, cause: { ...cause, kind: { group, kind }, cluster } });
  };
  return {
    name,
    run: async (sink, signal) => {
      if (signal.aborted) return;
      const registration = informer.addEventHandler({
        onAdd: (object, isInInitialList) => told(sink, { type: "added", ...identity(object), isInInitialList }),
        onUpdate: (before, object) =>
          told(sink, {
            type: "updated",
            ...identity(object),
            before,
            isResync: before.metadata.resourceVersion === object.metadata.resourceVersion,
          }),
        onDelete: (deleted) => {
          const change = deletionOf(deleted);
          if (change !== undefined) told(sink, change);
        },
      });
      sink.waitingFor("its informer has not synced");
      try {
        await poll(clock, { interval: syncPollMs, immediate: true, signal }, () => registration.hasSynced());
        sink.waitingFor(undefined);
        sink.synced();
        await abortable(new Promise<never>(() => undefined), signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        informer.removeEventHandler(registration);
      }
    },
  };
}

function identity<T extends KubeObject>(
  object: DeepReadonly<T>,
): Pick<Change, "key" | "uid"> & { readonly object: DeepReadonly<KubeObject> } {
  // A frozen T is a frozen KubeObject, which the compiler cannot tell of a type parameter.
  const seen = object as DeepReadonly<KubeObject>;
  return { key: objectKeyOf(seen), uid: seen.metadata.uid ?? "", object: seen };
}

function deletionOf<T extends KubeObject>(deleted: DeletedObject<T>): Change | undefined {
  const state = lastKnownState(deleted);
  return state === undefined
    ? undefined
    : { type: "deleted", ...identity<T>(state), isFinalStateUnknown: deleted instanceof DeletedFinalStateUnknown };
}
