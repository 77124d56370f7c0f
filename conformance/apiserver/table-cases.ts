/**
 * Objects with a value in every cell of their tables, and unusual values in some. Their timestamps are long ago, so
 * that a second more does not change an age.
 */
import type { JsonObject } from "@drover/machinery";
import { minimalObjects } from "./minimal-objects.ts";

export interface TableCase {
  /** "group/version/Kind" */
  readonly kind: string;
  readonly title: string;
  /** The object to create: these members replace those of the minimal object (minimal-objects.ts). @default the minimal object */
  readonly object?: JsonObject;
  /** Written to a subresource afterwards. @default nothing */
  readonly status?: JsonObject;
  /** The subresource. @default "status" */
  readonly at?: string;
  /** Whether it is deleted before it is printed; a finalizer must hold it. @default false */
  readonly deletes?: boolean;
  /** Other kinds that show the same object. @default none */
  readonly also?: readonly string[];
}

const finalizers = { finalizers: ["example.com/keep"] };
const long = "2001-02-03T04:05:06Z";
const labels = { app: "web" };
const two = [
  { name: "a", image: "nginx:1" },
  { name: "b", image: "envoy:2" },
];
const template = { metadata: { labels }, spec: { containers: two, nodeSelector: { disk: "ssd", "a-b": "1", a: "2" } } };
const strange = {
  matchLabels: labels,
  matchExpressions: [
    { key: "tier", operator: "In", values: ["b", "a"] },
    { key: "x", operator: "DoesNotExist" },
  ],
};
const strangeTemplate = { ...template, metadata: { labels: { ...labels, tier: "a" } } };

const container = (name: string, state: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  ready: false,
  restartCount: 0,
  image: "i",
  imageID: "",
  state,
  ...more,
});
const running = { running: { startedAt: long } };
const ended = (exitCode: number, more: JsonObject = {}): JsonObject => ({ terminated: { exitCode, ...more } });
const waiting = (reason: string): JsonObject => ({ waiting: { reason } });
const fell = (finishedAt: string): JsonObject => ({ lastState: { terminated: { exitCode: 1, finishedAt } } });

function pod(title: string, status: JsonObject, spec: JsonObject = {}, more: Partial<TableCase> = {}): TableCase {
  return {
    kind: "/v1/Pod",
    title,
    object: { spec: { nodeName: "n", containers: two, ...spec }, ...(more.deletes === true ? { metadata: finalizers } : {}) },
    status,
    ...more,
  };
}
const initContainers = [
  { name: "i", image: "a" },
  { name: "s", image: "b", restartPolicy: "Always" },
  { name: "j", image: "c" },
];

const pods: readonly TableCase[] = [
  pod("just made", {}, { nodeName: "" }),
  pod(
    "gated",
    { phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }] },
    { nodeName: "", schedulingGates: [{ name: "example.com/g" }] },
  ),
  pod("running", {
    phase: "Running",
    podIP: "1.2.3.4",
    podIPs: [{ ip: "1.2.3.4" }, { ip: "::1" }],
    containerStatuses: [
      container("a", running, { ready: true, restartCount: 3, ...fell(long) }),
      container("b", running, { ready: true, restartCount: 1, ...fell("2011-02-03T04:05:06Z") }),
    ],
  }),
  pod("running and not ready", {
    phase: "Running",
    containerStatuses: [container("a", running), container("b", running, { ready: true })],
  }),
  pod("crashing", {
    phase: "Running",
    containerStatuses: [container("a", running, { ready: true }), container("b", waiting("CrashLoopBackOff"), { restartCount: 7 })],
  }),
  pod("both in trouble", {
    phase: "Pending",
    containerStatuses: [container("a", waiting("ErrImagePull")), container("b", waiting("CreateContainerConfigError"))],
  }),
  pod("waiting for nothing in particular", {
    phase: "Pending",
    containerStatuses: [container("a", { waiting: {} }), container("b", { waiting: {} })],
  }),
  pod("one done, one running", {
    phase: "Running",
    conditions: [{ type: "Ready", status: "True" }],
    containerStatuses: [container("a", ended(0, { reason: "Completed" })), container("b", running, { ready: true })],
  }),
  pod("one done, one running, not ready as a whole", {
    phase: "Running",
    containerStatuses: [container("a", ended(0, { reason: "Completed" })), container("b", running, { ready: true })],
  }),
  pod("one done, one failed", {
    phase: "Failed",
    containerStatuses: [container("a", ended(0, { reason: "Completed" })), container("b", ended(2, { reason: "Error" }))],
  }),
  pod("one done, one failed without a word", {
    phase: "Failed",
    containerStatuses: [container("a", ended(0, { reason: "Completed" })), container("b", ended(2))],
  }),
  pod("killed by a signal", { phase: "Failed", containerStatuses: [container("a", ended(137, { signal: 9 }))] }),
  pod("ended with a code", {
    phase: "Failed",
    containerStatuses: [container("a", ended(3)), container("b", ended(0, { reason: "Completed" }))],
  }),
  pod("done", {
    phase: "Succeeded",
    containerStatuses: [container("a", ended(0, { reason: "Completed" })), container("b", ended(0, { reason: "Completed" }))],
  }),
  pod("evicted", { phase: "Failed", reason: "Evicted", message: "no room" }),
  pod("going", { phase: "Running", containerStatuses: [container("a", running, { ready: true })] }, {}, { deletes: true }),
  pod(
    "going though over",
    { phase: "Succeeded", containerStatuses: [container("a", ended(0, { reason: "Completed" }))] },
    {},
    { deletes: true },
  ),
  pod("going with its node", { phase: "Running", reason: "NodeLost" }, {}, { deletes: true }),
  pod("nominated", { phase: "Pending", nominatedNodeName: "elsewhere" }, { nodeName: "" }),
  pod(
    "readiness gates",
    {
      phase: "Running",
      conditions: [
        { type: "example.com/a", status: "True" },
        { type: "example.com/b", status: "False" },
      ],
    },
    { readinessGates: [{ conditionType: "example.com/a" }, { conditionType: "example.com/b" }, { conditionType: "example.com/c" }] },
  ),
  pod(
    "init: the first at work",
    {
      phase: "Pending",
      initContainerStatuses: [container("i", running), container("s", { waiting: {} }), container("j", waiting("PodInitializing"))],
    },
    { initContainers },
  ),
  pod(
    "init: the sidecar is up",
    {
      phase: "Pending",
      initContainerStatuses: [
        container("i", ended(0)),
        container("s", running, { started: true, ready: true, restartCount: 2, ...fell(long) }),
        container("j", waiting("PodInitializing")),
      ],
    },
    { initContainers },
  ),
  pod(
    "init: the sidecar is starting",
    { phase: "Pending", initContainerStatuses: [container("i", ended(0)), container("s", running, { started: false })] },
    { initContainers },
  ),
  pod(
    "init: failed",
    { phase: "Pending", initContainerStatuses: [container("i", ended(1, { reason: "Error" }), { restartCount: 4, ...fell(long) })] },
    { initContainers },
  ),
  pod("init: failed without a word", { phase: "Pending", initContainerStatuses: [container("i", ended(1))] }, { initContainers }),
  pod(
    "init: failed by a signal",
    { phase: "Pending", initContainerStatuses: [container("i", ended(1, { signal: 15 }))] },
    { initContainers },
  ),
  pod("init: waiting", { phase: "Pending", initContainerStatuses: [container("i", waiting("ImagePullBackOff"))] }, { initContainers }),
  pod(
    "init over, sidecar and all running",
    {
      phase: "Running",
      initContainerStatuses: [
        container("i", ended(0), { restartCount: 5, ...fell("2021-02-03T04:05:06Z") }),
        container("s", running, { started: true, ready: true, restartCount: 1, ...fell(long) }),
        container("j", ended(0)),
      ],
      containerStatuses: [container("a", running, { ready: true, restartCount: 1 }), container("b", running, { ready: true })],
    },
    { initContainers },
  ),
  pod(
    "init said to be over though it is not",
    {
      phase: "Running",
      conditions: [{ type: "Initialized", status: "True" }],
      initContainerStatuses: [container("i", ended(1, { reason: "Error" }))],
      containerStatuses: [container("a", running, { ready: true })],
    },
    { initContainers },
  ),
];

const job = (title: string, spec: JsonObject, status?: JsonObject, more: Partial<TableCase> = {}): TableCase => ({
  kind: "batch/v1/Job",
  title,
  object: {
    spec: {
      template: { spec: { containers: two, restartPolicy: "Never" } },
      manualSelector: true,
      selector: { matchLabels: labels },
      ...spec,
      ...(spec["template"] === undefined ? { template: { metadata: { labels }, spec: { containers: two, restartPolicy: "Never" } } } : {}),
    },
    ...(more.deletes === true ? { metadata: finalizers } : {}),
  },
  ...(status === undefined ? {} : { status }),
  ...more,
});
const condition = (type: string, status = "True"): JsonObject => ({ type, status, lastProbeTime: long, lastTransitionTime: long });

const workloads: readonly TableCase[] = [
  {
    kind: "apps/v1/Deployment",
    title: "rolling",
    object: { spec: { replicas: 5, selector: strange, template: strangeTemplate } },
    status: { replicas: 5, updatedReplicas: 4, readyReplicas: 3, availableReplicas: 2 },
  },
  {
    kind: "apps/v1/ReplicaSet",
    title: "growing",
    object: { spec: { replicas: 5, selector: strange, template: strangeTemplate } },
    status: { replicas: 3, fullyLabeledReplicas: 3, readyReplicas: 2, availableReplicas: 1 },
  },
  {
    kind: "apps/v1/StatefulSet",
    title: "growing",
    object: { spec: { replicas: 3, selector: { matchLabels: labels }, template, serviceName: "s" } },
    status: { replicas: 2, readyReplicas: 1 },
  },
  {
    kind: "apps/v1/DaemonSet",
    title: "on some nodes",
    object: { spec: { selector: strange, template: strangeTemplate } },
    status: {
      desiredNumberScheduled: 5,
      currentNumberScheduled: 4,
      numberReady: 3,
      updatedNumberScheduled: 2,
      numberAvailable: 1,
      numberMisscheduled: 0,
    },
  },
  {
    kind: "/v1/ReplicationController",
    title: "growing",
    object: { spec: { replicas: 4, selector: labels, template } },
    status: { replicas: 3, readyReplicas: 2 },
  },
  {
    kind: "/v1/PodTemplate",
    title: "two containers",
    object: { template: { metadata: { labels: { "a-b": "1", a: "2" } }, spec: { containers: two } } },
  },
  {
    kind: "apps/v1/ControllerRevision",
    title: "of a stateful set",
    object: {
      metadata: { ownerReferences: [{ apiVersion: "apps/v1", kind: "StatefulSet", name: "s", uid: "u", controller: true }] },
      revision: 7,
      data: {},
    },
  },
  {
    kind: "apps/v1/ControllerRevision",
    title: "of a pod",
    object: {
      metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u", controller: true }] },
      revision: 8,
      data: {},
    },
  },
  job("waiting for more", { completions: 3, parallelism: 2 }, { succeeded: 1, active: 2, startTime: long }),
  job("a queue", { parallelism: 4 }, { succeeded: 1, active: 3, startTime: long, uncountedTerminatedPods: {} }),
  job(
    "one and enough",
    { completions: 1 },
    {
      startTime: "2001-02-03T04:05:06Z",
      completionTime: "2001-02-03T04:12:16Z",
      succeeded: 1,
      uncountedTerminatedPods: {},
      conditions: [condition("SuccessCriteriaMet"), condition("Complete")],
    },
  ),
  job(
    "failed",
    {},
    { startTime: long, failed: 1, uncountedTerminatedPods: {}, conditions: [condition("FailureTarget"), condition("Failed")] },
  ),
  job("about to fail", {}, { startTime: long, conditions: [condition("FailureTarget")] }),
  job("about to succeed", { completions: 1 }, { startTime: long, succeeded: 1, conditions: [condition("SuccessCriteriaMet")] }),
  job("suspended", { suspend: true }, { conditions: [condition("Suspended")] }),
  job("no longer suspended", {}, { conditions: [condition("Suspended", "False")] }),
  job("going", {}, undefined, { deletes: true }),
  {
    kind: "batch/v1/CronJob",
    title: "with everything",
    object: {
      spec: {
        schedule: "*/5 * * * *",
        timeZone: "Europe/Berlin",
        suspend: true,
        jobTemplate: { spec: { template: { spec: { containers: two, restartPolicy: "Never" } } } },
      },
    },
    status: {
      lastScheduleTime: long,
      active: [
        { kind: "Job", name: "j" },
        { kind: "Job", name: "k" },
      ],
    },
  },
  {
    kind: "policy/v1/PodDisruptionBudget",
    title: "a share",
    object: { spec: { minAvailable: "30%", selector: {} } },
    status: { disruptionsAllowed: 2, currentHealthy: 1, desiredHealthy: 1, expectedPods: 3 },
  },
  { kind: "policy/v1/PodDisruptionBudget", title: "the other way round", object: { spec: { maxUnavailable: 1, selector: {} } } },
  { kind: "scheduling.k8s.io/v1/PriorityClass", title: "below zero", object: { value: -7, preemptionPolicy: "Never" } },
];

const metrics: readonly JsonObject[] = [
  { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } } },
  { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1024Mi" } } },
  {
    type: "ContainerResource",
    containerResource: { name: "cpu", container: "c", target: { type: "Utilization", averageUtilization: 60 } },
  },
  {
    type: "ContainerResource",
    containerResource: { name: "memory", container: "c", target: { type: "AverageValue", averageValue: "1500m" } },
  },
  { type: "Pods", pods: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "1k" } } },
  {
    type: "Object",
    object: {
      metric: { name: "m" },
      describedObject: { kind: "Service", name: "s", apiVersion: "v1" },
      target: { type: "Value", value: "5" },
    },
  },
  {
    type: "Object",
    object: {
      metric: { name: "m" },
      describedObject: { kind: "Service", name: "s", apiVersion: "v1" },
      target: { type: "AverageValue", averageValue: "6" },
    },
  },
  { type: "External", external: { metric: { name: "m" }, target: { type: "Value", value: "7" } } },
  { type: "External", external: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "8" } } },
];
const current: readonly JsonObject[] = [
  { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 40, averageValue: "100m" } } },
  { type: "Resource", resource: { name: "memory", current: { averageValue: "2048Mi" } } },
  {
    type: "ContainerResource",
    containerResource: { name: "cpu", container: "c", current: { averageUtilization: 30, averageValue: "100m" } },
  },
  { type: "ContainerResource", containerResource: { name: "memory", container: "c", current: { averageValue: "2" } } },
  { type: "Pods", pods: { metric: { name: "m" }, current: { averageValue: "3" } } },
  {
    type: "Object",
    object: { metric: { name: "m" }, describedObject: { kind: "Service", name: "s", apiVersion: "v1" }, current: { value: "4" } },
  },
  {
    type: "Object",
    object: {
      metric: { name: "m" },
      describedObject: { kind: "Service", name: "s", apiVersion: "v1" },
      current: { averageValue: "5", value: "1" },
    },
  },
  { type: "External", external: { metric: { name: "m" }, current: { value: "6" } } },
  { type: "External", external: { metric: { name: "m" }, current: { averageValue: "7", value: "1" } } },
];
const autoscaler = (
  title: string,
  measured: readonly JsonObject[] | undefined,
  wanted: readonly JsonObject[],
  also: readonly string[] = [],
): TableCase => ({
  kind: "autoscaling/v2/HorizontalPodAutoscaler",
  title,
  also,
  object: {
    spec: {
      minReplicas: 2,
      maxReplicas: 9,
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
      metrics: [...wanted],
    },
  },
  status: { currentReplicas: 3, desiredReplicas: 4, ...(measured === undefined ? {} : { currentMetrics: [...measured] }) },
});
const empties: readonly (readonly [number, JsonObject])[] = [
  [0, { type: "Resource", resource: { name: "cpu", current: { averageValue: "1" } } }],
  [1, { type: "Resource", resource: { name: "memory", current: {} } }],
  [4, { type: "Pods", pods: { metric: { name: "m" }, current: { value: "1" } } }],
  [
    5,
    { type: "Object", object: { metric: { name: "m" }, describedObject: { kind: "Service", name: "s" }, current: { averageValue: "1" } } },
  ],
  [6, { type: "Object", object: { metric: { name: "m" }, describedObject: { kind: "Service", name: "s" }, current: { value: "1" } } }],
  [8, { type: "External", external: { metric: { name: "m" }, current: { value: "1" } } }],
  [7, { type: "Pods", pods: { metric: { name: "m" }, current: { averageValue: "1" } } }],
];

const autoscalers: readonly TableCase[] = [
  // Version 1 can be printed from its own fields only with one metric: it does not record the order of several.
  ...metrics.map((metric, index) =>
    autoscaler(`metric ${index}`, current.slice(index, index + 1), [metric], ["autoscaling/v1/HorizontalPodAutoscaler"]),
  ),
  ...metrics.map((metric, index) =>
    autoscaler(`metric ${index}, not measured`, undefined, [metric], ["autoscaling/v1/HorizontalPodAutoscaler"]),
  ),
  ...empties.map(([index, measured], each) =>
    autoscaler(`measured otherwise than asked, ${each}`, [measured], metrics.slice(index, index + 1)),
  ),
  autoscaler("two metrics", current.slice(0, 2), metrics.slice(0, 2)),
  autoscaler("many metrics", current, metrics),
  {
    kind: "autoscaling/v1/HorizontalPodAutoscaler",
    title: "of the first version",
    object: {
      spec: {
        maxReplicas: 3,
        targetCPUUtilizationPercentage: 55,
        scaleTargetRef: { kind: "ReplicaSet", name: "r", apiVersion: "apps/v1" },
      },
    },
    status: { currentReplicas: 1, desiredReplicas: 1, currentCPUUtilizationPercentage: 33 },
    also: ["autoscaling/v2/HorizontalPodAutoscaler"],
  },
];

const service = (title: string, spec: JsonObject, status?: JsonObject): TableCase => ({
  kind: "/v1/Service",
  title,
  object: { spec: { ports: [{ port: 80 }], ...spec } },
  ...(status === undefined ? {} : { status }),
});
const ingress = {
  loadBalancer: { ingress: [{ ip: "80.11.12.14" }, { hostname: "b.example.com" }, { ip: "80.11.12.13" }, { ip: "80.11.12.14" }] },
};
const addresses = (many: number): JsonObject[] => Array.from({ length: many }, (_, index) => ({ ip: `1.2.3.${index + 1}` }));
const hosts = (...names: readonly string[]): JsonObject[] => names.map((host) => (host === "" ? {} : { host }));
const backend = { defaultBackend: { service: { name: "s", port: { number: 80 } } } };

const networking: readonly TableCase[] = [
  service("two ports", {
    selector: { "a-b": "1", a: "2" },
    ports: [
      { name: "x", port: 80 },
      { name: "y", port: 443, protocol: "UDP" },
    ],
  }),
  service("outside addresses", { externalIPs: ["80.11.12.10", "80.11.12.11"] }),
  service("a node port", { type: "NodePort" }),
  service("a node port and outside addresses", { type: "NodePort", externalIPs: ["80.11.12.10"] }),
  service("a load balancer to come", { type: "LoadBalancer" }),
  service("a load balancer", { type: "LoadBalancer" }, ingress),
  service("a load balancer and outside addresses", { type: "LoadBalancer", externalIPs: ["80.11.12.10"] }, ingress),
  service("a load balancer to come and outside addresses", { type: "LoadBalancer", externalIPs: ["80.11.12.10"] }),
  service("a name elsewhere", { type: "ExternalName", externalName: "example.com" }),
  service("no address and no ports", { clusterIP: "None", ports: [] }),
  { kind: "/v1/Endpoints", title: "nothing", object: { subsets: [] } },
  { kind: "/v1/Endpoints", title: "none ready", object: { subsets: [{ notReadyAddresses: addresses(1), ports: [{ port: 80 }] }] } },
  { kind: "/v1/Endpoints", title: "no ports", object: { subsets: [{ addresses: addresses(2) }] } },
  { kind: "/v1/Endpoints", title: "no ports, many", object: { subsets: [{ addresses: addresses(5) }] } },
  { kind: "/v1/Endpoints", title: "exactly three", object: { subsets: [{ addresses: addresses(3), ports: [{ port: 80 }] }] } },
  {
    kind: "/v1/Endpoints",
    title: "many",
    object: {
      subsets: [
        {
          addresses: addresses(2),
          ports: [
            { port: 80, name: "b" },
            { port: 81, name: "a" },
          ],
        },
        { addresses: [{ ip: "2001:db8::1" }], ports: [{ port: 82 }] },
      ],
    },
  },
  {
    kind: "/v1/Endpoints",
    title: "of the other family",
    object: { subsets: [{ addresses: [{ ip: "2001:db8::1" }], ports: [{ port: 82 }] }] },
  },
  {
    kind: "discovery.k8s.io/v1/EndpointSlice",
    title: "many",
    object: {
      addressType: "IPv4",
      ports: [{ name: "a", port: 1 }, { name: "b", port: 2 }, { name: "c" }, { name: "d", port: 3 }, { name: "e", port: 4 }],
      endpoints: [{ addresses: ["1.2.3.4"] }, { addresses: ["1.2.3.5"] }, { addresses: ["1.2.3.6"] }, { addresses: ["1.2.3.7"] }],
    },
  },
  {
    kind: "discovery.k8s.io/v1/EndpointSlice",
    title: "few",
    object: {
      addressType: "IPv6",
      ports: [{ name: "a" }, { name: "b", port: 2 }],
      endpoints: [{ addresses: ["2001:db8::1"] }, { addresses: ["2001:db8::2"] }],
    },
  },
  { kind: "discovery.k8s.io/v1/EndpointSlice", title: "nothing", object: { addressType: "FQDN", ports: [], endpoints: [] } },
  ...[
    hosts("a.b"),
    hosts("a.b", "", "b.c"),
    hosts("a.b", "b.c", "c.d"),
    hosts("a.b", "b.c", "c.d", ""),
    hosts("", "a.b", "b.c", "c.d", "d.e"),
    hosts("", "", "", "", "a.b"),
    hosts("", "", "", ""),
  ].map((rules, index): TableCase => ({
    kind: "networking.k8s.io/v1/Ingress",
    title: `hosts ${index}`,
    object: { spec: { ...backend, rules } },
  })),
  {
    kind: "networking.k8s.io/v1/Ingress",
    title: "with everything",
    object: { spec: { ...backend, ingressClassName: "nginx", tls: [{ hosts: ["a.b"] }], rules: hosts("a.b") } },
    status: ingress,
  },
  {
    kind: "networking.k8s.io/v1/IngressClass",
    title: "the default",
    object: {
      metadata: { annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
      spec: { controller: "example.com/c", parameters: { apiGroup: "example.com", kind: "K", name: "n" } },
    },
  },
  {
    kind: "networking.k8s.io/v1/IngressClass",
    title: "no parameters",
    object: { metadata: { annotations: { "ingressclass.kubernetes.io/is-default-class": "yes" } }, spec: { controller: "example.com/c" } },
  },
  { kind: "networking.k8s.io/v1/NetworkPolicy", title: "for some", object: { spec: { podSelector: strange } } },
  {
    kind: "networking.k8s.io/v1/IPAddress",
    title: "of a group",
    object: { metadata: { name: "10.9.8.6" }, spec: { parentRef: { group: "example.com", resource: "things", name: "t" } } },
  },
  { kind: "networking.k8s.io/v1/ServiceCIDR", title: "two families", object: { spec: { cidrs: ["10.78.0.0/24", "2001:db8::/64"] } } },
];

const volume = (title: string, spec: JsonObject, more: Partial<TableCase> = {}): TableCase => ({
  kind: "/v1/PersistentVolume",
  title,
  ...more,
  object: { spec: { capacity: { storage: "1024Mi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" }, ...spec }, ...more.object },
});
const claim = (title: string, spec: JsonObject, more: Partial<TableCase> = {}): TableCase => ({
  kind: "/v1/PersistentVolumeClaim",
  title,
  ...more,
  object: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec }, ...more.object },
});

const storage: readonly TableCase[] = [
  volume(
    "bound",
    {
      accessModes: ["ReadWriteMany", "ReadOnlyMany", "ReadWriteOnce"],
      claimRef: { namespace: "n", name: "c" },
      storageClassName: "fast",
      volumeMode: "Block",
      persistentVolumeReclaimPolicy: "Delete",
    },
    { status: { phase: "Bound" } },
  ),
  volume("failed", { accessModes: ["ReadWriteOncePod"] }, { status: { phase: "Failed", reason: "Broken" } }),
  volume(
    "with the old annotation",
    { storageClassName: "fast" },
    { object: { metadata: { annotations: { "volume.beta.kubernetes.io/storage-class": "slow" } } } },
  ),
  volume("going", {}, { object: { metadata: finalizers }, deletes: true }),
  volume("with attributes", {
    storageClassName: "c",
    volumeAttributesClassName: "gold",
    hostPath: null,
    csi: { driver: "d.example.com", volumeHandle: "h" },
  }),
  claim(
    "bound",
    { volumeName: "v", storageClassName: "fast", volumeMode: "Block" },
    { status: { phase: "Bound", accessModes: ["ReadWriteMany", "ReadWriteOnce"], capacity: { storage: "2048Mi" } } },
  ),
  claim("bound to nothing known", { volumeName: "v" }),
  claim("with the old annotation", {}, { object: { metadata: { annotations: { "volume.beta.kubernetes.io/storage-class": "slow" } } } }),
  claim("with attributes", { storageClassName: "c", volumeAttributesClassName: "gold" }),
  claim("going", {}, { object: { metadata: finalizers }, deletes: true }),
  {
    kind: "storage.k8s.io/v1/StorageClass",
    title: "the default",
    object: {
      metadata: { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
      provisioner: "example.com/p",
      reclaimPolicy: "Retain",
      volumeBindingMode: "WaitForFirstConsumer",
      allowVolumeExpansion: true,
    },
  },
  {
    kind: "storage.k8s.io/v1/StorageClass",
    title: "the default of old",
    object: { metadata: { annotations: { "storageclass.beta.kubernetes.io/is-default-class": "true" } }, provisioner: "example.com/p" },
  },
  {
    kind: "storage.k8s.io/v1/VolumeAttachment",
    title: "attached",
    object: { spec: { attacher: "a", nodeName: "n", source: { persistentVolumeName: "p" } } },
    status: { attached: true },
  },
  {
    kind: "storage.k8s.io/v1/CSIDriver",
    title: "with everything",
    object: {
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        storageCapacity: true,
        requiresRepublish: true,
        tokenRequests: [{ audience: "a" }, { audience: "b" }],
        volumeLifecycleModes: ["Persistent", "Ephemeral"],
      },
    },
  },
  { kind: "storage.k8s.io/v1/CSIDriver", title: "no tokens", object: { spec: { tokenRequests: [] } } },
  {
    kind: "storage.k8s.io/v1/CSINode",
    title: "two drivers",
    object: {
      spec: {
        drivers: [
          { name: "a.example.com", nodeID: "a" },
          { name: "b.example.com", nodeID: "b" },
        ],
      },
    },
  },
  {
    kind: "resource.k8s.io/v1/ResourceClaim",
    title: "allocated",
    status: { allocation: { devices: { results: [{ request: "r", driver: "d.example.com", pool: "p", device: "x" }] } } },
  },
  {
    kind: "resource.k8s.io/v1/ResourceClaim",
    title: "reserved",
    object: { metadata: finalizers },
    status: {
      allocation: { devices: { results: [{ request: "r", driver: "d.example.com", pool: "p", device: "x" }] } },
      reservedFor: [{ resource: "pods", name: "p", uid: "u" }],
    },
  },
  {
    kind: "resource.k8s.io/v1/ResourceClaim",
    title: "reserved and going",
    object: { metadata: finalizers },
    status: {
      allocation: { devices: { results: [{ request: "r", driver: "d.example.com", pool: "p", device: "x" }] } },
      reservedFor: [{ resource: "pods", name: "p", uid: "u" }],
    },
    deletes: true,
  },
  { kind: "resource.k8s.io/v1/ResourceClaim", title: "going", object: { metadata: finalizers }, deletes: true },
  {
    kind: "resource.k8s.io/v1/ResourceSlice",
    title: "of all nodes",
    object: { spec: { driver: "d.example.com", allNodes: true, pool: { name: "p", generation: 1, resourceSliceCount: 1 } } },
  },
];

const node = (title: string, status: JsonObject, object: JsonObject = {}): TableCase => ({ kind: "/v1/Node", title, object, status });
const event = (title: string, object: JsonObject): TableCase => ({
  kind: "/v1/Event",
  title,
  object: { involvedObject: { kind: "Pod", name: "p", namespace: "default" }, ...object },
  also: ["events.k8s.io/v1/Event"],
});
const role = { kind: "Role", name: "r", apiGroup: "rbac.authorization.k8s.io" };
const subjects = [
  { kind: "User", name: "u" },
  { kind: "ServiceAccount", name: "s", namespace: "n" },
  { kind: "User", name: "v" },
  { kind: "Group", name: "g" },
  { kind: "Group", name: "h" },
  { kind: "ServiceAccount", name: "t", namespace: "n" },
];
const binding = (title: string, paramRef: JsonObject): TableCase => ({
  kind: "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding",
  title,
  object: { spec: { policyName: "p", validationActions: ["Deny"], paramRef: { parameterNotFoundAction: "Deny", ...paramRef } } },
});
const signing = (title: string, conditions: readonly string[], status: JsonObject = {}): TableCase => ({
  kind: "certificates.k8s.io/v1/CertificateSigningRequest",
  title,
  status: { conditions: conditions.map((type) => ({ type, status: "True", reason: "r" })), ...status },
  at: conditions.includes("Failed") ? "status" : "approval",
});

const cluster: readonly TableCase[] = [
  node(
    "ready",
    {
      conditions: [{ type: "Ready", status: "True" }],
      addresses: [
        { type: "ExternalIP", address: "5.6.7.8" },
        { type: "InternalIP", address: "1.2.3.4" },
        { type: "InternalIP", address: "1.2.3.5" },
      ],
      nodeInfo: {
        kubeletVersion: "v1.36.3",
        osImage: "Debian",
        kernelVersion: "6.1",
        architecture: "amd64",
        containerRuntimeVersion: "containerd://2.0",
      },
    },
    {
      metadata: {
        labels: { "node-role.kubernetes.io/worker": "", "node-role.kubernetes.io/control-plane": "", "kubernetes.io/role": "old" },
      },
    },
  ),
  node(
    "not ready and closed",
    { conditions: [{ type: "Ready", status: "Unknown" }], nodeInfo: { architecture: "arm64" } },
    { spec: { unschedulable: true } },
  ),
  { kind: "/v1/Namespace", title: "going", object: { metadata: finalizers }, deletes: true },
  { kind: "/v1/ConfigMap", title: "keys of both kinds", object: { data: { a: "1", b: "2" }, binaryData: { c: "eA==" } } },
  { kind: "/v1/Secret", title: "of a type", object: { type: "kubernetes.io/basic-auth", stringData: { username: "u", password: "p" } } },
  { kind: "coordination.k8s.io/v1/Lease", title: "held", object: { spec: { holderIdentity: "me" } } },
  {
    kind: "/v1/ResourceQuota",
    title: "of all sorts",
    object: { spec: { hard: { pods: "3" } } },
    status: {
      hard: { pods: "3", "limits.cpu": "2", "requests.cpu": "1500m", "limits.memory": "1024Mi", "count/configmaps": "5" },
      used: { pods: "1", "limits.cpu": "500m" },
    },
  },
  event("of old", {
    reason: "Started",
    type: "Normal",
    message: " \u0085\tStarted\n container \n\u00a0",
    source: { component: "kubelet", host: "n" },
    count: 3,
    firstTimestamp: long,
    lastTimestamp: "2011-02-03T04:05:06Z",
    involvedObject: { kind: "PodX", name: "p", namespace: "default", fieldPath: "spec.containers{c}" },
  }),
  event("of old, once", { firstTimestamp: long, source: { component: "kubelet" } }),
  event("with a mark that is no space", { message: "\ufeffx\ufeff ", source: { host: "h" } }),
  {
    kind: "events.k8s.io/v1/Event",
    title: "of new",
    object: {
      metadata: { name: "new-event" },
      eventTime: "2001-02-03T04:05:06.000007Z",
      reportingController: "example.com/c",
      reportingInstance: "i-1",
      action: "a",
      reason: "r",
      type: "Warning",
      regarding: { kind: "Node", namespace: "default" },
      note: "n",
    },
    also: ["/v1/Event"],
  },
  {
    kind: "events.k8s.io/v1/Event",
    title: "a series",
    object: {
      metadata: { name: "series-event" },
      eventTime: "2001-02-03T04:05:06.000007Z",
      series: { count: 12, lastObservedTime: "2011-02-03T04:05:06.000007Z" },
      reportingController: "example.com/c",
      reportingInstance: "i-1",
      action: "a",
      reason: "r",
      type: "Warning",
      regarding: { kind: "Pod", name: "p", namespace: "default" },
    },
    also: ["/v1/Event"],
  },
  { kind: "rbac.authorization.k8s.io/v1/RoleBinding", title: "for many", object: { roleRef: role, subjects } },
  {
    kind: "rbac.authorization.k8s.io/v1/ClusterRoleBinding",
    title: "for many",
    object: { roleRef: { ...role, kind: "ClusterRole" }, subjects },
  },
  { kind: "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration", title: "no webhooks", object: { webhooks: [] } },
  {
    kind: "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy",
    title: "with parameters",
    object: {
      spec: {
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }] },
        validations: [{ expression: "true" }, { expression: "1 == 1" }],
      },
    },
  },
  binding("a name", { name: "n" }),
  binding("a name in a namespace", { name: "n", namespace: "ns" }),
  binding("everything", { selector: {} }),
  binding("a selector", {
    selector: {
      matchLabels: { b: "2", "a-b": "1", a: "3" },
      matchExpressions: [
        { key: "x", operator: "In", values: ["p", "q"] },
        { key: "y", operator: "Exists" },
      ],
    },
  }),
  {
    kind: "apiregistration.k8s.io/v1/APIService",
    title: "available",
    object: {
      metadata: { name: "v1.one.example.com" },
      spec: {
        group: "one.example.com",
        version: "v1",
        groupPriorityMinimum: 1,
        versionPriority: 1,
        insecureSkipTLSVerify: true,
        service: { name: "s", namespace: "n" },
      },
    },
    status: { conditions: [{ type: "Available", status: "True", reason: "Passed" }] },
  },
  {
    kind: "certificates.k8s.io/v1/CertificateSigningRequest",
    title: "with a duration",
    object: {
      spec: { ...(minimalObjects["certificates.k8s.io/v1/CertificateSigningRequest"]?.["spec"] as JsonObject), expirationSeconds: 7200 },
    },
  },
  signing("approved", ["Approved"]),
  signing("denied", ["Denied"]),
  signing("failed", ["Failed"]),
  {
    kind: "flowcontrol.apiserver.k8s.io/v1/FlowSchema",
    title: "by user",
    object: { spec: { priorityLevelConfiguration: { name: "nowhere" }, matchingPrecedence: 17, distinguisherMethod: { type: "ByUser" } } },
    status: { conditions: [{ type: "Dangling", status: "True" }] },
  },
  {
    kind: "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration",
    title: "that refuses",
    object: { spec: { type: "Limited", limited: { nominalConcurrencyShares: 0, limitResponse: { type: "Reject" } } } },
  },
];

export const tableCases: readonly TableCase[] = [...pods, ...workloads, ...autoscalers, ...networking, ...storage, ...cluster];
