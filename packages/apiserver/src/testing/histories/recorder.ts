/** Records what the participants of a run asked and observed, and when. */
import { setImmediate as nextImmediate } from "node:timers/promises";
import type { Transport } from "@drover/machinery";
import type { ListRecord, Operation, WatchSession } from "./history.ts";
import type { LedgerStore } from "./ledger-store.ts";

export interface RecorderOptions {
  readonly handle: Transport;
  readonly store: LedgerStore;
}

/** Guarantees: ticks are unique and increasing. */
export class Recorder {
  readonly handle: Transport;
  readonly store: LedgerStore;
  readonly operations: Operation[] = [];
  readonly lists: ListRecord[] = [];
  readonly sessions: WatchSession[] = [];
  /** Failures of participants other than error responses. */
  readonly failures: string[] = [];
  #tick = 0;
  #pausing = 0;

  constructor({ handle, store }: RecorderOptions) {
    this.handle = handle;
    this.store = store;
  }

  /** Returns the current tick. */
  tick(): number {
    return ++this.#tick;
  }

  /** Owns a background promise and records its failure. */
  spawn(work: Promise<void>): void {
    work.catch((error: unknown) => this.failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  }

  /** Resolves when nothing has happened for a while and the store has answered all calls. */
  async quiet(): Promise<void> {
    for (let still = 0, before = this.#tick; still < quietTurns; still++) {
      await Promise.resolve();
      const waiting = this.store.isDistant ? (this.store.answered() ?? (this.#pausing > 0 ? nextImmediate() : undefined)) : undefined;
      await waiting;
      if (this.#tick !== before || waiting !== undefined) still = 0;
      before = this.#tick;
    }
  }

  /** Yields for this many turns: of the event loop if the store needs sockets or files, else of microtasks. */
  async turns(count: number): Promise<void> {
    if (!this.store.isDistant) return await turns(count);
    this.#pausing++;
    for (let left = count; left > 0; left--) await nextImmediate();
    this.#pausing--;
  }
}

/** More than the longest path from a write to a watch line with a delayed store. */
const quietTurns = 300;

/** Yields for this many microtasks. */
export async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await Promise.resolve();
}
