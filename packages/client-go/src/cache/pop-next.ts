/** Taking the next thing out of a queue: what `FIFO` and `DeltaFIFO` do alike, whatever has gathered for a key. */
import type { KeyLine } from "./key-line.ts";
import type { PopulationCount } from "./population-count.ts";
import { ErrRequeue } from "./queue.ts";
import type { PopOptions, PopProcessFunc } from "./queue.ts";

/** The inside of a queue. */
export interface PopSource<A> {
  readonly line: KeyLine;
  readonly items: Map<string, A>;
  readonly population: PopulationCount;
  /** Puts back what is to come again. */
  readonly requeue: (accumulator: A) => void;
}

/** What `Queue.pop` promises. Keys without an item, deleted since they stood in line, are passed over. */
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
      if (!(error instanceof ErrRequeue)) throw error;
      requeue(item);
      if (error.inner !== undefined) throw error.inner;
    }
    return item;
  }
}
