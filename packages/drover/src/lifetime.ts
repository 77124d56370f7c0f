/** The lifetime of a connection, and everything that must end with it. */
import { TransportError } from "@drover/client";
import type { WebSocketConnect } from "@drover/client";

/** Guarantees: `end` aborts everything that was bound here and resolves when all of it is over; nothing new starts afterwards. */
export class Lifetime {
  readonly #ending = new AbortController();
  readonly #alive = new Set<Promise<unknown>>();

  /**
   * Returns a signal that aborts with the caller's own, for the same reason, and at the end of this lifetime with a
   * `TransportError` with reason "closed". Throws if the lifetime is over.
   */
  signal(own?: AbortSignal): AbortSignal {
    this.#ending.signal.throwIfAborted();
    return own === undefined ? this.#ending.signal : AbortSignal.any([own, this.#ending.signal]);
  }

  /** Makes `end` wait for this promise. */
  hold(over: Promise<unknown>): void {
    const settled: Promise<unknown> = over.catch(() => undefined).then(() => this.#alive.delete(settled));
    this.#alive.add(settled);
  }

  /** Binds WebSockets to this lifetime. */
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
