/**
 * Combines events that differ only in their note: nine notes get an event each, and from the tenth within ten minutes they become one
 * event, "(combined from similar events): …". So notes that contain a counter or a time do not fill the server.
 *
 *     key, note → EventAggregationState.isCombined → its own event, or the combined one
 */
import { RecentMap } from "./recent-map.ts";

/** When to combine similar events. */
export interface EventAggregationOptions {
  /** Number of different notes from which events are combined. @default 10 */
  readonly similarMax?: number;
  /** Milliseconds without a similar event after which the notes are forgotten. @default 600,000, ten minutes */
  readonly intervalMs?: number;
  /** Number of groups of similar events to remember. @default 4096 */
  readonly entriesMax?: number;
}

interface Similar {
  readonly notes: Set<string>;
  readonly at: number;
}

/** Prefix of the note of a combined event, in the words that kubectl users know. */
export const combinedPrefix = "(combined from similar events): ";

/** Remembers the notes that have their own event. */
export class EventAggregationState {
  readonly #similarMax: number;
  readonly #intervalMs: number;
  readonly #groups: RecentMap<Similar>;

  constructor({ similarMax = 10, intervalMs = 600_000, entriesMax = 4096 }: EventAggregationOptions = {}) {
    if (!(similarMax >= 1))
      throw new RangeError(`events: similarMax must be at least 1, not ${similarMax}; use Infinity to combine nothing`);
    if (!(intervalMs >= 0)) throw new RangeError(`events: intervalMs must be zero or more, not ${intervalMs}`);
    this.#similarMax = similarMax;
    this.#intervalMs = intervalMs;
    this.#groups = new RecentMap(entriesMax);
  }

  /** Reports whether this note belongs to the combined event of its group. A note that has its own event keeps it. */
  isCombined(key: string, note: string, nowMs: number): boolean {
    const known = this.#groups.get(key);
    const notes = known === undefined || nowMs - known.at > this.#intervalMs ? new Set<string>() : known.notes;
    const isCombined = !notes.has(note) && notes.size + 1 >= this.#similarMax;
    if (!isCombined) notes.add(note);
    this.#groups.set(key, { notes, at: nowMs });
    return isCombined;
  }
}
