/** How long a connection to a cluster lives, and what must not outlive it. */
import { TransportError } from "@drover/client";
import type { WebSocketConnect } from "@drover/client";

/**
 * Guarantees: once `end` is called everything that was bound here is told to stop, `end` resolves when all of it is
 * over, and nothing new begins.
 */
export class Lifetime {
  readonly #ending = new AbortController();
  readonly #alive = new Set<Promise<unknown>>();

  /**
   * A signal that is aborted with the caller's own, for the same reason, and at the end of this life with a
   * `TransportError` of reason "closed". Throws when that is past.
   */
  signal(own?: AbortSignal): AbortSignal {
    this.#ending.signal.throwIfAborted();
    return own === undefined ? this.#ending.signal : AbortSignal.any([own, this.#ending.signal]);
  }

  /** Waits for this before it is over. */
  hold(over: Promise<unknown>): void {
    const settled: Promise<unknown> = over.catch(() => undefined).then(() => this.#alive.delete(settled));
    this.#alive.add(settled);
  }

  /** The same WebSockets, bound to this life. */
  bind(connect: WebSocketConnect): WebSocketConnect {
    return async (request) => {
      const opening = connect({ ...request, signal: this.signal(request.signal) });
      this.hold(opening.then(({ closed }) => closed));
      return opening;
    };
  }

  async end(): Promise<void> {
    this.#ending.abort(new TransportError("the connection to the cluster has been closed", { reason: "closed", sent: "maybe" }));
    await Promise.all(this.#alive);
  }
}
