/** Leases of etcd for keys with a TTL. Objects with similar expiry times share one, as in kube-apiserver, because leases are expensive. */
import type { Clock } from "@drover/machinery";
import type { EtcdClient } from "./etcd-client.ts";
import type { EtcdLeaseId } from "./etcd-messages.ts";

/** A lease lasts at most this share of the TTL longer than wanted, and at most a minute. */
const reuseShare = 0.05;
const reuseSecondsMax = 60;
const objectsMax = 1000;

interface Lease {
  readonly id: Promise<EtcdLeaseId>;
  /** On the monotonic clock. */
  readonly expiry: number;
  objects: number;
}

/** Guarantees: a lease expires at or after the wanted time, and at most a twentieth or a minute later. */
export class EtcdLeases {
  readonly #client: EtcdClient;
  readonly #clock: Clock;
  /** The newest one. All users of TTLs in a server, events, have the same TTL. */
  #lease: Lease | undefined;

  constructor(client: EtcdClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Returns a lease for one more key. */
  async leaseFor(ttlMs: number): Promise<EtcdLeaseId> {
    const now = this.#clock.monotonic();
    const seconds = Math.max(1, Math.ceil(ttlMs / 1000));
    const reuseSeconds = Math.min(Math.floor(seconds * reuseShare), reuseSecondsMax);
    const wanted = now + seconds * 1000;
    const lease = this.#lease;
    if (lease !== undefined && lease.objects < objectsMax && lease.expiry >= wanted && lease.expiry <= wanted + reuseSeconds * 1000) {
      lease.objects++;
      return await lease.id;
    }
    const granted: Lease = {
      id: this.#client.grantLease(seconds + reuseSeconds),
      expiry: wanted + reuseSeconds * 1000,
      objects: 1,
    };
    this.#lease = granted;
    try {
      return await granted.id;
    } catch (error) {
      if (this.#lease === granted) this.#lease = undefined;
      throw error;
    }
  }

  /** Grants a new lease next time: etcd does not know the newest one. */
  forget(): void {
    this.#lease = undefined;
  }
}
