/**
 * What a queue tells about itself, under the names that client-go's and controller-runtime's dashboards know.
 *
 *     queue.ts, classic-queue.ts → QueueMetrics → Metrics
 */
import { workqueueDurationBuckets } from "@drover/machinery";
import type { BoundCounter, BoundGauge, BoundHistogram, Clock, Gauge, Metrics } from "@drover/machinery";
import { Alarm } from "./alarm.ts";
import type { QueueObserver } from "./queue-state.ts";

export interface QueueMetricsOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** The value of the label `name`. */
  readonly name: string;
  /** Whether the depth is told priority by priority; where there are none the label is empty, as controller-runtime has it. */
  readonly byPriority: boolean;
}

const labels: readonly string[] = ["name"];
/** How often the ages of runs under way are told, as in client-go. */
const refreshMs = 500;
/** How many priorities get a depth of their own, and what the rest is called: controller-runtime's. */
const prioritiesMax = 25;
const otherPriorities = "exceeded_cardinality_limit";

/**
 * Guarantees: the two gauges of runs under way are right after every `refresh`, zero as soon as nothing runs, and no older than 500 ms
 * in between; a queue in which nothing runs has no timer, or one that rings once more.
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
      help: "Keys that are ready, by queue and priority.",
      labels: ["name", "priority"],
    });
    this.#adds = metrics.counter({ name: "workqueue_adds_total", help: "Keys that became ready.", labels }).with(label);
    this.#retries = retriesTotal(metrics, name);
    this.#queueDuration = metrics
      .histogram({ name: "workqueue_queue_duration_seconds", help: "How long keys were ready before a worker took them.", labels, buckets })
      .with(label);
    this.#workDuration = metrics
      .histogram({ name: "workqueue_work_duration_seconds", help: "How long workers took for a key.", labels, buckets })
      .with(label);
    this.#unfinished = metrics
      .gauge({ name: "workqueue_unfinished_work_seconds", help: "Ages of all runs under way, added up.", labels })
      .with(label);
    this.#longest = metrics
      .gauge({ name: "workqueue_longest_running_processor_seconds", help: "Age of the oldest run under way.", labels })
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
    // With many workers, adding up all ages at every end would cost more than the queue itself.
    if (this.#takenAt.size === 0) this.#tellAges(now);
  }

  retried(): void {
    this.#retries.add();
  }

  /** Brings the ages of runs under way up to date; whoever shows the metrics may call it just before. */
  refresh(): void {
    const now = this.#clock.monotonic();
    this.#tellAges(now);
    if (this.#takenAt.size > 0) this.#alarm.setBy(now + refreshMs);
  }

  /** As many steps as there are workers. */
  #tellAges(now: number): void {
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
    // What came too late is not remembered, so that the number of priorities does not matter to the memory either.
    if (isKept) this.#depths.set(this.#byPriority ? priority : 0, gauge);
    return gauge;
  }
}

/** The counter of adds for a later time; a delaying queue needs it without the rest. */
export function retriesTotal(metrics: Metrics, name: string): BoundCounter {
  return metrics.counter({ name: "workqueue_retries_total", help: "Keys added for a later time.", labels }).with({ name });
}
