/**
 * The `Runtime` of a Node process: clock, random numbers, ids, log and metrics.
 *
 *     nodeRuntime() → Runtime
 */
import { randomBytes } from "node:crypto";
import { isatty } from "node:tty";
import { createClock, createLog, createMetrics, createRandom, uidSource } from "@drover/machinery";
import type { LogLevel, MetricsRegistry, Runtime } from "@drover/machinery";
import { logLines, standardError } from "./log-lines.ts";
import { threadNumber } from "./worker-threads.ts";

/** Options of `nodeRuntime`. */
export interface NodeRuntimeOptions {
  /** Minimum log level. @default "info" */
  readonly logLevel?: LogLevel;
  /** "json" for machines, "text" for people. @default "text" if standard error is a terminal, else "json" */
  readonly logFormat?: "json" | "text";
  /**
   * Writes one log line, without the line break. What it throws or rejects with is dropped, and so is the line.
   * @default writes to standard error
   */
  readonly write?: (line: string) => void;
}

/** A runtime whose metrics can be exported. */
export interface NodeRuntime extends Runtime {
  readonly metrics: MetricsRegistry;
}

/**
 * Creates a runtime with its own metrics and cryptographic random seed.
 *
 * Guarantees: logging neither ends nor stalls the program. Lines that cannot be written (closed pipe, full disk) and
 * lines beyond 4 MiB that a slow reader has not taken are dropped, counted in `drover_log_lines_dropped_total`, and
 * reported by the next line that can be written. Only a terminal may block.
 */
export function nodeRuntime({ logLevel = "info", logFormat = isatty(2) ? "text" : "json", write }: NodeRuntimeOptions = {}): NodeRuntime {
  const clock = createClock({
    now: () => Date.now(),
    monotonic: () => performance.now(),
    setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
    clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
    setImmediate: (callback) => setImmediate(callback),
    clearImmediate: (handle) => clearImmediate(handle as NodeJS.Immediate),
  });
  const random = createRandom(randomBytes(32).toString("hex"));
  const metrics = createMetrics();
  const report = (dropped: number): string => {
    let line = "";
    createLog({ clock, format: logFormat, write: (text) => (line = text) }).warn("log lines dropped", { lines: dropped });
    return line;
  };
  const log = createLog({
    clock,
    write: write ?? logLines({ output: standardError(), metrics, report }),
    level: logLevel,
    format: logFormat,
  });
  const thread = threadNumber();
  return {
    clock,
    random,
    uid: uidSource(random.stream("uid")),
    log: thread === undefined ? log : log.with({ thread }),
    metrics,
    openHandles: () => process.getActiveResourcesInfo().length,
  };
}
