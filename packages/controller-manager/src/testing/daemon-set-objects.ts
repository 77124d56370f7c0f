/** DaemonSets and their pods for tests. */
import { DaemonSet } from "@drover/api/apps/v1";
import type { DaemonSetUpdateStrategy } from "@drover/api/apps/v1";
import type { PodSpec } from "@drover/api/core/v1";
import { deepFreeze, definedOnly } from "@drover/machinery";
import type { DeepReadonly, IntOrString } from "@drover/machinery";
import { templateForNode } from "../daemonset/daemon-pod.ts";
import type { DaemonSetView } from "../daemonset/daemon-set-view.ts";
import type { PodView } from "../shared/pod-state.ts";
import { ago, pod } from "./workload-objects.ts";
import type { PodParts } from "./workload-objects.ts";

export interface DaemonSetParts {
  readonly name?: string;
  readonly image?: string;
  readonly selector?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Further fields of the template's spec. */
  readonly pod?: DeepReadonly<Partial<PodSpec>>;
  readonly unavailable?: IntOrString;
  readonly surge?: IntOrString;
  readonly strategy?: DaemonSetUpdateStrategy["type"];
  readonly minReadySeconds?: number;
  readonly historyLimit?: number;
  readonly generation?: number;
  readonly isDeleting?: boolean;
  readonly status?: DeepReadonly<Partial<NonNullable<DaemonSet["status"]>>>;
}

export function daemonSet(parts: DaemonSetParts = {}): DaemonSetView {
  const {
    name = "web",
    image = "web:1",
    selector = { app: "web" },
    annotations,
    pod: spec,
    unavailable = 1,
    surge = 0,
    strategy = "RollingUpdate",
    minReadySeconds,
    historyLimit = 10,
    generation = 1,
    isDeleting = false,
    status,
  } = parts;
  return deepFreeze({
    apiVersion: "apps/v1" as const,
    kind: "DaemonSet" as const,
    metadata: {
      name,
      uid: `${name}-uid`,
      namespace: "shop",
      generation,
      resourceVersion: "1",
      ...definedOnly({ annotations }),
      ...(isDeleting ? { deletionTimestamp: ago(0) } : {}),
    },
    spec: {
      selector: { matchLabels: selector },
      revisionHistoryLimit: historyLimit,
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image }], ...spec } },
      updateStrategy:
        strategy === "RollingUpdate"
          ? { type: strategy, rollingUpdate: { maxUnavailable: unavailable, maxSurge: surge } }
          : { type: strategy },
      ...definedOnly({ minReadySeconds }),
    },
    status: { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0, ...status },
  });
}

export interface DaemonPodParts extends Omit<PodParts, "node"> {
  /** The node it is for. @default "n1" */
  readonly on?: string;
  /** Whether it is bound. @default true */
  readonly isPlaced?: boolean;
  /** Its revision. @default "new" */
  readonly hash?: string;
}

/** A pod of the DaemonSet "web". */
export function daemonPod({
  on = "n1",
  isPlaced = true,
  hash = "new",
  labels = { app: "web", "controller-revision-hash": hash },
  name = `${on}-${hash}`,
  ...parts
}: DaemonPodParts = {}): PodView {
  const made = pod({
    owner: { object: daemonSet() as DaemonSet, kind: DaemonSet },
    name,
    labels,
    ...parts,
    ...(isPlaced ? { node: on } : {}),
  });
  const { spec = { containers: [] } } = isPlaced ? made : templateForNode({ spec: made.spec ?? { containers: [] } }, on);
  return { ...made, spec };
}
