/** The objects of a plan's steps. */
import { DaemonSet, Deployment, ReplicaSet, StatefulSet } from "@drover/api/apps/v1";
import { CronJob, Job } from "@drover/api/batch/v1";
import type { PersistentVolumeClaim, PodTemplateSpec, Service } from "@drover/api/core/v1";
import { conductAnnotations } from "../../index.ts";
import type { Kind, KubeObject } from "@drover/machinery";
import type { Act, Conduct, Target, WorkloadKind } from "./plan.ts";

export const kindOf: Readonly<Record<WorkloadKind, Kind<KubeObject, "Namespaced">>> = {
  Deployment,
  ReplicaSet,
  StatefulSet,
  DaemonSet,
  Job,
  CronJob,
};

const { readyAfter, stopAfter, ready, exitAfter, exitCode } = conductAnnotations;
const annotationsOf: Readonly<Record<Conduct, Readonly<Record<string, string>>>> = {
  well: {},
  "slow to be ready": { [readyAfter]: "15s" },
  "slow to stop": { [stopAfter]: "12s" },
  "never ready": { [ready]: "false" },
  crashing: { [exitAfter]: "5s", [exitCode]: "1" },
};

/** Annotations of pods that never become healthy. */
export const sickness: readonly string[] = [ready, exitAfter, exitCode];

/** Labels by which a workload, and a service, know their pods. */
export const labelsOf = ({ kind, name }: Target): Record<string, string> => ({ app: `${kind.toLowerCase()}-${name}` });

export function template(
  target: Target,
  version: number,
  conduct: Conduct,
  restartPolicy: "Always" | "OnFailure" | "Never" = "Always",
): PodTemplateSpec {
  const toleration = { effect: "NoExecute", operator: "Exists", tolerationSeconds: 20 } as const;
  return {
    metadata: { labels: labelsOf(target), annotations: { ...annotationsOf[conduct] } },
    spec: {
      restartPolicy,
      containers: [{ name: "main", image: `app:${version}`, ports: [{ containerPort: 8080 }] }],
      // A pod that waits five minutes for its node would never be seen to move.
      ...(version % 2 === 1
        ? {
            tolerations: [
              { key: "node.kubernetes.io/unreachable", ...toleration },
              { key: "node.kubernetes.io/not-ready", ...toleration },
            ],
          }
        : {}),
    },
  };
}

type Creation = Extract<Act, { readonly do: "create" }>;

/** Bits of the variant choose among the options of the kind. */
export function workload({ target, replicas, conduct, variant }: Creation): KubeObject {
  const { kind, namespace, name } = target;
  const shape = { selector: { matchLabels: labelsOf(target) }, template: template(target, 1, conduct) };
  const specs: Readonly<Record<WorkloadKind, () => object>> = {
    Deployment: () => ({ replicas, ...shape, ...deploymentVariant(variant) }),
    ReplicaSet: () => ({ replicas, ...shape }),
    StatefulSet: () => ({
      replicas,
      serviceName: name,
      ...shape,
      podManagementPolicy: isSet(variant, 0) ? "Parallel" : "OrderedReady",
      revisionHistoryLimit: 2,
      ...(isSet(variant, 1) ? { volumeClaimTemplates: [claim] } : {}),
    }),
    DaemonSet: () => ({
      ...shape,
      revisionHistoryLimit: 2,
      updateStrategy: {
        type: "RollingUpdate",
        rollingUpdate: isSet(variant, 0) ? { maxSurge: 1, maxUnavailable: 0 } : { maxUnavailable: 1 },
      },
    }),
    Job: () => jobSpec(target, replicas, conduct, variant),
    CronJob: () => ({
      schedule: isSet(variant, 2) ? "* * * * *" : "*/2 * * * *",
      concurrencyPolicy: ["Allow", "Forbid", "Replace"][variant % 3],
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 1,
      jobTemplate: { spec: { ...jobSpec(target, 1, conduct, variant), suspend: false } },
    }),
  };
  return { metadata: { name, namespace, labels: labelsOf(target) }, spec: specs[kind]() } as KubeObject;
}

const isSet = (variant: number, bit: number): boolean => (variant >> bit) % 2 === 1;

function deploymentVariant(variant: number): Partial<NonNullable<Deployment["spec"]>> {
  const rollingUpdate = { maxSurge: isSet(variant, 0) ? 1 : "25%", maxUnavailable: isSet(variant, 1) ? 1 : isSet(variant, 0) ? 0 : "25%" };
  return {
    revisionHistoryLimit: isSet(variant, 2) ? 1 : 3,
    strategy: variant % 8 === 7 ? { type: "Recreate" } : { type: "RollingUpdate", rollingUpdate },
  };
}

const claim: PersistentVolumeClaim = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};

/** They all end, some with a failure. */
function jobSpec(target: Target, replicas: number, conduct: Conduct, variant: number): NonNullable<Job["spec"]> {
  const bit = (index: number): boolean => isSet(variant, index);
  const pods = template(target, 1, "well", bit(0) ? "OnFailure" : "Never");
  const ends = {
    [exitAfter]: conduct === "well" ? "0s" : conduct === "slow to stop" ? "80s" : "7s",
    [exitCode]: conduct === "crashing" ? "1" : "0",
  };
  return {
    completions: 1 + (replicas % 4),
    parallelism: 1 + (variant % 3),
    backoffLimit: variant % 3,
    suspend: bit(4),
    template: { ...pods, metadata: { ...pods.metadata, annotations: ends } },
    ...(bit(1) ? { completionMode: "Indexed" } : {}),
    ...(bit(2) ? { ttlSecondsAfterFinished: 30 } : {}),
    ...(bit(3) && bit(5) ? { activeDeadlineSeconds: 40 } : {}),
  };
}

/** A service for the pods of a workload, with the same name. */
export function serviceFor(target: Target, variant: number): Service {
  return {
    metadata: { name: target.name, namespace: target.namespace },
    spec: {
      selector: labelsOf(target),
      ports: [{ port: 80, targetPort: 8080 }],
      ...(variant % 2 === 1 ? { clusterIP: "None" } : {}),
      ...(variant > 2 ? { publishNotReadyAddresses: true } : {}),
    },
  };
}
