/**
 * Makes the records of addresses and node ports agree with the Services: records what Services have, and releases what was left behind by
 * a server that ended between an allocation and its write.
 *
 *     ServiceRepair.run → Services, IPAddresses, RangeAllocation → StoredServiceRecords
 */
import { Service } from "@drover/api/core/v1";
import { assert } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { ownAddresses, ownPorts } from "../builtin/strategies/service/service-allocator.ts";
import { familyOf } from "../builtin/strategies/service/service-shape.ts";
import type { ServiceView } from "../builtin/strategies/service/service-shape.ts";
import { metaOf } from "../registry/meta-of.ts";
import type { Live } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { typedObject } from "../typed-object.ts";
import { noPorts, portsOf } from "./port-record.ts";
import { allocatorName, canonical, familyLabel, isOwnedBy, managerLabel, parentOf } from "./stored-service-records.ts";
import type { RecordsBackend, StoredServiceRecords } from "./stored-service-records.ts";

/** A request ends within a minute, so the Service of a record that is older will not be written any more. */
const graceMs = 60_000;
/** A node port has no identity, so it must have been without a Service in this many earlier runs. */
const portRuns = 3;

/** Keeps what earlier runs saw, so one server needs one. */
export class ServiceRepair {
  readonly #records: StoredServiceRecords;
  readonly #backend: RecordsBackend;
  /** Addresses without a Service, with the record's uid and the monotonic time when they were first seen. */
  #suspects: ReadonlyMap<string, { readonly uid: string; readonly since: number }> = new Map();
  /** Node ports without a Service, with the number of runs that have seen them. */
  #idlePorts: ReadonlyMap<number, number> = new Map();

  constructor(records: StoredServiceRecords, backend: RecordsBackend) {
    this.#records = records;
    this.#backend = backend;
  }

  /** Rejects with the error of the store. */
  async run(): Promise<void> {
    await this.#repairAddresses();
    await this.#repairPorts();
  }

  async #repairAddresses(): Promise<void> {
    const resource = this.#records.resource("ipaddresses");
    // Read before the Services: a record that another server makes meanwhile is not taken for one without a Service.
    const records = await this.#list(resource);
    const services = await this.#services();
    const byAddress = new Map(records.map((record) => [metaOf(record.object).name ?? "", record]));
    const owners = new Map<string, ServiceView>();
    let recorded = 0;
    for (const service of services) {
      for (const address of ownAddresses(service).map(canonical)) {
        const first = owners.get(address);
        if (first === undefined) owners.set(address, service);
        if (first !== undefined) this.#warnOfDuplicate(address, first, service);
        else if (await this.#record(address, service, byAddress.get(address))) recorded++;
      }
    }
    if (recorded > 0) this.#backend.runtime.log.warn("recorded addresses of Services that had no right record", { addresses: recorded });
    await this.#releaseLeaked(records.filter(({ object }) => isOrphan(object, owners)));
  }

  /** Returns whether the address had no right record before. */
  async #record(address: string, service: ServiceView, record: Live | undefined): Promise<boolean> {
    const { namespace = "", name = "" } = service.metadata;
    const owner = { namespace, name };
    if (record !== undefined) {
      const { labels = {} } = metaOf(record.object);
      const hasLabels = labels[managerLabel] === allocatorName && labels[familyLabel] === familyOf(address);
      if (hasLabels && isOwnedBy(record.object, owner)) return false;
      if ((await this.#backend.objects.delete(record.stored.key, record.stored.modRevision)) === undefined) return false;
    }
    return await this.#records.takeAddress(address, owner);
  }

  #warnOfDuplicate(address: string, first: ServiceView, second: ServiceView): void {
    this.#backend.runtime.log.error("two Services have the same address; create one of them again", {
      address,
      services: [first, second].map(({ metadata }) => `${metadata.namespace ?? ""}/${metadata.name ?? ""}`),
    });
  }

  async #releaseLeaked(orphans: readonly Live[]): Promise<void> {
    const { clock, log } = this.#backend.runtime;
    const suspects = new Map<string, { readonly uid: string; readonly since: number }>();
    for (const { object, stored } of orphans) {
      const { name: address = "", uid = "" } = metaOf(object);
      const known = this.#suspects.get(address);
      const since = known?.uid === uid ? known.since : clock.monotonic();
      if (clock.monotonic() - since < graceMs) suspects.set(address, { uid, since });
      else if ((await this.#backend.objects.delete(stored.key, stored.modRevision)) !== undefined)
        log.warn("released an address that has no Service", { address, ...parentOf(object) });
    }
    this.#suspects = suspects;
  }

  async #repairPorts(): Promise<void> {
    for (;;) {
      const { ports, revision } = await this.#records.portRecord();
      // Read after the record: a Service whose ports were recorded later changes the record.
      const used = new Set((await this.#services()).flatMap(ownPorts));
      const { range } = ports;
      const wanted = noPorts(range, this.#backend.runtime.random.stream("repair"));
      for (const port of used) if (port >= range.from && port <= range.to) wanted.taken.take(port - range.from);
      const idle = new Map<number, number>();
      for (const port of portsOf(ports)) {
        const runs = (this.#idlePorts.get(port) ?? 0) + 1;
        if (used.has(port) || runs > portRuns) continue;
        idle.set(port, runs);
        wanted.taken.take(port - range.from);
      }
      const released = portsOf(ports).filter((port) => !wanted.taken.has(port - range.from));
      const isRight = released.length === 0 && portsOf(wanted).length === portsOf(ports).length;
      if (!(revision > 0 && isRight) && !(await this.#records.putPorts(wanted, revision))) continue;
      this.#idlePorts = idle;
      if (released.length > 0) this.#backend.runtime.log.warn("released node ports that have no Service", { ports: released });
      return;
    }
  }

  async #services(): Promise<readonly ServiceView[]> {
    const services = this.#backend.registry.find({ group: "", version: "v1", resource: "services" });
    assert(services !== undefined, "services are not served");
    return (await this.#list(services)).map(({ object }) => typedObject(Service, object));
  }

  async #list(resource: Resource): Promise<readonly Live[]> {
    const { objects } = this.#backend;
    const { items } = await objects.store.list(resource.storagePrefix);
    return items.map((stored) => ({ stored, object: objects.views(resource).object(stored) }));
  }
}

/** Whether the allocators have made a record for a Service that does not have the address. */
function isOrphan(record: JsonObject, owners: ReadonlyMap<string, ServiceView>): boolean {
  const { name: address = "", labels = {} } = metaOf(record);
  if (labels[managerLabel] !== allocatorName) return false;
  return !owners.has(address);
}
