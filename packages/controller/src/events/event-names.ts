/** Names for events: that of the object, and behind it a moment in hexadecimal nanoseconds, "web-0.17a1b2c3d4e5f607". */
import { checkDns1123Subdomain } from "@drover/machinery";
import type { Runtime } from "@drover/machinery";

/**
 * Guarantees: never the same name twice, whatever the clock does. Below a millisecond, where clocks have no digits, the moment is chance,
 * so that two processes that report about one object at the same time do not choose the same name either.
 */
export class EventNames {
  readonly #runtime: Pick<Runtime, "clock" | "random" | "uid">;
  #lastNanos = -1n;

  constructor(runtime: Pick<Runtime, "clock" | "random" | "uid">) {
    this.#runtime = runtime;
  }

  /** A new name for an event about an object of this name: a bare uid if a name with such a beginning is none. */
  next(objectName: string): string {
    const { clock, random, uid } = this.#runtime;
    const nanos = BigInt(Math.floor(clock.now())) * 1_000_000n + BigInt(random.int(1_000_000));
    this.#lastNanos = nanos > this.#lastNanos ? nanos : this.#lastNanos + 1n;
    const name = `${objectName}.${this.#lastNanos.toString(16)}`;
    return checkDns1123Subdomain(name).length === 0 ? name : uid();
  }
}
