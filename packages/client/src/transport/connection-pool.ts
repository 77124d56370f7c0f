/**
 * Keeps connections for the next request and bounds how many calls run at once. Knows nothing of sockets: whoever makes it says how to
 * connect, how to tell a live connection, and how to close one.
 *
 *     acquire → Lease → release: the connection is idle again, or gone if it can no longer be used
 */

export interface ConnectionPoolOptions<C> {
  readonly connect: (options: { readonly signal: AbortSignal | undefined }) => Promise<C>;
  /** Whether another request may be sent through it. Asked when it comes back and when it is taken again. */
  readonly isUsable: (connection: C) => boolean;
  readonly close: (connection: C) => void;
  /** How many counted leases there may be at once; more wait their turn. */
  readonly callsMax: number;
}

export interface AcquireOptions {
  /** Streams are not counted: they last for hours and must not starve the calls. */
  readonly counted: boolean;
  /** Waited for before an idle connection is taken, so that a close which has already arrived can be noticed. @default nothing */
  readonly beforeReuse?: () => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

/** The right to use a connection for one exchange. */
export interface Lease<C> {
  readonly connection: C;
  /** Gives it back. Doing it twice does no harm. */
  readonly release: () => void;
}

interface Waiter {
  readonly admit: () => void;
}

/** Guarantees: never more than `callsMax` counted leases, handed out in the order of asking; a connection is in at most one lease. */
export class ConnectionPool<C> {
  readonly #options: ConnectionPoolOptions<C>;
  /** The most recently used last. */
  readonly #idle: C[] = [];
  readonly #leased = new Set<C>();
  readonly #waiting = new Set<Waiter>();
  #calls = 0;
  #retired = false;

  constructor(options: ConnectionPoolOptions<C>) {
    this.#options = options;
  }

  /** A connection: an idle one if there is one, else a new one. Rejects with the signal's reason or with what connecting failed with. */
  async acquire({ counted, beforeReuse, signal }: AcquireOptions): Promise<Lease<C>> {
    signal?.throwIfAborted();
    if (counted) await this.#admitted(signal);
    try {
      if (beforeReuse !== undefined && this.#idle.length > 0) await beforeReuse();
      const connection = this.#takeIdle() ?? (await this.#options.connect({ signal }));
      this.#leased.add(connection);
      return { connection, release: this.#releaseOnce(connection, counted) };
    } catch (error) {
      if (counted) this.#leave();
      throw error;
    }
  }

  /** Whether it is retired and the last connection has come back: nothing is left to be closed. */
  get isDrained(): boolean {
    return this.#retired && this.#leased.size === 0 && this.#calls === 0;
  }

  /** Drops an idle connection that has died. */
  forget(connection: C): void {
    const place = this.#idle.indexOf(connection);
    if (place !== -1) this.#idle.splice(place, 1);
  }

  /** Closes what is idle, and from now on every connection that comes back. Those in use go on. */
  retire(): void {
    this.#retired = true;
    for (const connection of this.#idle.splice(0)) this.#options.close(connection);
  }

  /** Closes everything, in use or not. */
  close(): void {
    this.retire();
    for (const connection of this.#leased) this.#options.close(connection);
  }

  #takeIdle(): C | undefined {
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (this.#options.isUsable(connection)) return connection;
      this.#options.close(connection);
    }
    return undefined;
  }

  #releaseOnce(connection: C, counted: boolean): () => void {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#leased.delete(connection);
      if (!this.#retired && this.#options.isUsable(connection)) this.#idle.push(connection);
      else this.#options.close(connection);
      if (counted) this.#leave();
    };
  }

  #admitted(signal: AbortSignal | undefined): Promise<void> {
    if (this.#calls < this.#options.callsMax) {
      this.#calls++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#waiting.delete(waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        admit: () => {
          signal?.removeEventListener("abort", abort);
          resolve();
        },
      };
      this.#waiting.add(waiter);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** The place goes straight to whoever has waited longest. */
  #leave(): void {
    for (const waiter of this.#waiting) {
      this.#waiting.delete(waiter);
      return waiter.admit();
    }
    this.#calls--;
  }
}
