/** State of one key. Fields that few keys need are separate objects, because a queue may contain a million keys. */
import type { Placed } from "./fifo.ts";
import type { Ranked } from "./ready-line.ts";
import type { KeyReport, Work } from "./work.ts";

/** Maximum number of causes kept for one run; further causes are only counted. */
export const causesMax = 8;

/** A pending run that is not due yet. */
export interface Wait<K, C> extends Placed {
  readonly entry: Entry<K, C>;
  /** The earlier of `dueAt` and `restAt`. */
  wakeAt: number;
  sequence: number;
  /** Earliest due time of all delayed adds; Infinity if the key is only debounced. */
  dueAt: number;
  /** When the debounce ends if the key is not added again; Infinity if the key is not debounced. */
  restAt: number;
  /** When the debounce ends even if adds continue. */
  restBy: number;
}

/** Retries of a key. */
export interface Retry {
  readonly attempts: number;
  /** When the last retry is or was due. A run before that time is not the retry. */
  readonly at: number;
  readonly reason: string | undefined;
}

/** State of one key. Only `QueueState` writes it. */
export class Entry<K, C> implements Ranked {
  readonly key: K;
  readonly tenant: string;
  place = 0;
  score = 0;
  sequence = 0;
  inHeap = false;
  /** Phase of the pending run; `idle` if no run is pending. */
  phase: "idle" | "waiting" | "ready" | "parked" = "idle";
  /** When the key entered its phase. */
  since = 0;
  priority = 0;
  /** Whether an event, not only a retry, caused the pending run. */
  byEvent = false;
  causes: C[] | undefined = undefined;
  causeCount = 0;
  wait: Wait<K, C> | undefined = undefined;
  retry: Retry | undefined = undefined;
  /** The current run. */
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

  /** Clears the pending run, because it started or was cancelled. */
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
