/**
 * NodeDeclaredFeatureValidator and PodResizeValidator: a running pod changes only as its node supports it.
 */
import { Pod } from "@drover/api/core/v1";
import type { Node, PodSpec } from "@drover/api/core/v1";
import { jsonEqual, Quantity, quoteGo } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { aggregateRequests } from "@drover/api/quota";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { StatusError } from "../status-error.ts";
import { typedObject } from "../typed-object.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";
import { areSameAmounts } from "./amounts.ts";
import type { Amounts } from "./amounts.ts";
import { refusal } from "./refusal.ts";

interface ChangedPod {
  readonly nodeName: string;
  readonly now: PodSpec;
  readonly before: PodSpec;
}

/** Returns the change of a pod on a node; undefined for one that does not change its spec. */
function changedPod({ operation, resource: { kind }, object, old }: AdmissionRequest): ChangedPod | undefined {
  if (kind.plural !== "pods" || kind.group !== "" || operation !== "UPDATE" || object === undefined || old === undefined) return undefined;
  const [pod, oldPod] = [typedObject(Pod, object), typedObject(Pod, old)];
  const { nodeName = "" } = pod.spec ?? {};
  if (pod.spec === undefined || oldPod.spec === undefined || nodeName === "") return undefined;
  return pod.metadata.generation === oldPod.metadata.generation ? undefined : { nodeName, now: pod.spec, before: oldPod.spec };
}

async function nodeOf(objects: ObjectStore, nodes: Resource, request: AdmissionRequest, name: string): Promise<DeepReadonly<Node>> {
  const { stored } = await objects.store.get(`${nodes.storagePrefix}${name}`);
  if (stored === undefined) throw refusal(request, `node ${quoteGo(name)} not found`);
  return objects.views(nodes).shared(stored) as unknown as DeepReadonly<Node>;
}

/** `nodes` is the resource of nodes. */
export function nodeDeclaredFeatureValidator(objects: ObjectStore, nodes: Resource): AdmissionPlugin {
  const check = async (request: AdmissionRequest, nodeName: string, needed: readonly string[]): Promise<void> => {
    const { status } = await nodeOf(objects, nodes, request, nodeName);
    const missing = needed.filter((feature) => status?.declaredFeatures?.includes(feature) !== true);
    if (missing.length > 0)
      throw refusal(request, `pod update requires features ${missing.join(", ")} which are not available on node ${quoteGo(nodeName)}`);
  };
  return {
    name: "NodeDeclaredFeatureValidator",
    validate: (request) => {
      if (request.subresource !== "" && request.subresource !== "resize") return undefined;
      const change = changedPod(request);
      const needed = change === undefined ? [] : neededFeatures(change);
      return change === undefined || needed.length === 0 ? undefined : check(request, change.nodeName, needed);
    },
  };
}

/** In order of their names. */
function neededFeatures({ now, before }: ChangedPod): string[] {
  const resizesPod =
    (now.resources !== undefined || before.resources !== undefined) &&
    !(
      areSameAmounts(now.resources?.requests, before.resources?.requests) && areSameAmounts(now.resources?.limits, before.resources?.limits)
    );
  const resizesInit = (before.initContainers ?? []).some(
    ({ resources = {}, restartPolicy }, index) =>
      restartPolicy !== "Always" && !jsonEqual(resources, now.initContainers?.[index]?.resources ?? {}),
  );
  return [
    ...(resizesPod ? ["InPlacePodLevelResourcesVerticalScaling"] : []),
    ...(resizesInit ? ["InPlacePodVerticalScalingInitContainers"] : []),
  ];
}

/** `nodes` is the resource of nodes. */
export function podResizeValidator(objects: ObjectStore, nodes: Resource): AdmissionPlugin {
  const check = async (request: AdmissionRequest, { nodeName, now }: ChangedPod): Promise<void> => {
    const { metadata, status } = await nodeOf(objects, nodes, request, nodeName);
    const system = metadata.labels?.["kubernetes.io/os"] ?? "linux";
    if (system !== "linux")
      throw withCause(
        refusal(request, `pod resize is only supported on linux nodes, node ${quoteGo(nodeName)} is ${quoteGo(system)}`),
        "UnsupportedPlatform",
      );
    const shortages = shortagesOf(now, status?.allocatable ?? {});
    if (shortages.length > 0)
      throw withCause(refusal(request, `node didn't have enough allocatable resources: ${shortages.join("; ")}`), "NodeCapacity");
  };
  return {
    name: "PodResizeValidator",
    validate: (request) => {
      const change = request.subresource === "resize" ? changedPod(request) : undefined;
      return change === undefined ? undefined : check(request, change);
    },
  };
}

function withCause({ status }: StatusError, reason: string): StatusError {
  return new StatusError({ ...status, details: { ...status.details, causes: [{ reason }] } });
}

function shortagesOf(spec: PodSpec, allocatable: Amounts): string[] {
  const requests = aggregateRequests(spec, "requests");
  const requested = (name: "cpu" | "memory"): Quantity => {
    const ofPod = spec.resources?.requests?.[name];
    const asked = ofPod === undefined ? (requests.get(name) ?? Quantity.zero) : Quantity.fromJson(ofPod);
    const overhead = spec.overhead?.[name];
    return overhead === undefined ? asked : asked.add(Quantity.fromJson(overhead));
  };
  const available = (name: "cpu" | "memory"): Quantity => Quantity.fromJson(allocatable[name] ?? 0);
  return [
    ...(requested("cpu").compare(available("cpu")) > 0
      ? [`cpu, requested: ${requested("cpu").milliValue()}, allocatable: ${available("cpu").milliValue()}`]
      : []),
    ...(requested("memory").compare(available("memory")) > 0
      ? [`memory, requested: ${requested("memory").value()}, allocatable: ${available("memory").value()}`]
      : []),
  ];
}
