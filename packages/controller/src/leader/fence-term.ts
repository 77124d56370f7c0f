/**
 * One term of holding a lease: a deadline that is looked at whenever something is to be sent, a signal, and the writes under way.
 *
 *     LeaseFence → FenceTerm.send → Transport
 */
import { requestAttempt, guardedBody, isWholeBody } from "@drover/client";
import { UnknownOutcomeError, abortable } from "@drover/machinery";
import type { Clock, HttpBody, HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { FencedError } from "./fenced-error.ts";
import { isOver } from "./lease-state.ts";
import type { Hold } from "./lease-state.ts";

/** One term, as those see it who work in it. */
export interface FenceToken {
  /** The lease, as "namespace/name". */
  readonly lease: string;
  /** `leaseTransitions` of the record in this term: whoever leads after a change of hands has a greater one. */
  readonly transitions: number;
  /** Aborted when the term is over, with a `FencedError`. That takes a timer, which may be late; `isOpen` and `check` never are. */
  readonly signal: AbortSignal;
  /** Whether the lease is held in this moment. */
  readonly isOpen: boolean;
  /** Throws a `FencedError` unless the lease is held in this moment. */
  check(): void;
}

/** When and why a term ended. */
export interface FenceLoss {
  /** In milliseconds since 1970. */
  readonly sinceMs: number;
  readonly why: string;
  /**
   * When, on the monotonic clock, a write was last given up that the server may still see: cut off by the loss, or
   * called off before. @default every write was answered
   */
  readonly unansweredMs?: number;
}

/** A write that has been handed on and not been answered. */
interface Write {
  isSent: boolean;
  readonly exchange: AbortController;
  /** Settles when the transport has, which may be after the caller has been told that it is over. Never rejects. */
  settled: Promise<unknown>;
}

export interface FenceTermOptions {
  readonly lease: string;
  readonly clock: Clock;
  /** Is told, once, and before the signal is. */
  readonly onClose: (loss: FenceLoss) => void;
}

/** Guarantees: once closed, never open again; nothing is let through after the deadline, whoever notices it first. */
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
      this.close("it was not renewed in time", now.wallMs - Math.max(now.monotonicMs - until.monotonicMs, now.wallMs - until.wallMs));
    }
    return this.#loss === undefined;
  }

  check(attempt?: string): void {
    if (!this.isOpen) throw fencedError(this.lease, this.#loss, attempt);
  }

  /** It is held for longer. */
  lengthen(hold: Hold): void {
    this.#hold = hold;
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.timer(hold.until.monotonicMs - this.#clock.monotonic(), () => void this.isOpen);
  }

  close(why: string, sinceMs: number): void {
    if (this.#loss !== undefined) return;
    if ([...this.#underWay].some(({ isSent }) => isSent)) this.#unansweredMs = this.#clock.monotonic();
    this.#loss = { why, sinceMs, ...(this.#unansweredMs === undefined ? {} : { unansweredMs: this.#unansweredMs }) };
    this.#cancelTimer();
    this.#onClose(this.#loss);
    const reason = fencedError(this.lease, this.#loss);
    this.#controller.abort(reason);
    for (const { exchange } of this.#underWay) exchange.abort(reason);
  }

  /** Resolves when no write is under way. */
  async quiet(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all([...this.#underWay].map(({ settled }) => settled));
  }

  /** Sends a write that belongs to this term. */
  async send(next: Transport, request: HttpRequest): Promise<HttpResponse> {
    const attempt = requestAttempt(request);
    // Of a transport that tells nothing it is to be assumed that it sends at once.
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
        ? new UnknownOutcomeError({ attempt, why: `lease ${this.lease} was lost while it was under way`, cause: fenced })
        : fenced;
    }
  }

  /** A body that is sent bit by bit stops with the lease, also when the answer is there already. */
  async *#guarded(body: Exclude<HttpBody, string | Uint8Array>, attempt: string): AsyncGenerator<string | Uint8Array, void, undefined> {
    for await (const chunk of body) {
      this.check(attempt);
      yield chunk;
    }
  }
}

/** The error for a write, or for the term itself when no attempt is named. */
export function fencedError(lease: string, loss: FenceLoss | undefined, attempt?: string): FencedError {
  return new FencedError({
    lease,
    sinceMs: loss?.sinceMs,
    why: loss?.why ?? "it has not been so far",
    ...(attempt === undefined ? {} : { attempt }),
  });
}

/** Aborts the one with the other, until the link is undone. */
function follow(controller: AbortController, signal: AbortSignal | undefined): () => void {
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  signal?.addEventListener("abort", abort, { once: true });
  return () => signal?.removeEventListener("abort", abort);
}
