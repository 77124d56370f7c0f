/**
 * External events as a loop: whatever can be written as an async generator is a source.
 *
 *     iterableSource("orders", async function* (signal) {
 *       for await (const order of queue(signal)) yield { key: objectKey(order.name, "shop") };
 *     }, { runtime })
 */
import { abortable, delayWithReset, sleep } from "@drover/machinery";
import type { Backoff, Runtime } from "@drover/machinery";
import { externalRequest } from "./external-event.ts";
import type { ExternalEvent } from "./external-event.ts";
import { countSteps } from "./slices.ts";
import type { Source, SourceSink } from "./source.ts";
import { untilAborted } from "./until-aborted.ts";

export interface IterableSourceOptions {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log">;
  /**
   * The pauses after which events are opened again when they fail; false lets the failure end the controller. @default
   * one second, doubling up to 30 s, each up to a fifth longer
   */
  readonly reopen?: Backoff | false;
}

const defaultReopen: Backoff = { duration: 1000, factor: 2, steps: 10, cap: 30_000, jitter: 0.2 };

/** After so long without a failure the pauses are short again. */
const forgivenMs = 120_000;

/**
 * Asks for the keys of external events. Has synced at once. Events that end are the end of them; what they throw is logged, and they are
 * opened again.
 *
 * Guarantees: one event is taken after the other, and however fast they come, others have their turn, so a flood is slowed at its origin
 * and merged in the queue; after the abort none is taken, also from an iterable that does not listen to its signal.
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
          log.error("external events failed; they will be opened again", { source: name, afterMs, error });
          sink.waitingFor(`its events failed: ${error instanceof Error ? error.message : String(error)}`);
          await sleep(clock, afterMs, { signal }).catch(() => undefined);
          if (signal.aborted) return;
        }
      }
      // The events are over, and the source lasts as long as it is watched.
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
  try {
    for (;;) {
      const next = await abortable(iterator.next(), signal);
      if (next.done === true) return;
      sink.waitingFor(undefined);
      sink.request(next.value.key, externalRequest(name, next.value));
      const turn = step();
      if (turn !== undefined) await turn;
      signal.throwIfAborted();
    }
  } finally {
    // Not waited for: a generator that waits for something else comes to its end when that does.
    if (signal.aborted) Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
