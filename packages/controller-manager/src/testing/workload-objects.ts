/** Pods, ReplicaSets and Deployments for tests. */
import type { Deployment, DeploymentCondition, ReplicaSet } from "@drover/api/apps/v1";
import type { Pod } from "@drover/api/core/v1";
import { deepFreeze, definedOnly, formatTime, newControllerRef } from "@drover/machinery";
import type { IntOrString, Kind, KubeObject } from "@drover/machinery";
import type { DeploymentView } from "../deployment/deployment-view.ts";
import type { PodView } from "../shared/pod-state.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";

/** 2026-01-01T00:00:00Z, where manual clocks start. */
export const start = 1_767_225_600_000;

/** A timestamp so many seconds before `start`. */
export const ago = (seconds: number): string => formatTime(start - seconds * 1000);

export interface PodParts {
  readonly name?: string;
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly node?: string;
  readonly phase?: NonNullable<Pod["status"]>["phase"];
  /** For how many seconds it has been ready. @default not ready */
  readonly readyFor?: number;
  readonly createdAgo?: number;
  readonly restarts?: number;
  readonly sidecarRestarts?: number;
  readonly isDeleting?: boolean;
  readonly owner?: { readonly object: KubeObject; readonly kind: Kind };
  readonly version?: string;
}

export function pod(parts: PodParts = {}): PodView {
  const {
    name = "web-1",
    uid = `${name}-uid`,
    labels = { app: "web" },
    annotations,
    node,
    phase = "Running",
    readyFor,
    createdAgo,
    restarts,
    sidecarRestarts,
    isDeleting = false,
    owner,
    version = "1",
  } = parts;
  return deepFreeze({
    apiVersion: "v1" as const,
    kind: "Pod" as const,
    metadata: {
      name,
      uid,
      namespace: "shop",
      resourceVersion: version,
      labels: { ...labels },
      ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
      ...(createdAgo === undefined ? {} : { creationTimestamp: ago(createdAgo) }),
      ...(isDeleting ? { deletionTimestamp: ago(0) } : {}),
      ...(owner === undefined ? {} : { ownerReferences: [newControllerRef(owner.object, owner.kind)] }),
    },
    spec: {
      containers: [{ name: "web" }],
      initContainers: [{ name: "proxy", restartPolicy: "Always" as const }, { name: "once" }],
      ...definedOnly({ nodeName: node }),
    },
    status: {
      phase,
      conditions: readyFor === undefined ? [] : [{ type: "Ready", status: "True", lastTransitionTime: ago(readyFor) }],
      containerStatuses: restarts === undefined ? [] : [{ name: "web", restartCount: restarts, ready: true, image: "", imageID: "" }],
      initContainerStatuses:
        sidecarRestarts === undefined
          ? []
          : [
              { name: "proxy", restartCount: sidecarRestarts, ready: true, image: "", imageID: "" },
              { name: "once", restartCount: 99, ready: true, image: "", imageID: "" },
            ],
    },
  });
}

export interface ReplicaSetParts {
  readonly name?: string;
  readonly uid?: string;
  readonly replicas?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly selector?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly createdAgo?: number;
  readonly status?: Partial<NonNullable<ReplicaSet["status"]>>;
  readonly image?: string;
  readonly minReadySeconds?: number;
  readonly generation?: number;
  readonly isDeleting?: boolean;
  readonly owner?: { readonly object: KubeObject; readonly kind: Kind };
  readonly version?: string;
}

export function replicaSet(parts: ReplicaSetParts = {}): ReplicaSetView {
  const {
    name = "web",
    uid = `${name}-uid`,
    replicas = 1,
    labels = { app: "web" },
    selector = { app: "web" },
    annotations,
    createdAgo = 0,
    status,
    image = "web:1",
    minReadySeconds,
    generation = 1,
    isDeleting = false,
    owner,
    version = "1",
  } = parts;
  return deepFreeze({
    apiVersion: "apps/v1" as const,
    kind: "ReplicaSet" as const,
    metadata: {
      name,
      uid,
      namespace: "shop",
      labels: { ...labels },
      creationTimestamp: ago(createdAgo),
      generation,
      resourceVersion: version,
      ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
      ...(isDeleting ? { deletionTimestamp: ago(0) } : {}),
      ...(owner === undefined ? {} : { ownerReferences: [newControllerRef(owner.object, owner.kind)] }),
    },
    spec: {
      replicas,
      selector: { matchLabels: { ...selector } },
      template: { metadata: { labels: { ...labels } }, spec: { containers: [{ name: "web", image }] } },
      ...definedOnly({ minReadySeconds }),
    },
    ...(status === undefined ? {} : { status: { replicas: 0, ...status } }),
  });
}

export interface DeploymentParts {
  readonly name?: string;
  readonly replicas?: number;
  readonly surge?: IntOrString;
  readonly unavailable?: IntOrString;
  readonly strategy?: "Recreate" | "RollingUpdate";
  readonly image?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly status?: Omit<NonNullable<Deployment["status"]>, "conditions">;
  readonly conditions?: readonly DeploymentCondition[];
  readonly deadline?: number;
  readonly historyLimit?: number;
  readonly isPaused?: boolean;
  readonly isDeleting?: boolean;
  readonly generation?: number;
  readonly selector?: Readonly<Record<string, string>>;
}

export function deployment(parts: DeploymentParts = {}): DeploymentView {
  const {
    name = "web",
    replicas = 1,
    surge,
    unavailable,
    strategy = "RollingUpdate",
    image = "web:1",
    annotations,
    status,
    conditions,
    deadline,
    historyLimit,
    isPaused = false,
    isDeleting = false,
    generation = 1,
    selector = { app: "web" },
  } = parts;
  return deepFreeze({
    apiVersion: "apps/v1" as const,
    kind: "Deployment" as const,
    metadata: {
      name,
      uid: `${name}-uid`,
      namespace: "shop",
      generation,
      resourceVersion: "1",
      ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
      ...(isDeleting ? { deletionTimestamp: ago(0) } : {}),
    },
    spec: {
      replicas,
      selector: { matchLabels: { ...selector } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image }] } },
      strategy:
        strategy === "Recreate"
          ? { type: strategy }
          : {
              type: strategy,
              rollingUpdate: {
                ...definedOnly({ maxSurge: surge, maxUnavailable: unavailable }),
              },
            },
      ...definedOnly({ progressDeadlineSeconds: deadline, revisionHistoryLimit: historyLimit }),
      ...(isPaused ? { paused: true } : {}),
    },
    status: { ...status, ...(conditions === undefined ? {} : { conditions: [...conditions] }) },
  });
}
