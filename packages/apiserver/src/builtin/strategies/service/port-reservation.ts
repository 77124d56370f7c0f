/**
 * The node ports that one write of a Service takes and releases.
 *
 *     ServiceAllocator → PortReservation → NodePorts
 */
import type { Refusal } from "./refusal.ts";
import type { NodePorts } from "./service-records.ts";

/** A dry run allocates nothing: it detects used ports, and gets numbers outside the range. */
export class PortReservation {
  readonly #ports: NodePorts;
  readonly #dryRun: boolean;
  /** What was taken, to be released if the write fails. */
  readonly taken: number[] = [];
  /** What is to be released when the write succeeds. */
  readonly ending: number[] = [];

  constructor(ports: NodePorts, { dryRun }: { readonly dryRun: boolean }) {
    this.#ports = ports;
    this.#dryRun = dryRun;
  }

  /** Allocates a node port. */
  take(port: number): Refusal | undefined {
    const {
      range: { from, to },
      taken,
    } = this.#ports;
    const refusal = { problem: "provided port is already allocated" };
    if (this.#dryRun) {
      if (taken.has(port - from) || this.taken.includes(port)) return refusal;
    } else {
      if (port < from || port > to)
        return { problem: `provided port is not in the valid range. The range of valid ports is ${from}-${to}` };
      if (!taken.take(port - from)) return refusal;
    }
    this.taken.push(port);
    return undefined;
  }

  /** Allocates any node port. */
  takeAny(): number | Refusal {
    const { range, taken } = this.#ports;
    const number = this.#dryRun ? undefined : taken.takeAny();
    if (!this.#dryRun && number === undefined) return { problem: "range is full" };
    // A dry run counts up from a port outside the range.
    const port = number === undefined ? Math.max(...(this.taken.length > 0 ? this.taken : [32768])) + 1 : number + range.from;
    this.taken.push(port);
    return port;
  }

  /** Releases a node port when the write succeeds. */
  end(port: number): void {
    this.ending.push(port);
  }
}
