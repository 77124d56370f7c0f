/** What a queue knows about one key. The fields that few keys need are apart, because there may be a million of the others. */
import type { Placed } from "./fifo.ts";
import type { Ranked } from "./ready-line.ts";
import type { KeyReport, Work } from "./work.ts";

/** How many causes of one run are kept; the others are counted. */
export const causesMax = 8;

/** A run whose time has not come. */
export interface Wait<K, C> extends Placed {
  readonly entry: Entry<K, C>;
  /** The earlier of `dueAt` and `restAt`. */
  wakeAt: number;
  sequence: number;
  /** The earliest time it was added for; Infinity when it only waits for rest. */
  dueAt: number;
  /** When it has come to rest if nothing more is added; Infinity when it does not wait for that. */
  restAt: number;
  /** When it runs however often it is added. */
  restBy: number;
}

/** What is remembered about the failures of a key. */
export interface Retry {
  readonly attempts: number;
  /** When the last retry is, or was, due. A run before that time is not the retry. */
  readonly at: number;
  readonly reason: string | undefined;
}

/** Written by `QueueState` alone. */
export class Entry<K, C> implements Ranked {
  readonly key: K;
  readonly tenant: string;
  place = 0;
  score = 0;
  sequence = 0;
  inHeap = false;
  /** Where the run to come stands: `idle` when there is none. */
  phase: "idle" | "waiting" | "ready" | "parked" = "idle";
  /** Since when it stands there. */
  since = 0;
  priority = 0;
  /** Whether the run to come was brought about by anything but a retry. */
  byEvent = false;
  causes: C[] | undefined = undefined;
  causeCount = 0;
  wait: Wait<K, C> | undefined = undefined;
  retry: Retry | undefined = undefined;
  /** The run under way. */
  running: Work<K, C> | undefined = undefined;

  constructor(key: K, tenant: string) {
    this.key = key;
    this.tenant = tenant;
  }

  addCause(cause: C | undefined): void {
    if (cause === undefined) return;
    this.causeCount++;
    if (this.causes === undefined) this.causes = [cause];
    else if (this.causes.length < causesMax) this.causes.push(cause);
  }

  /** There is no run to come any more: it began, or was taken back. */
  endPending(): void {
    this.phase = "idle";
    this.causes = undefined;
    this.causeCount = 0;
    this.byEvent = false;
  }

  report(now: number): KeyReport<K, C> {
    const { key, phase, running, retry, wait } = this;
    const seen = phase === "idle" && running !== undefined ? running : this;
    return {
      key,
      state: running === undefined ? phase : "running",
      ...(running !== undefined && (phase === "ready" || phase === "waiting") ? { again: phase } : {}),
      priority: seen.priority,
      ageMs: now - (running?.takenAt ?? this.since),
      ...(wait !== undefined ? { nextRunInMs: Math.max(0, wait.wakeAt - now) } : phase === "ready" ? { nextRunInMs: 0 } : {}),
      causes: [...(seen.causes ?? [])],
      causeCount: seen.causeCount,
      attempts: retry?.attempts ?? 0,
      ...(retry?.reason === undefined ? {} : { reason: retry.reason }),
    };
  }
}
