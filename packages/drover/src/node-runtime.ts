/**
 * The `Runtime` of a Node process: clock, random numbers, ids, log and metrics.
 *
 *     nodeRuntime() → Runtime
 */
import { randomBytes } from "node:crypto";
import { isatty } from "node:tty";
import { createClock, createLog, createMetrics, createRandom, uidSource } from "@drover/machinery";
import type { LogLevel, MetricsRegistry, Runtime } from "@drover/machinery";

/** Options of `nodeRuntime`. */
export interface NodeRuntimeOptions {
  /** Minimum log level. @default "info" */
  readonly logLevel?: LogLevel;
  /** "json" for machines, "text" for people. @default "text" if standard error is a terminal, else "json" */
  readonly logFormat?: "json" | "text";
  /** Writes one log line, without the line break. @default writes to standard error */
  readonly write?: (line: string) => void;
}

/** A runtime whose metrics can be exported. */
export interface NodeRuntime extends Runtime {
  readonly metrics: MetricsRegistry;
}

/** Creates a runtime with its own metrics and cryptographic random seed. */
export function nodeRuntime({
  logLevel = "info",
  logFormat = isatty(2) ? "text" : "json",
  write = toStandardError,
}: NodeRuntimeOptions = {}): NodeRuntime {
  const clock = createClock({
    now: () => Date.now(),
    monotonic: () => performance.now(),
    setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
    clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
  });
  const random = createRandom(randomBytes(32).toString("hex"));
  return {
    clock,
    random,
    uid: uidSource(random.stream("uid")),
    log: createLog({ clock, write, level: logLevel, format: logFormat }),
    metrics: createMetrics(),
    openHandles: () => process.getActiveResourcesInfo().length,
  };
}

function toStandardError(line: string): void {
  process.stderr.write(`${line}\n`);
}
