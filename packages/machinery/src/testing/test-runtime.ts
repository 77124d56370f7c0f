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
import type { LogEntry, RecordingLog } from "./recording-log.ts";

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
  const log = recordingLog(clock);
  clock.onEndless(() => busiestKeys(log.entries));
  return {
    clock,
    random,
    uid: uidSource(random.stream("uid")),
    log,
    metrics: createMetrics(),
    openHandles: () => clock.pending.length,
  };
}

/** How many of the last lines to count, and how many keys to name. */
const linesCounted = 1000;
const keysNamed = 5;

/** Returns who has logged most often in the end: "web of a (500 times), web of b (500 times)". */
function busiestKeys(entries: readonly LogEntry[]): string {
  const counts = new Map<string, number>();
  for (const { fields } of entries.slice(-linesCounted)) {
    const [key, controller] = [fields["key"], fields["controller"]];
    if (typeof key !== "string") continue;
    const name = typeof controller === "string" ? `${key} of ${controller}` : key;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const busiest = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, keysNamed);
  return busiest.length === 0
    ? ""
    : `the last lines of the log are about ${busiest.map(([name, count]) => `${name} (${count} times)`).join(", ")}`;
}
