/**
 * Changes as handlers of a bounded informer receive them: keys and versions always, bodies only while they are cached.
 *
 *     StoreChange → boundedChange → handler
 */
import { isInstanceOf } from "@drover/machinery";
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import type { Change } from "../store/change.ts";
import { EvictedBodyError } from "./body-version.ts";

/** A change of an object whose body may be evicted. */
interface BoundedBase<T extends KubeObject> {
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: string;
  /**
   * The object at `resourceVersion`, of a deletion the last known state. Undefined if its body was evicted before the handler first read
   * it, as for most objects of a large initial list; `get(key)` reads the current state. Stays the same once it was read.
   */
  readonly object: DeepReadonly<T> | undefined;
}

/** A change of one object, as handlers of a bounded informer receive it. */
export type BoundedChange<T extends KubeObject = KubeObject> =
  | (BoundedBase<T> & { readonly type: "added"; readonly isInInitialList: boolean })
  | (BoundedBase<T> & {
      readonly type: "updated";
      /** The state that this handler last received; undefined if its body was evicted. */
      readonly before: DeepReadonly<T> | undefined;
      readonly resourceVersionBefore: string;
      /** Whether nothing changed and a resync was due. */
      readonly isResync: boolean;
      /** Whether the server may have been restored from a backup between the two states; see `Updated`. */
      readonly isNewEpoch: boolean;
    })
  | (BoundedBase<T> & {
      readonly type: "deleted";
      /** Whether the deletion itself was missed, so that there may have been later states than `object`. */
      readonly isFinalStateUnknown: boolean;
    });

/** Receives a change. If it returns a promise, this handler receives the next change after the promise settles. */
export type BoundedChangeHandler<T extends KubeObject> = (change: BoundedChange<T>) => void | PromiseLike<void>;

/** Returns the change of the store as a handler of a bounded informer receives it. */
export function boundedChange<T extends KubeObject>(change: Change<T>): BoundedChange<T> {
  // One class for all types: a literal with getters would cost more than all other work for a change.
  return new ShownChange(change) as unknown as BoundedChange<T>;
}

class ShownChange<T extends KubeObject> {
  readonly type: Change<T>["type"];
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly #change: Change<T>;
  #object: Seen<T> | undefined;
  #before: Seen<T> | undefined;

  constructor(change: Change<T>) {
    this.type = change.type;
    this.key = change.key;
    this.uid = change.uid;
    this.resourceVersion = change.resourceVersion ?? "";
    this.#change = change;
  }

  get object(): DeepReadonly<T> | undefined {
    this.#object ??= seenNow(() => this.#change.object);
    return this.#object.object;
  }

  get before(): DeepReadonly<T> | undefined {
    const change = this.#change;
    this.#before ??= change.type === "updated" ? seenNow(() => change.before) : { object: undefined };
    return this.#before.object;
  }

  get resourceVersionBefore(): string | undefined {
    return this.#change.type === "updated" ? (this.#change.resourceVersionBefore ?? "") : undefined;
  }

  get isInInitialList(): boolean | undefined {
    return this.#change.type === "added" ? this.#change.isInInitialList : undefined;
  }

  get isResync(): boolean | undefined {
    return this.#change.type === "updated" ? this.#change.isResync : undefined;
  }

  get isNewEpoch(): boolean | undefined {
    return this.#change.type === "updated" ? (this.#change.isNewEpoch ?? false) : undefined;
  }

  get isFinalStateUnknown(): boolean | undefined {
    return this.#change.type === "deleted" ? this.#change.isFinalStateUnknown : undefined;
  }
}

/** What a handler saw when it first looked. */
interface Seen<T extends KubeObject> {
  readonly object: DeepReadonly<T> | undefined;
}

/** Throws only what decoding throws. */
function seenNow<T extends KubeObject>(read: () => DeepReadonly<T>): Seen<T> {
  try {
    return { object: read() };
  } catch (error) {
    if (isInstanceOf(error, EvictedBodyError)) return { object: undefined };
    throw error;
  }
}
