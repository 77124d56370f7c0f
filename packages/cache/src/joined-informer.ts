/**
 * One user's view of one or more informers: several namespaces as one cache, and everything the user added gone when the user goes.
 *
 *     informer of "shop" + informer of "home" → JoinedInformer → the same reads and handlers as on one
 */
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly, GroupResource, KubeObject, ObjectKey } from "@drover/machinery";
import type { ChangeHandler, HandlerOptions, HandlerRegistration, HandlerState } from "./handler-runner.ts";
import type { InformerView } from "./informer.ts";
import type { ListFilter } from "./list-filter.ts";
import { createLister } from "./lister.ts";
import type { Lister } from "./lister.ts";
import type { ObjectVersion } from "./object-version.ts";
import type { Indexers } from "./store-index.ts";

/** Assumes that no object is in two of the parts. */
export class JoinedInformer<T extends KubeObject> implements InformerView<T> {
  readonly name: string;
  readonly lister: Lister<T>;
  readonly #parts: readonly InformerView<T>[];
  readonly #registrations = new Set<HandlerRegistration>();
  #isReleased = false;

  constructor(parts: readonly InformerView<T>[], resource: GroupResource) {
    this.#parts = parts;
    this.name = parts.map(({ name }) => name).join(", ");
    this.lister = createLister(this, resource);
  }

  get origin(): InformerView<T> | undefined {
    return this.#parts.length === 1 ? this.#parts[0] : undefined;
  }

  get size(): number {
    return sum(this.#parts.map(({ size }) => size));
  }

  get(key: ObjectKey): DeepReadonly<T> | undefined {
    return this.getVersion(key)?.object;
  }

  getVersion(key: ObjectKey): ObjectVersion<T> | undefined {
    for (const part of this.#parts) {
      const version = part.getVersion(key);
      if (version !== undefined) return version;
    }
    return undefined;
  }

  list(filter?: ListFilter): DeepReadonly<T>[] {
    return this.#parts.flatMap((part) => part.list(filter));
  }

  keys(): ObjectKey[] {
    return this.#parts.flatMap((part) => part.keys());
  }

  byIndex(index: string, value: string): DeepReadonly<T>[] {
    return this.#parts.flatMap((part) => part.byIndex(index, value));
  }

  indexKeys(index: string, value: string): ObjectKey[] {
    return this.#parts.flatMap((part) => part.indexKeys(index, value)).toSorted(compareBytes);
  }

  listIndexValues(index: string): string[] {
    return [...new Set(this.#parts.flatMap((part) => part.listIndexValues(index)))];
  }

  get indexNames(): readonly string[] {
    return [...new Set(this.#parts.flatMap((part) => part.indexNames))];
  }

  addIndexers(indexers: Indexers<ObjectVersion<T>>): void {
    const taken = this.indexNames.filter((name) => Object.hasOwn(indexers, name));
    if (taken.length > 0)
      throw new Error(`indexer conflict: ${taken.map((name) => JSON.stringify(name)).join(", ")} is there already; choose another name`);
    for (const part of this.#parts) part.addIndexers(indexers);
  }

  get hasSynced(): boolean {
    return this.#parts.every(({ hasSynced }) => hasSynced);
  }

  async synced(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#parts.map((part) => part.synced(signal)));
  }

  addHandler(handler: ChangeHandler<T>, options?: HandlerOptions): HandlerRegistration {
    if (this.#isReleased) throw new Error(`cannot add a handler to ${this.name}: this lease was released; acquire another`);
    const registration = joinedRegistration(
      this.#parts.map((part) => part.addHandler(handler, options)),
      (removed) => this.#registrations.delete(removed),
    );
    this.#registrations.add(registration);
    return registration;
  }

  /** Removes every handler that was added here. */
  release(): void {
    this.#isReleased = true;
    for (const registration of this.#registrations) registration.remove();
  }
}

function joinedRegistration(
  parts: readonly HandlerRegistration[],
  onRemoved: (registration: HandlerRegistration) => void,
): HandlerRegistration {
  const registration: HandlerRegistration = {
    name: parts[0]?.name ?? "",
    get hasSynced() {
      return parts.every(({ hasSynced }) => hasSynced);
    },
    synced: async (signal) => {
      await Promise.all(parts.map((part) => part.synced(signal)));
    },
    remove: () => {
      for (const part of parts) part.remove();
      onRemoved(registration);
    },
    state: () =>
      joinedState(
        registration,
        parts.map((part) => part.state()),
      ),
  };
  return registration;
}

function joinedState({ name, hasSynced }: HandlerRegistration, states: readonly HandlerState[]): HandlerState {
  return {
    name,
    hasSynced,
    pendingKeys: sum(states.map(({ pendingKeys }) => pendingKeys)),
    running: states.find(({ running }) => running !== undefined)?.running,
    errors: sum(states.map(({ errors }) => errors)),
    givenUp: sum(states.map(({ givenUp }) => givenUp)),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
