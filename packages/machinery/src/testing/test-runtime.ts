/**
 * A deterministic `Runtime`: a run is a function of its seed.
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
  /** Seed of every random choice. @default 1 */
  readonly seed?: number | string | bigint;
  /** The clock to use. @default a new `ManualClock` at 2026-01-01T00:00:00Z */
  readonly clock?: ManualClock;
}

export interface TestRuntime extends Runtime {
  readonly clock: ManualClock;
  readonly log: RecordingLog;
  readonly metrics: MetricsRegistry;
}

/** Returns a runtime with a manual clock, a seeded random source, and a log and metrics that tests can read. */
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
