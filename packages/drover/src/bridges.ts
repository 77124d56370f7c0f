/** Connects the log, metrics and traces of Drover to what a program already has: pino, winston, prom-client, OpenTelemetry. */
export { loggerLog, pinoLog } from "./bridges/logger-log.ts";
export type { MessageLogger, PinoLogger } from "./bridges/logger-log.ts";
export { meterMetrics } from "./bridges/meter-metrics.ts";
export type { MetricsMeter } from "./bridges/meter-metrics.ts";
export { nodeMetrics } from "./bridges/node-metrics.ts";
export type { NodeMetricsOptions } from "./bridges/node-metrics.ts";
export { exportMetrics } from "./bridges/prom-registry.ts";
export type { PromRegistry } from "./bridges/prom-registry.ts";
export { tracedTape } from "./bridges/traced-tape.ts";
export type { TraceApi, TraceSpan, TraceSpanContext, TraceSpanOptions } from "./bridges/traced-tape.ts";
