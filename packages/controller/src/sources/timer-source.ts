/** Keys that are looked at again and again, whatever happens: what is outside of the cluster tells nobody when it changes. */
import { formatDuration, jittered, parseDuration, sleep } from "@drover/machinery";
import type { ObjectKey, Runtime } from "@drover/machinery";
import { lowPriority } from "../handlers/request.ts";
import { eachInSlices } from "./slices.ts";
import type { Source, SourceSink } from "./source.ts";

export interface TimerSourceOptions {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log">;
  /** The period: milliseconds, or words such as "30s". Counted from one time to the next, whatever the work in between takes. */
  readonly every: number | string;
  /** Which keys, asked each time. What it throws is logged; the next time comes all the same. */
  readonly keys: () => Iterable<ObjectKey>;
  /** By how much each period may be longer, as a fraction of it, so that replicas and controllers do not all look at once. @default 0.1 */
  readonly jitter?: number;
  /** Whether the first time is at the start and not one period later. @default false */
  readonly immediate?: boolean;
  /** Nobody waits for it, so it gives way to what really happened. @default lowPriority */
  readonly priority?: number;
  /** @default made of the period: "every 30s" */
  readonly name?: string;
}

/** Asks for the keys again and again. Has synced at once: there is nothing to wait for. Throws a RangeError for a period that is none. */
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
    throw new RangeError(`timer source: every ${String(every)} is no period; more than zero milliseconds, or words such as "30s"`);
  const name = givenName ?? `every ${formatDuration(periodMs)}`;
  const ask = async (sink: SourceSink, signal: AbortSignal): Promise<void> => {
    const cause = { type: "timer", source: name } as const;
    try {
      await eachInSlices(keys(), (key) => sink.request(key, { priority, cause }), { clock, signal });
    } catch (error) {
      log.error("a timer source could not say its keys; it will be asked again", { source: name, afterMs: periodMs, error });
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
        // Times that were missed, because the machine slept, are not made up for.
        dueMs = Math.max(dueMs + jittered(periodMs, jitter, random), clock.monotonic());
        await sleep(clock, dueMs - clock.monotonic(), { signal }).catch(() => undefined);
        if (signal.aborted) return;
        await ask(sink, signal);
      }
    },
  };
}
