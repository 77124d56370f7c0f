/** Requests keys periodically, for state outside the cluster that sends no events. */
import { formatDuration, jittered, parseDuration, sleep } from "@drover/machinery";
import type { ObjectKey, Runtime } from "@drover/machinery";
import { lowPriority } from "../handlers/request.ts";
import { eachInSlices } from "./slices.ts";
import type { Source, SourceSink } from "./source.ts";

/** Options of `timerSource`. */
export interface TimerSourceOptions {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log">;
  /** Period: milliseconds, or a duration such as "30s". Counted from one tick to the next, regardless of the work in between. */
  readonly every: number | string;
  /** Returns the keys; called on every tick. Errors are logged; the next tick calls it again. */
  readonly keys: () => Iterable<ObjectKey>;
  /** Maximum random extension of each period, as a fraction, so that replicas and controllers do not tick at once. @default 0.1 */
  readonly jitter?: number;
  /** Whether the first tick is at the start instead of one period later. @default false */
  readonly immediate?: boolean;
  /** Priority of the keys; periodic runs yield to real changes. @default lowPriority */
  readonly priority?: number;
  /** Name of the source. @default the period: "every 30s" */
  readonly name?: string;
}

/** Returns a source that requests the keys on every tick. It has synced immediately. Throws a RangeError for an invalid period. */
export function timerSource({
  runtime: { clock, random, log },
  every,
  keys,
  jitter = 0.1,
  immediate = false,
  priority = lowPriority,
  name: givenName,
}: TimerSourceOptions): Source {
  const periodMs = typeof every === "number" ? every : parseDuration(every);
  if (!(periodMs > 0) || periodMs === Infinity)
    throw new RangeError(
      `timer source: every ${String(every)} is not a valid period; use a positive number of milliseconds or a duration such as "30s"`,
    );
  const name = givenName ?? `every ${formatDuration(periodMs)}`;
  const ask = async (sink: SourceSink, signal: AbortSignal): Promise<void> => {
    const cause = { type: "timer", source: name } as const;
    try {
      await eachInSlices(keys(), (key) => sink.request(key, { priority, cause }), { clock, signal });
    } catch (error) {
      log.error("timer source failed to return its keys, retrying on the next tick", { source: name, afterMs: periodMs, error });
    }
  };
  return {
    name,
    run: async (sink, signal) => {
      if (signal.aborted) return;
      let dueMs = clock.monotonic();
      if (immediate) await ask(sink, signal);
      sink.synced();
      for (;;) {
        // Ticks missed while the machine slept are not caught up.
        dueMs = Math.max(dueMs + jittered(periodMs, jitter, random), clock.monotonic());
        await sleep(clock, dueMs - clock.monotonic(), { signal }).catch(() => undefined);
        if (signal.aborted) return;
        await ask(sink, signal);
      }
    },
  };
}
