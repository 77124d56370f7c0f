/**
 * One handler of a shared informer: what it is to be told waits here until it has dealt with what came before.
 *
 * As in client-go nothing is merged and nothing is dropped, so a handler that never keeps up lets this grow; the informer of informer.ts
 * merges by key instead.
 */
import type { Log } from "@drover/machinery";
import type { ResourceEventHandler } from "./resource-event-handler.ts";

/** Something a handler is told. */
export interface Notification<T> {
  readonly isInInitialList: boolean;
  readonly tell: (handler: ResourceEventHandler<T>) => void | Promise<void>;
}

export interface ProcessorListenerOptions<T> {
  readonly handler: ResourceEventHandler<T>;
  readonly log: Log;
  /** When the next resync is due, on the monotonic clock. */
  readonly resync: { readonly periodMs: number; readonly requestedMs: number };
}

/** Guarantees: notifications come one by one, in order, each after the one before has been dealt with; errors stay with the handler. */
export class ProcessorListener<T> {
  readonly #options: ProcessorListenerOptions<T>;
  #pending: Notification<T>[] = [];
  /** Told to nobody yet: in `#pending`, or behind the one that is being told. */
  #waiting = 0;
  #initialLeft = 0;
  #isBusy = false;
  #isStopped = false;
  #idle: (() => void)[] = [];
  /** How often it asked to be told again, and how often it will be. */
  readonly requestedResyncMs: number;
  resyncPeriodMs: number;
  nextResyncMs = 0;

  constructor(options: ProcessorListenerOptions<T>) {
    this.#options = options;
    this.requestedResyncMs = options.resync.requestedMs;
    this.resyncPeriodMs = options.resync.periodMs;
  }

  get pending(): number {
    return this.#waiting;
  }

  /** Whether it has dealt with everything of the first list it was given so far. */
  get isThroughInitialList(): boolean {
    return this.#initialLeft === 0;
  }

  add(notification: Notification<T>): void {
    if (this.#isStopped) return;
    if (notification.isInInitialList) this.#initialLeft++;
    this.#waiting++;
    this.#pending.push(notification);
    if (!this.#isBusy) void this.#deliver();
  }

  /** No more notifications; what waits is dropped, what is under way finishes. */
  stop(): void {
    this.#isStopped = true;
    this.#pending = [];
    this.#waiting = 0;
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#isBusy ? new Promise((resolve) => this.#idle.push(resolve)) : Promise.resolve();
  }

  shouldResync(nowMs: number): boolean {
    return this.resyncPeriodMs > 0 && nowMs >= this.nextResyncMs;
  }

  determineNextResync(nowMs: number): void {
    this.nextResyncMs = nowMs + this.resyncPeriodMs;
  }

  async #deliver(): Promise<void> {
    this.#isBusy = true;
    // In batches, so that taking the next one from the front costs nothing.
    while (this.#pending.length > 0) {
      const batch = this.#pending;
      this.#pending = [];
      for (const notification of batch) {
        if (this.#isStopped) break;
        this.#waiting--;
        await this.#tell(notification);
        if (notification.isInInitialList) this.#initialLeft--;
      }
    }
    this.#isBusy = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #tell({ tell }: Notification<T>): Promise<void> {
    try {
      await tell(this.#options.handler);
    } catch (error) {
      this.#options.log.error("an event handler failed; it is told the next event all the same", { error });
    }
  }
}
