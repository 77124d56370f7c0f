/** What services see of a pod: whether it is one of their endpoints, under which name, and which of its changes matter to them. */
import type { Pod, Service } from "@drover/api/core/v1";
import { jsonEqual } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { isPodFinished, isPodReady } from "../shared/pod-state.ts";
import { podIps } from "./ip-family.ts";

type PodView = DeepReadonly<Pod>;

/** Not when it is at its end or has no address; on its way out only where that is asked for. */
export function isEndpoint(pod: PodView, { terminating }: { readonly terminating: boolean }): boolean {
  return !isPodFinished(pod) && podIps(pod).length > 0 && (terminating || pod.metadata.deletionTimestamp === undefined);
}

/** The name a pod goes by within its service: only where the pod says that this service is its domain. */
export function endpointHostname({ metadata, spec }: PodView, service: DeepReadonly<Service>): string | undefined {
  const { hostname = "", subdomain } = spec ?? {};
  return hostname !== "" && subdomain === service.metadata.name && metadata.namespace === service.metadata.namespace ? hostname : undefined;
}

export interface PodChanges {
  /** It may belong to other services than before. */
  readonly labels: boolean;
  /** It is another endpoint than before, for those it belongs to. */
  readonly endpoint: boolean;
}

/** A node or a phase alone is no news: addresses and readiness come with it. */
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
