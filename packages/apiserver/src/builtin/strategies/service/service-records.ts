/**
 * Where addresses and node ports of Services are recorded, so that all servers on a store know them.
 *
 *     ServiceAllocator → AddressReservation, PortReservation → ServiceRecords
 */
import type { AddressRanges } from "./address-ranges.ts";
import type { NumberPool } from "./number-pool.ts";

/** Node ports, both ends inclusive. */
export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** The recorded node ports. */
export interface NodePorts {
  readonly range: PortRange;
  /** Offsets from the first port of the range. */
  readonly taken: NumberPool;
}

/** The Service that an address belongs to. It need not exist yet. */
export interface AddressOwner {
  readonly namespace: string;
  readonly name: string;
}

/** Guarantees: of all servers on a store, one gets an address or a node port until it is released. */
export interface ServiceRecords {
  /** Resolves to the ranges of addresses with what this server knows to be taken; a record may still turn out to exist. */
  ranges(): Promise<AddressRanges>;
  /** Records that a Service has an address. Returns false if it is recorded already. Rejects with a `StatusError`. */
  takeAddress(address: string, owner: AddressOwner): Promise<boolean>;
  /** Removes the record of an address if it is that of this Service. Never rejects: what stays behind is repaired later. */
  releaseAddress(address: string, owner: AddressOwner): Promise<void>;
  /**
   * Changes the recorded node ports and stores them. `change` runs again when another server was faster, so it must begin anew. Rejects
   * with what `change` throws, and with a `StatusError`.
   */
  changePorts<T>(change: (ports: NodePorts) => T): Promise<T>;
  /** Releases node ports. Never rejects: what stays behind is repaired later. */
  releasePorts(ports: readonly number[]): Promise<void>;
}
