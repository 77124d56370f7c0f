/**
 * What the functions of a controller are handed. Those that decide (`desired`, `status`) see the state; those that act
 * (`reconcile`, `cleanup`) have
 * hands as well.
 *
 *     StateContext ⊂ StatusContext;   StateContext ⊂ EffectContext
 */
import type { Client, ListAllOptions, ReadOptions } from "@drover/client";
import type { ListFilter } from "@drover/cache";
import type { NewEvent, ReconcileContext } from "@drover/controller";
import type { Clock, DeepReadonly, Kind, KubeObject, ObjectKey } from "@drover/machinery";
import type { IndexReader, OperatorIndex } from "./operator-index.ts";
import type { Cached, Owned, Owns } from "./slot.ts";

/** Where an object of a cache is. */
export interface CachePlace {
  /** @default the namespace of the object that is reconciled; not looked at for kinds without namespaces */
  readonly namespace?: string;
}

/** Reads from the caches of declared kinds: no request, no waiting, and nothing is ever older than our own last write. */
export interface CacheReads {
  /** Undefined when there is none. Throws a `MistakeError` for a kind that was not declared. */
  readonly get: <K extends KubeObject>(kind: Kind<K>, name: string, place?: CachePlace) => DeepReadonly<K> | undefined;
  /** In the order of their keys; `namespace: "*"` is all of them. Throws a `MistakeError` for a kind that was not declared. */
  readonly list: <K extends KubeObject>(kind: Kind<K>, filter?: ListFilter) => readonly DeepReadonly<K>[];
  /** Throws a `MistakeError` for an index of another operator. */
  readonly index: <K extends KubeObject>(index: OperatorIndex<K>) => IndexReader<K>;
}

/** The state that `desired` decides by. Nothing in it changes anything, and nothing in it can be changed. */
export interface StateContext<T extends KubeObject, O extends Owns> extends CacheReads {
  readonly key: ObjectKey;
  /** Frozen: what should be different is said by `desired` or `status`. */
  readonly object: Cached<T>;
  /** What it owns, slot by slot: told by the controller reference, whatever its version. */
  readonly owned: Owned<O>;
}

/** A slot that was left as it is, and why. */
export interface HeldSlot {
  readonly slot: string;
  readonly why: string;
}

/** What `status` is computed from: the state after everything was applied and reconciled. */
export interface StatusContext<T extends KubeObject, O extends Owns> extends StateContext<T, O> {
  /** Slots that stay as they are for now: `hold(why)`, or an apply that waits. */
  readonly holds: readonly HeldSlot[];
  /** What made the run fail; absent when all went well. It is thrown on in any case, and the key tried again. */
  readonly error?: unknown;
}

/** Reads that ask the server itself: for what no cache holds, or when "now" must be now. */
export interface LiveReads {
  /** Undefined when there is none. */
  readonly get: <K extends KubeObject>(kind: Kind<K>, name: string, options?: ReadOptions & CachePlace) => Promise<K | undefined>;
  readonly list: <K extends KubeObject>(kind: Kind<K>, options?: ListAllOptions & CachePlace) => Promise<readonly K[]>;
}

/** What is told about an event besides its reason and its note. */
export type EventDetails = Partial<Pick<NewEvent, "action" | "related" | "annotations">>;

/** Tells people what happened to the object: what `kubectl describe` shows. Never waits and never throws. */
export interface ObjectEvents {
  /** All is as it should be: `events.normal("Scaled", "from 1 to 3")`. The reason is one word for machines. */
  readonly normal: (reason: string, note: string, details?: EventDetails) => void;
  /** Somebody should look. */
  readonly warning: (reason: string, note: string, details?: EventDetails) => void;
}

/** The context of what acts: the run of the controller layer, and the state. */
export interface EffectContext<T extends KubeObject, O extends Owns>
  extends StateContext<T, O>, Pick<ReconcileContext, "run" | "causes" | "causeCount" | "attempts" | "signal" | "draining" | "log"> {
  /** Writes, and reads at the server. Its calls stand on the tape, end with `signal`, and are refused once the run is over. */
  readonly client: Client;
  readonly live: LiveReads;
  readonly events: ObjectEvents;
  readonly clock: Clock;
  /** Milliseconds since 1970, by that clock. */
  readonly now: () => number;
}
