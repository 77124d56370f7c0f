/**
 * Collects the events of all controllers of a program, combines them, and writes them to the server.
 *
 *     eventf → draft → similar ones combined → series → spam filter → outbox → writers → events.k8s.io/v1
 *
 * Everything up to the outbox happens synchronously in `eventf`. The decisions are in the `…-state.ts` files; this file waits and sends.
 */
import type { Runtime } from "@drover/machinery";
import { deadline, definedOnly, findApiError, formatMicroTime, Group, jittered, millisToMicros } from "@drover/machinery";
import { combinedPrefix, EventAggregationState } from "./event-aggregation-state.ts";
import type { EventAggregationOptions } from "./event-aggregation-state.ts";
import { cutText } from "./cut-text.ts";
import { eventDraft, eventFrom, noteBytesMax } from "./event-draft.ts";
import type { EventDraft, EventReporter, NewEvent } from "./event-draft.ts";
import { seriesKey, similarKey, spamKey } from "./event-keys.ts";
import { eventMetrics } from "./event-metrics.ts";
import type { EventMetrics } from "./event-metrics.ts";
import { EventNames } from "./event-names.ts";
import { EventOutboxState } from "./event-outbox-state.ts";
import { checkedReporter } from "./event-recorder.ts";
import type { EventRecorder } from "./event-recorder.ts";
import { EventSeriesState } from "./event-series-state.ts";
import type { EventSeriesOptions, EventWrite } from "./event-series-state.ts";
import { EventSpamState } from "./event-spam-state.ts";
import type { EventSpamOptions } from "./event-spam-state.ts";
import { isNamespaceGone, mayHelpToRetry, sendEvent } from "./send-event.ts";
import type { EventClient } from "./send-event.ts";

const restMaxMs = 100;

/** Dependencies and limits of a broadcaster. */
export interface EventBroadcasterOptions extends Runtime {
  /** Client that writes the events; its role needs `create` and `patch` on events in events.k8s.io. */
  readonly client: EventClient;
  /** Maximum number of different events that wait or are being written; beyond it the oldest is dropped. @default 1000 */
  readonly queueMax?: number;
  /** Number of concurrent writes. @default 4 */
  readonly writersMax?: number;
  /**
   * Share of the time spent on writing: with 0.25, a writer that took a millisecond pauses for three, and for 100 ms at most. A busy
   * process then writes slowly, an idle one immediately. @default 1, no pauses
   */
  readonly writeShare?: number;
  /** Number of attempts before an event is given up. @default 12 */
  readonly triesMax?: number;
  /** Milliseconds before the second attempt; doubles with each attempt up to `retryMaxMs`, plus up to 25 % jitter. @default 1000 */
  readonly retryMs?: number;
  /** Maximum delay in milliseconds, unless the server asks for a longer one. @default 20,000 */
  readonly retryMaxMs?: number;
  /** Timeout of one request, in milliseconds. @default 30,000 */
  readonly writeTimeoutMs?: number;
  /** How long `run` continues to write after its signal aborts, in milliseconds. @default 5000 */
  readonly flushTimeoutMs?: number;
  /** When repeated events form a series. @default at most six minutes apart */
  readonly series?: EventSeriesOptions;
  /** When events that differ only in their note are combined. @default from the tenth note within ten minutes */
  readonly aggregation?: EventAggregationOptions;
  /** How many writes one reporter gets per object. @default 25 at once, then one every five minutes */
  readonly spam?: EventSpamOptions;
}

/** Options of `flush`. */
export interface FlushOptions {
  /** Stops waiting; the promise rejects with the signal's reason. @default no signal */
  readonly signal?: AbortSignal;
  /** Maximum time to wait, in milliseconds. @default 5000 */
  readonly timeoutMs?: number;
}

/**
 * Writes recorded events.
 *
 * Guarantees: recording never waits and never throws. Memory is bounded. No two concurrent writes of one event. An event whose first
 * response was lost is not created twice. Every recorded event is counted under exactly one outcome.
 */
export interface EventBroadcaster {
  /** Returns a recorder for one controller. Throws for names that the server would reject. */
  recorder(reporter: EventReporter): EventRecorder;
  /**
   * Writes until the signal aborts, then writes the rest, including the last counts of series, for up to `flushTimeoutMs`. Resolves when no
   * request is in progress; events recorded later are dropped. Can be called once; events recorded before wait.
   */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Writes everything now, including the counts of running series. Resolves with the number of events still unwritten at the timeout; 0 if
   * all were written.
   */
  flush(options?: FlushOptions): Promise<number>;
}

/** Returns a broadcaster. Until it runs it only remembers what is recorded. */
export function createEventBroadcaster(options: EventBroadcasterOptions): EventBroadcaster {
  return new WritingBroadcaster(options);
}

class WritingBroadcaster implements EventBroadcaster {
  readonly #options: EventBroadcasterOptions;
  readonly #metrics: EventMetrics;
  readonly #names: EventNames;
  readonly #aggregation: EventAggregationState;
  readonly #series: EventSeriesState;
  readonly #spam: EventSpamState;
  readonly #outbox: EventOutboxState;
  readonly #sleepers = new Set<() => void>();
  /** No write starts before this time. */
  #restsUntilMs = -Infinity;
  /** Number of pending `flush` calls; while there are any, writers do not pause. */
  #flushes = 0;
  #phase: "new" | "running" | "ending" | "over" = "new";
  /** Whether the drop was already logged, so that a flood gives one log line. */
  #hasLoggedDrop = false;

  constructor(options: EventBroadcasterOptions) {
    const { clock, metrics, queueMax = 1000, writeShare = 1, series = {}, aggregation, spam } = options;
    if (!(writeShare > 0 && writeShare <= 1))
      throw new RangeError(`createEventBroadcaster: writeShare must be more than 0 and at most 1, not ${writeShare}`);
    this.#options = options;
    this.#metrics = eventMetrics(metrics);
    this.#names = new EventNames(options);
    this.#aggregation = new EventAggregationState(aggregation);
    this.#series = new EventSeriesState(series, clock.monotonic());
    this.#spam = new EventSpamState(spam);
    this.#outbox = new EventOutboxState(queueMax);
  }

  recorder(reporter: EventReporter): EventRecorder {
    const checked = checkedReporter(reporter);
    return { eventf: (event) => this.#record(event, checked) };
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#phase !== "new") throw new Error("an event broadcaster can run only once; create another one with createEventBroadcaster");
    const { clock, log, flushTimeoutMs = 5000 } = this.#options;
    this.#phase = "running";
    // Not under the caller's signal: requests in progress may finish within flushTimeoutMs.
    const writes = new Group({
      onFailure: "isolate",
      onError: (error) => log.error("event lost because of a bug", { error }),
    });
    while (!signal.aborted) {
      this.#beginWrites(writes);
      await this.#nap(signal, this.#nextWriteAt());
    }
    this.#phase = "ending";
    this.#outbox.putAll(this.#series.unwritten());
    this.#outbox.hurry();
    const { signal: tooLate, release } = deadline(clock, flushTimeoutMs);
    while (!tooLate.aborted && this.#outbox.size > 0) {
      this.#beginWrites(writes);
      // Keys without anything to write are removed synchronously, so nothing would wake this loop.
      if (this.#outbox.size > 0) await this.#nap(tooLate, Infinity);
    }
    release();
    this.#phase = "over";
    writes.abort();
    await writes.done();
    this.#dropRest();
    this.#wake();
  }

  async flush({ signal, timeoutMs = 5000 }: FlushOptions = {}): Promise<number> {
    const { signal: tooLate, release } = deadline(this.#options.clock, timeoutMs, definedOnly({ signal }));
    this.#outbox.putAll(this.#series.unwritten());
    this.#flushes += 1;
    this.#wake();
    while (this.#outbox.size > 0 && this.#phase !== "over" && !tooLate.aborted) await this.#nap(tooLate, Infinity);
    this.#flushes -= 1;
    release();
    signal?.throwIfAborted();
    return this.#outbox.size;
  }

  #record(event: NewEvent, reporter: EventReporter): void {
    const { log } = this.#options;
    this.#metrics.recorded.add();
    const draft = eventDraft(event, reporter);
    if (typeof draft === "string") {
      this.#metrics.outcomes.invalid.add();
      log.error("invalid event not recorded", { problem: draft, controller: reporter.controller, reason: event.reason, note: event.note });
      return;
    }
    const { type, reason, action, note, regarding } = draft;
    log.debug("event", { type, reason, action, note, kind: regarding.kind, namespace: draft.namespace, name: regarding.name });
    if (this.#phase === "over") this.#metrics.outcomes.dropped.add();
    else this.#observe(draft);
  }

  #observe(draft: EventDraft): void {
    const { clock } = this.#options;
    const nowMs = clock.monotonic();
    const time = formatMicroTime(millisToMicros(clock.now()));
    const similar = similarKey(draft);
    const isCombined = this.#aggregation.isCombined(similar, draft.note, nowMs);
    const key = isCombined ? similar : seriesKey(similar, draft.note);
    const note = isCombined ? cutText(combinedPrefix + draft.note, noteBytesMax, "…") : draft.note;
    const { outcome, forgotten } = this.#series.observe(key, {
      first: () => eventFrom(draft, { name: this.#names.next(draft.regarding.name ?? ""), eventTime: time, note }),
      allows: () => this.#spam.allows(spamKey(draft), nowMs),
      nowMs,
      time,
    });
    if (outcome === "spam") this.#metrics.outcomes.spam.add();
    this.#dropped(forgotten);
    if (outcome === "write") this.#put(key);
  }

  #put(key: string): void {
    const thrownOut = this.#outbox.put(key);
    if (thrownOut !== undefined) this.#dropped(this.#series.putOff(thrownOut));
    this.#metrics.depth.set(this.#outbox.size);
    this.#wake();
  }

  #dropped(count: number): void {
    if (count === 0) return;
    this.#metrics.outcomes.dropped.add(count);
    if (this.#hasLoggedDrop) return;
    this.#hasLoggedDrop = true;
    this.#options.log.warn("too many events to write, dropping the oldest until the server catches up", {
      waiting: this.#outbox.size,
    });
  }

  #beginWrites(writes: Group): void {
    const { clock, writersMax = 4 } = this.#options;
    const nowMs = clock.monotonic();
    // Not `put`: these events are remembered anyway and must not evict others.
    this.#outbox.putAll(this.#series.due(nowMs));
    if (this.#restsAt() > nowMs) return;
    while (this.#outbox.running < writersMax) {
      const key = this.#outbox.take(nowMs);
      if (key === undefined) return;
      const write = this.#series.pendingWrite(key);
      if (write === undefined) this.#settle(key);
      else writes.spawn(`event ${write.event.metadata.name}`, (signal) => this.#write(write, signal));
    }
  }

  async #write(write: EventWrite, signal: AbortSignal): Promise<void> {
    const { client, clock, writeTimeoutMs = 30_000 } = this.#options;
    const beganMs = clock.monotonic();
    try {
      await sendEvent(client, write, { signal, timeoutMs: writeTimeoutMs });
      this.#rest(clock.monotonic() - beganMs);
      this.#metrics.outcomes.written.add(this.#series.written(write, clock.monotonic()));
      this.#settle(write.key);
    } catch (error) {
      this.#rest(clock.monotonic() - beganMs);
      this.#failed(write, error);
    }
  }

  #rest(tookMs: number): void {
    const { clock, writeShare = 1 } = this.#options;
    this.#restsUntilMs = clock.monotonic() + Math.min(tookMs * (1 / writeShare - 1), restMaxMs);
  }

  /** Returns the end of the pause between writes. There is no pause while the broadcaster stops or a `flush` waits. */
  #restsAt(): number {
    return this.#phase === "running" && this.#flushes === 0 ? this.#restsUntilMs : -Infinity;
  }

  #settle(key: string): void {
    this.#outbox.done(key);
    this.#metrics.depth.set(this.#outbox.size);
    if (this.#outbox.size === 0) this.#hasLoggedDrop = false;
    this.#wake();
  }

  #failed(write: EventWrite, error: unknown): void {
    const { key, event } = write;
    const { clock, log, triesMax = 12 } = this.#options;
    const tries = this.#outbox.tries(key);
    const about = { event: event.metadata.name, namespace: event.metadata.namespace, reason: event.reason, error };
    // After the timeout `#dropRest` counts the remaining events together.
    if (this.#phase === "over") return;
    if (this.#phase === "running" && mayHelpToRetry(error) && tries < triesMax) {
      this.#metrics.retries.add();
      log.debug("writing an event failed, retrying", { ...about, tries });
      this.#outbox.retry(key, clock.monotonic() + this.#pauseMs(tries, error));
      this.#wake();
      return;
    }
    if (isNamespaceGone(error)) {
      log.debug("event dropped, its namespace is gone", about);
      this.#failWaiting(event.metadata.namespace ?? "");
    } else log.warn("writing an event failed, giving up", { ...about, tries });
    this.#metrics.outcomes.failed.add(this.#series.failed(write));
    this.#settle(key);
  }

  /** Fails the events that wait for a namespace that is gone: the server would reject each of them. */
  #failWaiting(namespace: string): void {
    for (const key of this.#outbox.waiting()) {
      const write = this.#series.pendingWrite(key);
      if (write !== undefined && write.event.metadata.namespace !== namespace) continue;
      if (write !== undefined) this.#metrics.outcomes.failed.add(this.#series.failed(write));
      this.#outbox.remove(key);
    }
  }

  #pauseMs(tries: number, error: unknown): number {
    const { random, retryMs = 1000, retryMaxMs = 20_000 } = this.#options;
    const asked = (findApiError(error)?.retryAfterSeconds ?? 0) * 1000;
    return jittered(Math.max(asked, Math.min(retryMs * 2 ** (tries - 1), retryMaxMs)), 0.25, random);
  }

  #dropRest(): void {
    const count = this.#series.owed();
    this.#metrics.depth.set(0);
    if (count === 0) return;
    this.#metrics.outcomes.dropped.add(count);
    this.#options.log.warn("events were not written before the shutdown", { count });
  }

  #nextWriteAt(): number {
    const { clock, writersMax = 4 } = this.#options;
    return Math.min(
      this.#outbox.running < writersMax ? Math.max(this.#outbox.nextAt(), this.#restsAt()) : Infinity,
      this.#series.nextDue(clock.monotonic()),
    );
  }

  /** Resolves when something changed, at `untilMs`, or when the signal aborts. */
  #nap(signal: AbortSignal, untilMs: number): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel();
        this.#sleepers.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      const cancel = clock.timer(untilMs - clock.monotonic(), wake);
      this.#sleepers.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }

  #wake(): void {
    for (const wake of this.#sleepers) wake();
  }
}
