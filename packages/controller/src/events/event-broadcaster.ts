/**
 * Where the events of all controllers of a program come together, are combined, and go to the server.
 *
 *     eventf → draft → similar ones combined → series → spam filter → outbox → writers → events.k8s.io/v1
 *
 * Everything up to the outbox happens within `eventf` and waits for nothing. The decisions are in the `…-state.ts` files; this one waits
 * and sends.
 */
import type { Runtime } from "@drover/machinery";
import { deadline, findApiError, formatMicroTime, Group, jittered, millisToMicros } from "@drover/machinery";
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

/** What a broadcaster stands on, and its limits. */
export interface EventBroadcasterOptions extends Runtime {
  /** Writes the events; its role needs `create` and `patch` of events in events.k8s.io. */
  readonly client: EventClient;
  /**
   * How many different events may wait to be written, those under way included; when there are more the oldest is
   * dropped. @default 1000
   */
  readonly queueMax?: number;
  /** How many are written at the same time. @default 4 */
  readonly writersMax?: number;
  /**
   * How much of the time may go into writing: with 0.25 a writer that took a millisecond rests for three, and for a
   * tenth of a second at most. A busy process writes slowly that way, and an idle one at once. @default 1: no rests
   */
  readonly writeShare?: number;
  /** How often a write is tried before the event is given up. @default 12 */
  readonly triesMax?: number;
  /**
   * Milliseconds before the second try; each further pause is twice as long, up to `retryMaxMs`, and up to a quarter
   * longer by chance. @default 1000
   */
  readonly retryMs?: number;
  /** The longest pause, unless the server asks for a longer one. @default 20,000 */
  readonly retryMaxMs?: number;
  /** How long one request may take. @default 30,000 */
  readonly writeTimeoutMs?: number;
  /** How long `run` goes on writing after its signal was aborted. @default 5000 */
  readonly flushTimeoutMs?: number;
  /** When an event that happens again is a series. @default six minutes apart at most */
  readonly series?: EventSeriesOptions;
  /** When events that differ in their notes only are combined. @default from the tenth note within ten minutes on */
  readonly aggregation?: EventAggregationOptions;
  /** How much one reporter may say about one object. @default 25 writes at once, then one every five minutes */
  readonly spam?: EventSpamOptions;
}

/** How `flush` waits. */
export interface FlushOptions {
  /** Calls the waiting off; the promise then rejects with the signal's reason. @default never */
  readonly signal?: AbortSignal;
  /** How long to wait at most. @default 5000 */
  readonly timeoutMs?: number;
}

/**
 * Writes what recorders record.
 *
 * Guarantees: recording never waits and never throws; memory is bounded, whatever is recorded; no two writes of one event at the same
 * time; an event whose first answer was lost is not there twice; every event that was recorded is counted under exactly one outcome.
 */
export interface EventBroadcaster {
  /** A recorder for one controller. Throws for names the server would refuse. */
  recorder(reporter: EventReporter): EventRecorder;
  /**
   * Writes until the signal is aborted, then for `flushTimeoutMs` what is left, the last counts of series included. Resolves when no
   * request is under way any more; what is recorded from then on is dropped. Can be run once; what was recorded before waits.
   */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Has everything written now, the counts of running series included. Resolves with the number of events that are
   * still to be written when the time is up: none, if all went well.
   */
  flush(options?: FlushOptions): Promise<number>;
}

/** A broadcaster on a client. Does nothing until it is run but remember what is recorded. */
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
  /** No write begins before. */
  #restsUntilMs = -Infinity;
  /** How many wait for everything to be written: nobody rests then. */
  #flushes = 0;
  #phase: "new" | "running" | "ending" | "over" = "new";
  /** So that a flood is one line in the log and not a thousand. */
  #hasToldOfDrop = false;

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
    if (this.#phase !== "new") throw new Error("an event broadcaster runs once; make another one with createEventBroadcaster");
    const { clock, log, flushTimeoutMs = 5000 } = this.#options;
    this.#phase = "running";
    // Not under the caller's signal: what is under way then is finished, as far as the time for the rest allows.
    const writes = new Group({
      onFailure: "isolate",
      onError: (error) => log.error("an event was lost through a bug of this program", { error }),
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
      // What had nothing to write is gone at once, and nobody would wake us.
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
    const { signal: tooLate, release } = deadline(this.#options.clock, timeoutMs, signal === undefined ? {} : { signal });
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
      log.error("an event was not recorded", { problem: draft, controller: reporter.controller, reason: event.reason, note: event.note });
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
    if (this.#hasToldOfDrop) return;
    this.#hasToldOfDrop = true;
    this.#options.log.warn("more events than can be written: the oldest are dropped until the server has caught up", {
      waiting: this.#outbox.size,
    });
  }

  #beginWrites(writes: Group): void {
    const { clock, writersMax = 4 } = this.#options;
    const nowMs = clock.monotonic();
    // Not `put`: they are events that are remembered anyway, and throw nothing out.
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
      this.#failed(write, error);
    }
  }

  #rest(tookMs: number): void {
    const { clock, writeShare = 1 } = this.#options;
    this.#restsUntilMs = clock.monotonic() + Math.min(tookMs * (1 / writeShare - 1), restMaxMs);
  }

  /** Until when nothing is written because enough was written; whoever is about to end, or waits for it, has no time for rests. */
  #restsAt(): number {
    return this.#phase === "running" && this.#flushes === 0 ? this.#restsUntilMs : -Infinity;
  }

  #settle(key: string): void {
    this.#outbox.done(key);
    this.#metrics.depth.set(this.#outbox.size);
    if (this.#outbox.size === 0) this.#hasToldOfDrop = false;
    this.#wake();
  }

  #failed(write: EventWrite, error: unknown): void {
    const { key, event } = write;
    const { clock, log, triesMax = 12 } = this.#options;
    const tries = this.#outbox.tries(key);
    const about = { event: event.metadata.name, namespace: event.metadata.namespace, reason: event.reason, error };
    // The time is up: what is left is counted together.
    if (this.#phase === "over") return;
    if (this.#phase === "running" && mayHelpToRetry(error) && tries < triesMax) {
      this.#metrics.retries.add();
      log.debug("an event could not be written; it is tried again", { ...about, tries });
      this.#outbox.retry(key, clock.monotonic() + this.#pauseMs(tries, error));
      this.#wake();
      return;
    }
    if (isNamespaceGone(error)) log.debug("an event came too late: its namespace is gone", about);
    else log.warn("an event could not be written and is given up", { ...about, tries });
    this.#metrics.outcomes.failed.add(this.#series.failed(write));
    this.#settle(key);
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
    this.#options.log.warn("events were not written before the program ended", { count });
  }

  #nextWriteAt(): number {
    const { clock, writersMax = 4 } = this.#options;
    return Math.min(
      this.#outbox.running < writersMax ? Math.max(this.#outbox.nextAt(), this.#restsAt()) : Infinity,
      this.#series.nextDue(clock.monotonic()),
    );
  }

  /** Until something has changed, the time has come, or the signal is aborted. */
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
