/** Nodes that seem to be gone wait a while before anybody believes it: a cache may be behind, a node may come back. */
import type { Clock } from "@drover/machinery";

export interface NodeQuarantineOptions {
  readonly clock: Clock;
  /** How long a node must have been missing, in milliseconds. */
  readonly quarantineMs: number;
}

/**
 * Guarantees: a node is named only when each look since then, over the whole quarantine, has found it missing; having
 * been named it begins anew.
 */
export class NodeQuarantine {
  readonly #clock: Clock;
  readonly #quarantineMs: number;
  readonly #since = new Map<string, number>();

  constructor({ clock, quarantineMs }: NodeQuarantineOptions) {
    this.#clock = clock;
    this.#quarantineMs = quarantineMs;
  }

  /** Of the nodes that are missing now, those that have been for long enough. */
  look(missing: ReadonlySet<string>): readonly string[] {
    const now = this.#clock.monotonic();
    for (const name of this.#since.keys()) if (!missing.has(name)) this.#since.delete(name);
    for (const name of missing) if (!this.#since.has(name)) this.#since.set(name, now);
    const due = [...this.#since].filter(([, since]) => now - since >= this.#quarantineMs).map(([name]) => name);
    for (const name of due) this.#since.delete(name);
    return due;
  }
}
