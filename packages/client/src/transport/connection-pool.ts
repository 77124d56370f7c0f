/**
 * Reuses connections and limits concurrent calls. Independent of sockets: the caller passes functions to connect, to check
 * and to close a connection.
 *
 *     acquire → Lease → release: the connection is idle again, or closed if it is no longer usable
 */
import { CallSlots } from "./call-slots.ts";

export interface ConnectionPoolOptions<C> {
  readonly connect: (options: { readonly signal: AbortSignal | undefined }) => Promise<C>;
  /** Whether the connection can take another request. Called when it is released and when it is reused. */
  readonly isUsable: (connection: C) => boolean;
  readonly close: (connection: C) => void;
  /** Maximum concurrent counted leases; further ones wait in order. */
  readonly callsMax: number;
}

export interface AcquireOptions {
  /** Streams are not counted: they last for hours and must not starve calls. */
  readonly counted: boolean;
  /** Awaited before an idle connection is reused, so that a close which has already arrived is noticed. @default none */
  readonly beforeReuse?: () => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

/** Exclusive use of a connection for one exchange. */
export interface Lease<C> {
  readonly connection: C;
  /** Returns the connection. Idempotent. */
  readonly release: () => void;
}

/** Guarantees: at most `callsMax` counted leases, granted in the order of the calls; a connection belongs to at most one lease. */
export class ConnectionPool<C> {
  readonly #options: ConnectionPoolOptions<C>;
  /** Most recently used last. */
  readonly #idle: C[] = [];
  readonly #leased = new Set<C>();
  readonly #slots: CallSlots;
  #retired = false;

  constructor(options: ConnectionPoolOptions<C>) {
    this.#options = options;
    this.#slots = new CallSlots(options.callsMax);
  }

  /** Returns an idle connection or else a new one. Rejects with the signal's reason or with the error of connecting. */
  async acquire({ counted, beforeReuse, signal }: AcquireOptions): Promise<Lease<C>> {
    signal?.throwIfAborted();
    const wait = counted ? this.#slots.enter(signal) : undefined;
    if (wait !== undefined) await wait;
    try {
      if (beforeReuse !== undefined && this.#idle.length > 0) await beforeReuse();
      const connection = this.#takeIdle() ?? (await this.#options.connect({ signal }));
      this.#leased.add(connection);
      return { connection, release: this.#releaseOnce(connection, counted) };
    } catch (error) {
      if (counted) this.#slots.leave();
      throw error;
    }
  }

  /** Whether the pool is retired and all connections are back: nothing is left to close. */
  get isDrained(): boolean {
    return this.#retired && this.#leased.size === 0 && this.#slots.calls === 0;
  }

  /** Removes an idle connection that has failed. */
  forget(connection: C): void {
    const place = this.#idle.indexOf(connection);
    if (place !== -1) this.#idle.splice(place, 1);
  }

  /** Closes idle connections, and from now on every connection that is released. Those in use continue. */
  retire(): void {
    this.#retired = true;
    for (const connection of this.#idle.splice(0)) this.#options.close(connection);
  }

  /** Closes all connections, in use or not. */
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
      if (counted) this.#slots.leave();
    };
  }
}
