/**
 * One user's view of a shared bounded informer: a release removes the handlers that the user added.
 *
 *     BoundedInformer → LeasedBounded → user
 */
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import type { ReadCall } from "../bodies/body-reader.ts";
import type { BoundedChangeHandler } from "../bodies/bounded-change.ts";
import type { HandlerOptions, HandlerRegistration } from "../handlers/handler-runner.ts";
import type { BoundedInformer, BoundedInformerView, ObjectIdentity } from "./bounded-informer.ts";

export class LeasedBounded<T extends KubeObject> implements BoundedInformerView<T> {
  readonly #shared: BoundedInformer<T>;
  readonly #registrations = new Set<HandlerRegistration>();
  #isReleased = false;

  constructor(shared: BoundedInformer<T>) {
    this.#shared = shared;
  }

  get name(): string {
    return this.#shared.name;
  }

  get size(): number {
    return this.#shared.size;
  }

  get fields(): readonly string[] | undefined {
    return this.#shared.fields;
  }

  identity(key: ObjectKey): ObjectIdentity | undefined {
    return this.#shared.identity(key);
  }

  keys(): ObjectKey[] {
    return this.#shared.keys();
  }

  indexKeys(index: string, value: string): ObjectKey[] {
    return this.#shared.indexKeys(index, value);
  }

  listIndexValues(index: string): string[] {
    return this.#shared.listIndexValues(index);
  }

  get indexNames(): readonly string[] {
    return this.#shared.indexNames;
  }

  get(key: ObjectKey, call?: ReadCall): Promise<DeepReadonly<T> | undefined> {
    return this.#shared.get(key, call);
  }

  byIndex(index: string, value: string, call?: ReadCall): AsyncIterableIterator<DeepReadonly<T>, void, undefined> {
    return this.#shared.byIndex(index, value, call);
  }

  list(call?: ReadCall): AsyncIterableIterator<DeepReadonly<T>, void, undefined> {
    return this.#shared.list(call);
  }

  addHandler(handler: BoundedChangeHandler<T>, options?: HandlerOptions): HandlerRegistration {
    if (this.#isReleased) throw new Error(`cannot add a handler to ${this.name}: this lease was released; acquire another`);
    const shared = this.#shared.addHandler(handler, options);
    const registration: HandlerRegistration = {
      name: shared.name,
      get hasSynced() {
        return shared.hasSynced;
      },
      synced: (signal) => shared.synced(signal),
      state: () => shared.state(),
      remove: () => {
        this.#registrations.delete(registration);
        shared.remove();
      },
    };
    this.#registrations.add(registration);
    return registration;
  }

  get hasSynced(): boolean {
    return this.#shared.hasSynced;
  }

  synced(signal: AbortSignal): Promise<void> {
    return this.#shared.synced(signal);
  }

  /** Removes every handler added through this view. */
  release(): void {
    this.#isReleased = true;
    for (const registration of this.#registrations) registration.remove();
  }
}
