/**
 * `log`, `exec`, `attach`, `portforward` and `proxy`, which a kubelet would answer. Without kubelets only `log` works, with
 * `PodLogs`.
 */
import { Pod } from "@drover/api/core/v1";
import { newBadRequest, newFailure, newNotFound } from "@drover/machinery";
import { keyOf } from "../registry/object-store.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import { typedObject } from "../typed-object.ts";
import { admitConnection } from "./admit-connection.ts";
import { getStored } from "./get-object.ts";
import { podLogOptions } from "./pod-log-options.ts";
import type { PodLogOptions } from "./pod-log-options.ts";

/**
 * Serves the logs of pods, as kubelets do: returns lines as they come, a refusal ("container … is waiting to start"), or
 * undefined for a pod whose node cannot be reached. `signal` aborts when the client disconnects.
 */
export type PodLogs = (
  pod: Pod,
  container: string,
  options: PodLogOptions & { readonly signal?: AbortSignal },
) => AsyncIterable<string> | { readonly refusal: string } | undefined;

/** Who answers in place of kubelets. */
export interface PodStreams {
  readonly podLogs: PodLogs;
  /** Returns the message for `exec`, `attach`, `portforward` and `proxy`; undefined if kubelets are only missing. */
  readonly noStreams: () => string | undefined;
}

/** Answers as kube-apiserver does for a pod without a node or with an unreachable one. The log of a pod that never ran is empty. */
export async function answerStream(backend: Backend, context: RequestContext, { podLogs, noStreams }: PodStreams): Promise<Answer> {
  const {
    resource: { kind },
    info: { subresource, name },
    query,
    now,
    request: { signal },
  } = context;
  const logOptions = subresource === "log" ? podLogOptions(query, name, now) : undefined;
  if (subresource !== "log") await admitConnection(backend, context);
  const stored = await getStored(backend, context);
  const unreachable = (): StatusError =>
    new StatusError(
      newFailure(500, "", (subresource === "log" ? undefined : noStreams()) ?? "no preferred addresses found; known addresses: []"),
    );
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
  // kube-apiserver reports a missing node as a missing pod.
  throw hasNode ? unreachable() : new StatusError(newNotFound({ group: "", resource: "pods" }, nodeName));
}

/**
 * Returns the named container, or the only one. Throws a 400 for a name the pod lacks, or when no name is given and there are
 * several.
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
