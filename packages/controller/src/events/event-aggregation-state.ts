/**
 * Events that differ in nothing but their note: the first nine notes are told as they are, and from the tenth within ten minutes on they
 * are one event, "(combined from similar events): …". A note with a counter or a time in it does not fill the server.
 *
 *     key, note → EventAggregationState.isCombined → its own event, or the combined one
 */
import { RecentMap } from "./recent-map.ts";

/** When similar events are combined. */
export interface EventAggregationOptions {
  /** From how many different notes on. @default 10 */
  readonly similarMax?: number;
  /** Milliseconds without a similar event after which all notes are forgotten. @default 600,000, ten minutes */
  readonly intervalMs?: number;
  /** How many groups of similar events are remembered. @default 4096 */
  readonly entriesMax?: number;
}

interface Similar {
  readonly notes: Set<string>;
  readonly at: number;
}

/** What stands before the note of an event that speaks for many: the words kubectl users know. */
export const combinedPrefix = "(combined from similar events): ";

/** Remembers which notes were told. */
export class EventAggregationState {
  readonly #similarMax: number;
  readonly #intervalMs: number;
  readonly #groups: RecentMap<Similar>;

  constructor({ similarMax = 10, intervalMs = 600_000, entriesMax = 4096 }: EventAggregationOptions = {}) {
    if (!(similarMax >= 1))
      throw new RangeError(`events: similarMax must be at least 1, not ${similarMax}; to combine nothing use Infinity`);
    if (!(intervalMs >= 0)) throw new RangeError(`events: intervalMs must be zero or more, not ${intervalMs}`);
    this.#similarMax = similarMax;
    this.#intervalMs = intervalMs;
    this.#groups = new RecentMap(entriesMax);
  }

  /** Whether this note goes into the combined event of its group. Those notes that were told as they are stay so. */
  isCombined(key: string, note: string, nowMs: number): boolean {
    const known = this.#groups.get(key);
    const notes = known === undefined || nowMs - known.at > this.#intervalMs ? new Set<string>() : known.notes;
    const isCombined = !notes.has(note) && notes.size + 1 >= this.#similarMax;
    if (!isCombined) notes.add(note);
    this.#groups.set(key, { notes, at: nowMs });
    return isCombined;
  }
}
