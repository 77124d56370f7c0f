/**
 * The allocations and releases of one write of a Service: releases take effect when the write succeeds, allocations are undone
 * when it fails.
 *
 *     ServiceAllocator → ServiceReservation → AddressPool, NumberPool
 */
import { assert } from "@drover/machinery";
import type { AddressPool } from "./address-pool.ts";
import type { NumberPool } from "./number-pool.ts";
import { familyOf } from "./service-shape.ts";
import type { IpFamily } from "./service-shape.ts";

/** Node ports, both ends inclusive. */
export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** The pools to allocate from. */
export interface ServicePools {
  readonly addresses: ReadonlyMap<IpFamily, AddressPool>;
  readonly ports: NumberPool;
  readonly portRange: PortRange;
}

/** Why an allocation failed, in kube-apiserver's words. */
export interface Refusal {
  readonly problem: string;
}

/** A dry run allocates nothing: it detects used ports but not used addresses, and gets numbers outside the range. */
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

  /** Allocates an address. */
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

  /** Allocates any address of a family. */
  takeAnyAddress(family: IpFamily): string | Refusal {
    const pool = this.#pool(family);
    if (this.#dryRun) return pool.networkAddress;
    const address = pool.takeAny();
    if (address === undefined) return { problem: "range is full" };
    this.#addresses.push(address);
    return address;
  }

  /** Allocates a node port. */
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

  /** Allocates any node port. */
  takeAnyPort(): number | Refusal {
    const number = this.#dryRun ? undefined : this.#pools.ports.takeAny();
    if (!this.#dryRun && number === undefined) return { problem: "range is full" };
    // A dry run counts up from a port outside the range.
    const port =
      number === undefined ? Math.max(...(this.#ports.length > 0 ? this.#ports : [32768])) + 1 : number + this.#pools.portRange.from;
    this.#ports.push(port);
    return port;
  }

  /** Releases an address when the write succeeds. */
  endAddress(address: string): void {
    this.#endingAddresses.push(address);
  }

  /** Releases a node port when the write succeeds. */
  endPort(port: number): void {
    this.#endingPorts.push(port);
  }

  /** Must be called once with whether the write succeeded. */
  finish(success: boolean): void {
    if (this.#dryRun) return;
    for (const address of success ? this.#endingAddresses : this.#addresses)
      this.#pools.addresses.get(familyOf(address))?.giveBack(address);
    for (const port of success ? this.#endingPorts : this.#ports) this.#pools.ports.giveBack(port - this.#pools.portRange.from);
  }

  #pool(family: IpFamily): AddressPool {
    const pool = this.#pools.addresses.get(family);
    assert(pool !== undefined, `family ${family} is not available and should have been refused by settleFamilies`);
    return pool;
  }
}
