/** `pop` of `FIFO` and `DeltaFIFO`. */
import type { KeyLine } from "./key-line.ts";
import type { PopulationCount } from "./population-count.ts";
import { isErrRequeue } from "./queue.ts";
import type { PopOptions, PopProcessFunc } from "./queue.ts";

/** Internal state of a queue. */
export interface PopSource<A> {
  readonly line: KeyLine;
  readonly items: Map<string, A>;
  readonly population: PopulationCount;
  /** Requeues an accumulator. */
  readonly requeue: (accumulator: A) => void;
}

/** Implements `Queue.pop`. Skips keys whose item was deleted after they were queued. */
export async function popNext<A>(
  { line, items, population, requeue }: PopSource<A>,
  process: PopProcessFunc<A>,
  { signal }: PopOptions,
): Promise<A> {
  for (;;) {
    const key = await line.next(signal);
    const isInInitialList = !population.isDone;
    population.popped();
    const item = items.get(key);
    if (item === undefined) continue;
    items.delete(key);
    try {
      await process(item, isInInitialList);
    } catch (error) {
      if (!isErrRequeue(error)) throw error;
      requeue(item);
      if (error.inner !== undefined) throw error.inner;
    }
    return item;
  }
}
