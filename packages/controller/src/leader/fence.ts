/**
 * Passes writes only while the lease is held. The clock at the time of sending decides, not whether the process has noticed the loss: a
 * process that was suspended for a minute resumes with requests in progress, and its timers fire last.
 *
 *     client → fence.wrapper → (credentials, retry, throttle) → sockets
 *
 * A request belongs to the term in which it was passed in. It is checked then, and again whenever a later stage reports that it is about to
 * send it (`HttpRequest.onSent`): after every wait, and last before the first byte. A stage that waits without reporting needs the same
 * wrapper again behind it.
 */
import { requestAttempt, isSafeRequest } from "@drover/client";
import type { TransportWrapper } from "@drover/client";
import type { Clock } from "@drover/machinery";
import { FenceTerm, fencedError } from "./fence-term.ts";
import type { FenceLoss, FenceToken } from "./fence-term.ts";
import type { Hold } from "./lease-state.ts";

/** The part of a fence that writers use. */
export interface Fence {
  /** The lease as "namespace/name". */
  readonly lease: string;
  /** Whether a write would pass now. */
  readonly isOpen: boolean;
  /** The current term; undefined if the lease is not held now. */
  readonly token: FenceToken | undefined;
  /**
   * Guarantees: reads pass. A write is sent only while the lease is held, and only in the term in which it was passed in; otherwise it
   * rejects with a `FencedError` and nothing was sent. A write in progress when the lease is lost is aborted and rejects with an
   * `UnknownOutcomeError`. The reason of the request's own signal passes unchanged.
   */
  readonly wrapper: TransportWrapper;
}

/** Learns what a fence does, in the same turn: other threads of the process see it through shared memory. */
export interface FenceMirror {
  /** A term starts. */
  opened(hold: Hold): void;
  /** The term lasts longer. */
  extended(hold: Hold): void;
  /** The term has ended. */
  closed(): void;
}

/** The fence of one lease, with the methods that only its elector uses. */
export class LeaseFence implements Fence {
  readonly lease: string;
  readonly #clock: Clock;
  readonly #mirror: FenceMirror | undefined;
  #term: FenceTerm | undefined;
  #lastLoss: FenceLoss | undefined;

  constructor({ lease, clock, mirror }: { readonly lease: string; readonly clock: Clock; readonly mirror?: FenceMirror | undefined }) {
    this.lease = lease;
    this.#clock = clock;
    this.#mirror = mirror;
  }

  get isOpen(): boolean {
    return this.token !== undefined;
  }

  get token(): FenceToken | undefined {
    return this.#term?.isOpen === true ? this.#term : undefined;
  }

  readonly wrapper: TransportWrapper = (next) => async (request) => {
    if (isSafeRequest(request)) return next(request);
    request.signal?.throwIfAborted();
    const term = this.#term;
    if (term?.isOpen !== true) throw fencedError(this.lease, this.#lastLoss, requestAttempt(request));
    return term.send(next, request);
  };

  /** Opens the fence until the end of `hold`: extends the current term, or starts one. */
  hold(hold: Hold): FenceToken {
    if (this.#term?.isOpen === true) {
      this.#term.lengthen(hold);
      this.#mirror?.extended(hold);
      return this.#term;
    }
    const onClose = (loss: FenceLoss): void => {
      this.#lastLoss = loss;
      this.#term = undefined;
      this.#mirror?.closed();
    };
    this.#term = new FenceTerm(hold, { lease: this.lease, clock: this.#clock, onClose });
    this.#mirror?.opened(hold);
    return this.#term;
  }

  /** Resolves when no write of the current term is in progress. */
  async quiet(): Promise<void> {
    await this.#term?.quiet();
  }

  /** Ends the current term, if any. Returns how the last term ended; undefined if there was none. */
  close(why: string): FenceLoss | undefined {
    this.#term?.close(why, this.#clock.now());
    return this.#lastLoss;
  }
}
