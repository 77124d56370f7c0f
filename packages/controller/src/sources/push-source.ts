/**
 * External events by a call: for webhooks, callbacks and whatever else cannot be written as a loop.
 *
 *     const orders = pushSource("orders", { runtime });   controller.watch(orders);   orders.push(key, { note: "paid" });
 */
import type { ObjectKey, Runtime } from "@drover/machinery";
import { externalRequest } from "./external-event.ts";
import type { ExternalOptions } from "./external-event.ts";
import type { Source, SourceSink } from "./source.ts";
import { untilAborted } from "./until-aborted.ts";

export interface PushSourceOptions {
  readonly runtime: Pick<Runtime, "log" | "metrics">;
  /** For how many keys events are kept before somebody watches; what is beyond is dropped. @default 100000 */
  readonly keptMax?: number;
}

export interface PushSource extends Source {
  /** Asks every controller that watches for this key. Never throws and never waits. */
  push(key: ObjectKey, options?: ExternalOptions): void;
}

/**
 * A source that is told. Has synced as soon as it has handed on what it kept.
 *
 * Guarantees: events from before the first watch are kept, the last one of each key, and go to the first who watches; events go to all
 * who watch; those that nobody watches for any more are dropped, logged once and counted (`drover_source_dropped_events_total`).
 */
export function pushSource(name: string, { runtime: { log, metrics }, keptMax = 100_000 }: PushSourceOptions): PushSource {
  const dropped = metrics
    .counter({ name: "drover_source_dropped_events_total", help: "External events that nobody watched for", labels: ["source"] })
    .with({ source: name });
  const sinks = new Set<{ readonly sink: SourceSink; readonly signal: AbortSignal }>();
  let kept: Map<ObjectKey, ExternalOptions> | undefined = new Map();
  let hasTold = false;
  const drop = (key: ObjectKey, why: string): void => {
    dropped.add();
    if (!hasTold) log.warn("an external event is dropped; further ones are only counted", { source: name, key, why });
    hasTold = true;
  };
  const push = (key: ObjectKey, options: ExternalOptions = {}): void => {
    // One that was stopped a moment ago may still be in the set.
    const watching = [...sinks].filter(({ signal }) => !signal.aborted);
    for (const { sink } of watching) sink.request(key, externalRequest(name, options));
    if (watching.length > 0) return;
    if (kept === undefined) drop(key, "nobody watches this source any more");
    else if (kept.size >= keptMax && !kept.has(key)) drop(key, `nobody watches this source yet, and ${keptMax} keys are kept already`);
    else kept.set(key, options);
  };
  const run = async (sink: SourceSink, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return;
    const before = kept ?? [];
    kept = undefined;
    hasTold = false;
    const watcher = { sink, signal };
    sinks.add(watcher);
    for (const [key, options] of before) sink.request(key, externalRequest(name, options));
    sink.synced();
    await untilAborted(signal);
    sinks.delete(watcher);
  };
  return { name, push, run };
}
