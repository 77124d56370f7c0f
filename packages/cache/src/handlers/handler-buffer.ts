/**
 * What one handler is still to be told, per key and merged: it grows with the number of keys, never with the number of changes.
 *
 *     StoreChange → HandlerBuffer → take(), in the order in which keys began to wait
 */
import type { KubeObject, ObjectKey } from "@drover/machinery";
import { isInitial, nextChange, withFailed, withChange } from "./handler-buffer-state.ts";
import type { Pending } from "./handler-buffer-state.ts";
import type { StoreChange } from "../store/change.ts";

/** Guarantees: at most two changes per key; the last one told of a key agrees with the last one pushed. */
export class HandlerBuffer<T extends KubeObject> {
  /** In the order in which keys began to wait. */
  readonly #ready = new Map<ObjectKey, Pending<T>>();
  /** Keys that failed and wait for their time; what comes meanwhile is merged here. */
  readonly #held = new Map<ObjectKey, Pending<T>>();
  /**
   * Where the next key stands; everything before it has been taken. Kept, since a new iterator steps over every place that was emptied
   * before it, and catching up with 100,000 keys would take seconds.
   */
  #cursor: Iterator<ObjectKey> = this.#ready.keys();
  /** The key whose deletion has been taken and whose next beginning has not. */
  #halfTold: ObjectKey | undefined;
  #initialCount = 0;

  /** How many keys wait. */
  get size(): number {
    return this.#ready.size + this.#held.size;
  }

  get hasReady(): boolean {
    return this.#ready.size > 0;
  }

  /** How many objects of the initial list are neither told nor gone. Those being told right now are not counted. */
  get initialCount(): number {
    return this.#initialCount;
  }

  isHeld(key: ObjectKey): boolean {
    return this.#held.has(key);
  }

  /** Adds a change. Gives whether it was merged with one that waited. */
  push(change: StoreChange<T>): boolean {
    const { key } = change;
    const place = this.#held.has(key) ? this.#held : this.#ready;
    const before = place.get(key);
    this.#put(place, key, before, withChange(before, change));
    return before !== undefined;
  }

  /** The next change to tell; undefined when none may be told now. */
  take(): StoreChange<T> | undefined {
    const key = this.#nextKey();
    const pending = key === undefined ? undefined : this.#ready.get(key);
    if (key === undefined || pending === undefined) return undefined;
    const [change, rest] = nextChange(pending);
    this.#halfTold = rest === undefined ? undefined : key;
    this.#put(this.#ready, key, pending, rest);
    return change;
  }

  /** Takes back a change that failed; its key waits until `release`. */
  hold(failed: StoreChange<T>): void {
    const { key } = failed;
    const before = this.#ready.get(key);
    this.#put(this.#ready, key, before, undefined);
    this.#put(this.#held, key, undefined, withFailed(failed, before));
  }

  /** Lets a held key be told again, after those that wait already. */
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
    // An iterator that has come to its end stays there, whatever is added.
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
