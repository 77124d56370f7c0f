/** The pod of a write, for plug-ins that look at pods. */
import { Pod } from "@drover/api/core/v1";
import type { PodSpec } from "@drover/api/core/v1";
import { typedObject } from "../typed-object.ts";
import type { AdmissionRequest } from "./admission.ts";

/** A pod with its spec; plug-ins may change both in place. */
export interface WrittenPod {
  readonly pod: Pod;
  readonly spec: PodSpec;
}

/** Returns the pod that a request creates or updates; undefined for other resources, subresources and deletions. */
export function writtenPod({ resource: { kind }, subresource, object }: AdmissionRequest): WrittenPod | undefined {
  if (kind.plural !== "pods" || kind.group !== "" || subresource !== "" || object === undefined) return undefined;
  const pod = typedObject(Pod, object);
  return pod.spec === undefined ? undefined : { pod, spec: pod.spec };
}

/** Returns the pod that a request creates. */
export function createdPod(request: AdmissionRequest): WrittenPod | undefined {
  return request.operation === "CREATE" ? writtenPod(request) : undefined;
}
