/**
 * Allocates addresses and node ports of Services. The state is in memory, because all allocations are recorded in the stored
 * Services.
 *
 *     service-strategy → ServiceAllocator → ServiceReservation
 */
import type { Service, ServicePort } from "@drover/api/core/v1";
import { assert, fieldInvalid, newFailure, newInternalError, newInvalid } from "@drover/machinery";
import type { FieldPath, Random } from "@drover/machinery";
import { StatusError } from "../../../status-error.ts";
import { AddressPool } from "./address-pool.ts";
import { NumberPool } from "./number-pool.ts";
import { keepsPreferredFamilies } from "./service-families.ts";
import { ServiceReservation } from "./service-reservation.ts";
import type { PortRange, Refusal, ServicePools } from "./service-reservation.ts";
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
  /** Source of random choices. */
  readonly random: Random;
  /** One range, or two of different families; the first determines the default family. @default ["10.0.0.0/24"] */
  readonly cidrs?: readonly string[];
  /** The range of node ports. @default { from: 30000, to: 32767 } */
  readonly nodePorts?: PortRange;
}

/** Tracks allocated addresses and node ports. A server on stored Services calls `learn` for each of them. */
export class ServiceAllocator {
  /** The family of Services that request none. */
  readonly defaultFamily: IpFamily;
  /** The address of the Service `default/kubernetes`. */
  readonly firstAddress: string;
  readonly #pools: ServicePools;

  constructor({ random, cidrs = ["10.0.0.0/24"], nodePorts = { from: 30000, to: 32767 } }: ServiceAllocatorOptions) {
    const pools = cidrs.map((cidr, index) => new AddressPool(cidr, { random: random.stream(`addresses-${index}`) }));
    const [first] = pools;
    assert(first !== undefined && pools.length <= 2, "Services need one address range, or two of different families");
    assert(
      new Set(pools.map(({ family }) => family)).size === pools.length,
      `${cidrs.join(" and ")} are of one family; the second must be of the other`,
    );
    this.defaultFamily = first.family;
    this.firstAddress = first.addressAt(0);
    const size = nodePorts.to - nodePorts.from + 1;
    // One thirty-second, at least 16 and at most 128.
    const kept = size <= 16 ? 0 : Math.min(128, Math.max(16, Math.floor(size / 32)));
    this.#pools = {
      addresses: new Map(pools.map((pool) => [pool.family, pool])),
      portRange: nodePorts,
      ports: new NumberPool(size, { random: random.stream("node-ports"), keptForRequests: kept }),
    };
  }

  get isDualStack(): boolean {
    return this.#pools.addresses.size === 2;
  }

  hasFamily(family: string): boolean {
    return this.#pools.addresses.has(family as IpFamily);
  }

  /** Allocates what a stored Service has. */
  learn(service: ServiceView): void {
    const reservation = new ServiceReservation(this.#pools, { dryRun: false });
    for (const address of ownAddresses(service)) {
      if (this.hasFamily(address.includes(":") ? "IPv6" : "IPv4")) reservation.takeAddress(address);
    }
    for (const port of ownPorts(service)) reservation.takePort(port);
  }

  /** Releases what a deleted Service had. */
  forget(service: ServiceView): void {
    const reservation = new ServiceReservation(this.#pools, { dryRun: false });
    for (const address of ownAddresses(service)) reservation.endAddress(address);
    for (const port of ownPorts(service)) reservation.endPort(port);
    reservation.finish(true);
  }

  /**
   * Sets the addresses and ports of a Service whose families are settled. Throws a `StatusError` if none are left, with nothing
   * allocated. The returned function must be called once with whether the write succeeded.
   */
  allocate(service: Service, old: ServiceView | undefined, { dryRun }: { readonly dryRun: boolean }): (success: boolean) => void {
    const reservation = new ServiceReservation(this.#pools, { dryRun });
    try {
      if (old === undefined) allocateAddresses(service, reservation);
      else updateAddresses(service, old, reservation);
      if (old !== undefined && hasNodePorts(old) && !hasNodePorts(service)) nodePortsOf(old).forEach((port) => reservation.endPort(port));
      if (hasNodePorts(service)) {
        if (old === undefined) allocateNodePorts(service, reservation);
        else updateNodePorts(service, old, reservation);
      }
      updateHealthCheckPort(service, old, reservation);
    } catch (error) {
      reservation.finish(false);
      throw error;
    }
    return (success) => reservation.finish(success);
  }
}

function ownAddresses(service: ServiceView): readonly string[] {
  return isExternalName(service) ? [] : clusterIpsOf(service).filter((address) => address !== noClusterIp && address !== "");
}

/** Without duplicates: two protocols may share a port. */
function ownPorts(service: ServiceView): number[] {
  const { healthCheckNodePort = 0 } = specOf(service);
  return [
    ...new Set([...nodePortsOf(service), ...(needsHealthCheckPort(service) && healthCheckNodePort !== 0 ? [healthCheckNodePort] : [])]),
  ];
}

/** Allocates one address per family, in order; given addresses are allocated as they are. */
function allocateAddresses(service: Service, reservation: ServiceReservation, from = 0): void {
  const spec = (service.spec ??= {});
  if (isExternalName(service) || isHeadless(service)) return;
  const addresses = [...clusterIpsOf(service)];
  familiesOf(service).forEach((family, index) => {
    if (index < from) return;
    const asked = addresses[index] ?? "";
    if (asked === "") {
      const found = reservation.takeAnyAddress(family as IpFamily);
      if (typeof found !== "string")
        throw new StatusError(
          newInternalError(`failed to allocate a serviceIP for Service "${service.metadata.name ?? ""}": ${found.problem}`),
        );
      addresses[index] = found;
    } else {
      const refusal = reservation.takeAddress(asked);
      if (refusal !== undefined) throw invalid(service, "spec.clusterIPs", addresses, `failed to allocate IP ${asked}: ${refusal.problem}`);
    }
  });
  spec.clusterIPs = addresses;
  const [first] = addresses;
  if (first !== undefined) spec.clusterIP = first;
}

function updateAddresses(service: Service, old: ServiceView, reservation: ServiceReservation): void {
  if (keepsPreferredFamilies(service, old)) return;
  if (isExternalName(old)) return allocateAddresses(service, reservation);
  if (isHeadless(old)) return;
  if (isExternalName(service)) return clusterIpsOf(old).forEach((address) => reservation.endAddress(address));
  const [before, now] = [familiesOf(old).length, familiesOf(service).length];
  if (before === 1 && now === 2) allocateAddresses(service, reservation, 1);
  const second = clusterIpsOf(old)[1];
  if (before === 2 && now === 1 && second !== undefined) reservation.endAddress(second);
}

/** Ports with the same number and different protocols share a node port unless they name different ones. */
function allocateNodePorts(service: Service, reservation: ServiceReservation): void {
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

function updateNodePorts(service: Service, old: ServiceView, reservation: ServiceReservation): void {
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
  for (const port of before) if (!now.has(port)) reservation.endPort(port);
}

function updateHealthCheckPort(service: Service, old: ServiceView | undefined, reservation: ServiceReservation): void {
  const [needed, needs] = [old !== undefined && needsHealthCheckPort(old), needsHealthCheckPort(service)];
  const { healthCheckNodePort: before = 0 } = old === undefined ? {} : specOf(old);
  if (needed && !needs && before !== 0) reservation.endPort(before);
  if (needed || !needs) return;
  const spec = (service.spec ??= {});
  const { healthCheckNodePort: asked = 0 } = spec;
  const found = asked === 0 ? reservation.takeAnyPort() : (reservation.takePort(asked) ?? asked);
  if (typeof found !== "number") {
    const what = asked === 0 ? "a HealthCheck NodePort 0" : `requested HealthCheck NodePort ${asked}`;
    throw new StatusError(newInternalError(`failed to allocate ${what}: ${found.problem}`));
  }
  spec.healthCheckNodePort = found;
}

function anyNodePort(reservation: ServiceReservation): number {
  const found: number | Refusal = reservation.takeAnyPort();
  if (typeof found !== "number") throw new StatusError(newInternalError(`failed to allocate a nodePort: ${found.problem}`));
  return found;
}

function takeNodePort(service: ServiceView, port: number, index: number, reservation: ServiceReservation): void {
  const refusal = reservation.takePort(port);
  if (refusal !== undefined) throw invalid(service, `spec.ports[${index}].nodePort`, port, refusal.problem);
}

function invalid(service: ServiceView, path: FieldPath, value: unknown, detail: string): StatusError {
  return new StatusError(newInvalid({ group: "", kind: "Service" }, service.metadata.name ?? "", [fieldInvalid(path, value, detail)]));
}
