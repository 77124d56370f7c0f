/**
 * Hands audit events to the sink, one batch at a time, without making requests wait for it.
 *
 *     AuditTrail → push → AuditQueue → AuditSink.write
 */
import { budget, countExceeded } from "@drover/machinery";
import type { Budget, Counter, Log, Metrics } from "@drover/machinery";
import type { AuditLevel, AuditRecord, AuditSink } from "./audit-event.ts";

/** As many as kube-apiserver buffers. */
export const auditEvents: Budget = budget({
  name: "apiserver/audit-events",
  limit: 10_000,
  unit: "items",
  atLimit: "Further audit events are dropped and counted in apiserver_audit_error_total until the sink has taken some.",
});

export const auditBytes: Budget = budget({
  name: "apiserver/audit-bytes",
  limit: 64 * 2 ** 20,
  unit: "bytes",
  atLimit: "Further audit events are dropped and counted in apiserver_audit_error_total until the sink has taken some.",
});

/** Maximum events of one call of the sink, as in kube-apiserver. */
const batchMax = 400;

export interface AuditQueueOptions {
  readonly sink: AuditSink;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Guarantees: events reach the sink in order, or not at all and are counted; the sink is never called twice at a time. */
export class AuditQueue {
  readonly #options: AuditQueueOptions;
  readonly #events: Counter;
  readonly #errors: Counter;
  readonly #levels: Counter;
  #pending: AuditRecord[] = [];
  #bytes = 0;
  /** Settles when `#isDraining` is false. */
  #drained: Promise<void> = Promise.resolve();
  #isDraining = false;
  /** The last batch was lost; the next loss is not logged again. */
  #isFailing = false;

  constructor(options: AuditQueueOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#events = metrics.counter({
      name: "apiserver_audit_event_total",
      help: "Number of audit events generated, dropped ones included.",
    });
    this.#errors = metrics.counter({
      name: "apiserver_audit_error_total",
      help: "Number of audit events that were lost: because the queue was full (buffered) or the sink failed (log).",
      labels: ["plugin"],
    });
    this.#levels = metrics.counter({
      name: "apiserver_audit_level_total",
      help: "Number of requests by the level that the audit policy gives them.",
      labels: ["level"],
    });
  }

  countLevel(level: AuditLevel): void {
    this.#levels.add(1, { level });
  }

  push(record: AuditRecord): void {
    this.#events.add();
    if (this.#isFull(record)) {
      this.#errors.add(1, { plugin: "buffered" });
      return;
    }
    this.#pending.push(record);
    this.#bytes += record.line.length;
    if (!this.#isDraining) this.#drained = this.#drain();
  }

  #isFull({ line }: AuditRecord): boolean {
    const { metrics } = this.#options;
    if (this.#pending.length >= auditEvents.limit) {
      countExceeded(metrics, auditEvents);
      return true;
    }
    if (this.#bytes + line.length <= auditBytes.limit) return false;
    countExceeded(metrics, auditBytes);
    return true;
  }

  /** Resolves when the sink has taken all events. */
  async flush(): Promise<void> {
    while (this.#isDraining) await this.#drained;
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    // The request that caused the first event goes on before the sink is called.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const batch = this.#pending.length <= batchMax ? this.#pending : this.#pending.slice(0, batchMax);
      this.#pending = batch === this.#pending ? [] : this.#pending.slice(batchMax);
      await this.#write(batch);
      for (const { line } of batch) this.#bytes -= line.length;
    }
    // In the same turn as the last look at the queue, or an event pushed in between would wait for the next one.
    this.#isDraining = false;
  }

  async #write(batch: readonly AuditRecord[]): Promise<void> {
    const { sink, log } = this.#options;
    try {
      await sink.write(batch);
      this.#isFailing = false;
    } catch (error) {
      this.#errors.add(batch.length, { plugin: "log" });
      if (!this.#isFailing) log.error("audit events were lost", { events: batch.length, error });
      this.#isFailing = true;
    }
  }
}
