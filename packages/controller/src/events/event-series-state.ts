/**
 * Which events are one: those that happen again while the first is not long past become a series, a count and the time of the last one.
 *
 *     observe → the first is written, the second makes it a series, further ones are counted
 *     due     → every 30 minutes the count is written; after 6 quiet minutes the last count, and the series is over
 *
 * The state knows what there is to write and what is on the server, and nothing of requests: event-broadcaster.ts sends them.
 */
import type { Event } from "@drover/api/events/v1";
import type { MicroTime } from "@drover/machinery";
import { RecentMap } from "./recent-map.ts";

/** How long a series lasts. */
export interface EventSeriesOptions {
  /**
   * Milliseconds without another occurrence after which a series is over; the next one begins a new event. @default
   * 360,000, six minutes
   */
  readonly finishMs?: number;
  /**
   * Milliseconds from one write of the counts of running series to the next; also keeps the server from forgetting the
   * event. @default 1,800,000, thirty minutes
   */
  readonly refreshMs?: number;
  /** How many events are remembered; the one that is quiet longest gives way. @default 4096 */
  readonly entriesMax?: number;
}

/** One event and how often it happened. */
interface Series {
  readonly key: string;
  readonly event: Event;
  count: number;
  lastTime: MicroTime;
  lastMs: number;
  /** The count that the server has; 0 when it has no such event. */
  written: number;
}

/** What the server should be told about one event. */
export interface EventWrite {
  readonly key: string;
  /** The event as it should be: with its series, if it happened more than once. */
  readonly event: Event;
  readonly count: number;
  /** Whether the server has the event, so that only the series is to be patched. */
  readonly isOnServer: boolean;
}

/** What became of an occurrence. */
export interface Observed {
  /** It is to be written now; it is counted, and written with the rest; or it is spam, of which nothing is remembered. */
  readonly outcome: "write" | "counted" | "spam";
  /** How many occurrences of another event were forgotten to make room, without the server knowing of them. */
  readonly forgotten: number;
}

/** The events that are going on. Times are of the monotonic clock, but for those that are written. */
export class EventSeriesState {
  readonly #finishMs: number;
  readonly #refreshMs: number;
  /** In the order of their last occurrence. */
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
   * One more occurrence.
   * @param first - makes the event, if this is the first occurrence of it
   * @param allows - is asked before a write, and may refuse it as spam
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

  /** What there is to write about this event; undefined when the server knows all, or the event is forgotten. */
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

  /** It has been written. Gives the number of occurrences the server did not know of before. */
  written(write: EventWrite, nowMs: number): number {
    const series = this.#sameSeries(write);
    if (series === undefined) return 0;
    const news = write.count - series.written;
    series.written = write.count;
    if (this.#isOverAndWritten(series, nowMs)) this.#series.delete(series.key);
    return news;
  }

  /** It cannot be written, and the event is forgotten. Gives the number of occurrences the server will never hear of. */
  failed(write: EventWrite): number {
    const series = this.#sameSeries(write);
    if (series === undefined) return 0;
    this.#series.delete(series.key);
    return owed(series);
  }

  /**
   * There is no time to write it now. What the server has never heard of is forgotten; of a series it knows, only this count is late.
   * Gives the number of occurrences it will never hear of.
   */
  putOff(key: string): number {
    const series = this.#series.get(key);
    if (series === undefined || series.written > 0) return 0;
    this.#series.delete(key);
    return owed(series);
  }

  /**
   * Ends the series that are over, and gives the keys of all that are to be written now: last counts, and running ones
   * when their time has come.
   */
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

  /**
   * When `due` has something to say next; Infinity when nothing is going on. Series that are over and wait for their
   * last write are not counted.
   */
  nextDue(nowMs: number): number {
    for (const series of this.#series.values())
      if (!this.#isOver(series, nowMs)) return Math.min(series.lastMs + this.#finishMs, this.#refreshAt);
    return Infinity;
  }

  /** The keys of all events of which the server does not know everything. */
  unwritten(): readonly string[] {
    return Array.from(this.#series.values())
      .filter((series) => owed(series) > 0)
      .map(({ key }) => key);
  }

  /** How many occurrences the server does not know of, of all events together. */
  owed(): number {
    let sum = 0;
    for (const series of this.#series.values()) sum += owed(series);
    return sum;
  }

  /** While a write was under way the event may have been forgotten, and another one of the same key begun. */
  #sameSeries({ key, event }: EventWrite): Series | undefined {
    const series = this.#series.get(key);
    return series?.event.metadata.name === event.metadata.name ? series : undefined;
  }

  #isOver({ lastMs }: Series, nowMs: number): boolean {
    // The sum that `nextDue` tells: the difference may be a hair less than `finishMs` at that very time, and whoever
    // waits for it would wait no time at all, for ever.
    return nowMs >= lastMs + this.#finishMs;
  }

  #isOverAndWritten(series: Series, nowMs: number): boolean {
    return this.#isOver(series, nowMs) && owed(series) === 0;
  }
}

/** How many occurrences the server does not know of. */
function owed({ count, written }: Series): number {
  return count - written;
}
