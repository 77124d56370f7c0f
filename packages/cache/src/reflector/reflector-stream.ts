/**
 * The watch stream of a reflector: opens it, reads it batch by batch, and always ends it.
 *
 *     VersionSource.watch → ReflectorStream → batches
 */
import type { KubeObject, ListOptions } from "@drover/machinery";
import type { LazyWatchEvent, VersionSource } from "../source/version-source.ts";

/**
 * Sends the request at the first `next`, which also rejects with errors of the source. Guarantees: after `end`, no more
 * batches arrive, the request is aborted, and `next` rejects with the reason.
 */
export class ReflectorStream<T extends KubeObject> {
  readonly #controller = new AbortController();
  readonly #parent: AbortSignal;
  readonly #open: () => AsyncIterable<readonly LazyWatchEvent<T>[]>;
  #iterator: AsyncIterator<readonly LazyWatchEvent<T>[]> | undefined;
  readonly #follow = (): void => this.end(this.#parent.reason);
  #rest: readonly LazyWatchEvent<T>[] | undefined;
  /** Ends the current wait. */
  #interrupt: ((reason: unknown) => void) | undefined;

  constructor(source: VersionSource<T>, options: ListOptions, parent: AbortSignal) {
    this.#parent = parent;
    if (parent.aborted) this.#controller.abort(parent.reason);
    else parent.addEventListener("abort", this.#follow, { once: true });
    this.#open = () => source.watch(options, { signal: this.#controller.signal });
  }

  /** Aborted when the stream ends. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Returns the next batch; undefined if the server closed the stream normally. */
  async next(): Promise<readonly LazyWatchEvent<T>[] | undefined> {
    this.signal.throwIfAborted();
    const rest = this.#rest;
    this.#rest = undefined;
    if (rest !== undefined) return rest;
    const iterator = (this.#iterator ??= this.#open()[Symbol.asyncIterator]());
    const step = await new Promise<IteratorResult<readonly LazyWatchEvent<T>[], unknown>>((resolve, reject) => {
      this.#interrupt = reject;
      iterator.next().then(resolve, reject);
    });
    return step.done === true ? undefined : step.value;
  }

  /** Puts events back for the next read. */
  putBack(events: readonly LazyWatchEvent<T>[]): void {
    if (events.length > 0) this.#rest = events;
  }

  end(reason: unknown): void {
    this.#parent.removeEventListener("abort", this.#follow);
    if (this.signal.aborted) return;
    this.#controller.abort(reason);
    this.#interrupt?.(reason);
    // Not awaited: a source that hangs in next() would also hang here.
    this.#iterator?.return?.().then(undefined, () => undefined);
  }
}
