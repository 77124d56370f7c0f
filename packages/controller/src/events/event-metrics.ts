/** What became of events, in numbers. */
import type { BoundCounter, BoundGauge, Metrics } from "@drover/machinery";

/**
 * - `written`: the server knows of it, as an event of its own or in the count of one.
 * - `spam`: there were too many about that object.
 * - `dropped`: there were too many altogether, or the program ended before it could be written.
 * - `failed`: the server refused it, or could not be reached.
 * - `invalid`: something about it was missing; the log says what.
 */
export type EventOutcome = "written" | "spam" | "dropped" | "failed" | "invalid";

/** Guarantees: what was recorded is the sum of all outcomes and of what is still to be written. */
export interface EventMetrics {
  readonly recorded: BoundCounter;
  readonly outcomes: Readonly<Record<EventOutcome, BoundCounter>>;
  readonly retries: BoundCounter;
  /** Events that wait to be written or are being written; each counts once, however often it happened. */
  readonly depth: BoundGauge;
}

/** The counters of a broadcaster, all there from the start at zero. */
export function eventMetrics(metrics: Metrics): EventMetrics {
  const outcome = metrics.counter({
    name: "events_outcomes_total",
    help: "Events by what became of them; those in a count one by one.",
    labels: ["outcome"],
  });
  return {
    recorded: metrics.counter({ name: "events_recorded_total", help: "Events that controllers recorded." }).with({}),
    outcomes: {
      written: outcome.with({ outcome: "written" }),
      spam: outcome.with({ outcome: "spam" }),
      dropped: outcome.with({ outcome: "dropped" }),
      failed: outcome.with({ outcome: "failed" }),
      invalid: outcome.with({ outcome: "invalid" }),
    },
    retries: metrics.counter({ name: "events_write_retries_total", help: "Writes of events that were put off after a failure." }).with({}),
    depth: metrics.gauge({ name: "events_queue_depth", help: "Events that wait to be written or are being written." }).with({}),
  };
}
