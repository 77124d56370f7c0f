/** A Job and its pods for tests. */
import { Job } from "@drover/api/batch/v1";
import type { JobSpec, JobStatus } from "@drover/api/batch/v1";
import type { Pod } from "@drover/api/core/v1";
import { deepFreeze, newControllerRef } from "@drover/machinery";
import type { PodView } from "../../shared/pod-state.ts";
import { ago } from "../../testing/workload-objects.ts";
import { trackingFinalizer } from "../job-view.ts";
import type { JobView } from "../job-view.ts";

export interface JobParts extends Omit<Partial<JobSpec>, "template"> {
  readonly restartPolicy?: "Never" | "OnFailure";
  readonly status?: JobStatus;
  readonly isDeleting?: boolean;
  readonly version?: string;
  readonly uid?: string;
}

/** A Job that has run for a minute and wants one pod, unless overridden. */
export function job(parts: JobParts = {}): JobView {
  const { restartPolicy = "Never", status, isDeleting = false, version = "1", uid = "work-uid", ...spec } = parts;
  return deepFreeze({
    apiVersion: "batch/v1" as const,
    kind: "Job" as const,
    metadata: {
      name: "work",
      uid,
      namespace: "shop",
      resourceVersion: version,
      generation: 1,
      ...(isDeleting ? { deletionTimestamp: ago(0) } : {}),
    },
    spec: {
      parallelism: 1,
      backoffLimit: 6,
      selector: { matchLabels: { job: "work" } },
      ...spec,
      template: { metadata: { labels: { job: "work" } }, spec: { restartPolicy, containers: [{ name: "main", image: "work:1" }] } },
    },
    status: { startTime: ago(60), ...status },
  });
}

export interface JobPodParts {
  readonly name?: string;
  readonly phase?: NonNullable<Pod["status"]>["phase"];
  readonly index?: number | string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Whether it has the finalizer. @default true */
  readonly isTracked?: boolean;
  readonly isDeleting?: boolean;
  readonly isReady?: boolean;
  /** Seconds since its container ended. @default no end recorded */
  readonly endedAgo?: number;
  readonly exitCode?: number;
  readonly restarts?: number;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly owner?: JobView;
}

/** A pod of the Job; its uid is its name. */
export function jobPod(parts: JobPodParts = {}): PodView {
  const {
    name = "work-1",
    phase = "Running",
    index,
    annotations = {},
    isTracked = true,
    isDeleting = false,
    isReady = false,
    endedAgo,
    exitCode = 0,
    restarts = 0,
    conditions = [],
    owner = job(),
  } = parts;
  const terminated = endedAgo === undefined ? {} : { state: { terminated: { exitCode, finishedAt: ago(endedAgo) } } };
  return deepFreeze({
    apiVersion: "v1" as const,
    kind: "Pod" as const,
    metadata: {
      name,
      uid: name,
      namespace: "shop",
      resourceVersion: "1",
      creationTimestamp: ago(600),
      labels: { job: "work" },
      ownerReferences: [newControllerRef(owner, Job)],
      annotations: { ...annotations, ...(index === undefined ? {} : { "batch.kubernetes.io/job-completion-index": String(index) }) },
      ...(isTracked ? { finalizers: [trackingFinalizer] } : {}),
      ...(isDeleting ? { deletionTimestamp: ago(0) } : {}),
    },
    spec: { containers: [{ name: "main" }] },
    status: {
      phase,
      conditions: [...conditions, ...(isReady ? [{ type: "Ready", status: "True" }] : [])],
      containerStatuses: [{ name: "main", image: "", imageID: "", ready: isReady, restartCount: restarts, ...terminated }],
    },
  });
}

/** So many pods in one phase: "failed-0", "failed-1". */
export function jobPods(count: number, parts: JobPodParts & { readonly name: string }): readonly PodView[] {
  return Array.from({ length: count }, (_, at) => jobPod({ ...parts, name: `${parts.name}-${at}` }));
}
