/** A pod as one endpoint of a slice; identity and equality of endpoints. */
import type { Node, Pod, Service } from "@drover/api/core/v1";
import type { Endpoint, EndpointHints } from "@drover/api/discovery/v1";
import { definedOnly, semanticEqual } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { endpointHostname } from "../endpoints/endpoint-pod.ts";
import { familyOf, podIps } from "../endpoints/ip-family.ts";
import type { IpFamily } from "../endpoints/ip-family.ts";
import { isPodReady } from "../shared/pod-state.ts";

type EndpointView = DeepReadonly<Endpoint>;

/** Node label that names the zone. */
export const zoneLabel = "topology.kubernetes.io/zone";
/** Services that request hints by zone capacity, which this controller does not give; other hints must not be mixed with them. */
const topologyAnnotations: readonly string[] = ["service.kubernetes.io/topology-mode", "service.kubernetes.io/topology-aware-hints"];

/** Returns the endpoint with the pod's addresses of one family; undefined when it has none. */
export function sliceEndpoint(
  pod: DeepReadonly<Pod>,
  node: DeepReadonly<Node> | undefined,
  service: DeepReadonly<Service>,
  family: IpFamily,
): EndpointView | undefined {
  const addresses = podIps(pod).filter((ip) => familyOf(ip) === family);
  if (addresses.length === 0) return undefined;
  const serving = isPodReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const { name = "", namespace = "", uid = "" } = pod.metadata;
  const hostname = endpointHostname(pod, service);
  const nodeName = pod.spec?.nodeName ?? "";
  const zone = node?.metadata.labels?.[zoneLabel];
  const hints = ready ? hintsOf(service, nodeName, zone) : undefined;
  return {
    addresses,
    conditions: { ready, serving, terminating },
    ...definedOnly({ hostname }),
    ...(nodeName === "" ? {} : { nodeName }),
    ...definedOnly({ zone }),
    targetRef: { kind: "Pod", namespace, name, uid },
    ...definedOnly({ hints }),
  };
}

/** Identity of an endpoint, regardless of its state. */
export function endpointIdentity({ addresses, hostname = "", targetRef }: EndpointView): string {
  return JSON.stringify([addresses, hostname, targetRef?.namespace ?? "", targetRef?.name ?? ""]);
}

/** Whether two endpoints of one identity are equal. */
export function sameEndpoint(a: EndpointView, b: EndpointView): boolean {
  const stateOf = ({ nodeName, zone, conditions, targetRef, hints }: EndpointView): unknown => ({
    nodeName,
    zone,
    conditions,
    uid: targetRef?.uid,
    hints,
  });
  return semanticEqual(stateOf(a), stateOf(b));
}

function hintsOf(
  { metadata, spec }: DeepReadonly<Service>,
  nodeName: string,
  zone: string | undefined,
): DeepReadonly<EndpointHints> | undefined {
  const wanted = spec?.trafficDistribution;
  const isByTopology = topologyAnnotations.some((annotation) => ["auto", "Auto"].includes(metadata.annotations?.[annotation] ?? ""));
  if (isByTopology || (wanted !== "PreferClose" && wanted !== "PreferSameZone" && wanted !== "PreferSameNode")) return undefined;
  const forNodes = wanted === "PreferSameNode" && nodeName !== "" ? [{ name: nodeName }] : [];
  if (zone === undefined && forNodes.length === 0) return undefined;
  return { ...(zone === undefined ? {} : { forZones: [{ name: zone }] }), ...(forNodes.length === 0 ? {} : { forNodes }) };
}
