/** Entry point for tests: a manual clock, a seeded random source and a recording log. */
export { ManualClock } from "./testing/manual-clock.ts";
export type { ManualClockOptions } from "./testing/manual-clock.ts";
export { recordingLog } from "./testing/recording-log.ts";
export type { LogEntry, RecordingLog } from "./testing/recording-log.ts";
export { testRuntime } from "./testing/test-runtime.ts";
export type { TestRuntime, TestRuntimeOptions } from "./testing/test-runtime.ts";
export { metricValues } from "./testing/metric-values.ts";
export { hostileValues } from "./testing/hostile-values.ts";
export type { HostileValue } from "./testing/hostile-values.ts";
