/**
 * A log and a metrics registry of the user's own making, whose failures must not reach the code that logs and counts.
 *
 *     a user's runtime → guardRuntime → the same runtime, with a log and metrics that never throw
 */
import { callSafely } from "./call-safely.ts";
import type { Log, LogFields } from "./log.ts";
import type { LogLevel } from "./log-levels.ts";
import type { Labelled, LabelValues, Metrics } from "./metrics.ts";
import { isNeverThrowing, neverThrows } from "./never-throws.ts";
import type { Runtime } from "./runtime.ts";

/**
 * Returns the runtime with a log and metrics that never throw. Drops failed lines; logs the first failure of the metrics. Returns the
 * same runtime if both are Drover's own, which need no guard.
 */
export function guardRuntime<R extends Pick<Runtime, "log"> & Partial<Pick<Runtime, "metrics">>>(runtime: R): R {
  const { log, metrics } = runtime;
  if (isNeverThrowing(log) && (metrics === undefined || isNeverThrowing(metrics))) return runtime;
  const safeLog = guardLog(log);
  return { ...runtime, log: safeLog, ...(metrics === undefined ? {} : { metrics: guardMetrics(metrics, safeLog) }) };
}

/** Returns a log that never throws and whose promises never reject unhandled. */
function guardLog(log: Log): Log {
  if (isNeverThrowing(log)) return log;
  const at =
    (level: LogLevel): Log["info"] =>
    (message, fields) =>
      callSafely(
        () => log[level](message, fields),
        () => undefined,
      );
  const logWith = (fields: LogFields): Log => {
    try {
      return guardLog(log.with(fields));
    } catch {
      // Lines without these fields are better than none.
      return guarded;
    }
  };
  const guarded: Log = neverThrows({ debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), with: logWith });
  return guarded;
}

/** Returns metrics that never throw. What the registry can do besides counting, such as `families`, it still does. */
function guardMetrics<M extends Metrics>(metrics: M, log: Log): M {
  if (isNeverThrowing(metrics)) return metrics;
  let hasFailed = false;
  const onFailure = (error: unknown): void => {
    if (!hasFailed) log.error("metrics registry failed, counting goes on without it; further failures are not logged", { error });
    hasFailed = true;
  };
  const call = (work: () => unknown): void => callSafely(work, onFailure);
  const made = <T>(make: () => T): T | undefined => {
    try {
      return make();
    } catch (error) {
      onFailure(error);
      return undefined;
    }
  };
  const labelled = <Bound extends object>(
    metric: Labelled<Bound> | undefined,
    bind: (bound: Bound | undefined) => Bound,
  ): Labelled<Bound> => ({
    with: (labels) => bind(made(() => metric?.with(labels))),
    remove: (labels) => call(() => metric?.remove(labels)),
  });
  type Adds = { add(amount?: number, labels?: LabelValues): void };
  type Sets = { set(value: number, labels?: LabelValues): void; add(amount: number, labels?: LabelValues): void };
  type Observes = { observe(value: number, labels?: LabelValues): void };
  const adding = (series: Adds | undefined): Adds => ({ add: (amount, labels) => call(() => series?.add(amount, labels)) });
  const setting = (series: Sets | undefined): Sets => ({
    set: (value, labels) => call(() => series?.set(value, labels)),
    add: (amount, labels) => call(() => series?.add(amount, labels)),
  });
  const observing = (series: Observes | undefined): Observes => ({
    observe: (value, labels) => call(() => series?.observe(value, labels)),
  });
  const counting: Metrics = {
    counter: (options) => {
      const counter = made(() => metrics.counter(options));
      return { ...labelled(counter, adding), ...adding(counter) };
    },
    gauge: (options) => {
      const gauge = made(() => metrics.gauge(options));
      return { ...labelled(gauge, setting), ...setting(gauge) };
    },
    histogram: (options) => {
      const histogram = made(() => metrics.histogram(options));
      return { ...labelled(histogram, observing), ...observing(histogram) };
    },
  };
  // A proxy, because a registry may be of a class with private fields; only scrapes go through it.
  const rest = new Proxy(metrics, { get: (target, key) => bound(target, Reflect.get(target, key, target)) });
  return neverThrows(Object.create(rest, Object.getOwnPropertyDescriptors(counting)) as M);
}

const bound = (target: object, value: unknown): unknown => (typeof value === "function" ? (value.bind(target) as unknown) : value);
