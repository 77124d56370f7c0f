/**
 * Merges repeated events into a series: one event with a count and the time of the last occurrence.
 *
 *     observe → the first is written, the second makes it a series, further ones are counted
 *     due     → every 30 minutes the count is written; after 6 quiet minutes the last count, and the series is over
 *
 * The state knows what must be written and what is on the server, but sends nothing: event-broadcaster.ts does.
 */
import type { Event } from "@drover/api/events/v1";
import type { MicroTime } from "@drover/machinery";
import { RecentMap } from "./recent-map.ts";

/** Duration of a series. */
export interface EventSeriesOptions {
  /**
   * Milliseconds without another occurrence after which a series ends; the next occurrence starts a new event. @default 360,000, six
   * minutes
   */
  readonly finishMs?: number;
  /**
   * Milliseconds between two writes of the counts of running series; also keeps the server from expiring the event.
   * @default 1,800,000, thirty minutes
   */
  readonly refreshMs?: number;
  /** Number of events to remember; the one that has been quiet longest is evicted. @default 4096 */
  readonly entriesMax?: number;
}

/** One event and its number of occurrences. */
interface Series {
  readonly key: string;
  readonly event: Event;
  count: number;
  lastTime: MicroTime;
  lastMs: number;
  /** The count on the server; 0 if the server does not have the event. */
  written: number;
}

/** A write of one event. */
export interface EventWrite {
  readonly key: string;
  /** The desired event, with its series if it occurred more than once. */
  readonly event: Event;
  readonly count: number;
  /** Whether the server has the event, so that only the series must be patched. */
  readonly isOnServer: boolean;
}

/** Outcome of an occurrence. */
export interface Observed {
  /** "write": must be written now. "counted": written with a later count. "spam": not remembered. */
  readonly outcome: "write" | "counted" | "spam";
  /** Number of unwritten occurrences of another event that were evicted for this one. */
  readonly forgotten: number;
}

/** The current events. Times are of the monotonic clock, except those that are written. */
export class EventSeriesState {
  readonly #finishMs: number;
  readonly #refreshMs: number;
  /** In order of their last occurrence. */
  readonly #series: RecentMap<Series>;
  #refreshAt: number;

  constructor({ finishMs = 360_000, refreshMs = 1_800_000, entriesMax = 4096 }: EventSeriesOptions, nowMs: number) {
    if (!(finishMs > 0)) throw new RangeError(`events: finishMs must be above 0, not ${finishMs}`);
    if (!(refreshMs > 0)) throw new RangeError(`events: refreshMs must be above 0, not ${refreshMs}`);
    this.#finishMs = finishMs;
    this.#refreshMs = refreshMs;
    this.#series = new RecentMap(entriesMax);
    this.#refreshAt = nowMs + refreshMs;
  }

  get size(): number {
    return this.#series.size;
  }

  /**
   * Records an occurrence.
   * @param first - creates the event if this is its first occurrence
   * @param allows - called before a write; returns false for spam
   */
  observe(
    key: string,
    {
      first,
      allows,
      nowMs,
      time,
    }: { readonly first: () => Event; readonly allows: () => boolean; readonly nowMs: number; readonly time: MicroTime },
  ): Observed {
    const known = this.#series.get(key);
    const running = known !== undefined && !this.#isOverAndWritten(known, nowMs) ? known : undefined;
    const isWrite = (running === undefined || running.count === 1) && allows();
    if (running === undefined && !isWrite) return { outcome: "spam", forgotten: 0 };
    const series = running ?? { key, event: first(), count: 0, lastTime: time, lastMs: nowMs, written: 0 };
    series.count++;
    series.lastTime = time;
    series.lastMs = nowMs;
    const evicted = this.#series.set(key, series);
    return { outcome: isWrite ? "write" : "counted", forgotten: evicted === undefined ? 0 : owed(evicted) };
  }

  /** Returns what must be written about this event; undefined if the server is up to date or the event is forgotten. */
  pendingWrite(key: string): EventWrite | undefined {
    const series = this.#series.get(key);
    if (series === undefined || owed(series) === 0) return undefined;
    const { event, count, lastTime, written } = series;
    return {
      key,
      event: count === 1 ? event : { ...event, series: { count, lastObservedTime: lastTime } },
      count,
      isOnServer: written > 0,
    };
  }

  /** Records a successful write. Returns the number of occurrences that were new to the server. */
  written(write: EventWrite, nowMs: number): number {
    const series = this.#sameSeries(write);
    if (series === undefined) return 0;
    const news = write.count - series.written;
    series.written = write.count;
    if (this.#isOverAndWritten(series, nowMs)) this.#series.delete(series.key);
    return news;
  }

  /** Forgets an event that cannot be written. Returns the number of its unwritten occurrences. */
  failed(write: EventWrite): number {
    const series = this.#sameSeries(write);
    if (series === undefined) return 0;
    this.#series.delete(series.key);
    return owed(series);
  }

  /**
   * Records that an event is not written for now. Forgets it if it is not on the server; for a series on the server, only this count is
   * late. Returns the number of occurrences that will never be written.
   */
  putOff(key: string): number {
    const series = this.#series.get(key);
    if (series === undefined || series.written > 0) return 0;
    this.#series.delete(key);
    return owed(series);
  }

  /** Removes series that have ended and returns the keys to write now: last counts, and all running counts when a refresh is due. */
  due(nowMs: number): readonly string[] {
    const isRefresh = nowMs >= this.#refreshAt;
    if (isRefresh) this.#refreshAt = nowMs + this.#refreshMs;
    const keys: string[] = [];
    for (const series of this.#series.values()) {
      const isOver = this.#isOver(series, nowMs);
      if (!isOver && !isRefresh) break;
      if (owed(series) > 0) keys.push(series.key);
      else if (isOver) this.#series.delete(series.key);
    }
    return keys;
  }

  /** Returns when `due` has something to return next; Infinity if never. Ignores series that have ended and wait for their last write. */
  nextDue(nowMs: number): number {
    for (const series of this.#series.values())
      if (!this.#isOver(series, nowMs)) return Math.min(series.lastMs + this.#finishMs, this.#refreshAt);
    return Infinity;
  }

  /** Returns the keys of all events that are not up to date on the server. */
  unwritten(): readonly string[] {
    return Array.from(this.#series.values())
      .filter((series) => owed(series) > 0)
      .map(({ key }) => key);
  }

  /** Returns the number of unwritten occurrences of all events. */
  owed(): number {
    let sum = 0;
    for (const series of this.#series.values()) sum += owed(series);
    return sum;
  }

  /** Returns the series of a write. During the write the event may have been forgotten, and another one of the same key started. */
  #sameSeries({ key, event }: EventWrite): Series | undefined {
    const series = this.#series.get(key);
    return series?.event.metadata.name === event.metadata.name ? series : undefined;
  }

  #isOver({ lastMs }: Series, nowMs: number): boolean {
    // The same sum as in `nextDue`: with floating-point numbers the difference could be slightly less than `finishMs` at that time, and the
    // caller would wait zero milliseconds forever.
    return nowMs >= lastMs + this.#finishMs;
  }

  #isOverAndWritten(series: Series, nowMs: number): boolean {
    return this.#isOver(series, nowMs) && owed(series) === 0;
  }
}

/** Returns the number of unwritten occurrences. */
function owed({ count, written }: Series): number {
  return count - written;
}
