/**
 * The controller of one kind, shared by all its users: one cache, one queue, one chain of handlers.
 *
 *     SharedControllerFactory → SharedController.registerHandler → SharedHandler, LassoController
 *
 * Its cache and queue are created when a handler is registered, a key is enqueued, or the informer is requested.
 */
import type { SharedIndexInformer } from "@drover/client-go";
import type { Client } from "./client/new-client.ts";
import type { GroupVersionKind, GroupVersionResource, KubeObject } from "@drover/machinery";
import { HandlerTransaction } from "./handler-transaction.ts";
import type { EnqueueReason, LassoController } from "./lasso-controller.ts";
import type { SharedControllerHandler, SharedHandler } from "./shared-handler.ts";

/** The shared controller of one kind. */
export interface SharedController<T extends KubeObject = KubeObject> extends LassoController<T> {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  /**
   * Appends a handler to the chain until the signal aborts; in a transaction, on commit. Enqueues every key that the cache already holds,
   * for all handlers. Throws if the name is taken.
   */
  registerHandler(until: AbortSignal | HandlerTransaction, name: string, handler: SharedControllerHandler<T>): void;
  /** Returns the client of its resource, for writes and for reads from the server. */
  client(): Client<T>;
  /** Starts the controller; does nothing if it has no cache yet. @param workers if not positive, the factory's number */
  start(signal: AbortSignal, workers: number): Promise<void>;
}

export interface SharedControllerParts<T extends KubeObject> {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly client: Client<T>;
  readonly handler: SharedHandler<T>;
  /** Creates the cache and the queue; called once. */
  readonly make: () => LassoController<T>;
  /** Returns the number of workers for the number passed to `start`. */
  readonly workersFor: (asked: number) => number;
}

/** A shared controller whose cache and queue are created on first use. */
export class DeferredController<T extends KubeObject> implements SharedController<T> {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly #parts: SharedControllerParts<T>;
  #made: LassoController<T> | undefined;

  constructor(parts: SharedControllerParts<T>) {
    this.resource = parts.resource;
    this.kind = parts.kind;
    this.#parts = parts;
  }

  enqueue(namespace: string, name: string, reason?: EnqueueReason): void {
    this.#controller().enqueue(namespace, name, reason);
  }

  enqueueAfter(namespace: string, name: string, afterMs: number, reason?: EnqueueReason): void {
    this.#controller().enqueueAfter(namespace, name, afterMs, reason);
  }

  enqueueKey(key: string, reason?: EnqueueReason): void {
    this.#controller().enqueueKey(key, reason);
  }

  informer(): SharedIndexInformer<T> {
    return this.#controller().informer();
  }

  client(): Client<T> {
    return this.#parts.client;
  }

  registerHandler(until: AbortSignal | HandlerTransaction, name: string, handler: SharedControllerHandler<T>): void {
    const controller = this.#controller();
    if (until instanceof HandlerTransaction) until.add(() => this.#register(controller, until.signal, name, handler));
    else this.#register(controller, until, name, handler);
  }

  async start(signal: AbortSignal, workers: number): Promise<void> {
    if (this.#made === undefined) return;
    await this.#made.start(signal, this.#parts.workersFor(workers));
  }

  async ended(): Promise<void> {
    await this.#made?.ended();
  }

  #controller(): LassoController<T> {
    return (this.#made ??= this.#parts.make());
  }

  #register(controller: LassoController<T>, signal: AbortSignal, name: string, handler: SharedControllerHandler<T>): void {
    this.#parts.handler.register(signal, name, handler);
    if (signal.aborted) return;
    // Empty before the start.
    for (const key of controller.informer().getStore().listKeys()) controller.enqueueKey(key, { note: `handler ${name} was registered` });
  }
}
