/**
 * The handlers of a shared informer: adds each listener to Drover's informer and maps registrations to listeners.
 *
 *     addListener(ProcessorListener) → InformerView.addHandler → ResourceEventHandlerRegistration
 */
import type { HandlerRegistration, InformerView } from "@drover/cache";
import type { KubeObject } from "@drover/machinery";
import type { ProcessorListener } from "./processor-listener.ts";
import type { ResourceEventHandlerRegistration } from "./shared-informer.ts";

/** Guarantees: a handler is called once per change, even if it throws; a slow handler delays no other. */
export class SharedProcessor<T extends KubeObject> {
  readonly #informer: InformerView<T>;
  readonly #registrations = new Map<ResourceEventHandlerRegistration, HandlerRegistration>();

  constructor(informer: InformerView<T>) {
    this.#informer = informer;
  }

  addListener(listener: ProcessorListener<T>): ResourceEventHandlerRegistration {
    const handler = this.#informer.addHandler((change) => listener.notify(change), {
      name: `event handler ${this.#registrations.size + 1}`,
      resyncMs: listener.resyncPeriodMs,
      retriesMax: 0,
    });
    const registration: ResourceEventHandlerRegistration = { hasSynced: () => handler.hasSynced };
    this.#registrations.set(registration, handler);
    return registration;
  }

  /** Removes a listener. Ignores registrations of other informers. */
  removeListener(registration: ResourceEventHandlerRegistration): void {
    this.#registrations.get(registration)?.remove();
    this.#registrations.delete(registration);
  }
}
