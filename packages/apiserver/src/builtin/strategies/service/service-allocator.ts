/**
 * Allocates addresses and node ports of Services. What is allocated is recorded in the store, because several servers can share it.
 *
 *     service-strategy → ServiceAllocator → AddressReservation, PortReservation → ServiceRecords
 */
import type { Service, ServicePort } from "@drover/api/core/v1";
import { assert, deepCopy, fieldInvalid, newFailure, newInternalError, newInvalid, parseCidr } from "@drover/machinery";
import type { FieldPath } from "@drover/machinery";
import type { EndWrite } from "../../../registry/strategy.ts";
import { StatusError } from "../../../status-error.ts";
import { AddressReservation } from "./address-reservation.ts";
import { PortReservation } from "./port-reservation.ts";
import type { Refusal } from "./refusal.ts";
import { keepsPreferredFamilies } from "./service-families.ts";
import type { AddressOwner, ServiceRecords } from "./service-records.ts";
import {
  clusterIpsOf,
  familiesOf,
  hasNodePorts,
  isExternalName,
  isHeadless,
  needsHealthCheckPort,
  nodePortsOf,
  noClusterIp,
  specOf,
  wantsNodePorts,
} from "./service-shape.ts";
import type { IpFamily, ServiceView } from "./service-shape.ts";

export interface ServiceAllocatorOptions {
  readonly records: ServiceRecords;
  /** The range that the server was started with, or two of different families; the first determines the default family. */
  readonly cidrs: readonly string[];
}

export class ServiceAllocator {
  /** The family of Services that request none. */
  readonly defaultFamily: IpFamily;
  readonly #records: ServiceRecords;
  readonly #families: ReadonlySet<string>;

  constructor({ records, cidrs }: ServiceAllocatorOptions) {
    const families = cidrs.map(familyOfRange);
    const [first] = families;
    assert(first !== undefined && families.length <= 2, "Services need one address range, or two of different families");
    assert(new Set(families).size === families.length, `${cidrs.join(" and ")} are of one family; the second must be of the other`);
    this.defaultFamily = first;
    this.#records = records;
    this.#families = new Set(families);
  }

  get isDualStack(): boolean {
    return this.#families.size === 2;
  }

  hasFamily(family: string): boolean {
    return this.#families.has(family);
  }

  /** Releases what a deleted Service had. Never rejects. */
  async release(service: ServiceView): Promise<void> {
    for (const address of ownAddresses(service)) await this.#records.releaseAddress(address, ownerOf(service));
    const ports = ownPorts(service);
    if (ports.length > 0) await this.#records.releasePorts(ports);
  }

  /**
   * Sets the addresses and ports of a Service whose families are settled. Rejects with a `StatusError` if none are left, with nothing
   * allocated. The returned function must be called once.
   */
  async allocate(service: Service, old: ServiceView | undefined, { dryRun }: { readonly dryRun: boolean }): Promise<EndWrite> {
    const addresses = new AddressReservation(this.#records, { owner: ownerOf(service), dryRun });
    let ports: PortReservation | undefined;
    try {
      if (old === undefined) await allocateAddresses(service, addresses);
      else await updateAddresses(service, old, addresses);
      ports = await this.#allocatePorts(service, old, dryRun);
    } catch (error) {
      await addresses.finish("failed");
      throw error;
    }
    return async (result) => {
      await addresses.finish(result);
      const over = result === "written" ? ports?.ending : result === "failed" ? ports?.taken : undefined;
      if (!dryRun && over !== undefined && over.length > 0) await this.#records.releasePorts(over);
    };
  }

  /** Undefined for a write that concerns no ports. */
  async #allocatePorts(service: Service, old: ServiceView | undefined, dryRun: boolean): Promise<PortReservation | undefined> {
    const hadPorts = old !== undefined && hasNodePorts(old);
    if (!hadPorts && !hasNodePorts(service)) return undefined;
    const asked = deepCopy(service.spec ?? {});
    return await this.#records.changePorts((ports) => {
      service.spec = deepCopy(asked);
      const reservation = new PortReservation(ports, { dryRun });
      if (hadPorts && !hasNodePorts(service)) nodePortsOf(old).forEach((port) => reservation.end(port));
      if (hasNodePorts(service)) {
        if (old === undefined) allocateNodePorts(service, reservation);
        else updateNodePorts(service, old, reservation);
      }
      updateHealthCheckPort(service, old, reservation);
      return reservation;
    });
  }
}

function familyOfRange(cidr: string): IpFamily {
  const block = parseCidr(cidr);
  assert(block !== undefined, `${cidr} is not an address range such as 10.0.0.0/24`);
  return block.bits === 32 ? "IPv4" : "IPv6";
}

const ownerOf = ({ metadata: { namespace = "", name = "" } }: ServiceView): AddressOwner => ({ namespace, name });

/** The cluster IPs of a Service. */
export function ownAddresses(service: ServiceView): readonly string[] {
  return isExternalName(service) ? [] : clusterIpsOf(service).filter((address) => address !== noClusterIp && address !== "");
}

/** The node ports of a Service, without duplicates: two protocols may share one. */
export function ownPorts(service: ServiceView): number[] {
  const { healthCheckNodePort = 0 } = specOf(service);
  return [
    ...new Set([...nodePortsOf(service), ...(needsHealthCheckPort(service) && healthCheckNodePort !== 0 ? [healthCheckNodePort] : [])]),
  ];
}

/** Allocates one address per family, in order; given addresses are allocated as they are. */
async function allocateAddresses(service: Service, reservation: AddressReservation, from = 0): Promise<void> {
  const spec = (service.spec ??= {});
  if (isExternalName(service) || isHeadless(service)) return;
  const addresses = [...clusterIpsOf(service)];
  for (const [index, family] of familiesOf(service).entries()) {
    if (index < from) continue;
    const asked = addresses[index] ?? "";
    const found =
      asked === ""
        ? await asInvalid(service, addresses, "failed to allocate IP", () => reservation.takeAny(family as IpFamily))
        : ((await asInvalid(service, addresses, `failed to allocate IP ${asked}`, () => reservation.take(asked))) ?? asked);
    if (typeof found === "string") addresses[index] = found;
    else if (asked !== "") throw invalid(service, "spec.clusterIPs", addresses, `failed to allocate IP ${asked}: ${found.problem}`);
    else {
      const name = service.metadata.name ?? "";
      throw new StatusError(newInternalError(`failed to allocate a serviceIP for Service "${name}": ${found.problem}`));
    }
  }
  spec.clusterIPs = addresses;
  const [first] = addresses;
  if (first !== undefined) spec.clusterIP = first;
}

/** An address that cannot be recorded is an invalid field, even if the store does not answer. */
async function asInvalid<T>(service: Service, addresses: readonly string[], what: string, take: () => Promise<T>): Promise<T> {
  try {
    return await take();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw invalid(service, "spec.clusterIPs", addresses.length === 0 ? null : addresses, `${what}: ${error.status.message ?? ""}`);
  }
}

async function updateAddresses(service: Service, old: ServiceView, reservation: AddressReservation): Promise<void> {
  if (keepsPreferredFamilies(service, old)) return;
  if (isExternalName(old)) return await allocateAddresses(service, reservation);
  if (isHeadless(old)) return;
  if (isExternalName(service)) return clusterIpsOf(old).forEach((address) => reservation.end(address));
  const [before, now] = [familiesOf(old).length, familiesOf(service).length];
  if (before === 1 && now === 2) await allocateAddresses(service, reservation, 1);
  const second = clusterIpsOf(old)[1];
  if (before === 2 && now === 1 && second !== undefined) reservation.end(second);
}

/** Ports with the same number and different protocols share a node port unless they name different ones. */
function allocateNodePorts(service: Service, reservation: PortReservation): void {
  const ports = service.spec?.ports ?? [];
  const nodePorts = new Map<number, number>();
  ports.forEach((port, index) => {
    const asked = port.nodePort ?? 0;
    if (asked === 0 && !wantsNodePorts(service)) return;
    const shared = nodePorts.get(port.port);
    if (shared === undefined) {
      const wished = ports.find((other) => other.port === port.port && (other.nodePort ?? 0) !== 0)?.nodePort ?? 0;
      if (wished === 0) port.nodePort = anyNodePort(reservation);
      else takeNodePort(service, wished, index, reservation);
      if (wished !== 0) port.nodePort = wished;
      nodePorts.set(port.port, port.nodePort ?? 0);
    } else if (asked === 0) port.nodePort = shared;
    else if (asked !== shared) takeNodePort(service, asked, index, reservation);
  });
}

function updateNodePorts(service: Service, old: ServiceView, reservation: PortReservation): void {
  const before = new Set(nodePortsOf(old));
  const taken = new Set<number>();
  const seen = new Set<string>();
  (service.spec?.ports ?? []).forEach((port: ServicePort, index) => {
    const asked = port.nodePort ?? 0;
    if (asked === 0 && !wantsNodePorts(service)) return;
    if (asked === 0) port.nodePort = anyNodePort(reservation);
    else if (!before.has(asked) && !taken.has(asked)) {
      takeNodePort(service, asked, index, reservation);
      taken.add(asked);
    }
    const used = `{${port.protocol ?? ""} ${port.nodePort ?? 0}}`;
    if (seen.has(used)) throw new StatusError(newFailure(500, "", `duplicate nodePort: ${used}`));
    seen.add(used);
  });
  const now = new Set(nodePortsOf(service));
  for (const port of before) if (!now.has(port)) reservation.end(port);
}

function updateHealthCheckPort(service: Service, old: ServiceView | undefined, reservation: PortReservation): void {
  const [needed, needs] = [old !== undefined && needsHealthCheckPort(old), needsHealthCheckPort(service)];
  const { healthCheckNodePort: before = 0 } = old === undefined ? {} : specOf(old);
  if (needed && !needs && before !== 0) reservation.end(before);
  if (needed || !needs) return;
  const spec = (service.spec ??= {});
  const { healthCheckNodePort: asked = 0 } = spec;
  const found = asked === 0 ? reservation.takeAny() : (reservation.take(asked) ?? asked);
  if (typeof found !== "number") {
    const what = asked === 0 ? "a HealthCheck NodePort 0" : `requested HealthCheck NodePort ${asked}`;
    throw new StatusError(newInternalError(`failed to allocate ${what}: ${found.problem}`));
  }
  spec.healthCheckNodePort = found;
}

function anyNodePort(reservation: PortReservation): number {
  const found: number | Refusal = reservation.takeAny();
  if (typeof found !== "number") throw new StatusError(newInternalError(`failed to allocate a nodePort: ${found.problem}`));
  return found;
}

function takeNodePort(service: ServiceView, port: number, index: number, reservation: PortReservation): void {
  const refusal = reservation.take(port);
  if (refusal !== undefined) throw invalid(service, `spec.ports[${index}].nodePort`, port, refusal.problem);
}

function invalid(service: ServiceView, path: FieldPath, value: unknown, detail: string): StatusError {
  return new StatusError(newInvalid({ group: "", kind: "Service" }, service.metadata.name ?? "", [fieldInvalid(path, value, detail)]));
}
