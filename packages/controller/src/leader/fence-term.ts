/**
 * One term of holding a lease: a deadline that is checked before every send, a signal, and the writes in progress.
 *
 *     LeaseFence → FenceTerm.send → Transport
 */
import { requestAttempt, guardedBody, isWholeBody } from "@drover/client";
import { UnknownOutcomeError, abortable, definedOnly } from "@drover/machinery";
import type { Clock, HttpBody, HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { FencedError } from "./fenced-error.ts";
import { isOver } from "./lease-state.ts";
import type { Hold } from "./lease-state.ts";

/** One term, as seen by the work that runs in it. */
export interface FenceToken {
  /** The lease as "namespace/name". */
  readonly lease: string;
  /** `leaseTransitions` of the lease in this term; greater after every change of holder. */
  readonly transitions: number;
  /** Aborts with a `FencedError` when the term ends. It depends on a timer, which may be late; `isOpen` and `check` never are. */
  readonly signal: AbortSignal;
  /** Whether the lease is held now. */
  readonly isOpen: boolean;
  /** Throws a `FencedError` unless the lease is held now. */
  check(): void;
}

/** When and why a term ended. */
export interface FenceLoss {
  /** In milliseconds since 1970. */
  readonly sinceMs: number;
  readonly why: string;
  /**
   * Time on the monotonic clock of the last abandoned write that may still reach the server: cut off by the loss, or aborted before.
   * @default every write got a response
   */
  readonly unansweredMs?: number;
}

/** A write that was passed on and has no response yet. */
interface Write {
  isSent: boolean;
  readonly exchange: AbortController;
  /** Settles with the transport, possibly after the caller got its result. Never rejects. */
  settled: Promise<unknown>;
}

export interface FenceTermOptions {
  readonly lease: string;
  readonly clock: Clock;
  /** Called once, before the signal aborts. */
  readonly onClose: (loss: FenceLoss) => void;
}

/** Guarantees: once closed, never open again; nothing passes after the deadline, even if the timer is late. */
export class FenceTerm implements FenceToken {
  readonly lease: string;
  readonly transitions: number;
  readonly #clock: Clock;
  readonly #onClose: (loss: FenceLoss) => void;
  readonly #controller = new AbortController();
  readonly #underWay = new Set<Write>();
  #hold: Hold;
  #loss: FenceLoss | undefined;
  #unansweredMs: number | undefined;
  #cancelTimer: () => void = () => undefined;

  constructor(hold: Hold, { lease, clock, onClose }: FenceTermOptions) {
    this.lease = lease;
    this.transitions = hold.transitions;
    this.#clock = clock;
    this.#onClose = onClose;
    this.#hold = hold;
    this.lengthen(hold);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isOpen(): boolean {
    const now = { monotonicMs: this.#clock.monotonic(), wallMs: this.#clock.now() };
    if (this.#loss === undefined && isOver(this.#hold, now)) {
      const { until } = this.#hold;
      const overMs = Math.max(now.monotonicMs - until.monotonicMs, now.wallMs - until.wallMs);
      // In a thread, a term that the main thread has ended is over at all times.
      this.close("it was not renewed in time", Number.isFinite(overMs) ? now.wallMs - overMs : now.wallMs);
    }
    return this.#loss === undefined;
  }

  check(attempt?: string): void {
    if (!this.isOpen) throw fencedError(this.lease, this.#loss, attempt);
  }

  /** Extends the term. */
  lengthen(hold: Hold): void {
    this.#hold = hold;
    this.#notice(0);
  }

  /** Closes the term at its end, and not before so many milliseconds. */
  #notice(atLeastMs: number): void {
    this.#cancelTimer();
    const leftMs = this.#hold.until.monotonicMs - this.#clock.monotonic();
    this.#cancelTimer = this.#clock.timer(Math.max(leftMs, atLeastMs), () => {
      // In a thread, the hold is in shared memory and may have been extended there; and timers may fire a little early.
      if (this.isOpen) this.#notice(1);
    });
  }

  close(why: string, sinceMs: number): void {
    if (this.#loss !== undefined) return;
    if ([...this.#underWay].some(({ isSent }) => isSent)) this.#unansweredMs = this.#clock.monotonic();
    this.#loss = { why, sinceMs, ...definedOnly({ unansweredMs: this.#unansweredMs }) };
    this.#cancelTimer();
    this.#onClose(this.#loss);
    const reason = fencedError(this.lease, this.#loss);
    this.#controller.abort(reason);
    for (const { exchange } of this.#underWay) exchange.abort(reason);
  }

  /** Resolves when no write is in progress. */
  async quiet(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all([...this.#underWay].map(({ settled }) => settled));
  }

  /** Sends a write that belongs to this term. */
  async send(next: Transport, request: HttpRequest): Promise<HttpResponse> {
    const attempt = requestAttempt(request);
    // A transport that does not call onSent may send at once.
    const write: Write = { isSent: true, exchange: new AbortController(), settled: Promise.resolve() };
    const onSent = (sent: "no" | "maybe"): void => {
      if (sent === "maybe") this.check(attempt);
      write.isSent = sent === "maybe";
      request.onSent?.(sent);
    };
    const { signal } = write.exchange;
    const unlink = follow(write.exchange, request.signal);
    const body = isWholeBody(request.body) ? {} : { body: this.#guarded(request.body, attempt) };
    this.#underWay.add(write);
    const over = (): unknown => this.#underWay.delete(write);
    try {
      const answer = next({ ...request, ...body, signal, onSent });
      write.settled = answer.then(over, over);
      const response = await abortable(answer, signal);
      if (!isWholeBody(response.body)) return { ...response, body: guardedBody(response.body, { failed: (error) => error, over: unlink }) };
      unlink();
      return response;
    } catch (error) {
      unlink();
      if (write.isSent) this.#unansweredMs = this.#clock.monotonic();
      if (error !== this.signal.reason) throw error;
      const fenced = fencedError(this.lease, this.#loss, attempt);
      throw write.isSent
        ? new UnknownOutcomeError({ attempt, why: `lease ${this.lease} was lost while the request was in progress`, cause: fenced })
        : fenced;
    }
  }

  /** Stops a streamed request body when the lease is lost, even if the response has already arrived. */
  async *#guarded(body: Exclude<HttpBody, string | Uint8Array>, attempt: string): AsyncGenerator<string | Uint8Array, void, undefined> {
    for await (const chunk of body) {
      this.check(attempt);
      yield chunk;
    }
  }
}

/** Returns the error for a write, or for the term itself if no attempt is given. */
export function fencedError(lease: string, loss: FenceLoss | undefined, attempt?: string): FencedError {
  return new FencedError({ lease, sinceMs: loss?.sinceMs, why: loss?.why ?? "never acquired", ...definedOnly({ attempt }) });
}

/** Aborts the controller with the signal, until the returned function is called. */
function follow(controller: AbortController, signal: AbortSignal | undefined): () => void {
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  signal?.addEventListener("abort", abort, { once: true });
  return () => signal?.removeEventListener("abort", abort);
}
