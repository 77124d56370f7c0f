/**
 * One handler of a shared informer: calls the method of its `ResourceEventHandler` that matches a change.
 *
 *     Change<T> → ProcessorListener.notify → onAdd, onUpdate, onDelete
 *
 * Order, buffering and isolation are those of Drover's informer: pending changes are merged by key, so a slow handler
 * needs memory per key, not per change.
 */
import type { Change } from "@drover/cache";
import type { KubeObject } from "@drover/machinery";
import { DeletedFinalStateUnknown } from "./deleted-final-state-unknown.ts";
import type { ResourceEventHandler } from "./resource-event-handler.ts";

/** Calls one handler of a shared informer. */
export class ProcessorListener<T extends KubeObject> {
  readonly #handler: ResourceEventHandler<T>;
  /** Resync period in milliseconds; 0 means never. */
  readonly resyncPeriodMs: number;

  constructor(handler: ResourceEventHandler<T>, resyncPeriodMs: number) {
    this.#handler = handler;
    this.resyncPeriodMs = resyncPeriodMs;
  }

  /** Calls the handler once. The caller awaits its promise before the next call. */
  notify(change: Change<T>): void | Promise<void> {
    const { object } = change;
    if (change.type === "added") return this.#handler.onAdd(object, change.isInInitialList);
    if (change.type === "updated") return this.#handler.onUpdate(change.before, object);
    return this.#handler.onDelete(change.isFinalStateUnknown ? new DeletedFinalStateUnknown(change.key, object) : object);
  }
}
