/**
 * Until when the leases of a process are held, in memory that all its threads see: a renewal or a loss needs no message.
 *
 *     main thread: LeaseFence → SharedLeases.mirrorOf → shared memory → SharedLeases.holdOf → thread: LeaseFence
 *
 * The monotonic clocks of threads start at different times. The memory has times of a clock that is common to all threads; each thread
 * knows the offset of its own.
 */
import type { Clock } from "@drover/machinery";
import type { FenceMirror } from "../leader/fence.ts";
import type { Hold, Moment } from "../leader/lease-state.ts";

export interface SharedLeasesOptions {
  /** Created with `sharedLeasesBuffer`. */
  readonly buffer: SharedArrayBuffer;
  /** Monotonic clock of this thread. */
  readonly clock: Pick<Clock, "monotonic">;
  /** Returns the time of a monotonic clock that all threads of the process have in common, in milliseconds. */
  readonly commonMs: () => number;
}

/** Cells of a lease: the number of its term, until when it is held on both clocks, and the transitions of the lease. */
const cells = 4;
/** Stands for Infinity. */
const forever = 2n ** 62n;
const never: Moment = { monotonicMs: -Infinity, wallMs: -Infinity };

/** Returns memory for `count` leases, none of them held. */
export const sharedLeasesBuffer = (count: number): SharedArrayBuffer =>
  new SharedArrayBuffer(count * cells * BigInt64Array.BYTES_PER_ELEMENT);

/**
 * Guarantees: a thread never takes a lease for held after the main thread wrote that it is not, and never longer than the main thread did:
 * what is rounded makes the time shorter.
 */
export class SharedLeases {
  readonly #cells: BigInt64Array;
  /** Common time minus own time: at most, and at least. */
  readonly #offsets: { readonly low: number; readonly high: number };

  constructor({ buffer, clock, commonMs }: SharedLeasesOptions) {
    this.#cells = new BigInt64Array(buffer);
    const low = (): number => commonMs() - clock.monotonic();
    const high = (): number => {
      const ownMs = clock.monotonic();
      return commonMs() - ownMs;
    };
    // The first call may be slow.
    const tries = [0, 1, 2, 3, 4];
    this.#offsets = { low: Math.max(...tries.map(low)), high: Math.min(...tries.map(high)) };
  }

  /** Returns the number of the current or last term of a lease; 0 before the first. */
  termOf(lease: number): number {
    return Number(this.#load(lease, 0));
  }

  /** Returns what writes a lease: only in the main thread. */
  mirrorOf(lease: number): FenceMirror {
    const extended = ({ until }: Hold): void => {
      this.#store(lease, 2, bigOf(until.wallMs));
      this.#store(lease, 1, bigOf((until.monotonicMs + this.#offsets.low) * 1000));
    };
    const closed = (): void => this.#store(lease, 1, 0n);
    return {
      opened: (hold) => {
        closed();
        this.#store(lease, 0, BigInt(this.termOf(lease) + 1));
        this.#store(lease, 3, BigInt(hold.transitions));
        extended(hold);
      },
      extended,
      closed,
    };
  }

  /** Returns a hold whose end is read from the memory each time; over as soon as the term is. */
  holdOf(lease: number, term: number): Hold {
    const until = (): Moment => {
      const monotonic = this.#load(lease, 1);
      const wall = this.#load(lease, 2);
      // Read last: a term that starts in between has changed it before it wrote the times.
      if (this.termOf(lease) !== term || monotonic === 0n) return never;
      return {
        monotonicMs: monotonic === forever ? Infinity : Number(monotonic) / 1000 - this.#offsets.high,
        wallMs: wall === forever ? Infinity : Number(wall),
      };
    };
    return {
      transitions: Number(this.#load(lease, 3)),
      get until() {
        return until();
      },
    };
  }

  #load(lease: number, cell: number): bigint {
    return Atomics.load(this.#cells, lease * cells + cell);
  }

  #store(lease: number, cell: number, value: bigint): void {
    Atomics.store(this.#cells, lease * cells + cell, value);
  }
}

const bigOf = (value: number): bigint => (value === Infinity ? forever : BigInt(Math.floor(value)));
