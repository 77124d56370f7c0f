/**
 * Chooses the session for an exchange: one with room, or a new one. Independent of sockets.
 *
 *     acquire → a session with room for this exchange … or "http/1.1" if the server does not speak HTTP/2
 */
import { abortable } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import { TransportError } from "./transport-error.ts";

/** The part of a session that is used. */
export interface PooledSession {
  readonly isUsable: boolean;
  readonly isDestroyed: boolean;
  /** Takes room for one exchange. Returns a function that gives it back; idempotent. */
  reserve(): () => void;
  retire(): void;
  destroy(): void;
}

export interface Http2SessionsOptions<S extends PooledSession> {
  /** Opens a session; "http/1.1" if the server did not choose HTTP/2. Has a timeout of its own. */
  readonly open: (signal: AbortSignal) => Promise<S | "http/1.1">;
  readonly clock: Pick<Clock, "monotonic">;
  /** How long a server that chose HTTP/1.1 is not asked again. */
  readonly askAgainMs: number;
}

/** How many new sessions may be full before an exchange gets its turn. */
const openingsMax = 10;

/** Room for one exchange. */
export interface Reserved<S> {
  readonly session: S;
  /** Idempotent. */
  readonly release: () => void;
}

/** Guarantees: opens one session at a time, however many exchanges wait for it; an abort of one of them does not disturb the others. */
export class Http2Sessions<S extends PooledSession> {
  readonly #options: Http2SessionsOptions<S>;
  readonly #sessions = new Set<S>();
  readonly #ending = new AbortController();
  #opening: Promise<S | "http/1.1"> | undefined;
  #oldUntilMs = -Infinity;
  #isRetired = false;

  constructor(options: Http2SessionsOptions<S>) {
    this.#options = options;
  }

  /** Rejects with the signal's reason, or with the error of opening. */
  async acquire(signal: AbortSignal | undefined): Promise<Reserved<S> | "http/1.1"> {
    for (let attempt = 0; attempt < openingsMax; attempt++) {
      signal?.throwIfAborted();
      if (this.#options.clock.monotonic() < this.#oldUntilMs) return "http/1.1";
      const usable = this.#usable();
      if (usable !== undefined) return { session: usable, release: usable.reserve() };
      const opening = (this.#opening ??= this.#open());
      const opened = await (signal === undefined ? opening : abortable(opening, signal));
      if (opened === "http/1.1") return opened;
    }
    throw new TransportError("the server opens HTTP/2 connections and takes no request on them", { reason: "refused", sent: "no" });
  }

  /** Whether nothing is left to close. */
  get isDrained(): boolean {
    return this.#isRetired && this.#opening === undefined && this.#sessions.size === 0;
  }

  /** Call it when a session is closed. */
  forget(session: S): void {
    this.#sessions.delete(session);
  }

  /** Closes sessions after their last exchange. */
  retire(): void {
    this.#isRetired = true;
    for (const session of this.#sessions) session.retire();
  }

  /** Closes all sessions with their exchanges. */
  close(): void {
    this.#isRetired = true;
    this.#ending.abort(new DOMException("the transport has been closed", "AbortError"));
    for (const session of this.#sessions) session.destroy();
  }

  #usable(): S | undefined {
    for (const session of this.#sessions) if (session.isUsable) return session;
    return undefined;
  }

  async #open(): Promise<S | "http/1.1"> {
    const { open, clock, askAgainMs } = this.#options;
    try {
      const opened = await open(this.#ending.signal);
      if (opened === "http/1.1") this.#oldUntilMs = clock.monotonic() + askAgainMs;
      else if (!opened.isDestroyed) this.#sessions.add(opened);
      return opened;
    } finally {
      this.#opening = undefined;
    }
  }
}
