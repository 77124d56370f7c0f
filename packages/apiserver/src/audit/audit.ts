/**
 * The audit log of a server.
 *
 *     ApiServerOptions.audit → Audit.open → AuditTrail (one request) → AuditQueue → AuditSink
 */
import type { Runtime } from "@drover/machinery";
import type { AuditOptions } from "./audit-event.ts";
import { checkAuditPolicy } from "./audit-policy.ts";
import { AuditQueue } from "./audit-queue.ts";
import { auditRules } from "./audit-rule.ts";
import { AuditTrail } from "./audit-trail.ts";
import type { AuditedRequest, AuditServices } from "./audit-trail.ts";

export class Audit {
  readonly #queue: AuditQueue;
  readonly #services: AuditServices;

  /** Throws a TypeError for an invalid policy. */
  constructor({ policy, sink }: AuditOptions, { clock, log, metrics }: Pick<Runtime, "clock" | "log" | "metrics">) {
    checkAuditPolicy(policy);
    const queue = new AuditQueue({ sink, log, metrics });
    this.#queue = queue;
    this.#services = {
      clock,
      configOf: auditRules(policy),
      onLevel: (level) => queue.countLevel(level),
      emit: (record) => queue.push(record),
    };
  }

  /** Starts the record of a request that has just arrived. */
  open(asked: AuditedRequest): AuditTrail {
    return new AuditTrail(this.#services, asked);
  }

  /** Resolves when the sink has taken all events. */
  flush(): Promise<void> {
    return this.#queue.flush();
  }
}
