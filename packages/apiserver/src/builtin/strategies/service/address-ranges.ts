/**
 * The ranges of Service addresses and what is taken of them.
 *
 *     ServiceRecords → AddressRanges → AddressPool
 */
import { assert } from "@drover/machinery";
import type { Random } from "@drover/machinery";
import { AddressPool } from "./address-pool.ts";
import type { IpFamily } from "./service-shape.ts";

/** Ranges may overlap: a taken address is taken in all of them. */
export class AddressRanges {
  readonly #random: Random;
  readonly #taken = new Set<string>();
  #pools: ReadonlyMap<string, AddressPool> = new Map();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Sets the ranges from which addresses may be taken. Those that stay keep what is taken. */
  set(cidrs: readonly string[]): void {
    this.#pools = new Map([...new Set(cidrs)].map((cidr) => [cidr, this.#pools.get(cidr) ?? this.#filled(cidr)]));
  }

  /** Forgets all ranges and addresses. */
  clear(): void {
    this.#pools = new Map();
    this.#taken.clear();
  }

  /** The range that has an address; undefined if none has it. */
  rangeOf(address: string): string | undefined {
    for (const [cidr, pool] of this.#pools) if (pool.includes(address)) return cidr;
    return undefined;
  }

  /** The first range of a family; undefined if there is none. */
  firstOf(family: IpFamily): AddressPool | undefined {
    return [...this.#pools.values()].find((pool) => pool.family === family);
  }

  /** Takes an address. Returns false if it is taken. */
  take(address: string): boolean {
    if (this.#taken.has(address)) return false;
    this.#taken.add(address);
    for (const pool of this.#pools.values()) pool.take(address);
    return true;
  }

  /** Takes any address of a family, from the first range that has one; undefined if none is left. */
  takeAny(family: IpFamily): string | undefined {
    for (const pool of this.#pools.values()) {
      const address = pool.family === family ? pool.takeAny() : undefined;
      if (address === undefined) continue;
      const isFree = this.take(address);
      assert(isFree, `${address} is taken, and free in ${pool.cidr}`);
      return address;
    }
    return undefined;
  }

  giveBack(address: string): void {
    this.#taken.delete(address);
    for (const pool of this.#pools.values()) pool.giveBack(address);
  }

  #filled(cidr: string): AddressPool {
    const pool = new AddressPool(cidr, { random: this.#random.stream(cidr) });
    for (const address of this.#taken) pool.take(address);
    return pool;
  }
}
