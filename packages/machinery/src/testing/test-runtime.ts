/**
 * A `Runtime` in which nothing happens by accident: with it, a run is a function of its seed.
 *
 *     const runtime = testRuntime({ seed: 7 });
 */
import { createMetrics } from "../runtime/metrics-registry.ts";
import type { MetricsRegistry } from "../runtime/metrics-registry.ts";
import { createRandom } from "../runtime/random.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { uidSource } from "../runtime/uid.ts";
import { ManualClock } from "./manual-clock.ts";
import { recordingLog } from "./recording-log.ts";
import type { RecordingLog } from "./recording-log.ts";

export interface TestRuntimeOptions {
  /** Every choice in the run follows from it. @default 1 */
  readonly seed?: number | string | bigint;
  /** The clock to use. @default a new `ManualClock` at 2026-01-01T00:00:00Z */
  readonly clock?: ManualClock;
}

export interface TestRuntime extends Runtime {
  readonly clock: ManualClock;
  readonly log: RecordingLog;
  readonly metrics: MetricsRegistry;
}

/** A runtime with a clock that stands still, chance from a seed, and a log and metrics that can be looked at. */
export function testRuntime({ seed = 1, clock = new ManualClock() }: TestRuntimeOptions = {}): TestRuntime {
  const random = createRandom(seed);
  return {
    clock,
    random,
    uid: uidSource(random.stream("uid")),
    log: recordingLog(clock),
    metrics: createMetrics(),
    openHandles: () => clock.pending.length,
  };
}
