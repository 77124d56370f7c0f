/** A pod as an endpoint: whether it is one, its hostname, and which of its changes matter to services. */
import type { Pod, Service } from "@drover/api/core/v1";
import { jsonEqual } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { isPodFinished, isPodReady } from "../shared/pod-state.ts";
import { podIps } from "./ip-family.ts";

type PodView = DeepReadonly<Pod>;

/** False for a pod that has finished or has no address; true for a terminating one only on request. */
export function isEndpoint(pod: PodView, { terminating }: { readonly terminating: boolean }): boolean {
  return !isPodFinished(pod) && podIps(pod).length > 0 && (terminating || pod.metadata.deletionTimestamp === undefined);
}

/** Returns the pod's hostname within its service: only when the pod names this service as its subdomain. */
export function endpointHostname({ metadata, spec }: PodView, service: DeepReadonly<Service>): string | undefined {
  const { hostname = "", subdomain } = spec ?? {};
  return hostname !== "" && subdomain === service.metadata.name && metadata.namespace === service.metadata.namespace ? hostname : undefined;
}

export interface PodChanges {
  /** It may belong to other services. */
  readonly labels: boolean;
  /** Its endpoint changed in the services it belongs to. */
  readonly endpoint: boolean;
}

/** A node or phase alone is ignored: address and readiness change with it. */
export function podChanges(before: PodView, now: PodView): PodChanges {
  return {
    labels: !jsonEqual(before.metadata.labels ?? {}, now.metadata.labels ?? {}),
    endpoint:
      before.spec?.hostname !== now.spec?.hostname ||
      before.spec?.subdomain !== now.spec?.subdomain ||
      before.metadata.deletionTimestamp !== now.metadata.deletionTimestamp ||
      isPodReady(before) !== isPodReady(now) ||
      String(podIps(before)) !== String(podIps(now)),
  };
}
