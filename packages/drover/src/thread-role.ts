/**
 * Which part of a program with threads this process or thread is.
 *
 *     run({ threads: 2 }) → threadRole → the main thread that starts threads, one of the threads, or a program without
 */
import { checkThreads } from "@drover/controller";
import type { ManagerOptions } from "@drover/controller";
import type { ThreadHeap } from "./heap-growth.ts";
import { commonMs, entryModule, startThreads, takeSeat } from "./worker-threads.ts";

/** Threads of a program. */
export interface ThreadsOptions {
  /** Number of threads that reconcile, at most 64; 1 reconciles in the main thread. */
  readonly count: number;
  /** Module that threads run; it must reach the same call of `run`. @default the file that Node was started with */
  readonly entry?: URL;
}

/**
 * What a manager of this name is here: options of `createManager`, or "elsewhere" if this thread was started for another program, so that
 * this one must not run.
 */
export type ThreadRole = Pick<ManagerOptions, "threads" | "thread"> | "elsewhere";

/**
 * Throws a `RangeError` or `TypeError` that names the option, for threads that make no sense.
 * @param limitHeaps - called in a main thread that starts threads @default their heaps have Node's limits
 */
export function threadRole(name: string, threads: number | ThreadsOptions = 1, limitHeaps: () => ThreadHeap = () => ({})): ThreadRole {
  const { count, entry } = typeof threads === "object" && threads !== null ? threads : { count: threads };
  checkThreads(count);
  const seat = takeSeat(count === 1 ? "" : name);
  if (seat !== undefined) return seat === "taken" ? "elsewhere" : { thread: seat };
  return count === 1 ? {} : { threads: { count, start: startThreads(name, entryModule(entry), limitHeaps()), commonMs } };
}
