/** Objects with optional fields that the server adds defaults to. */
import type { JsonObject } from "@drover/machinery";

interface FullObject {
  /** "group/version/Kind" */
  readonly kind: string;
  /** What the case is about. */
  readonly title: string;
  /** Without apiVersion, kind and name. */
  readonly object: JsonObject;
}

const labels = { app: "web" };
const digest = `sha256:${"a".repeat(64)}`;
const pod = (title: string, spec: JsonObject, container: JsonObject = {}): FullObject => ({
  kind: "/v1/Pod",
  title,
  object: { spec: { containers: [{ name: "c", image: "nginx:1", ...container }], ...spec } },
});
const service = (title: string, spec: JsonObject): FullObject => ({
  kind: "/v1/Service",
  title,
  object: { spec: { ports: [{ port: 80 }], ...spec } },
});
const workload = (kind: string, title: string, spec: JsonObject, podSpec: JsonObject = {}): FullObject => ({
  kind,
  title,
  object: {
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "nginx:1" }], ...podSpec } },
      ...spec,
    },
  },
});
const job = (title: string, spec: JsonObject): FullObject => ({
  kind: "batch/v1/Job",
  title,
  object: { spec: { template: { spec: { containers: [{ name: "c", image: "nginx:1" }], restartPolicy: "Never" } }, ...spec } },
});
const autoscaler = (version: "v1" | "v2", title: string, spec: JsonObject, annotations: JsonObject = {}): FullObject => ({
  kind: `autoscaling/${version}/HorizontalPodAutoscaler`,
  title,
  object: {
    metadata: { annotations },
    spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" }, ...spec },
  },
});
const alpha = "autoscaling.alpha.kubernetes.io";

const images: readonly string[] = [
  "nginx",
  "nginx:latest",
  "nginx:1.2",
  `nginx@${digest}`,
  `nginx:latest@${digest}`,
  "registry.example.com:5000/a/b",
  "Upper/b",
  "a__b/c-d.e",
];

export const fullObjects: readonly FullObject[] = [
  ...images.map((image) => pod(`the image ${image.slice(0, 30)}`, {}, { image })),
  pod("limits without requests", {}, { resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "100m" } } }),
  pod("amounts finer than thousandths", {}, { resources: { limits: { cpu: "1500u" }, requests: { cpu: "1n" } } }),
  pod(
    "probes",
    {},
    {
      livenessProbe: { httpGet: { port: 80 } },
      readinessProbe: { grpc: { port: 5 } },
      startupProbe: { exec: { command: ["a"] }, periodSeconds: 3 },
      lifecycle: { preStop: { httpGet: { port: "http", path: "/x" } }, postStart: { sleep: { seconds: 1 } } },
    },
  ),
  pod(
    "ports and environment",
    {},
    {
      ports: [{ containerPort: 80 }],
      env: [
        { name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
        { name: "B", value: "" },
      ],
    },
  ),
  pod("the network of its node", { hostNetwork: true }, { ports: [{ containerPort: 80 }] }),
  pod("an old name of the service account", { serviceAccount: "s" }),
  pod("a service account", { serviceAccountName: "t" }),
  pod("init containers and sidecars", {
    initContainers: [
      { name: "i", image: "a", resources: { limits: { cpu: "1" } } },
      { name: "s", image: "b:1", restartPolicy: "Always" },
    ],
  }),
  pod("resources of the whole pod", { resources: { limits: { cpu: "4", memory: "1Gi" } } }, { resources: { requests: { cpu: "500m" } } }),
  pod("a negative time to end", { terminationGracePeriodSeconds: -5 }),
  pod("volumes", {
    serviceAccountName: "s",
    volumes: [
      { name: "a" },
      { name: "b", secret: { secretName: "s" } },
      { name: "c", configMap: { name: "m" } },
      { name: "d", hostPath: { path: "/x" } },
      { name: "e", downwardAPI: { items: [{ path: "p", fieldRef: { fieldPath: "metadata.name" } }] } },
      {
        name: "f",
        projected: {
          sources: [
            { serviceAccountToken: { path: "t" } },
            { downwardAPI: { items: [{ path: "q", fieldRef: { fieldPath: "metadata.uid" } }] } },
          ],
        },
      },
      {
        name: "g",
        ephemeral: { volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } } },
      },
      { name: "h", image: { reference: "a/b" } },
      { name: "i", rbd: { monitors: ["m"], image: "i" } },
      { name: "j", iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2001-04.com.example:x", lun: 0 } },
      { name: "k", azureDisk: { diskName: "d", diskURI: "https://x/d.vhd" } },
      { name: "l", scaleIO: { gateway: "g", system: "s", secretRef: { name: "s" }, volumeName: "v" } },
    ],
  }),
  service("a node port", { type: "NodePort" }),
  service("a load balancer", { type: "LoadBalancer" }),
  service("a name elsewhere", { type: "ExternalName", externalName: "example.com" }),
  service("no address", { clusterIP: "None" }),
  service("affinity", { sessionAffinity: "ClientIP" }),
  service("outside addresses", { externalIPs: ["1.2.3.4"] }),
  service("a target port", { ports: [{ port: 80, targetPort: "http", protocol: "UDP" }] }),
  {
    kind: "/v1/Node",
    title: "addresses and resources",
    object: { spec: { podCIDR: "10.1.0.0/24" }, status: { capacity: { cpu: "4", memory: "1500u" } } },
  },
  workload("apps/v1/Deployment", "recreation", { strategy: { type: "Recreate" } }),
  workload("apps/v1/Deployment", "half a strategy", { strategy: { rollingUpdate: { maxSurge: 1 } }, replicas: 0 }),
  workload("apps/v1/StatefulSet", "deletion by hand", {
    updateStrategy: { type: "OnDelete" },
    persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" },
  }),
  workload("apps/v1/StatefulSet", "rolling without details", { updateStrategy: { type: "RollingUpdate" } }),
  workload("apps/v1/DaemonSet", "deletion by hand", { updateStrategy: { type: "OnDelete" } }),
  workload("apps/v1/DaemonSet", "details that do not matter", { updateStrategy: { type: "OnDelete", rollingUpdate: {} } }),
  workload(
    "apps/v1/ReplicaSet",
    "limits, which in a template request nothing",
    {},
    { containers: [{ name: "c", image: "a", resources: { limits: { cpu: "1" } } }] },
  ),
  job("completions", { completions: 3 }),
  job("parallelism", { parallelism: 3 }),
  job("a limit per index", { completionMode: "Indexed", completions: 2, backoffLimitPerIndex: 1 }),
  job("a failure policy", { podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }] } }),
  {
    kind: "batch/v1/CronJob",
    title: "suspended",
    object: {
      spec: {
        schedule: "0 0 * * *",
        suspend: true,
        jobTemplate: { spec: { template: { spec: { containers: [{ name: "c", image: "a" }], restartPolicy: "OnFailure" } } } },
      },
    },
  },
  autoscaler("v2", "behavior", { behavior: { scaleUp: { stabilizationWindowSeconds: 5 } } }),
  autoscaler("v2", "annotations of version 1", {}, { [`${alpha}/metrics`]: "[]", other: "kept" }),
  autoscaler("v1", "a target", { targetCPUUtilizationPercentage: 50 }),
  autoscaler(
    "v1",
    "metrics in an annotation",
    {},
    { [`${alpha}/metrics`]: JSON.stringify([{ type: "Pods", pods: { metricName: "m", targetAverageValue: "1000m" } }]) },
  ),
  autoscaler(
    "v1",
    "behavior in an annotation",
    {},
    { [`${alpha}/behavior`]: JSON.stringify({ scaleUp: { policies: [{ type: "Pods", value: 1, periodSeconds: 5 }] } }) },
  ),
  autoscaler("v1", "an annotation that is not legible", {}, { [`${alpha}/metrics`]: "{", other: "kept" }),
  autoscaler("v2", "every sort of metric", {
    metrics: [
      { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } },
      { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } } },
      {
        type: "ContainerResource",
        containerResource: { name: "cpu", container: "c", target: { type: "Utilization", averageUtilization: 60 } },
      },
      {
        type: "Pods",
        pods: {
          metric: { name: "m", selector: { matchLabels: { b: "1", a: "2" } } },
          target: { type: "AverageValue", averageValue: "1500m" },
        },
      },
      {
        type: "Object",
        object: { describedObject: { kind: "Service", name: "s" }, metric: { name: "m" }, target: { type: "Value", value: "10" } },
      },
      {
        type: "Object",
        object: {
          describedObject: { apiVersion: "v1", kind: "Service", name: "s" },
          metric: { name: "m" },
          target: { type: "AverageValue", averageValue: "10" },
        },
      },
      {
        type: "External",
        external: {
          metric: { name: "e", selector: { matchExpressions: [{ key: "k", operator: "In", values: ["v"] }] } },
          target: { type: "AverageValue", averageValue: "5" },
        },
      },
    ],
    behavior: { scaleDown: { tolerance: "100m", policies: [{ type: "Pods", value: 1, periodSeconds: 30 }] } },
  }),
  {
    kind: "/v1/Event",
    title: "all of an old event",
    object: {
      involvedObject: { kind: "Pod", namespace: "default", name: "p", uid: "u", apiVersion: "v1", resourceVersion: "5", fieldPath: "spec" },
      reason: "r",
      message: "m",
      count: 3,
      type: "Warning",
      source: { component: "c", host: "h" },
      firstTimestamp: "2024-01-02T03:04:05Z",
      lastTimestamp: "2024-01-02T03:04:06Z",
      series: { lastObservedTime: "2024-01-02T03:04:05.000007Z" },
    },
  },
  {
    kind: "events.k8s.io/v1/Event",
    title: "a series",
    object: {
      eventTime: "2024-01-02T03:04:05.000006Z",
      reportingController: "example.com/c",
      reportingInstance: "i",
      action: "a",
      reason: "r",
      type: "Normal",
      note: "n",
      regarding: { kind: "Pod", namespace: "default", name: "p" },
      related: { kind: "Node", name: "n" },
      series: { count: 2, lastObservedTime: "2024-01-02T03:04:05.000007Z" },
    },
  },
  { kind: "networking.k8s.io/v1/NetworkPolicy", title: "incoming only", object: { spec: { podSelector: {}, ingress: [{ ports: [{}] }] } } },
  {
    kind: "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration",
    title: "rejection",
    object: { spec: { type: "Limited", limited: { limitResponse: { type: "Reject" }, nominalConcurrencyShares: 0 } } },
  },
];
