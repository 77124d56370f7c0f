/**
 * Endpoints and EndpointSlice of the Service default/kubernetes: the address that the server listens on.
 *
 * They are written without validation, because kube-apiserver refuses loopback addresses there, and a local server has no other.
 */
import { assert, isIpv4, parseIpAddress, printIpAddress } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import type { Backend } from "../request/request-context.ts";
import { writeOwnObject } from "./own-object.ts";

/** An address to publish. */
export interface ServerAddress {
  readonly ip: string;
  readonly port: number;
}

/** Splits "127.0.0.1:6443" or "[::1]:6443"; undefined for a host name, which cannot be an endpoint. */
export function parseServerAddress(text: string): ServerAddress | undefined {
  const [, six, four, port = ""] = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? [];
  const address = parseIpAddress(six ?? four ?? "");
  return address === undefined || Number(port) > 65_535 || Number(port) === 0
    ? undefined
    : { ip: printIpAddress(address), port: Number(port) };
}

/** Creates both objects, or replaces the address of existing ones. */
export async function publishEndpoints(backend: Backend, { ip, port }: ServerAddress): Promise<void> {
  const metadata = { name: "kubernetes", namespace: "default" };
  const ports = [{ name: "https", port, protocol: "TCP" }];
  const address = parseIpAddress(ip);
  await publish(backend, "", "endpoints", {
    metadata: { ...metadata, labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
    subsets: [{ addresses: [{ ip }], ports }],
  });
  await publish(backend, "discovery.k8s.io", "endpointslices", {
    metadata: { ...metadata, generation: 1, labels: { "kubernetes.io/service-name": "kubernetes" } },
    addressType: address !== undefined && isIpv4(address) ? "IPv4" : "IPv6",
    endpoints: [{ addresses: [ip], conditions: { ready: true } }],
    ports,
  });
}

async function publish(backend: Backend, group: string, plural: string, wanted: JsonObject): Promise<void> {
  const resource = backend.registry.find({ group, version: "v1", resource: plural });
  assert(resource !== undefined, `${plural} are not served`);
  await writeOwnObject(backend, resource, wanted);
}
