/**
 * An in-memory collection to list and watch, for tests of code that uses a `ListerWatcher`. client-go's tests call it
 * FakeControllerSource.
 *
 *     source.add(pod) → event on every watch        source.addDropWatch(pod) → changed, without an event
 */
import { deepCopy, newResourceExpired, objectKeyOf } from "@drover/machinery";
import type { KubeList, KubeObject, ListOptions, WatchEvent } from "@drover/machinery";
import type { ListerWatcher } from "../source/list-watcher.ts";
import type { SourceCall } from "../source/version-source.ts";

type Change<T> = Extract<WatchEvent<T>, { readonly type: "ADDED" | "MODIFIED" | "DELETED" }>;

/** Guarantees: versions grow by one with every change; a watch gets every change after its version, except those made without an event. */
export class ControllerSource<T extends KubeObject> implements ListerWatcher<T> {
  readonly description = "objects of the test";
  readonly supportsWatchList = false;
  readonly #objects = new Map<string, T>();
  #history: { readonly version: number; readonly change: Change<T> }[] = [];
  #version = 0;
  #oldest = 0;
  /** Wakes the watches. */
  #changed: (() => void)[] = [];
  /** Options of all lists and watches so far. */
  readonly lists: ListOptions[] = [];
  readonly watches: ListOptions[] = [];
  #listError: Error | undefined;

  add(object: T): T {
    return this.#change("ADDED", object, true);
  }

  modify(object: T): T {
    return this.#change("MODIFIED", object, true);
  }

  delete(object: T): T {
    return this.#change("DELETED", object, true);
  }

  addDropWatch(object: T): T {
    return this.#change("ADDED", object, false);
  }

  modifyDropWatch(object: T): T {
    return this.#change("MODIFIED", object, false);
  }

  deleteDropWatch(object: T): T {
    return this.#change("DELETED", object, false);
  }

  /** Makes the next list fail. */
  failList(error: Error): void {
    this.#listError = error;
  }

  /** Ends all watches and drops the history, so that clients must relist. */
  resetWatch(): void {
    this.#history = [];
    this.#version++;
    this.#oldest = this.#version;
    this.#wake();
  }

  list(options: ListOptions): Promise<KubeList<T>> {
    this.lists.push(options);
    const error = this.#listError;
    this.#listError = undefined;
    if (error !== undefined) return Promise.reject(error);
    return Promise.resolve({
      metadata: { resourceVersion: String(this.#version) },
      items: [...this.#objects.values()].map((object) => deepCopy(object) as T),
    } as KubeList<T>);
  }

  async *watch(options: ListOptions, { signal }: SourceCall): AsyncGenerator<WatchEvent<T>, void, undefined> {
    this.watches.push(options);
    let seen = Number(options.resourceVersion ?? 0);
    while (!signal.aborted) {
      if (seen < this.#oldest) {
        yield { type: "ERROR", object: newResourceExpired(`too old resource version: ${seen} (${this.#oldest})`) };
        return;
      }
      const news = this.#history.filter(({ version }) => version > seen);
      for (const { version, change } of news) {
        seen = version;
        yield { type: change.type, object: deepCopy(change.object) as T };
      }
      if (news.length === 0) await this.#nextChange(signal);
    }
    signal.throwIfAborted();
  }

  #change(type: Change<T>["type"], given: T, isTold: boolean): T {
    this.#version++;
    const object = deepCopy(given) as T;
    object.metadata.resourceVersion = String(this.#version);
    object.metadata.uid ??= `uid-${objectKeyOf(given)}`;
    if (type === "DELETED") this.#objects.delete(objectKeyOf(given));
    else this.#objects.set(objectKeyOf(given), object);
    if (isTold) this.#history.push({ version: this.#version, change: { type, object } });
    this.#wake();
    return object;
  }

  #wake(): void {
    for (const wake of this.#changed.splice(0)) wake();
  }

  #nextChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#changed.push(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}
