/** Builds the contexts that the functions of a controller receive, from the run and the caches. */
import type { Client, ListAllOptions, ReadOptions } from "@drover/client";
import type { EventRecorder, ReconcileContext } from "@drover/controller";
import { isNotFound } from "@drover/machinery";
import type { Clock, DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import type { CachePlace, EffectContext, LiveReads, ObjectEvents, StateContext } from "./operator-context.ts";
import type { Owns } from "./slot.ts";

/** What all runs of a controller share. */
export interface EffectParts {
  readonly clock: Clock;
  readonly recorder: EventRecorder;
}

/** Builds the context of `reconcile` and `cleanup`. Expensive parts are created on first access. */
export function effectContext(
  state: StateContext<KubeObject, Owns>,
  run: ReconcileContext,
  { clock, recorder }: EffectParts,
): EffectContext<KubeObject, Owns> {
  const { causes, causeCount, attempts } = run;
  const { object } = state;
  return {
    ...state,
    causes,
    causeCount,
    attempts,
    clock,
    run: run.run,
    now: () => clock.now(),
    events: objectEvents(object, recorder),
    get signal() {
      return run.signal;
    },
    get draining() {
      return run.draining;
    },
    get log() {
      return run.log;
    },
    get client() {
      return inNamespaceOf(run.client, object);
    },
    get live() {
      return liveReads(run.client, object.metadata.namespace ?? "");
    },
  };
}

/** Requests without a namespace go to the object's namespace, never to "default". */
function inNamespaceOf(client: Client, { metadata: { namespace = "" } }: DeepReadonly<KubeObject>): Client {
  return namespace === "" || namespace === client.namespace ? client : client.with({ namespace });
}

/** Records Events about one object. */
export function objectEvents(object: DeepReadonly<KubeObject>, recorder: EventRecorder): ObjectEvents {
  return {
    normal: (reason, note, details = {}) =>
      recorder.eventf({ regarding: object, type: "Normal", reason, action: reason, note, ...details }),
    warning: (reason, note, details = {}) =>
      recorder.eventf({ regarding: object, type: "Warning", reason, action: reason, note, ...details }),
  };
}

function liveReads(client: Client, own: string): LiveReads {
  const placeOf = ({ scope }: Kind, namespace = own): CachePlace => (scope === "Cluster" || namespace === "" ? {} : { namespace });
  return {
    get: async <K extends KubeObject>(kind: Kind<K>, name: string, { namespace, ...options }: ReadOptions & CachePlace = {}) => {
      try {
        return await client.get(kind as Kind<K, "Namespaced">, name, { ...options, ...placeOf(kind, namespace) });
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    list: async <K extends KubeObject>(kind: Kind<K>, { namespace, ...options }: ListAllOptions & CachePlace = {}) => {
      const items: K[] = [];
      for await (const item of client.listAll(kind as Kind<K, "Namespaced">, { ...options, ...placeOf(kind, namespace) })) items.push(item);
      return items;
    },
  };
}
