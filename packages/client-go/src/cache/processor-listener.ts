/**
 * One handler of a shared informer: calls the `ResourceEventHandler` with what a change means to it.
 *
 *     Change<T> → ProcessorListener.notify → onAdd, onUpdate, onDelete
 *
 * Order, buffering and isolation are those of Drover's informer: changes that wait are merged by key, so a slow handler
 * costs memory for each key and not for each change.
 */
import type { Change } from "@drover/cache";
import type { KubeObject } from "@drover/machinery";
import { DeletedFinalStateUnknown } from "./deleted-final-state-unknown.ts";
import type { ResourceEventHandler } from "./resource-event-handler.ts";

export class ProcessorListener<T extends KubeObject> {
  readonly #handler: ResourceEventHandler<T>;
  /** How often every object is repeated to the handler, in milliseconds; 0 is never. */
  readonly resyncPeriodMs: number;

  constructor(handler: ResourceEventHandler<T>, resyncPeriodMs: number) {
    this.#handler = handler;
    this.resyncPeriodMs = resyncPeriodMs;
  }

  /** Calls the handler once. Its promise is awaited before the next call. */
  notify(change: Change<T>): void | Promise<void> {
    const { object } = change;
    if (change.type === "added") return this.#handler.onAdd(object, change.isInInitialList);
    if (change.type === "updated") return this.#handler.onUpdate(change.before, object);
    return this.#handler.onDelete(change.isFinalStateUnknown ? new DeletedFinalStateUnknown(change.key, object) : object);
  }
}
