/**
 * The controller of one kind, shared by all who have something to do with it: one cache, one queue, one chain of handlers.
 *
 *     SharedControllerFactory → SharedController.registerHandler → SharedHandler, LassoController
 *
 * Its cache and its queue come into being when somebody registers a handler, asks for a key or asks for the cache.
 */
import type { SharedIndexInformer } from "@drover/client-go";
import type { Client } from "./client/new-client.ts";
import type { GroupVersionKind, GroupVersionResource, KubeObject } from "@drover/machinery";
import { HandlerTransaction } from "./handler-transaction.ts";
import type { EnqueueReason, LassoController } from "./lasso-controller.ts";
import type { SharedControllerHandler, SharedHandler } from "./shared-handler.ts";

export interface SharedController<T extends KubeObject = KubeObject> extends LassoController<T> {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  /**
   * Adds a handler at the end of the chain, until the signal is aborted; in a transaction, with its commit. Every key that its
   * cache has by then runs again, with all handlers. Throws when the name is taken.
   */
  registerHandler(until: AbortSignal | HandlerTransaction, name: string, handler: SharedControllerHandler<T>): void;
  /** The nine verbs of its resource, for reading at the server itself and for writing. */
  client(): Client<T>;
  /**
   * As a controller's `start`; does nothing while nobody has asked for anything. @param workers when not above zero,
   * the factory's number
   */
  start(signal: AbortSignal, workers: number): Promise<void>;
}

export interface SharedControllerParts<T extends KubeObject> {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly client: Client<T>;
  readonly handler: SharedHandler<T>;
  /** Makes the cache and the queue, which is done once. */
  readonly make: () => LassoController<T>;
  /** How many workers, when the start asks for so many. */
  readonly workersFor: (asked: number) => number;
}

/** A shared controller whose cache and queue are made when they are first needed. */
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
    // Before the start there are none.
    for (const key of controller.informer().getStore().listKeys()) controller.enqueueKey(key, { note: `handler ${name} was registered` });
  }
}
