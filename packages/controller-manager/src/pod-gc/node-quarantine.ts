/** Delay before a missing node counts as gone: a cache may lag, a node may come back. */
import type { Clock } from "@drover/machinery";

export interface NodeQuarantineOptions {
  readonly clock: Clock;
  /** How long a node must be missing, in milliseconds. */
  readonly quarantineMs: number;
}

/** Guarantees: names a node only when every look over the whole quarantine found it missing; then its quarantine starts again. */
export class NodeQuarantine {
  readonly #clock: Clock;
  readonly #quarantineMs: number;
  readonly #since = new Map<string, number>();

  constructor({ clock, quarantineMs }: NodeQuarantineOptions) {
    this.#clock = clock;
    this.#quarantineMs = quarantineMs;
  }

  /** Returns those of the missing nodes that have been missing long enough. */
  look(missing: ReadonlySet<string>): readonly string[] {
    const now = this.#clock.monotonic();
    for (const name of this.#since.keys()) if (!missing.has(name)) this.#since.delete(name);
    for (const name of missing) if (!this.#since.has(name)) this.#since.set(name, now);
    const due = [...this.#since].filter(([, since]) => now - since >= this.#quarantineMs).map(([name]) => name);
    for (const name of due) this.#since.delete(name);
    return due;
  }
}
