/**
 * The one stream of a reflector: opened, read batch by batch, and ended whatever happens.
 *
 *     VersionSource.watch → ReflectorStream → batches
 */
import type { KubeObject, ListOptions } from "@drover/machinery";
import type { LazyWatchEvent, VersionSource } from "../source/version-source.ts";

/**
 * The request is sent with the first `next`, which also rejects with what the source throws. Guarantees: after `end`
 * nothing more comes, the request is aborted, and `next` rejects with the reason.
 */
export class ReflectorStream<T extends KubeObject> {
  readonly #controller = new AbortController();
  readonly #parent: AbortSignal;
  readonly #open: () => AsyncIterable<readonly LazyWatchEvent<T>[]>;
  #iterator: AsyncIterator<readonly LazyWatchEvent<T>[]> | undefined;
  readonly #follow = (): void => this.end(this.#parent.reason);
  #rest: readonly LazyWatchEvent<T>[] | undefined;
  /** Ends the wait that is under way. */
  #interrupt: ((reason: unknown) => void) | undefined;

  constructor(source: VersionSource<T>, options: ListOptions, parent: AbortSignal) {
    this.#parent = parent;
    if (parent.aborted) this.#controller.abort(parent.reason);
    else parent.addEventListener("abort", this.#follow, { once: true });
    this.#open = () => source.watch(options, { signal: this.#controller.signal });
  }

  /** Aborted once the stream is ended. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The next batch; undefined when the server has closed in good order. */
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

  /** Puts events back that are for whoever reads next. */
  putBack(events: readonly LazyWatchEvent<T>[]): void {
    if (events.length > 0) this.#rest = events;
  }

  end(reason: unknown): void {
    this.#parent.removeEventListener("abort", this.#follow);
    if (this.signal.aborted) return;
    this.#controller.abort(reason);
    this.#interrupt?.(reason);
    // Not awaited: a source that hangs in next() would hang here too.
    this.#iterator?.return?.().then(undefined, () => undefined);
  }
}
