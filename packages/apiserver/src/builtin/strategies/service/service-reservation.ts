/**
 * What one write of a Service takes and gives back. Nothing is given back before the write went through, and what was
 * taken goes back if it does not.
 *
 *     ServiceAllocator → ServiceReservation → AddressPool, NumberPool
 */
import { assert } from "@drover/machinery";
import type { AddressPool } from "./address-pool.ts";
import type { NumberPool } from "./number-pool.ts";
import { familyOf } from "./service-shape.ts";
import type { IpFamily } from "./service-shape.ts";

/** Node ports, both ends included. */
export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** What Services are given from. */
export interface ServicePools {
  readonly addresses: ReadonlyMap<IpFamily, AddressPool>;
  readonly ports: NumberPool;
  readonly portRange: PortRange;
}

/** Why something cannot be had, in the server's words. */
export interface Refusal {
  readonly problem: string;
}

/** A dry run takes nothing; it notices ports that are in use, but not addresses, and is given numbers that nobody can have. */
export class ServiceReservation {
  readonly #pools: ServicePools;
  readonly #dryRun: boolean;
  readonly #addresses: string[] = [];
  readonly #ports: number[] = [];
  readonly #endingAddresses: string[] = [];
  readonly #endingPorts: number[] = [];

  constructor(pools: ServicePools, { dryRun }: { readonly dryRun: boolean }) {
    this.#pools = pools;
    this.#dryRun = dryRun;
  }

  /** Takes a certain address. */
  takeAddress(address: string): Refusal | undefined {
    const pool = this.#pool(familyOf(address));
    if (this.#dryRun)
      return pool.includes(address)
        ? undefined
        : { problem: `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${pool.cidr}` };
    if (!pool.includes(address)) return { problem: "the provided network does not match the current range" };
    if (!pool.take(address)) return { problem: "provided IP is already allocated" };
    this.#addresses.push(address);
    return undefined;
  }

  /** Takes any address of a family. */
  takeAnyAddress(family: IpFamily): string | Refusal {
    const pool = this.#pool(family);
    if (this.#dryRun) return pool.networkAddress;
    const address = pool.takeAny();
    if (address === undefined) return { problem: "range is full" };
    this.#addresses.push(address);
    return address;
  }

  /** Takes a certain node port. */
  takePort(port: number): Refusal | undefined {
    const { from, to } = this.#pools.portRange;
    const refusal = { problem: "provided port is already allocated" };
    if (this.#dryRun) {
      if (this.#pools.ports.has(port - from) || this.#ports.includes(port)) return refusal;
    } else {
      if (port < from || port > to)
        return { problem: `provided port is not in the valid range. The range of valid ports is ${from}-${to}` };
      if (!this.#pools.ports.take(port - from)) return refusal;
    }
    this.#ports.push(port);
    return undefined;
  }

  /** Takes any node port. */
  takeAnyPort(): number | Refusal {
    const number = this.#dryRun ? undefined : this.#pools.ports.takeAny();
    if (!this.#dryRun && number === undefined) return { problem: "range is full" };
    // A dry run counts on from a port that no node has.
    const port =
      number === undefined ? Math.max(...(this.#ports.length > 0 ? this.#ports : [32768])) + 1 : number + this.#pools.portRange.from;
    this.#ports.push(port);
    return port;
  }

  /** Gives an address back when the write went through. */
  endAddress(address: string): void {
    this.#endingAddresses.push(address);
  }

  /** Gives a node port back when the write went through. */
  endPort(port: number): void {
    this.#endingPorts.push(port);
  }

  /** To be called once, when it is known whether the write went through. */
  finish(success: boolean): void {
    if (this.#dryRun) return;
    for (const address of success ? this.#endingAddresses : this.#addresses)
      this.#pools.addresses.get(familyOf(address))?.giveBack(address);
    for (const port of success ? this.#endingPorts : this.#ports) this.#pools.ports.giveBack(port - this.#pools.portRange.from);
  }

  #pool(family: IpFamily): AddressPool {
    const pool = this.#pools.addresses.get(family);
    assert(pool !== undefined, `a Service of family ${family} came past the check of its families`);
    return pool;
  }
}
