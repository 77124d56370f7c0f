/**
 * One user's view of one or more informers: several namespaces as one cache, and a release that removes everything the user added.
 *
 *     informer of "shop" + informer of "home" → JoinedInformer → reads and handlers as on a single informer
 */
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly, GroupResource, KubeObject, ObjectKey } from "@drover/machinery";
import type { ChangeHandler, HandlerOptions, HandlerRegistration, HandlerState } from "../handlers/handler-runner.ts";
import type { Informer, InformerView } from "./informer.ts";
import { namespaceIndex } from "../store/informer-store.ts";
import type { ListFilter } from "./list-filter.ts";
import { createLister } from "./lister.ts";
import type { Lister } from "./lister.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import type { FollowedStore } from "../store/store-follower.ts";
import type { Indexers } from "../store/store-index.ts";

/** Assumes: no object is in two of the parts. */
export class JoinedInformer<T extends KubeObject> implements InformerView<T> {
  readonly name: string;
  readonly lister: Lister<T>;
  readonly #parts: readonly Informer<T>[];
  /** Names of this user's indexes, with the internal name in each part. */
  readonly #indexes = new Map<string, readonly string[]>();
  readonly #registrations = new Set<HandlerRegistration>();
  readonly #followed = new Set<FollowedStore>();
  #isReleased = false;

  constructor(parts: readonly Informer<T>[], resource: GroupResource) {
    this.#parts = parts;
    this.name = parts.map(({ name }) => name).join(", ");
    this.lister = createLister(this, resource);
  }

  get origin(): InformerView<T> | undefined {
    return this.#parts.length === 1 ? this.#parts[0] : undefined;
  }

  get fields(): readonly string[] | undefined {
    return this.#parts[0]?.fields;
  }

  get follow(): InformerView<T>["follow"] {
    const [only, ...others] = this.#parts;
    if (only === undefined || others.length > 0) return undefined;
    return (follower) => {
      const followed = only.follow(follower);
      this.#followed.add(followed);
      return followed;
    };
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
    return this.#parts.flatMap((part, place) => part.byIndex(this.#keptAs(index, place), value));
  }

  indexKeys(index: string, value: string): ObjectKey[] {
    return this.#parts.flatMap((part, place) => part.indexKeys(this.#keptAs(index, place), value)).toSorted(compareBytes);
  }

  listIndexValues(index: string): string[] {
    return [...new Set(this.#parts.flatMap((part, place) => part.listIndexValues(this.#keptAs(index, place))))];
  }

  get indexNames(): readonly string[] {
    return [namespaceIndex, ...this.#indexes.keys()];
  }

  addIndexers(indexers: Indexers<ObjectVersion<T>>): void {
    const taken = this.indexNames.filter((name) => Object.hasOwn(indexers, name));
    if (taken.length > 0)
      throw new Error(`indexer conflict: ${taken.map((name) => JSON.stringify(name)).join(", ")} exists already; choose another name`);
    for (const [name, valuesOf] of Object.entries(indexers))
      this.#indexes.set(
        name,
        this.#parts.map((part) => part.shareIndexer(name, valuesOf)),
      );
  }

  #keptAs(index: string, place: number): string {
    const kept = this.#indexes.get(index)?.[place] ?? (index === namespaceIndex ? index : undefined);
    if (kept !== undefined) return kept;
    const names = this.indexNames.map((name) => JSON.stringify(name)).join(", ");
    throw new Error(`Index with name ${index} does not exist; there are ${names}`);
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

  /** Removes every handler and every index added through this view. */
  release(): void {
    this.#isReleased = true;
    for (const registration of this.#registrations) registration.remove();
    for (const followed of this.#followed) followed.end();
    this.#followed.clear();
    for (const kept of this.#indexes.values()) kept.forEach((name, place) => this.#parts[place]?.releaseIndexer(name));
    this.#indexes.clear();
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
