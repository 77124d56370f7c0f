/** At the end: Endpoints and EndpointSlices of a Service list its ready pods, each once. */
import type { Service } from "@drover/api/core/v1";
import { jsonEqual } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { isActive, isReady, keyOf } from "./world.ts";
import type { World } from "./world.ts";

export function serviceProblems(world: World): readonly string[] {
  return world.all("services/specs").flatMap((service) => problemsOf(world, service));
}

function problemsOf(world: World, service: DeepReadonly<Service>): readonly string[] {
  const {
    metadata: { name = "", namespace = "" },
    spec,
  } = service;
  const selector = Object.entries(spec?.selector ?? {});
  if (selector.length === 0) return [];
  const what = `services/${keyOf(service)}`;
  const selected = world
    .all("pods")
    .filter(
      (pod) =>
        pod.metadata.namespace === namespace &&
        isActive(pod) &&
        pod.status?.podIP !== undefined &&
        selector.every(([key, value]) => pod.metadata.labels?.[key] === value),
    );
  const wanted = selected
    .filter((pod) => isReady(pod) || spec?.publishNotReadyAddresses === true)
    .map(({ status }) => status?.podIP ?? "")
    .toSorted();
  const slices = world
    .all("endpointslices")
    .filter(({ metadata }) => metadata.namespace === namespace && metadata.labels?.["kubernetes.io/service-name"] === name);
  const inSlices = slices
    .flatMap(({ endpoints }) => endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses }) => addresses)
    .toSorted();
  const { subsets = [] } = world.get("services/endpoints", keyOf(service)) ?? {};
  const inEndpoints = subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip)).toSorted();
  return [
    ...(jsonEqual(inSlices, wanted)
      ? []
      : [`${what}: slices lead to ${inSlices.join() || "nowhere"}, not to ${wanted.join() || "nowhere"}`]),
    ...(jsonEqual(inEndpoints, wanted)
      ? []
      : [`${what}: endpoints lead to ${inEndpoints.join() || "nowhere"}, not to ${wanted.join() || "nowhere"}`]),
    ...(world.get("services/endpoints", keyOf(service)) === undefined ? [`${what} has no endpoints`] : []),
  ];
}
