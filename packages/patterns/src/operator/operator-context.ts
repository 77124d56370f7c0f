/**
 * Contexts of a controller's functions: `desired` and `status` only read the state, `reconcile` and `cleanup` can also
 * act.
 *
 *     StateContext ⊂ StatusContext;   StateContext ⊂ EffectContext
 */
import type { Client, ListAllOptions, ReadOptions } from "@drover/client";
import type { ListFilter } from "@drover/cache";
import type { NewEvent, ReconcileContext } from "@drover/controller";
import type { Clock, DeepReadonly, Kind, KubeObject, ObjectKey } from "@drover/machinery";
import type { IndexReader, OperatorIndex } from "./operator-index.ts";
import type { Cached, Owned, Owns } from "./slot.ts";

/** Namespace of a cached object. */
export interface CachePlace {
  /** Namespace; ignored for cluster-scoped kinds. @default the namespace of the reconciled object */
  readonly namespace?: string;
}

/** Reads from the caches of declared kinds: synchronous, without requests, and never older than our own last write. */
export interface CacheReads {
  /** Returns undefined if the object does not exist. Throws `MistakeError` for an undeclared kind. */
  readonly get: <K extends KubeObject>(kind: Kind<K>, name: string, place?: CachePlace) => DeepReadonly<K> | undefined;
  /** Lists by key order; `namespace: "*"` lists all namespaces. Throws `MistakeError` for an undeclared kind. */
  readonly list: <K extends KubeObject>(kind: Kind<K>, filter?: ListFilter) => readonly DeepReadonly<K>[];
  /** Reports whether the cluster serves a declared kind; false only for an `optional` kind that is not installed. */
  readonly isServed: (kind: Kind) => boolean;
  /** Throws `MistakeError` for an index of another operator. */
  readonly index: <K extends KubeObject>(index: OperatorIndex<K>) => IndexReader<K>;
}

/** The state that `desired` is computed from. Read-only. */
export interface StateContext<T extends KubeObject, O extends Owns> extends CacheReads {
  readonly key: ObjectKey;
  /** Frozen: return changes from `desired` or `status` instead. */
  readonly object: Cached<T>;
  /** Owned objects by slot, found by controller reference in any version. */
  readonly owned: Owned<O>;
}

/** A slot that was left unchanged, and why. */
export interface HeldSlot {
  readonly slot: string;
  readonly why: string;
}

/** The state that `status` is computed from: after apply and reconcile. */
export interface StatusContext<T extends KubeObject, O extends Owns> extends StateContext<T, O> {
  /** Slots left unchanged for now: `hold(why)`, or an apply that waits. */
  readonly holds: readonly HeldSlot[];
  /** The error of the run; absent after success. It is rethrown in any case, and the key is retried. */
  readonly error?: unknown;
}

/** Reads from the server: for kinds without a cache, or when the answer must be current. */
export interface LiveReads {
  /** Returns undefined if the object does not exist. */
  readonly get: <K extends KubeObject>(kind: Kind<K>, name: string, options?: ReadOptions & CachePlace) => Promise<K | undefined>;
  readonly list: <K extends KubeObject>(kind: Kind<K>, options?: ListAllOptions & CachePlace) => Promise<readonly K[]>;
}

/** Optional fields of an Event. */
export type EventDetails = Partial<Pick<NewEvent, "action" | "related" | "annotations">>;

/** Records Events about the object, as shown by `kubectl describe`. Never waits and never throws. */
export interface ObjectEvents {
  /** Records a normal Event: `events.normal("Scaled", "from 1 to 3")`. The reason is one word for machines. */
  readonly normal: (reason: string, note: string, details?: EventDetails) => void;
  /** Records a warning Event. */
  readonly warning: (reason: string, note: string, details?: EventDetails) => void;
}

/** The context of `reconcile` and `cleanup`: the state, and the current run. */
export interface EffectContext<T extends KubeObject, O extends Owns>
  extends StateContext<T, O>, Pick<ReconcileContext, "run" | "causes" | "causeCount" | "attempts" | "signal" | "draining" | "log"> {
  /** Client for writes and live reads. Its calls are recorded on the tape, end with `signal`, and are rejected once the run is over. */
  readonly client: Client;
  readonly live: LiveReads;
  readonly events: ObjectEvents;
  readonly clock: Clock;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
}
