/** CronJobs and Jobs for tests. */
import { CronJob } from "@drover/api/batch/v1";
import type { CronJobSpec, CronJobStatus, Job } from "@drover/api/batch/v1";
import { deepFreeze, definedOnly, newControllerRef } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { ago } from "./workload-objects.ts";

export interface CronJobParts {
  readonly spec?: Partial<CronJobSpec>;
  readonly status?: CronJobStatus;
  /** Creation time. @default an hour before `start` */
  readonly created?: string;
  readonly isDeleting?: boolean;
}

/** "shop/report", every hour. */
export function cronJob({ spec, status, created = ago(3600), isDeleting = false }: CronJobParts = {}): DeepReadonly<CronJob> {
  return deepFreeze<CronJob>({
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: {
      name: "report",
      namespace: "shop",
      uid: "report-uid",
      resourceVersion: "1",
      creationTimestamp: created,
      ...(isDeleting ? { deletionTimestamp: ago(0) } : {}),
    },
    spec: {
      schedule: "0 * * * *",
      jobTemplate: {
        metadata: { labels: { app: "report" }, annotations: { note: "kept" } },
        spec: { template: { spec: { containers: [{ name: "report" }] } } },
      },
      ...spec,
    },
    ...definedOnly({ status }),
  });
}

export interface JobParts {
  readonly name?: string;
  /** How it finished, if it did. */
  readonly end?: "Complete" | "Failed";
  /** When it finished. @default at `start` */
  readonly endTime?: string;
  readonly startTime?: string;
  readonly ttl?: number;
  /** Whether "report" is its controller. @default true */
  readonly isOwned?: boolean;
  readonly isDeleting?: boolean;
}

export function job({
  name = "report-1",
  end,
  endTime = ago(0),
  startTime,
  ttl,
  isOwned = true,
  isDeleting = false,
}: JobParts = {}): DeepReadonly<Job> {
  return deepFreeze<Job>({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name,
      namespace: "shop",
      uid: `${name}-uid`,
      resourceVersion: "1",
      ...(isOwned ? { ownerReferences: [newControllerRef(cronJob(), CronJob)] } : {}),
      ...(isDeleting ? { deletionTimestamp: ago(0) } : {}),
    },
    spec: { template: {}, ...definedOnly({ ttlSecondsAfterFinished: ttl }) },
    status: {
      ...definedOnly({ startTime }),
      ...(end === "Complete" ? { completionTime: endTime } : {}),
      conditions: end === undefined ? [] : [{ type: end, status: "True", lastTransitionTime: endTime }],
    },
  });
}
