/**
 * Pending changes of one handler, merged per key: its size is bounded by the number of keys, not by the number of changes.
 *
 *     StoreChange → HandlerBuffer → take(), in the order in which keys became pending
 */
import type { KubeObject, ObjectKey } from "@drover/machinery";
import { isInitial, nextChange, withFailed, withChange } from "./handler-buffer-state.ts";
import type { Pending } from "./handler-buffer-state.ts";
import type { StoreChange } from "../store/change.ts";

/** Guarantees: at most two changes per key; the last change taken of a key has the state of the last one pushed. */
export class HandlerBuffer<T extends KubeObject> {
  /** In the order in which keys became pending. */
  readonly #ready = new Map<ObjectKey, Pending<T>>();
  /** Keys that failed and wait for their retry; later changes are merged here. */
  readonly #held = new Map<ObjectKey, Pending<T>>();
  /**
   * Iterator at the next key. It is kept, because a new iterator would step over every slot that was emptied before, and taking 100,000
   * keys would need seconds.
   */
  #cursor: Iterator<ObjectKey> = this.#ready.keys();
  /** Key whose deletion was taken and whose following addition was not. */
  #halfTold: ObjectKey | undefined;
  #initialCount = 0;

  /** Number of pending keys. */
  get size(): number {
    return this.#ready.size + this.#held.size;
  }

  get hasReady(): boolean {
    return this.#ready.size > 0;
  }

  /** Number of pending objects of the initial list; without those that the handler is processing. */
  get initialCount(): number {
    return this.#initialCount;
  }

  isHeld(key: ObjectKey): boolean {
    return this.#held.has(key);
  }

  /** Adds a change. Returns whether it was merged with a pending one. */
  push(change: StoreChange<T>): boolean {
    const { key } = change;
    const place = this.#held.has(key) ? this.#held : this.#ready;
    const before = place.get(key);
    this.#put(place, key, before, withChange(before, change));
    return before !== undefined;
  }

  /** Takes the next change; undefined if none can be delivered now. */
  take(): StoreChange<T> | undefined {
    const key = this.#nextKey();
    const pending = key === undefined ? undefined : this.#ready.get(key);
    if (key === undefined || pending === undefined) return undefined;
    const [change, rest] = nextChange(pending);
    this.#halfTold = rest === undefined ? undefined : key;
    this.#put(this.#ready, key, pending, rest);
    return change;
  }

  /** Puts back a failed change; its key is held until `release`. */
  hold(failed: StoreChange<T>): void {
    const { key } = failed;
    const before = this.#ready.get(key);
    this.#put(this.#ready, key, before, undefined);
    this.#put(this.#held, key, undefined, withFailed(failed, before));
  }

  /** Releases a held key, behind the pending ones. */
  release(key: ObjectKey): void {
    const pending = this.#held.get(key);
    this.#put(this.#held, key, pending, undefined);
    this.#put(this.#ready, key, undefined, pending);
  }

  clear(): void {
    this.#ready.clear();
    this.#held.clear();
    this.#initialCount = 0;
    this.#cursor = this.#ready.keys();
  }

  #nextKey(): ObjectKey | undefined {
    if (this.#halfTold !== undefined && this.#ready.has(this.#halfTold)) return this.#halfTold;
    const next = this.#cursor.next();
    if (next.done !== true) return next.value;
    // An exhausted iterator stays exhausted, even if keys are added.
    this.#cursor = this.#ready.keys();
    const first = this.#cursor.next();
    return first.done === true ? undefined : first.value;
  }

  #put(place: Map<ObjectKey, Pending<T>>, key: ObjectKey, before: Pending<T> | undefined, after: Pending<T> | undefined): void {
    this.#initialCount += Number(isInitial(after)) - Number(isInitial(before));
    if (after !== undefined) place.set(key, after);
    else if (before !== undefined) place.delete(key);
  }
}
