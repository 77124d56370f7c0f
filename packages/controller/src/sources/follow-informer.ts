/**
 * Turns the changes of one informer into requests, while the source is watched.
 *
 *     Change<T> → predicates → handler → sink.request(key, { priority, cause })
 */
import type { Change, Cluster, InformerRequest, InformerState, InformerView } from "@drover/cache";
import type { GroupKind, Kind, KubeObject } from "@drover/machinery";
import type { WatchCause } from "../causes/cause.ts";
import type { ChangeCause, Handler, Request } from "../handlers/request.ts";
import { selfHandler } from "../handlers/self-handler.ts";
import type { Predicate } from "../predicates/predicate.ts";
import { informerAccount } from "./informer-account.ts";
import { eachInSlices, sliceLength } from "./slices.ts";
import type { SourceSink } from "./source.ts";
import { untilAborted } from "./until-aborted.ts";

/** How a change becomes requests. */
export interface HandleChangeOptions<T extends KubeObject> {
  readonly kind: GroupKind;
  readonly cluster: Pick<Cluster, "name" | "runtime">;
  readonly handler: Handler<T>;
  readonly predicates: readonly Predicate<T>[];
}

export interface FollowOptions<T extends KubeObject> extends HandleChangeOptions<T> {
  /** Name of the source, for logs of failing predicates and handlers. */
  readonly name: string;
  readonly kind: Kind<T>;
  readonly cluster: Pick<Cluster, "name" | "runtime" | "watchedKinds">;
  readonly resyncMs: number;
  /** Which objects of the kind the informer holds. */
  readonly request: InformerRequest<T>;
  /** States of the informers behind it; empty if unknown. */
  readonly states: () => readonly InformerState[];
}

/**
 * Requests keys until the signal aborts.
 *
 * Guarantees: `synced` is called only after the handler has returned for every object of the first list. A predicate or handler that throws
 * delays only its own object: the informer delivers that change again, and the error is logged with source and key. A change that affects
 * very many keys is processed in slices.
 */
export async function followInformer<T extends KubeObject>(
  informer: InformerView<T>,
  options: FollowOptions<T>,
  sink: SourceSink,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const {
    name,
    kind,
    cluster: { watchedKinds },
    request,
    resyncMs,
    states,
  } = options;
  const unregister = watchedKinds.add(kind, informer, request);
  let unfollow = (): void => undefined;
  const handling: HandleChangeOptions<T> = { ...options, kind: { group: kind.group, kind: kind.kind } };
  if (options.handler === selfHandler)
    unfollow =
      sink.keysOf?.({
        kind: name,
        informer,
        isTransformed: request.transform !== undefined,
      }) ?? unfollow;
  const registration = informer.addHandler((change) => handleChange(change, handling, sink, signal), { name, resyncMs });
  sink.replayWith?.((again, stopping) =>
    replay(informer, name, (change) => handleChange(change, handling, { ...quietSink, request: again }, stopping), stopping),
  );
  sink.waitingFor(() => informerAccount(kind, states(), registration.state()));
  try {
    await registration.synced(signal);
    sink.synced();
    await untilAborted(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    registration.remove();
    unfollow();
    unregister();
  }
}

/** A replay reports nothing but requests. */
const quietSink: Omit<SourceSink, "request"> = { synced: () => undefined, waitingFor: () => undefined };

/** Handles every stored object once more, as an addition. A handler added late receives them; later changes go to the first handler. */
async function replay<T extends KubeObject>(
  informer: InformerView<T>,
  name: string,
  handle: (change: Change<T>) => void | Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const registration = informer.addHandler((change) => (change.type === "added" ? handle(change) : undefined), { name: `${name}, again` });
  try {
    await registration.synced(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    registration.remove();
  }
}

/** Requests the keys that follow from one change. The caller logs errors and retries. */
export function handleChange<T extends KubeObject>(
  change: Change<T>,
  { kind, cluster, handler, predicates }: HandleChangeOptions<T>,
  sink: SourceSink,
  signal: AbortSignal,
): void | Promise<void> {
  if (signal.aborted || !predicates.every((holds) => holds(change))) return;
  const requests = handler(change);
  let given: ChangeCause | undefined;
  let shared: WatchCause | undefined;
  const ask = ({ key, priority, cause }: Request): void => {
    // Requests that share a cause keep sharing it: one change may affect very many keys.
    if (shared === undefined || given !== cause)
      shared = { type: "change", via: cause.via, change: cause.change, kind, cluster: cluster.name };
    given = cause;
    sink.request(key, { priority, cause: shared });
  };
  if (requests.length > sliceLength) return eachInSlices(requests, ask, { clock: cluster.runtime.clock, signal });
  for (const request of requests) ask(request);
}
