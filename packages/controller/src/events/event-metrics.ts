/** Metrics of events. */
import type { BoundCounter, BoundGauge, Metrics } from "@drover/machinery";

/**
 * - `written`: on the server, as an event of its own or in the count of a series.
 * - `spam`: over the limit for its object.
 * - `dropped`: too many events in total, or the program ended first.
 * - `failed`: the server rejected it or was unreachable.
 * - `invalid`: a field was missing or wrong; the log says which.
 */
export type EventOutcome = "written" | "spam" | "dropped" | "failed" | "invalid";

/** Guarantees: the recorded events are the sum of all outcomes and of the events still to be written. */
export interface EventMetrics {
  readonly recorded: BoundCounter;
  readonly outcomes: Readonly<Record<EventOutcome, BoundCounter>>;
  readonly retries: BoundCounter;
  /** Events that wait or are being written; a series counts once. */
  readonly depth: BoundGauge;
}

/** Returns the metrics of a broadcaster, all at zero from the start. */
export function eventMetrics(metrics: Metrics): EventMetrics {
  const outcome = metrics.counter({
    name: "events_outcomes_total",
    help: "Events by outcome; every occurrence of a series counts.",
    labels: ["outcome"],
  });
  return {
    recorded: metrics.counter({ name: "events_recorded_total", help: "Events recorded by controllers." }).with({}),
    outcomes: {
      written: outcome.with({ outcome: "written" }),
      spam: outcome.with({ outcome: "spam" }),
      dropped: outcome.with({ outcome: "dropped" }),
      failed: outcome.with({ outcome: "failed" }),
      invalid: outcome.with({ outcome: "invalid" }),
    },
    retries: metrics.counter({ name: "events_write_retries_total", help: "Retries of event writes after a failure." }).with({}),
    depth: metrics.gauge({ name: "events_queue_depth", help: "Events that wait to be written or are being written." }).with({}),
  };
}
