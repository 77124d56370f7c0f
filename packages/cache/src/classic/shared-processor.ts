/**
 * Hands each notification to all handlers of an informer, and knows which of them are due for a resync.
 *
 *     informer → sharedProcessor → processorListener per handler
 */
import type { Clock } from "@drover/machinery";
import type { Notification, ProcessorListener } from "./processor-listener.ts";

/** Guarantees: every listener gets every change; a resync only those that are due for it. */
export class SharedProcessor<T> {
  readonly #clock: Clock;
  /**
   * Whether a listener takes part in the present resync. A new one does if it wants any at all; client-go's always
   * does, so a new list repeats everything to it.
   */
  readonly #listeners = new Map<ProcessorListener<T>, boolean>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get listeners(): readonly ProcessorListener<T>[] {
    return [...this.#listeners.keys()];
  }

  addListener(listener: ProcessorListener<T>): void {
    listener.determineNextResync(this.#clock.monotonic());
    this.#listeners.set(listener, listener.resyncPeriodMs > 0);
  }

  removeListener(listener: ProcessorListener<T>): void {
    listener.stop();
    this.#listeners.delete(listener);
  }

  /** To all, or, when it only says again what is known, to those that are being resynced. */
  distribute(notification: Notification<T>, isSync: boolean): void {
    for (const [listener, isSyncing] of this.#listeners) if (!isSync || isSyncing) listener.add(notification);
  }

  /** Finds out who is due now. False when nobody is. */
  shouldResync(): boolean {
    const now = this.#clock.monotonic();
    let isAnybodyDue = false;
    for (const listener of this.#listeners.keys()) {
      const isDue = listener.shouldResync(now);
      this.#listeners.set(listener, isDue);
      isAnybodyDue ||= isDue;
      if (isDue) listener.determineNextResync(now);
    }
    return isAnybodyDue;
  }

  /** The period in which it is asked who is due has changed: nobody can be told more often. */
  resyncCheckPeriodChanged(checkPeriodMs: number): void {
    const now = this.#clock.monotonic();
    for (const listener of this.#listeners.keys()) {
      listener.resyncPeriodMs = effectiveResyncPeriod(listener.requestedResyncMs, checkPeriodMs);
      listener.determineNextResync(now);
    }
  }

  /** Drops what waits; resolves when every handler has finished what it is at. */
  async stop(): Promise<void> {
    const listeners = this.listeners;
    for (const listener of listeners) listener.stop();
    await Promise.all(listeners.map((listener) => listener.idle()));
  }
}

/** How often a handler is told again that asked for `desiredMs`, when it is only asked every `checkMs` who is due; 0 is never. */
export function effectiveResyncPeriod(desiredMs: number, checkMs: number): number {
  return desiredMs === 0 || checkMs === 0 ? 0 : Math.max(desiredMs, checkMs);
}
