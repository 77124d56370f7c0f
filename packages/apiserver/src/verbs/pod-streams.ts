/**
 * `log`, `exec`, `attach`, `portforward` and `proxy`: what a kubelet has to answer. There is none, except for logs, if
 * somebody has them.
 */
import { Pod } from "@drover/api/core/v1";
import { newBadRequest, newFailure, newNotFound } from "@drover/machinery";
import { keyOf } from "../registry/object-store.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import { typedObject } from "../typed-object.ts";
import { getStored } from "./get-object.ts";
import { podLogOptions } from "./pod-log-options.ts";
import type { PodLogOptions } from "./pod-log-options.ts";

/**
 * Who has the logs of pods, as kubelets do: lines as they come, why there are none ("container … is waiting to start"),
 * or undefined for a pod whose
 * node nobody can reach. `signal` is aborted when whoever asked has gone.
 */
export type PodLogs = (
  pod: Pod,
  container: string,
  options: PodLogOptions & { readonly signal?: AbortSignal },
) => AsyncIterable<string> | { readonly refusal: string } | undefined;

/** Says what the real server says when the pod has no node, or the node cannot be reached. The log of a pod that has never run is empty. */
export async function answerStream(backend: Backend, context: RequestContext, podLogs: PodLogs): Promise<Answer> {
  const {
    resource: { kind },
    info: { subresource, name },
    query,
    now,
    request: { signal },
  } = context;
  const logOptions = subresource === "log" ? podLogOptions(query, name, now) : undefined;
  const stored = await getStored(backend, context);
  if (kind.kind !== "Pod") throw unreachable();
  const pod = typedObject(Pod, backend.objects.views(context.resource).object(stored));
  if (subresource === "proxy") throw pod.status?.podIP ? unreachable() : new StatusError(newBadRequest("address not allowed"));
  const container = subresource === "portforward" ? "" : chosenContainer(pod, query.get("container")?.[0] ?? "");
  const nodeName = pod.spec?.nodeName ?? "";
  if (nodeName === "" && subresource === "log") return { kind: "nothing" };
  if (nodeName === "") throw new StatusError(newBadRequest(`pod ${pod.metadata.name ?? ""} does not have a host assigned`));
  const nodes = backend.registry.find({ group: "", version: "v1", resource: "nodes" });
  const hasNode = nodes !== undefined && (await backend.objects.get(nodes, keyOf(nodes, "", nodeName))) !== undefined;
  const log =
    hasNode && logOptions !== undefined
      ? podLogs(pod, container, { ...logOptions, ...(signal === undefined ? {} : { signal }) })
      : undefined;
  if (log !== undefined && "refusal" in log) throw new StatusError(newBadRequest(log.refusal));
  if (log !== undefined) return { kind: "stream", contentType: "text/plain", body: log };
  // The real server takes every object of such a request for a pod.
  throw hasNode ? unreachable() : new StatusError(newNotFound({ group: "", resource: "pods" }, nodeName));
}

const unreachable = (): StatusError => new StatusError(newFailure(500, "", "no preferred addresses found; known addresses: []"));

/**
 * The container that is named, or the only one. Throws a 400 for a container the pod does not have, and for none where
 * there are several.
 */
function chosenContainer({ metadata: { name = "" }, spec }: Pod, container: string): string {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {};
  const names = [...initContainers, ...containers, ...ephemeralContainers].map((each) => each.name);
  if (container !== "" && !names.includes(container))
    throw new StatusError(newBadRequest(`container ${container} is not valid for pod ${name}`));
  if (container === "" && containers.length > 1)
    throw new StatusError(newBadRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(" ")}]`));
  return container === "" ? (containers[0]?.name ?? "") : container;
}
