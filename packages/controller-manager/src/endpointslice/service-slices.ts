/**
 * All slices of a service: their desired state, and the fewest writes that lead there.
 *
 *     Service, Pods, Nodes, existing slices → planServiceSlices → create, update, delete
 */
import type { Node, Pod, Service } from "@drover/api/core/v1";
import { Service as ServiceKind } from "@drover/api/core/v1";
import type { Endpoint, EndpointPort, EndpointSlice } from "@drover/api/discovery/v1";
import { compareBytes, definedOnly, isControlledBy, jsonEqual, newControllerRef } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { isEndpoint } from "../endpoints/endpoint-pod.ts";
import { hasClusterIp, serviceFamilies } from "../endpoints/ip-family.ts";
import type { IpFamily } from "../endpoints/ip-family.ts";
import { headlessLabel } from "../endpoints/plan-endpoints.ts";
import { findPort } from "../endpoints/service-port.ts";
import { triggerTimeAnnotation } from "../endpoints/trigger-times.ts";
import { planSlices } from "./plan-slices.ts";
import { sliceEndpoint } from "./slice-endpoint.ts";

type SliceView = DeepReadonly<EndpointSlice>;
type Ports = readonly DeepReadonly<EndpointPort>[];

export const serviceNameLabel = "kubernetes.io/service-name";
export const managedByLabel = "endpointslice.kubernetes.io/managed-by";
export const sliceManager = "endpointslice-controller.k8s.io";

export interface ServiceSlicesQuestion {
  readonly service: DeepReadonly<Service>;
  /** Pods that its selector selects. */
  readonly pods: readonly DeepReadonly<Pod>[];
  /** Slices of this controller that are not being deleted. */
  readonly existing: readonly SliceView[];
  readonly nodeOf: (name: string) => DeepReadonly<Node> | undefined;
  /** Maximum endpoints per slice. */
  readonly max: number;
  /** When they had to change; undefined when unknown. */
  readonly triggerTime: string | undefined;
}

export interface ServiceSlicesPlan {
  readonly create: readonly SliceView[];
  readonly update: readonly SliceView[];
  readonly delete: readonly SliceView[];
  /** Pods left out because their node is unknown. */
  readonly problems: readonly string[];
}

/** Returns the address families of its slices. A headless service without families has both. */
export function addressTypes(service: DeepReadonly<Service>): readonly IpFamily[] {
  const families = serviceFamilies(service);
  return families.length > 0 || hasClusterIp(service) ? families : ["IPv4", "IPv6"];
}

/** Plans all slices. Guarantees: unchanged slices are not written; new slices reuse slices that would be deleted where possible. */
export function planServiceSlices(question: ServiceSlicesQuestion): ServiceSlicesPlan {
  const { service, existing } = question;
  const types = addressTypes(service);
  const plans = types.map((family) =>
    planFamily(
      question,
      family,
      existing.filter(({ addressType }) => addressType === family),
    ),
  );
  const others = existing.filter(({ addressType }) => !types.some((family) => family === addressType));
  return {
    create: service.metadata.deletionTimestamp === undefined ? plans.flatMap((plan) => plan.create) : [],
    update: plans.flatMap((plan) => plan.update),
    delete: [...plans.flatMap((plan) => plan.delete), ...others],
    // Both families leave out the same pods.
    problems: plans[0]?.problems ?? [],
  };
}

function planFamily(question: ServiceSlicesQuestion, family: IpFamily, existing: readonly SliceView[]): ServiceSlicesPlan {
  const { service, max } = question;
  const { groups, problems } = endpointsByPorts(question, family);
  const owned = existing.filter((slice) => isControlledBy(slice, service));
  const labels = sliceLabels(service);
  const isRight = ({ metadata }: SliceView): boolean => jsonEqual(metadata.labels ?? {}, labels);
  const create: SliceView[] = [];
  const update: SliceView[] = [];
  const remove: SliceView[] = [
    ...existing.filter((slice) => !owned.includes(slice)),
    ...owned.filter((slice) => !groups.has(portsKey(portsOf(slice)))),
  ];
  for (const [key, { ports, endpoints }] of groups) {
    const plan = planSlices({
      existing: owned.filter((slice) => portsKey(portsOf(slice)) === key),
      wanted: endpoints,
      max,
      mustChange: (slice) => !isRight(slice),
    });
    create.push(...plan.created.map((content) => newSlice(question, family, ports, content)));
    update.push(
      ...plan.updated.map(({ slice, endpoints: content }) => withContent(question, slice, { ports: portsOf(slice), endpoints: content })),
    );
    remove.push(...plan.deleted);
  }
  if (create.length === 0 && remove.length === existing.length) {
    const placeholder =
      remove.length === 1 && remove[0] !== undefined && isPlaceholder(remove[0]) && owned.includes(remove[0]) && isRight(remove[0]);
    if (placeholder) remove.pop();
    else create.push(newSlice(question, family, [], []));
  }
  return { ...recycled(question, { create, update, delete: remove }), problems };
}

/** Writes new content over slices that would be deleted: one write instead of two. */
function recycled(question: ServiceSlicesQuestion, plan: Omit<ServiceSlicesPlan, "problems">): Omit<ServiceSlicesPlan, "problems"> {
  const spare = plan.delete.filter((slice) => isControlledBy(slice, question.service));
  const over = plan.create.slice(0, spare.length);
  const reused = spare.slice(0, over.length);
  const updates = over.flatMap((content, index) => {
    const slice = reused[index];
    return slice === undefined ? [] : [withContent(question, slice, content)];
  });
  return {
    create: plan.create.slice(over.length),
    update: [...plan.update, ...updates],
    delete: plan.delete.filter((slice) => !reused.includes(slice)),
  };
}

interface PortGroup {
  readonly ports: Ports;
  readonly endpoints: DeepReadonly<Endpoint>[];
}

function endpointsByPorts(
  { service, pods, nodeOf }: ServiceSlicesQuestion,
  family: IpFamily,
): { readonly groups: ReadonlyMap<string, PortGroup>; readonly problems: readonly string[] } {
  const groups = new Map<string, PortGroup>();
  const problems: string[] = [];
  const { namespace = "", name = "" } = service.metadata;
  for (const pod of pods) {
    if (!isEndpoint(pod, { terminating: true })) continue;
    const ports = podPorts(service, pod);
    const key = portsKey(ports);
    const group = groups.get(key) ?? { ports, endpoints: [] };
    groups.set(key, group);
    const nodeName = pod.spec?.nodeName ?? "";
    const node = nodeOf(nodeName);
    if (node === undefined && service.spec?.publishNotReadyAddresses !== true) {
      problems.push(`skipping Pod ${pod.metadata.name ?? ""} for Service ${namespace}/${name}: Node ${nodeName} Not Found`);
      continue;
    }
    const endpoint = sliceEndpoint(pod, node, service, family);
    if (endpoint !== undefined) group.endpoints.push(endpoint);
  }
  return { groups, problems };
}

/** Returns the service's ports as this pod resolves them, without those it lacks. */
function podPorts({ spec }: DeepReadonly<Service>, pod: DeepReadonly<Pod>): Ports {
  return (spec?.ports ?? []).flatMap((port) => {
    const number = findPort(pod, port);
    return number === undefined
      ? []
      : [
          {
            name: port.name ?? "",
            port: number,
            protocol: port.protocol ?? "TCP",
            ...definedOnly({ appProtocol: port.appProtocol }),
          },
        ];
  });
}

/** Ignores order. */
const portsKey = (ports: Ports): string =>
  JSON.stringify(
    ports
      .map(({ name = "", port = 0, protocol = "TCP", appProtocol = "" }) => JSON.stringify([name, protocol, port, appProtocol]))
      .toSorted(compareBytes),
  );

/** The service's labels, overridden by the controller's. */
function sliceLabels({ metadata, ...service }: DeepReadonly<Service>): Record<string, string> {
  const { [headlessLabel]: _, ...labels } = metadata.labels ?? {};
  return {
    ...labels,
    ...(hasClusterIp({ metadata, ...service }) ? {} : { [headlessLabel]: "" }),
    [serviceNameLabel]: metadata.name ?? "",
    [managedByLabel]: sliceManager,
  };
}

function newSlice(
  question: ServiceSlicesQuestion,
  family: IpFamily,
  ports: Ports,
  endpoints: readonly DeepReadonly<Endpoint>[],
): SliceView {
  const { service } = question;
  const { name = "", namespace = "" } = service.metadata;
  return withContent(
    question,
    { metadata: { generateName: `${name}-`, namespace, ownerReferences: [newControllerRef(service, ServiceKind)] }, addressType: family },
    { ports, endpoints },
  );
}

function withContent(
  { service, triggerTime }: ServiceSlicesQuestion,
  slice: SliceView,
  content: Pick<SliceView, "ports" | "endpoints">,
): SliceView {
  const { [triggerTimeAnnotation]: _, ...others } = slice.metadata.annotations ?? {};
  const annotations = { ...others, ...definedOnly({ [triggerTimeAnnotation]: triggerTime }) };
  return {
    ...slice,
    metadata: { ...slice.metadata, labels: sliceLabels(service), annotations },
    endpoints: content.endpoints ?? [],
    ports: content.ports ?? [],
  };
}

const isPlaceholder = (slice: SliceView): boolean => (slice.endpoints ?? []).length === 0 && portsOf(slice).length === 0;

/** On the wire an empty list is null, which destructuring defaults do not cover. */
const portsOf = ({ ports }: SliceView): Ports => ports ?? [];
