/** Records what the participants of a run asked and observed, and when. */
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

  /** Resolves when nothing has happened for a while. */
  async quiet(): Promise<void> {
    for (let still = 0, before = this.#tick; still < quietTurns; still++) {
      await Promise.resolve();
      if (this.#tick !== before) still = 0;
      before = this.#tick;
    }
  }
}

/** More than the longest path from a write to a watch line with a delayed store. */
const quietTurns = 300;

/** Yields for this many event loop turns. */
export async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await Promise.resolve();
}
