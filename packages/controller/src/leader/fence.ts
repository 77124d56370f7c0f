/**
 * Writes pass only while the lease is held. What decides is the clock at the moment of sending, not whether anybody has noticed the loss:
 * a process that was stopped for a minute wakes up with its requests in hand, and its timers come last.
 *
 *     client → fence.wrapper → (credentials, retry, throttle) → sockets
 *
 * A request belongs to the term in which it was handed in. It is looked at then, and again whenever something on the way says that it is
 * now being sent (`HttpRequest.onSent`): after every wait, and last before its first byte. A wait that tells nothing needs the same
 * wrapper once more behind it.
 */
import { requestAttempt, isSafeRequest } from "@drover/client";
import type { TransportWrapper } from "@drover/client";
import type { Clock } from "@drover/machinery";
import { FenceTerm, fencedError } from "./fence-term.ts";
import type { FenceLoss, FenceToken } from "./fence-term.ts";
import type { Hold } from "./lease-state.ts";

/** What those see of a fence who write behind it. */
export interface Fence {
  /** The lease, as "namespace/name". */
  readonly lease: string;
  /** Whether a write would be let through in this moment. */
  readonly isOpen: boolean;
  /** The present term; undefined when the lease is not held in this moment. */
  readonly token: FenceToken | undefined;
  /**
   * Guarantees: reads pass. A write is sent only while the lease is held, and only in the term in which it was handed in; else it rejects
   * with a `FencedError`, and not a byte of it has left. One that is under way when the lease is lost is aborted and rejects with an
   * `UnknownOutcomeError`. The reason of the request's own signal passes unchanged.
   */
  readonly wrapper: TransportWrapper;
}

/** The fence of one lease, with the handles that only its elector has. */
export class LeaseFence implements Fence {
  readonly lease: string;
  readonly #clock: Clock;
  #term: FenceTerm | undefined;
  #lastLoss: FenceLoss | undefined;

  constructor({ lease, clock }: { readonly lease: string; readonly clock: Clock }) {
    this.lease = lease;
    this.#clock = clock;
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

  /** The lease is held until then: lengthens the present term, or begins one. */
  hold(hold: Hold): FenceToken {
    if (this.#term?.isOpen === true) {
      this.#term.lengthen(hold);
      return this.#term;
    }
    const onClose = (loss: FenceLoss): void => {
      this.#lastLoss = loss;
      this.#term = undefined;
    };
    this.#term = new FenceTerm(hold, { lease: this.lease, clock: this.#clock, onClose });
    return this.#term;
  }

  /** Resolves when no write of the present term is under way. */
  async quiet(): Promise<void> {
    await this.#term?.quiet();
  }

  /** Ends the term, if there is one. Says how the last one ended; undefined when there has been none. */
  close(why: string): FenceLoss | undefined {
    this.#term?.close(why, this.#clock.now());
    return this.#lastLoss;
  }
}
