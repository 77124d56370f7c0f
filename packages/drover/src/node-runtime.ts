/**
 * The `Runtime` of a Node process: clock, random numbers, ids, log and metrics.
 *
 *     nodeRuntime() → Runtime
 */
import { randomBytes } from "node:crypto";
import { isatty } from "node:tty";
import { checkOptions, createClock, createLog, createMetrics, createRandom, uidSource } from "@drover/machinery";
import type { Log, LogFormat, LogOptions, MetricsRegistry, OptionNames, Runtime } from "@drover/machinery";
import { logLines, standardError } from "./log-lines.ts";
import { threadNumber } from "./worker-threads.ts";

/** Options of `nodeRuntime`. */
export interface NodeRuntimeOptions {
  /**
   * Minimum log level, also by controller: `"info,controller/webapp=debug"`. A log that writes level debug shows the stacks of errors.
   * @default the environment variable DROVER_LOG, or "info"
   */
  readonly logLevel?: NonNullable<LogOptions["level"]>;
  /**
   * "json" and "logfmt" for machines, "text" for people, wrapped and in colour on a terminal unless NO_COLOR is set.
   * @default the environment variable DROVER_LOG_FORMAT, or "text" if standard error is a terminal, else "json"
   */
  readonly logFormat?: LogFormat;
  /**
   * Writes one log line, without the line break. What it throws or rejects with is dropped, and so is the line.
   * @default writes to standard error
   */
  readonly write?: (line: string) => void;
  /**
   * A log of the program, such as `pinoLog(pino())` of `drover/bridges`, instead of lines on standard error. Its own settings decide about
   * levels and format: not together with `logLevel`, `logFormat` or `write`. @default a log with these options
   */
  readonly log?: Log;
}

const optionNames = { logLevel: true, logFormat: true, write: true, log: true } satisfies OptionNames<NodeRuntimeOptions>;

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
export function nodeRuntime(options: NodeRuntimeOptions = {}): NodeRuntime {
  checkOptions("nodeRuntime", options, optionNames);
  const { logLevel = levelOf(process.env), logFormat = formatOf(process.env), write, log: given } = options;
  const unused = given && (["logLevel", "logFormat", "write"] as const).find((name) => options[name] !== undefined);
  if (unused !== undefined)
    throw new TypeError(`nodeRuntime: ${unused} has no effect together with log\n  fix: leave it out, and set it on the logger`);
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
  const form: Pick<LogOptions, "format" | "style"> = {
    format: logFormat,
    ...(write === undefined && isatty(2) ? { style: terminalStyle } : {}),
  };
  const report = (dropped: number): string => {
    let line = "";
    createLog({ clock, ...form, write: (text) => (line = text) }).warn("log lines dropped", { lines: dropped });
    return line;
  };
  const log =
    given ?? createLog({ clock, write: write ?? logLines({ output: standardError(), metrics, report }), level: logLevel, ...form });
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

/** Text that is no level is refused by the log. */
const levelOf = ({ DROVER_LOG: text = "" }: NodeJS.ProcessEnv): NonNullable<LogOptions["level"]> =>
  text === "" ? "info" : (text as "info");

function formatOf({ DROVER_LOG_FORMAT: text = "" }: NodeJS.ProcessEnv): LogFormat {
  if (text === "json" || text === "logfmt" || text === "text") return text;
  if (text === "") return isatty(2) ? "text" : "json";
  throw new TypeError(`DROVER_LOG_FORMAT: ${JSON.stringify(text.slice(0, 60))} is not a format\n  fix: json, logfmt or text`);
}

/** How lines look on the terminal at standard error. */
const terminalStyle: NonNullable<LogOptions["style"]> = {
  get hasColor() {
    const { NO_COLOR: noColor = "", TERM: terminal = "" } = process.env;
    return noColor === "" && terminal !== "dumb";
  },
  get columns() {
    return process.stderr.columns || 80;
  },
};
