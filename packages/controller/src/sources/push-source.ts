/**
 * External events by function call: for webhooks and callbacks that cannot be written as an async iterable.
 *
 *     const orders = pushSource("orders", { runtime });   controller.watch(orders);   orders.push(key, { note: "paid" });
 */
import type { ObjectKey, Runtime } from "@drover/machinery";
import { externalRequest } from "./external-event.ts";
import type { ExternalOptions } from "./external-event.ts";
import type { Source, SourceSink } from "./source.ts";
import { untilAborted } from "./until-aborted.ts";

/** Options of `pushSource`. */
export interface PushSourceOptions {
  readonly runtime: Pick<Runtime, "log" | "metrics">;
  /** Maximum number of keys whose events are kept until a controller watches; further events are dropped. @default 100000 */
  readonly keptMax?: number;
}

/** A source whose events are pushed by function call. */
export interface PushSource extends Source {
  /** Enqueues the key in every controller that watches the source. Never throws or waits. */
  push(key: ObjectKey, options?: ExternalOptions): void;
}

/**
 * Returns a source with a `push` method. It has synced as soon as it has delivered the kept events.
 *
 * Guarantees: events pushed before the first watch are kept, the last one per key, and go to the first watcher; later events go to all
 * watchers. Events without a watcher are dropped, logged once and counted (`drover_source_dropped_events_total`).
 */
export function pushSource(name: string, { runtime: { log, metrics }, keptMax = 100_000 }: PushSourceOptions): PushSource {
  const dropped = metrics
    .counter({
      name: "drover_source_dropped_events_total",
      help: "External events dropped because no controller watched the source",
      labels: ["source"],
    })
    .with({ source: name });
  const sinks = new Set<{ readonly sink: SourceSink; readonly signal: AbortSignal }>();
  let kept: Map<ObjectKey, ExternalOptions> | undefined = new Map();
  let hasLogged = false;
  const drop = (key: ObjectKey, why: string): void => {
    dropped.add();
    if (!hasLogged) log.warn("external event dropped, further ones are only counted", { source: name, key, why });
    hasLogged = true;
  };
  const push = (key: ObjectKey, options: ExternalOptions = {}): void => {
    // A watcher that was stopped just now may still be in the set.
    const watching = [...sinks].filter(({ signal }) => !signal.aborted);
    for (const { sink } of watching) sink.request(key, externalRequest(name, options));
    if (watching.length > 0) return;
    if (kept === undefined) drop(key, "no controller watches this source any more");
    else if (kept.size >= keptMax && !kept.has(key))
      drop(key, `no controller watches this source yet, and ${keptMax} keys are already kept`);
    else kept.set(key, options);
  };
  const run = async (sink: SourceSink, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return;
    const before = kept ?? [];
    kept = undefined;
    hasLogged = false;
    const watcher = { sink, signal };
    sinks.add(watcher);
    for (const [key, options] of before) sink.request(key, externalRequest(name, options));
    sink.synced();
    await untilAborted(signal);
    sinks.delete(watcher);
  };
  return { name, push, run };
}
