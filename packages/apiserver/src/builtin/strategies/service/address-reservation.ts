/**
 * The addresses that one write of a Service takes and releases: releases take effect when the write succeeds, allocations are undone when
 * it fails. If that is unknown, both stay recorded until the repair has seen the Service.
 *
 *     ServiceAllocator → AddressReservation → ServiceRecords
 */
import { assert } from "@drover/machinery";
import type { WriteResult } from "../../../registry/strategy.ts";
import type { Refusal } from "./refusal.ts";
import type { AddressOwner, ServiceRecords } from "./service-records.ts";
import { familyOf } from "./service-shape.ts";
import type { IpFamily } from "./service-shape.ts";

export interface AddressReservationOptions {
  readonly owner: AddressOwner;
  readonly dryRun: boolean;
}

/** A dry run allocates nothing: it detects addresses outside the ranges but not used ones, and gets the network address. */
export class AddressReservation {
  readonly #records: ServiceRecords;
  readonly #options: AddressReservationOptions;
  readonly #taken: string[] = [];
  readonly #ending: string[] = [];

  constructor(records: ServiceRecords, options: AddressReservationOptions) {
    this.#records = records;
    this.#options = options;
  }

  /** Allocates an address. Rejects with a `StatusError`. */
  async take(address: string): Promise<Refusal | undefined> {
    const ranges = await this.#records.ranges();
    if (ranges.rangeOf(address) === undefined) {
      const range = this.#options.dryRun ? ranges.firstOf(familyOf(address)) : undefined;
      return range === undefined
        ? { problem: "the provided network does not match the current range" }
        : { problem: `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range.cidr}` };
    }
    if (this.#options.dryRun) return undefined;
    if (!(await this.#records.takeAddress(address, this.#options.owner))) return { problem: "provided IP is already allocated" };
    this.#taken.push(address);
    return undefined;
  }

  /** Allocates any address of a family. Rejects with a `StatusError`. */
  async takeAny(family: IpFamily): Promise<string | Refusal> {
    const ranges = await this.#records.ranges();
    if (this.#options.dryRun) {
      const range = ranges.firstOf(family);
      assert(range !== undefined, `family ${family} is not available and should have been refused by settleFamilies`);
      return range.networkAddress;
    }
    for (;;) {
      // Another server may have taken it a moment ago; then it is known to be taken, and the next one is tried.
      const address = ranges.takeAny(family);
      if (address === undefined) return { problem: "range is full" };
      let isOurs = false;
      try {
        isOurs = await this.#records.takeAddress(address, this.#options.owner);
      } catch (error) {
        ranges.giveBack(address);
        throw error;
      }
      if (!isOurs) continue;
      this.#taken.push(address);
      return address;
    }
  }

  /** Releases an address when the write succeeds. */
  end(address: string): void {
    this.#ending.push(address);
  }

  /** Must be called once. Never rejects. */
  async finish(result: WriteResult): Promise<void> {
    if (this.#options.dryRun || result === "unknown") return;
    for (const address of result === "written" ? this.#ending : this.#taken)
      await this.#records.releaseAddress(address, this.#options.owner);
  }
}
