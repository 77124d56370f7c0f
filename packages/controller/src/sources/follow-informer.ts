/**
 * From the changes of one informer to the keys they concern, for as long as somebody watches.
 *
 *     Change<T> → predicates → handler → sink.request(key, { priority, cause })
 */
import type { Change, Cluster, InformerRequest, InformerState, InformerView } from "@drover/cache";
import type { GroupKind, Kind, KubeObject } from "@drover/machinery";
import type { WatchCause } from "../causes/cause.ts";
import type { ChangeCause, Handler, Request } from "../handlers/request.ts";
import type { Predicate } from "../predicates/predicate.ts";
import { informerAccount } from "./informer-account.ts";
import { eachInSlices, sliceLength } from "./slices.ts";
import type { SourceSink } from "./source.ts";
import { untilAborted } from "./until-aborted.ts";

/** What becomes of a change. */
export interface TellOptions<T extends KubeObject> {
  readonly kind: GroupKind;
  readonly cluster: Pick<Cluster, "name" | "runtime">;
  readonly handler: Handler<T>;
  readonly predicates: readonly Predicate<T>[];
}

export interface FollowOptions<T extends KubeObject> extends TellOptions<T> {
  /** The source's name, under which failures of its predicates and its handler are logged. */
  readonly name: string;
  readonly kind: Kind<T>;
  readonly cluster: Pick<Cluster, "name" | "runtime" | "watchedKinds">;
  readonly resyncMs: number;
  /** What the informer holds of the kind. */
  readonly request: InformerRequest<T>;
  /** How the informers behind it are doing; empty where nobody can say. */
  readonly states: () => readonly InformerState[];
}

/**
 * Asks for keys until the signal is aborted.
 *
 * Guarantees: `synced` is called when the handler has returned from every object of the first list, not before; a predicate or handler
 * that throws holds up nobody but its object, which the informer tells again, and is logged with source and key; a change that concerns
 * very many keys is asked for in slices.
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
  const tell: TellOptions<T> = { ...options, kind: { group: kind.group, kind: kind.kind } };
  const registration = informer.addHandler((change) => tellChange(change, tell, sink, signal), { name, resyncMs });
  sink.waitingFor(() => informerAccount(kind, states(), registration.state()));
  try {
    await registration.synced(signal);
    sink.synced();
    await untilAborted(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    registration.remove();
    unregister();
  }
}

/** Asks for what follows from one change. What it throws, or rejects with, is for the caller to log and to try again. */
export function tellChange<T extends KubeObject>(
  change: Change<T>,
  { kind, cluster, handler, predicates }: TellOptions<T>,
  sink: SourceSink,
  signal: AbortSignal,
): void | Promise<void> {
  if (signal.aborted || !predicates.every((holds) => holds(change))) return;
  const requests = handler(change);
  let given: ChangeCause | undefined;
  let told: WatchCause | undefined;
  const ask = ({ key, priority, cause }: Request): void => {
    // Requests that share a cause go on sharing it: a change may concern very many keys.
    if (told === undefined || given !== cause) told = { type: "change", via: cause.via, change: cause.change, kind, cluster: cluster.name };
    given = cause;
    sink.request(key, { priority, cause: told });
  };
  if (requests.length > sliceLength) return eachInSlices(requests, ask, { clock: cluster.runtime.clock, signal });
  for (const request of requests) ask(request);
}
