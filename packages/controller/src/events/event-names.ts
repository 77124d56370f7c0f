/** Names of events: the name of the object followed by a hexadecimal timestamp in nanoseconds, "web-0.17a1b2c3d4e5f607". */
import { checkDns1123Subdomain } from "@drover/machinery";
import type { Runtime } from "@drover/machinery";

/**
 * Guarantees: never returns the same name twice, whatever the clock does. The digits below a millisecond are random, so two processes that
 * report about one object at the same time do not choose the same name either.
 */
export class EventNames {
  readonly #runtime: Pick<Runtime, "clock" | "random" | "uid">;
  #lastNanos = -1n;

  constructor(runtime: Pick<Runtime, "clock" | "random" | "uid">) {
    this.#runtime = runtime;
  }

  /** Returns a new name for an event about an object; a bare uid if the object's name cannot start a valid name. */
  next(objectName: string): string {
    const { clock, random, uid } = this.#runtime;
    const nanos = BigInt(Math.floor(clock.now())) * 1_000_000n + BigInt(random.int(1_000_000));
    this.#lastNanos = nanos > this.#lastNanos ? nanos : this.#lastNanos + 1n;
    const name = `${objectName}.${this.#lastNanos.toString(16)}`;
    return checkDns1123Subdomain(name).length === 0 ? name : uid();
  }
}
