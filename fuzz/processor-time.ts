/** Time that this thread has spent on a processor: unlike the clock, it does not run while other programs do. */
import { readFileSync } from "node:fs";

/** Milliseconds; where the system does not tell, those of the clock. */
export function processorMs(): number {
  try {
    // The first number is in nanoseconds.
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
