/**
 * Metrics of a queue, under the names that dashboards for client-go and controller-runtime use.
 *
 *     queue.ts, classic-queue.ts → QueueMetrics → Metrics
 */
import { workqueueDurationBuckets } from "@drover/machinery";
import type { BoundCounter, BoundGauge, BoundHistogram, Clock, Gauge, Metrics } from "@drover/machinery";
import { Alarm } from "./alarm.ts";
import type { QueueObserver } from "./queue-state.ts";

/** Options of `QueueMetrics`. */
export interface QueueMetricsOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Value of the label `name`. */
  readonly name: string;
  /** Whether `workqueue_depth` is reported per priority. If not, the label `priority` is empty, as in controller-runtime. */
  readonly byPriority: boolean;
}

const labels: readonly string[] = ["name"];
/** Interval at which the gauges of current runs are updated, as in client-go. */
const refreshMs = 500;
/** Maximum number of priorities with a depth of their own, and the label of the others, as in controller-runtime. */
const prioritiesMax = 25;
const otherPriorities = "exceeded_cardinality_limit";

/**
 * Guarantees: the two gauges of current runs are exact after `refresh`, zero as soon as nothing runs, and otherwise at most 500 ms old.
 * When nothing runs, at most one timer is left, which fires once.
 */
export class QueueMetrics<K> implements QueueObserver<K> {
  readonly #clock: Clock;
  readonly #name: string;
  readonly #byPriority: boolean;
  readonly #depth: Gauge;
  readonly #depths = new Map<number, BoundGauge>();
  readonly #adds: BoundCounter;
  readonly #retries: BoundCounter;
  readonly #queueDuration: BoundHistogram;
  readonly #workDuration: BoundHistogram;
  readonly #unfinished: BoundGauge;
  readonly #longest: BoundGauge;
  readonly #takenAt = new Map<K, number>();
  readonly #alarm: Alarm;

  constructor({ clock, metrics, name, byPriority }: QueueMetricsOptions) {
    const label = { name };
    const buckets = workqueueDurationBuckets;
    this.#clock = clock;
    this.#name = name;
    this.#byPriority = byPriority;
    this.#alarm = new Alarm(clock, () => this.refresh());
    this.#depth = metrics.gauge({
      name: "workqueue_depth",
      help: "Number of ready keys, by queue and priority.",
      labels: ["name", "priority"],
    });
    this.#adds = metrics.counter({ name: "workqueue_adds_total", help: "Keys that became ready.", labels }).with(label);
    this.#retries = retriesTotal(metrics, name);
    this.#queueDuration = metrics
      .histogram({ name: "workqueue_queue_duration_seconds", help: "Time keys were ready before a worker took them.", labels, buckets })
      .with(label);
    this.#workDuration = metrics
      .histogram({ name: "workqueue_work_duration_seconds", help: "Time workers needed for a key.", labels, buckets })
      .with(label);
    this.#unfinished = metrics
      .gauge({ name: "workqueue_unfinished_work_seconds", help: "Sum of the ages of all current runs.", labels })
      .with(label);
    this.#longest = metrics
      .gauge({ name: "workqueue_longest_running_processor_seconds", help: "Age of the oldest current run.", labels })
      .with(label);
    this.#depthOf(0);
  }

  added(priority: number): void {
    this.#adds.add();
    this.#depthOf(priority).add(1);
  }

  raised(from: number, to: number): void {
    this.#depthOf(from).add(-1);
    this.#depthOf(to).add(1);
  }

  taken(key: K, { priority, waitedMs, takenAt }: { readonly priority: number; readonly waitedMs: number; readonly takenAt: number }): void {
    this.#depthOf(priority).add(-1);
    this.#queueDuration.observe(waitedMs / 1000);
    this.#takenAt.set(key, takenAt);
    if (this.#takenAt.size === 1) this.#alarm.setBy(takenAt + refreshMs);
  }

  done(key: K, now: number): void {
    const takenAt = this.#takenAt.get(key);
    if (takenAt === undefined) return;
    this.#takenAt.delete(key);
    this.#workDuration.observe((now - takenAt) / 1000);
    // Only when the last run ends: with many workers, a sum at the end of every run would cost more than the queue itself.
    if (this.#takenAt.size === 0) this.#setAges(now);
  }

  retried(): void {
    this.#retries.add();
  }

  /** Updates the gauges of current runs. Call it before a scrape to report exact values. */
  refresh(): void {
    const now = this.#clock.monotonic();
    this.#setAges(now);
    if (this.#takenAt.size > 0) this.#alarm.setBy(now + refreshMs);
  }

  /** O(current runs). */
  #setAges(now: number): void {
    let sum = 0;
    let longest = 0;
    for (const takenAt of this.#takenAt.values()) {
      sum += now - takenAt;
      longest = Math.max(longest, now - takenAt);
    }
    this.#unfinished.set(sum / 1000);
    this.#longest.set(longest / 1000);
  }

  #depthOf(priority: number): BoundGauge {
    const known = this.#depths.get(this.#byPriority ? priority : 0);
    if (known !== undefined) return known;
    const isKept = this.#depths.size < prioritiesMax;
    const gauge = this.#depth.with({ name: this.#name, priority: !this.#byPriority ? "" : isKept ? String(priority) : otherPriorities });
    // Further priorities are not stored, so memory does not grow with their number.
    if (isKept) this.#depths.set(this.#byPriority ? priority : 0, gauge);
    return gauge;
  }
}

/** Returns the counter of delayed adds; a delaying queue uses it without the other metrics. */
export function retriesTotal(metrics: Metrics, name: string): BoundCounter {
  return metrics.counter({ name: "workqueue_retries_total", help: "Keys added for a later time.", labels }).with({ name });
}
