/**
 * The handlers of a shared informer: adds each listener to Drover's informer and knows which registration is whose.
 *
 *     addListener(ProcessorListener) → InformerView.addHandler → ResourceEventHandlerRegistration
 */
import type { HandlerRegistration, InformerView } from "@drover/cache";
import type { KubeObject } from "@drover/machinery";
import type { ProcessorListener } from "./processor-listener.ts";
import type { ResourceEventHandlerRegistration } from "./shared-informer.ts";

/** Guarantees: a handler is called once for each change, also when it throws; a slow handler delays no other. */
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

  /** Removes a listener; a registration of another informer does nothing. */
  removeListener(registration: ResourceEventHandlerRegistration): void {
    this.#registrations.get(registration)?.remove();
    this.#registrations.delete(registration);
  }
}
