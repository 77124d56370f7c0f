/**
 * Records of addresses and node ports in the store, as kube-apiserver has them: an IPAddress for each address, whose name makes it unique,
 * and one RangeAllocation for all node ports.
 *
 *     ServiceAllocator, ServiceRepair → StoredServiceRecords → ObjectStore;   FollowedPrefixes → AddressRanges
 */
import { ServiceCIDR } from "@drover/api/networking/v1";
import { assert, errorText, formatTime, parseIpAddress, printIpAddress } from "@drover/machinery";
import type { DeepReadonly, JsonObject, Random, Runtime } from "@drover/machinery";
import { AddressRanges } from "../builtin/strategies/service/address-ranges.ts";
import type { AddressOwner, NodePorts, ServiceRecords } from "../builtin/strategies/service/service-records.ts";
import { familyOf } from "../builtin/strategies/service/service-shape.ts";
import type { ApplyScopes } from "../registry/apply-scopes.ts";
import { FollowedPrefixes } from "../registry/followed-prefixes.ts";
import { beginGeneration } from "../registry/generation.ts";
import { metaOf } from "../registry/meta-of.ts";
import { keyOf } from "../registry/object-store.ts";
import type { Live, ObjectStore } from "../registry/object-store.ts";
import type { Registry } from "../registry/registry.ts";
import type { Resource } from "../registry/resource.ts";
import { typedObject } from "../typed-object.ts";
import { recordCreate } from "../verbs/prepare-create.ts";
import { defaultPortRange, noPorts, portRecordKey, portRecordText, readPortRecord } from "./port-record.ts";

/** Labels of the IPAddresses that the allocators of all servers manage. */
export const familyLabel = "ipaddress.kubernetes.io/ip-family";
export const managerLabel = "ipaddress.kubernetes.io/managed-by";
export const allocatorName = "ipallocator.k8s.io";

/** What records need of a server. */
export interface RecordsBackend {
  readonly objects: ObjectStore;
  readonly registry: Registry;
  readonly scopes: ApplyScopes;
  readonly runtime: Runtime;
}

export class StoredServiceRecords implements ServiceRecords {
  readonly #backend: RecordsBackend;
  readonly #portRandom: Random;
  readonly #ranges: AddressRanges;
  /** By name of the ServiceCIDR. */
  readonly #cidrs = new Map<string, readonly string[]>();
  #followed: FollowedPrefixes | undefined;
  /** Changes of node ports of this server wait for each other, because only one can succeed. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(backend: RecordsBackend) {
    this.#backend = backend;
    const random = backend.runtime.random.stream("services");
    this.#portRandom = random.stream("node-ports");
    this.#ranges = new AddressRanges(random.stream("addresses"));
  }

  async ranges(): Promise<AddressRanges> {
    this.#followed ??= this.#follow();
    if (!this.#followed.isCaughtUp()) await this.#followed.catchUp();
    return this.#ranges;
  }

  async takeAddress(address: string, owner: AddressOwner): Promise<boolean> {
    const ranges = await this.ranges();
    const isNews = ranges.take(canonical(address));
    try {
      if (await this.#create(address, owner)) return true;
    } catch (error) {
      if (isNews) ranges.giveBack(canonical(address));
      throw error;
    }
    // The record of another server may be gone again.
    if ((await this.addressRecord(address)) === undefined) ranges.giveBack(canonical(address));
    return false;
  }

  async releaseAddress(address: string, owner: AddressOwner): Promise<void> {
    const { objects, runtime } = this.#backend;
    try {
      for (;;) {
        const record = await this.addressRecord(address);
        if (record === undefined || !isOwnedBy(record.object, owner)) return;
        if ((await objects.delete(record.stored.key, record.stored.modRevision)) !== undefined) return;
      }
    } catch (error) {
      runtime.log.warn("cannot release the address of a Service; it is released by the next repair", { address, error: errorText(error) });
    }
  }

  async changePorts<T>(change: (ports: NodePorts) => T): Promise<T> {
    const changed = this.#changing.then(() => this.#changePorts(change));
    this.#changing = changed.catch(() => undefined);
    return await changed;
  }

  async releasePorts(ports: readonly number[]): Promise<void> {
    try {
      await this.changePorts(({ range, taken }) => ports.forEach((port) => taken.giveBack(port - range.from)));
    } catch (error) {
      const { log } = this.#backend.runtime;
      log.warn("cannot release the node ports of a Service; they are released by the next repair", { ports, error: errorText(error) });
    }
  }

  /** Reads the record of an address. */
  async addressRecord(address: string): Promise<Live | undefined> {
    const resource = this.resource("ipaddresses");
    return await this.#backend.objects.get(resource, keyOf(resource, "", canonical(address)));
  }

  /** Reads the record of node ports with its revision, 0 if there is none. */
  async portRecord(): Promise<{ readonly ports: NodePorts; readonly revision: number }> {
    const { stored } = await this.#backend.objects.store.get(portRecordKey);
    if (stored === undefined) return { ports: noPorts(defaultPortRange, this.#portRandom), revision: 0 };
    return { ports: readPortRecord(stored.value, this.#portRandom), revision: stored.modRevision };
  }

  /** Stores the record of node ports. Returns false if it has changed since this revision. Rejects with a `StatusError`. */
  async putPorts(ports: NodePorts, revision: number): Promise<boolean> {
    return (await this.#backend.objects.putText(portRecordKey, portRecordText(ports), { expected: revision })) !== undefined;
  }

  resource(plural: "ipaddresses" | "servicecidrs"): Resource {
    const resource = this.#backend.registry.find({ group: "networking.k8s.io", version: "v1", resource: plural });
    assert(resource !== undefined, `${plural} are not served`);
    return resource;
  }

  /** Each repetition means that another server has changed the ports. */
  async #changePorts<T>(change: (ports: NodePorts) => T): Promise<T> {
    for (;;) {
      const { ports, revision } = await this.portRecord();
      const before = portRecordText(ports);
      const result = change(ports);
      if (portRecordText(ports) === before || (await this.putPorts(ports, revision))) return result;
    }
  }

  async #create(address: string, { namespace, name }: AddressOwner): Promise<boolean> {
    const { runtime, objects } = this.#backend;
    const resource = this.resource("ipaddresses");
    const now = runtime.clock.now();
    const wanted = {
      metadata: { name: canonical(address), labels: { [familyLabel]: familyOf(address), [managerLabel]: allocatorName } },
      spec: { parentRef: { resource: "services", namespace, name } },
    };
    const object = recordCreate(this.#backend, { resource, now }, wanted, "kube-apiserver");
    const meta = metaOf(object);
    meta.uid = runtime.uid();
    meta.creationTimestamp = formatTime(now);
    beginGeneration(resource.rules.generation, object);
    const key = keyOf(resource, "", canonical(address));
    return (await objects.put(resource, key, resource.codec.reshape(object), { expected: 0 })) !== undefined;
  }

  #follow(): FollowedPrefixes {
    const { objects } = this.#backend;
    const [addresses, cidrs] = [this.resource("ipaddresses"), this.resource("servicecidrs")];
    return new FollowedPrefixes(objects.store, [cidrs.storagePrefix, addresses.storagePrefix], {
      put: (prefix, name, stored) => {
        if (prefix === addresses.storagePrefix) {
          if (stored === undefined) this.#ranges.giveBack(name);
          else this.#ranges.take(name);
          return;
        }
        const cidr = stored === undefined ? undefined : typedObject(ServiceCIDR, objects.views(cidrs).object(stored));
        this.#cidrs.delete(name);
        if (cidr !== undefined && isReady(cidr)) this.#cidrs.set(name, cidr.spec?.cidrs ?? []);
        this.#ranges.set([...this.#cidrs.values()].flat());
      },
      clear: () => {
        this.#cidrs.clear();
        this.#ranges.clear();
      },
    });
  }
}

/** Addresses come from ranges that a controller has accepted and that are not being deleted. */
const isReady = ({ metadata, status }: DeepReadonly<ServiceCIDR>): boolean =>
  metadata.deletionTimestamp === undefined &&
  (status?.conditions ?? []).some((condition) => condition.type === "Ready" && condition.status === "True");

/** Whether the record of an address names this Service. */
export function isOwnedBy(record: JsonObject, { namespace, name }: AddressOwner): boolean {
  const parent = parentOf(record);
  return parent.resource === "services" && parent.group === "" && parent.namespace === namespace && parent.name === name;
}

/** What an IPAddress belongs to. */
export function parentOf(record: JsonObject): Readonly<Record<"group" | "resource" | "namespace" | "name", string>> {
  const { parentRef = {} } = (record["spec"] ?? {}) as { readonly parentRef?: Readonly<Record<string, string>> };
  const { group = "", resource = "", namespace = "", name = "" } = parentRef;
  return { group, resource, namespace, name };
}

/** Returns an address as records are named after it. */
export function canonical(address: string): string {
  const parsed = parseIpAddress(address);
  return parsed === undefined ? address : printIpAddress(parsed);
}
