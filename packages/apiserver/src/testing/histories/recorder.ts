/** Who takes part in a run writes down here what it asked and what it was told, and when. */
import type { Transport } from "@drover/machinery";
import type { ListRecord, Operation, WatchSession } from "./history.ts";
import type { LedgerStore } from "./ledger-store.ts";

export interface RecorderOptions {
  readonly handle: Transport;
  readonly store: LedgerStore;
}

/** Guarantees: no two ticks are the same, and later ones are larger. */
export class Recorder {
  readonly handle: Transport;
  readonly store: LedgerStore;
  readonly operations: Operation[] = [];
  readonly lists: ListRecord[] = [];
  readonly sessions: WatchSession[] = [];
  /** What went wrong for those who took part, besides answers. */
  readonly failures: string[] = [];
  #tick = 0;

  constructor({ handle, store }: RecorderOptions) {
    this.handle = handle;
    this.store = store;
  }

  /** The time of something that happens now. */
  tick(): number {
    return ++this.#tick;
  }

  /** Owns work that nobody waits for; how it fails is written down. */
  spawn(work: Promise<void>): void {
    work.catch((error: unknown) => this.failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  }

  /** Resolves when nothing has happened for a good while. */
  async quiet(): Promise<void> {
    for (let still = 0, before = this.#tick; still < quietTurns; still++) {
      await Promise.resolve();
      if (this.#tick !== before) still = 0;
      before = this.#tick;
    }
  }
}

/** More than the longest way from a write to the line of a watch with a store that takes its time. */
const quietTurns = 300;

/** Lets others run. */
export async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await Promise.resolve();
}
