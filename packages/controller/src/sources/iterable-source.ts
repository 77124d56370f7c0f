/**
 * External events from an async iterable: any async generator is a source.
 *
 *     iterableSource("orders", async function* (signal) {
 *       for await (const order of queue(signal)) yield { key: objectKey(order.name, "shop") };
 *     }, { runtime })
 */
import { abortable, callSafely, delayWithReset, errorText, sleep } from "@drover/machinery";
import type { Backoff, Runtime } from "@drover/machinery";
import { externalRequest } from "./external-event.ts";
import type { ExternalEvent } from "./external-event.ts";
import { countSteps } from "./slices.ts";
import type { Source, SourceSink } from "./source.ts";
import { untilAborted } from "./until-aborted.ts";

/** Options of `iterableSource`. */
export interface IterableSourceOptions {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log">;
  /**
   * Delays before the iterable is reopened after a failure; false lets the failure end the controller. @default 1 s, doubling up to 30 s,
   * with 20 % jitter
   */
  readonly reopen?: Backoff | false;
}

const defaultReopen: Backoff = { duration: 1000, factor: 2, steps: 10, cap: 30_000, jitter: 0.2 };

/** Time without a failure after which the delays start over. */
const forgivenMs = 120_000;

/**
 * Returns a source that requests the keys of external events. It has synced immediately. When the iterable ends, no more events come; when
 * it throws, the error is logged and the iterable is reopened.
 *
 * Guarantees: takes one event at a time and yields to other work regularly, so a flood of events is slowed at its origin and merged in the
 * queue. Takes no event after the abort, even from an iterable that ignores its signal.
 */
export function iterableSource(
  name: string,
  open: (signal: AbortSignal) => AsyncIterable<ExternalEvent>,
  { runtime: { clock, random, log }, reopen = defaultReopen }: IterableSourceOptions,
): Source {
  return {
    name,
    run: async (sink, signal) => {
      if (signal.aborted) return;
      sink.synced();
      const step = countSteps(clock);
      const pause = reopen === false ? undefined : delayWithReset(reopen, { clock, random, resetInterval: forgivenMs });
      for (;;) {
        try {
          await take(name, open(signal), step, sink, signal);
          sink.waitingFor(undefined);
          break;
        } catch (error) {
          if (signal.aborted) return;
          if (pause === undefined) throw error;
          const afterMs = Math.round(pause());
          log.error("external events failed, reopening", { source: name, afterMs, error });
          sink.waitingFor(`its events failed: ${errorText(error)}`);
          await sleep(clock, afterMs, { signal }).catch(() => undefined);
          if (signal.aborted) return;
        }
      }
      // No more events, but the source runs until it is stopped.
      await untilAborted(signal);
    },
  };
}

async function take(
  name: string,
  events: AsyncIterable<ExternalEvent>,
  step: () => Promise<void> | undefined,
  sink: SourceSink,
  signal: AbortSignal,
): Promise<void> {
  const iterator = events[Symbol.asyncIterator]();
  // An iterator that has ended, or whose `next` failed, has closed itself.
  let isOpen = true;
  try {
    for (;;) {
      isOpen = false;
      const next = await abortable(iterator.next(), signal);
      if (next.done === true) return;
      isOpen = true;
      sink.waitingFor(undefined);
      sink.request(next.value.key, externalRequest(name, next.value));
      const turn = step();
      if (turn !== undefined) await turn;
      signal.throwIfAborted();
    }
  } finally {
    // Not awaited: a generator that waits for something else ends only when that does.
    if (isOpen || signal.aborted)
      callSafely(
        () => iterator.return?.(),
        () => undefined,
      );
  }
}
