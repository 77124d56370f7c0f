/**
 * The Lease by which others see that a server runs, as kube-apiserver keeps one in kube-system.
 *
 *     runUpkeep → IdentityLease → ObjectStore
 */
import { Lease } from "@drover/api/coordination/v1";
import { assert, formatMicroTime, millisToMicros, parseTime } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { writeOwnObject } from "../bootstrap/own-object.ts";
import { metaOf } from "../registry/meta-of.ts";
import { keyOf, prefixOf } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import type { Backend } from "../request/request-context.ts";
import { typedObject } from "../typed-object.ts";

const namespace = "kube-system";
const identityLabel = "apiserver.kubernetes.io/identity";
const durationSeconds = 3600;

export interface IdentityLeaseOptions {
  readonly sha256: (text: string) => Uint8Array;
  /** The name of the machine. */
  readonly hostName: string;
  /** Distinguishes servers of one machine: "127.0.0.1:6443". */
  readonly serverAddress: string;
}

export class IdentityLease {
  readonly #backend: Backend;
  readonly #name: string;
  readonly #hostName: string;
  /** Differs after each start. */
  readonly #holder: string;

  constructor(backend: Backend, { sha256, hostName, serverAddress }: IdentityLeaseOptions) {
    this.#backend = backend;
    this.#name = `apiserver-${base32(sha256(`${hostName} ${serverAddress} kube-apiserver`).subarray(0, 16))}`;
    this.#hostName = hostName;
    this.#holder = `${this.#name}_${backend.runtime.uid()}`;
  }

  /** Creates the lease, or extends it. */
  async renew(): Promise<void> {
    const isLabel = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(this.#hostName);
    const labels = { [identityLabel]: "kube-apiserver", ...(isLabel ? { "kubernetes.io/hostname": this.#hostName } : {}) };
    const renewTime = formatMicroTime(millisToMicros(this.#backend.runtime.clock.now()));
    await writeOwnObject(this.#backend, this.#resource(), {
      metadata: { name: this.#name, namespace, labels },
      spec: { holderIdentity: this.#holder, leaseDurationSeconds: durationSeconds, renewTime },
    });
  }

  /** Removes the lease, unless another server has it. */
  async remove(): Promise<void> {
    const { objects } = this.#backend;
    const key = keyOf(this.#resource(), namespace, this.#name);
    const live = await objects.get(this.#resource(), key);
    if (live === undefined || typedObject(Lease, live.object).spec?.holderIdentity !== this.#holder) return;
    await objects.delete(key, live.stored.modRevision);
  }

  /** Removes the leases of servers that have not renewed theirs in time. */
  async removeExpired(): Promise<void> {
    const { objects, runtime } = this.#backend;
    const resource = this.#resource();
    const { items } = await objects.store.list(prefixOf(resource, namespace));
    for (const stored of items) {
      const object = objects.views(resource).object(stored);
      if (metaOf(object).labels?.[identityLabel] !== "kube-apiserver") continue;
      if (!isExpired(typedObject(Lease, object), runtime.clock.now())) continue;
      const isGone = (await objects.delete(stored.key, stored.modRevision)) !== undefined;
      if (isGone) runtime.log.info("removed the identity lease of a server that is gone", { lease: metaOf(object).name });
    }
  }

  #resource(): Resource {
    const resource = this.#backend.registry.find({ group: "coordination.k8s.io", version: "v1", resource: "leases" });
    assert(resource !== undefined, "leases are not served");
    return resource;
  }
}

/** A lease that no server has written is expired. */
function isExpired({ spec: { renewTime, leaseDurationSeconds } = {} }: DeepReadonly<Lease>, now: number): boolean {
  const renewed = renewTime === undefined ? undefined : parseTime(renewTime);
  return renewed === undefined || leaseDurationSeconds === undefined || renewed + leaseDurationSeconds * 1000 < now;
}

/** In lower case, without padding. */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => "abcdefghijklmnopqrstuvwxyz234567".charAt(parseInt(five.padEnd(5, "0"), 2))).join("");
}
