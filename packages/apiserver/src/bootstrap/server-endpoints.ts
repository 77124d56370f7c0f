/**
 * Endpoints and EndpointSlice of the Service default/kubernetes: the address that the server listens on.
 *
 * They are written without validation, because kube-apiserver refuses loopback addresses there, and a local server has no other.
 */
import { assert, deepCopy, formatTime, isIpv4, jsonEqual, parseIpAddress, printIpAddress } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import { keyOf } from "../registry/object-store.ts";
import type { Backend } from "../request/request-context.ts";
import { recordCreate } from "../verbs/prepare-create.ts";
import { recordChange } from "../verbs/put-object.ts";

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
  const { objects, registry, runtime } = backend;
  const resource = registry.find({ group, version: "v1", resource: plural });
  assert(resource !== undefined, `${plural} are not served`);
  const key = keyOf(resource, "default", "kubernetes");
  const now = runtime.clock.now();
  const live = await objects.get(resource, key);
  if (live === undefined) {
    const object = recordCreate(backend, { resource, now }, deepCopy(wanted), "kube-apiserver");
    const meta = metaOf(object);
    meta.uid = runtime.uid();
    meta.creationTimestamp = formatTime(now);
    await objects.put(resource, key, resource.codec.reshape(object), { expected: 0 });
    return;
  }
  const { metadata: _metadata, ...fields } = wanted;
  if (Object.entries(fields).every(([name, value]) => jsonEqual(live.object[name], value))) return;
  const changed = { ...live.object, ...deepCopy(fields) };
  const change = { object: changed, current: live.object, subresource: "", manager: "kube-apiserver" };
  const recorded = await recordChange(backend, { resource, now }, change);
  const meta = metaOf(recorded);
  if (meta.generation !== undefined) meta.generation += 1;
  await objects.put(resource, key, resource.codec.reshape(recorded), { expected: live.stored.modRevision });
}
