/** A pod as the scheduler sees it: parsed once, read often. */
import type { Pod } from "@drover/api/core/v1";
import { parseTime } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { hostPortsOf } from "./host-ports.ts";
import type { HostPort } from "./host-ports.ts";
import { podTermsOf } from "./pod-terms.ts";
import type { PodTerms } from "./pod-terms.ts";
import { requestOf } from "./resource-amounts.ts";
import type { ResourceAmounts } from "./resource-amounts.ts";

export interface PlacedPod {
  readonly pod: DeepReadonly<Pod>;
  readonly uid: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Uid of its controller; empty without one. */
  readonly owner: string;
  readonly priority: number;
  /** Start time in milliseconds; Infinity when it has not started. */
  readonly startedAt: number;
  /** Whether it is being deleted. */
  readonly isLeaving: boolean;
  readonly request: ResourceAmounts;
  readonly ports: readonly HostPort[];
  /** Affinity terms; undefined for most pods, which have none. */
  readonly terms: PodTerms | undefined;
}

export function placedPod(pod: DeepReadonly<Pod>): PlacedPod {
  const { uid = "", namespace = "", labels = {}, ownerReferences = [], deletionTimestamp } = pod.metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true)?.uid ?? "";
  const startedAt = pod.status?.startTime === undefined ? Infinity : parseTime(pod.status.startTime);
  return {
    pod,
    uid,
    namespace,
    labels,
    owner,
    priority: pod.spec?.priority ?? 0,
    startedAt,
    isLeaving: deletionTimestamp !== undefined,
    request: requestOf(pod),
    ports: hostPortsOf(pod),
    terms: podTermsOf(pod),
  };
}
