/** Built-in kinds: defaults and validation. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { textAt, valueAt } from "../exchange.ts";
import { changed, configMap, container, deployment, pod, podTemplate, service, workload } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";

const at = (...path: readonly string[]): { readonly view: (body: JsonValue) => JsonValue } => ({
  view: (body) => valueAt({ body }, ...path) ?? valueAt({ body }, "message") ?? null,
});
const job = (spec: JsonObject = {}): JsonObject => ({
  metadata: { name: "a" },
  spec: { template: podTemplate({ restartPolicy: "Never" }), ...spec },
});
const metricSpec: JsonObject = { maxReplicas: 5, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } };

/** The smallest object of each kind, for its defaults: created, read back, and created in a dry run. */
const smallest: readonly (readonly [string, JsonObject])[] = [
  ["apps/v1/replicasets", { metadata: { name: "a" }, spec: workload() }],
  [
    "apps/v1/statefulsets",
    {
      metadata: { name: "a" },
      spec: workload({
        volumeClaimTemplates: [
          { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
        ],
      }),
    },
  ],
  ["apps/v1/daemonsets", { metadata: { name: "a" }, spec: workload() }],
  ["batch/v1/jobs", job()],
  [
    "batch/v1/cronjobs",
    {
      metadata: { name: "a" },
      spec: { schedule: "* * * * *", jobTemplate: { spec: { template: podTemplate({ restartPolicy: "OnFailure" }) } } },
    },
  ],
  ["replicationcontrollers", { metadata: { name: "a" }, spec: { template: podTemplate() } }],
  ["podtemplates", { metadata: { name: "a" }, template: podTemplate() }],
  [
    "persistentvolumeclaims",
    { metadata: { name: "a" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
  ],
  ["autoscaling/v2/horizontalpodautoscalers", { metadata: { name: "a" }, spec: metricSpec }],
  ["autoscaling/v1/horizontalpodautoscalers", { metadata: { name: "a" }, spec: { ...metricSpec, targetCPUUtilizationPercentage: 70 } }],
  ["policy/v1/poddisruptionbudgets", { metadata: { name: "a" }, spec: { selector: { matchLabels: { app: "web" } } } }],
  [
    "networking.k8s.io/v1/ingresses",
    {
      metadata: { name: "a" },
      spec: {
        rules: [{ http: { paths: [{ pathType: "Exact", path: "/x", backend: { service: { name: "s", port: { name: "http" } } } }] } }],
      },
    },
  ],
  [
    "networking.k8s.io/v1/networkpolicies",
    { metadata: { name: "a" }, spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }], egress: [] } },
  ],
  [
    "discovery.k8s.io/v1/endpointslices",
    { metadata: { name: "a" }, addressType: "IPv4", endpoints: [{ addresses: ["1.2.3.4"] }], ports: [{ port: 80 }] },
  ],
  ["endpoints", { metadata: { name: "a" }, subsets: [{ addresses: [{ ip: "1.2.3.4" }], ports: [{ port: 80 }] }] }],
  [
    "coordination.k8s.io/v1/leases",
    { metadata: { name: "a" }, spec: { holderIdentity: "me", leaseDurationSeconds: 15, renewTime: "2001-01-01T00:00:00.000000Z" } },
  ],
  ["resourcequotas", { metadata: { name: "a" }, spec: { hard: { pods: "3", "limits.cpu": "1500m", "requests.memory": "1.5Gi" } } }],
  [
    "limitranges",
    { metadata: { name: "a" }, spec: { limits: [{ type: "Container", max: { cpu: "2" }, defaultRequest: { cpu: "100m" } }] } },
  ],
  ["serviceaccounts", { metadata: { name: "a" }, imagePullSecrets: [{ name: "s" }] }],
  ["rbac.authorization.k8s.io/v1/roles", { metadata: { name: "a" }, rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] }],
  [
    "rbac.authorization.k8s.io/v1/rolebindings",
    {
      metadata: { name: "a" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
      subjects: [
        { kind: "ServiceAccount", name: "x", namespace: "y" },
        { kind: "User", name: "u" },
      ],
    },
  ],
];

export const kinds: Chapter = {
  name: "kinds",
  probes: [
    probe("P209 a minimal Deployment gets all its defaults, owned by its creator", async (s) => {
      await s.post(s.in("apps/v1/deployments"), deployment("a"));
      await s.post(s.in("apps/v1/deployments"), deployment("b", { strategy: { type: "Recreate" }, replicas: 0 }), at("spec", "strategy"));
      await s.post(s.in("apps/v1/deployments"), deployment("c", { strategy: { rollingUpdate: { maxSurge: 0 } } }), at("spec", "strategy"));
    }),
    ...smallest.map(([resource, body], index) =>
      probe(`P209${String.fromCodePoint(97 + index)} defaults of ${resource}`, async (s) => {
        await s.post(`${s.in(resource)}?dryRun=All`, body, at("spec"));
        await s.post(s.in(resource), body);
        await s.get(s.in(resource, "a"), at("status"));
      }),
    ),
    probe("P210 Deployments that are refused", async (s) => {
      const path = `${s.in("apps/v1/deployments")}?dryRun=All`;
      await s.post(path, { metadata: { name: "a" } });
      await s.post(path, deployment("a", { selector: { matchLabels: { app: "other" } } }));
      await s.post(path, deployment("a", { replicas: -1 }));
      await s.post(path, deployment("a", { strategy: { type: "Foo" } }));
      await s.post(path, deployment("a", { strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } }));
      await s.post(path, deployment("a", { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }));
      await s.post(path, deployment("a", { template: podTemplate({ restartPolicy: "Never" }) }));
      await s.post(path, deployment("a", { template: podTemplate({ containers: [] }) }));
    }),
    probe("P211 a minimal Pod gets all its defaults", async (s) => {
      await s.post(s.in("pods"), pod("a"));
      await s.post(
        s.in("pods"),
        pod("b", { containers: [container({ image: "i:latest", resources: { limits: { cpu: "1", memory: "1Gi" } } })] }),
        { view: (body) => [valueAt({ body }, "spec", "containers") ?? null, valueAt({ body }, "status") ?? null] },
      );
      await s.post(s.in("pods"), pod("c", { containers: [container({ resources: { requests: { cpu: "1" } } })], hostNetwork: true }), {
        view: (body) => [valueAt({ body }, "spec") ?? null, valueAt({ body }, "status", "qosClass") ?? null],
      });
    }),
    probe("P211b defaults inside a Pod: probes, ports, volumes, environment", async (s) => {
      const probeSpec = { httpGet: { port: 80 } };
      const volumes = [
        { name: "a" },
        { name: "b", configMap: { name: "c" } },
        { name: "c", secret: { secretName: "s" } },
        { name: "d", hostPath: { path: "/x" } },
        { name: "e", projected: { sources: [{ configMap: { name: "c" } }] } },
        { name: "f", downwardAPI: { items: [{ path: "x", fieldRef: { fieldPath: "metadata.name" } }] } },
      ];
      await s.post(
        s.in("pods"),
        pod("a", {
          volumes,
          initContainers: [container({ name: "init", restartPolicy: "Always" })],
          containers: [
            container({
              livenessProbe: probeSpec,
              readinessProbe: { tcpSocket: { port: "http" } },
              startupProbe: { exec: { command: ["x"] } },
              ports: [{ containerPort: 80, name: "http" }],
              env: [
                { name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
                { name: "B", value: "" },
              ],
              lifecycle: { preStop: { httpGet: { port: 1 } } },
              volumeMounts: [{ name: "a", mountPath: "/a" }],
            }),
          ],
          topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" }],
        }),
        at("spec"),
      );
    }),
    probe("P211c Pods that are refused", async (s) => {
      const path = `${s.in("pods")}?dryRun=All`;
      await s.post(path, { metadata: { name: "a" }, spec: {} });
      await s.post(path, pod("a", { containers: [{ name: "Bad_Name" }] }));
      await s.post(path, pod("a", { containers: [container(), container()] }));
      await s.post(path, pod("a", { containers: [container({ ports: [{ containerPort: 70_000 }] })] }));
      await s.post(path, pod("a", { containers: [container({ resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } })] }));
      await s.post(path, pod("a", { containers: [container({ resources: { requests: { cpu: "lots" } } })] }));
      await s.post(path, pod("a", { restartPolicy: "Sometimes" }));
      await s.post(path, pod("a", { containers: [container({ volumeMounts: [{ name: "none", mountPath: "/x" }] })] }));
      await s.post(path, pod("a", { containers: [container({ env: [{ name: "a=b" }] })] }));
      await s.post(path, pod("a", { priorityClassName: "none" }));
      await s.post(path, pod("a", { priority: 5 }));
      await s.post(path, pod("a", { nodeSelector: { "bad key": "v" }, terminationGracePeriodSeconds: -1 }));
    }),
    probe("P212 of a running Pod little may change", async (s) => {
      const created = await s.post(s.in("pods"), pod("a"));
      await s.put(s.in("pods", "a"), changed(created, { spec: { nodeName: "n1" } }));
      await s.patch("merge", s.in("pods", "a"), { spec: { terminationGracePeriodSeconds: 5 } });
      await s.patch(
        "strategic",
        s.in("pods", "a"),
        { spec: { containers: [{ name: "c", image: "example.com/c:2" }] } },
        at("spec", "containers"),
      );
      await s.patch("merge", s.in("pods", "a"), { spec: { activeDeadlineSeconds: 50 } }, at("spec", "activeDeadlineSeconds"));
      await s.patch("merge", s.in("pods", "a"), { spec: { activeDeadlineSeconds: 60 } });
      await s.patch("merge", s.in("pods", "a"), { spec: { activeDeadlineSeconds: null } });
      await s.patch("strategic", s.in("pods", "a"), { spec: { containers: [{ name: "d", image: "i" }] } });
      await s.patch("strategic", s.in("pods", "a"), { spec: { containers: [{ name: "c", image: "" }] } });
    }),
    probe("P213 a Pod is bound once", async (s) => {
      await s.quietly("POST", s.in("pods"), pod("a"));
      await s.post(s.in("pods", "a", "binding"), {
        apiVersion: "v1",
        kind: "Binding",
        metadata: { name: "a", annotations: { x: "y" } },
        target: { kind: "Node", name: "n1" },
      });
      await s.get(s.in("pods", "a"));
      await s.post(s.in("pods", "a", "binding"), { metadata: { name: "a" }, target: { name: "n2" } });
      await s.post(s.in("pods", "none", "binding"), { metadata: { name: "none" }, target: { name: "n2" } });
      await s.post(s.in("pods", "a", "binding"), { metadata: { name: "a" }, target: {} });
      await s.post(s.in("pods", "a", "binding"), { metadata: { name: "other" }, target: { name: "n1" } });
      await s.quietly("POST", s.in("pods"), pod("b"));
      await s.post(s.in("bindings"), { metadata: { name: "b" }, target: { name: "n1" } });
      await s.get(s.in("pods", "b"), at("spec", "nodeName"));
    }),
    probe("P213b a Pod is evicted", async (s) => {
      await s.quietly("POST", s.in("pods"), pod("a", {}, { labels: { app: "web" } }));
      await s.post(`${s.in("pods", "a", "eviction")}?dryRun=All`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" } });
      await s.post(s.in("pods", "a", "eviction"), { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" } });
      await s.get(s.in("pods", "a"));
      await s.post(s.in("pods", "a", "eviction"), { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" } });
      await s.quietly("POST", s.in("pods"), pod("b", { nodeName: "n1" }, { labels: { app: "web" } }));
      await s.post(s.in("pods", "b", "eviction"), {
        apiVersion: "policy/v1beta1",
        kind: "Eviction",
        metadata: { name: "b" },
        deleteOptions: { gracePeriodSeconds: 3 },
      });
      await s.get(s.in("pods", "b"), at("metadata", "deletionGracePeriodSeconds"));
      await s.post(s.in("pods", "b", "eviction"), { metadata: { name: "other" } });
    }),
    probe("P213c a disruption budget stands against eviction", async (s) => {
      await s.quietly("POST", s.in("pods"), pod("a", { nodeName: "n1" }, { labels: { app: "web" } }));
      await s.quietly("PATCH", s.in("pods", "a", "status"), {
        status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
      });
      await s.quietly("POST", s.in("policy/v1/poddisruptionbudgets"), {
        metadata: { name: "b" },
        spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } },
      });
      await s.post(s.in("pods", "a", "eviction"), { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" } });
      await s.patch(
        "merge",
        s.in("policy/v1/poddisruptionbudgets", "b", "status"),
        { status: { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 } },
        at("status"),
      );
      await s.post(s.in("pods", "a", "eviction"), { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" } });
      await s.patch("merge", s.in("policy/v1/poddisruptionbudgets", "b", "status"), { status: { disruptionsAllowed: 1 } }, at("status"));
      await s.post(s.in("pods", "a", "eviction"), { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" } });
      await s.get(s.in("policy/v1/poddisruptionbudgets", "b"), at("status", "disruptionsAllowed"));
    }),
    probe("P213d ephemeral containers are added by a path of their own", async (s) => {
      await s.quietly("POST", s.in("pods"), pod("a"));
      await s.patch(
        "strategic",
        s.in("pods", "a"),
        { spec: { ephemeralContainers: [{ name: "debug", image: "i" }] } },
        { view: (body) => valueAt({ body }, "reason") ?? null },
      );
      await s.patch(
        "strategic",
        s.in("pods", "a", "ephemeralcontainers"),
        { spec: { ephemeralContainers: [{ name: "debug", image: "i" }] } },
        at("spec", "ephemeralContainers"),
      );
      await s.patch("strategic", s.in("pods", "a", "ephemeralcontainers"), {
        spec: { ephemeralContainers: [{ name: "debug", image: "other" }] },
      });
    }),
    probe("P214 a Service gets an address, ports their defaults", async (s) => {
      const created = await s.post(s.in("services"), service("a"));
      await s.put(s.in("services", "a"), changed(created, { spec: { clusterIP: "10.0.0.8", clusterIPs: ["10.0.0.8"] } }));
      await s.put(s.in("services", "a"), service("a", { ports: [{ port: 81 }] }), at("spec"));
      await s.post(s.in("services"), service("dup", { clusterIP: textAt(created, "spec", "clusterIP") }));
      await s.post(s.in("services"), service("out", { clusterIP: "192.168.0.1" }));
      await s.post(s.in("services"), service("bad", { clusterIP: "nonsense" }));
      await s.post(s.in("services"), service("own", { clusterIP: "10.0.0.9" }), at("spec"));
    }),
    probe("P214b Services without an address: headless, external name", async (s) => {
      await s.post(s.in("services"), service("a", { clusterIP: "None", selector: { a: "b" } }), at("spec"));
      await s.post(s.in("services"), service("b", { clusterIP: "None" }), at("spec"));
      await s.post(s.in("services"), { metadata: { name: "c" }, spec: { type: "ExternalName", externalName: "example.com" } }, at("spec"));
      await s.post(s.in("services"), { metadata: { name: "d" }, spec: { clusterIP: "None", selector: { a: "b" } } }, at("spec"));
    }),
    probe("P214c Services with ports on every node", async (s) => {
      await s.post(
        s.in("services"),
        service("a", {
          type: "NodePort",
          ports: [
            { name: "x", port: 80 },
            { name: "y", port: 81, nodePort: 30_007 },
          ],
        }),
        at("spec"),
      );
      await s.post(s.in("services"), service("b", { type: "NodePort", ports: [{ port: 80, nodePort: 30_007 }] }));
      await s.post(s.in("services"), service("c", { type: "NodePort", ports: [{ port: 80, nodePort: 99 }] }));
      await s.post(s.in("services"), service("d", { type: "LoadBalancer" }), at("spec"));
      await s.post(s.in("services"), service("e", { type: "LoadBalancer", externalTrafficPolicy: "Local" }), at("spec"));
      await s.post(s.in("services"), service("f", { type: "LoadBalancer", allocateLoadBalancerNodePorts: false }), at("spec"));
    }),
    probe("P214d a Service changes its type", async (s) => {
      await s.post(s.in("services"), service("a"), at("spec"));
      await s.patch("merge", s.in("services", "a"), { spec: { type: "NodePort" } }, at("spec"));
      await s.patch("merge", s.in("services", "a"), { spec: { type: "ClusterIP" } }, at("spec"));
      await s.patch("merge", s.in("services", "a"), { spec: { type: "ExternalName", externalName: "example.com" } }, at("spec"));
      await s.patch("merge", s.in("services", "a"), { spec: { type: "ClusterIP", externalName: null } }, at("spec"));
    }),
    probe("P214e Services that are refused", async (s) => {
      const path = `${s.in("services")}?dryRun=All`;
      await s.post(path, { metadata: { name: "a" }, spec: {} });
      await s.post(path, service("a", { ports: [{ port: 80 }, { port: 81 }] }));
      await s.post(
        path,
        service("a", {
          ports: [
            { port: 80, name: "x" },
            { port: 81, name: "x" },
          ],
        }),
      );
      await s.post(path, service("a", { ports: [{ port: 0 }] }));
      await s.post(path, service("a", { type: "Foo" }));
      await s.post(path, { metadata: { name: "a" }, spec: { type: "ExternalName" } });
      await s.post(path, service("a", { sessionAffinity: "Foo" }));
      await s.post(path, service("a", { ports: [{ port: 80, protocol: "HTTP" }] }));
    }),
    probe("P215 Secrets: stringData is folded in, types ask for their keys", async (s) => {
      await s.post(s.in("secrets"), { metadata: { name: "a" }, data: { a: "eA==", b: "eQ==" }, stringData: { b: "other", c: "ü" } });
      await s.patch("merge", s.in("secrets", "a"), { type: "example.com/other" });
      await s.patch("merge", s.in("secrets", "a"), { stringData: { d: "new" } }, at("data"));
      await s.post(s.in("secrets"), { metadata: { name: "b" }, type: "kubernetes.io/tls" });
      await s.post(s.in("secrets"), {
        metadata: { name: "b" },
        type: "kubernetes.io/dockerconfigjson",
        stringData: { ".dockerconfigjson": "{bad" },
      });
      await s.post(s.in("secrets"), { metadata: { name: "b" }, type: "kubernetes.io/basic-auth" });
      await s.post(s.in("secrets"), { metadata: { name: "b" }, type: "kubernetes.io/service-account-token" });
      await s.post(s.in("secrets"), { metadata: { name: "b" }, data: { k: "not base64!" } });
    }),
    probe("P217 an Event of one group is read in the other", async (s) => {
      await s.post(s.in("events"), {
        metadata: { name: "a" },
        involvedObject: { kind: "Pod", name: "p", namespace: s.namespace },
        reason: "Why",
        message: "text",
        type: "Normal",
        firstTimestamp: "2001-01-01T00:00:00Z",
        lastTimestamp: "2001-01-01T00:00:05Z",
        count: 2,
        source: { component: "c", host: "h" },
      });
      await s.get(s.in("events.k8s.io/v1/events", "a"));
      await s.post(s.in("events.k8s.io/v1/events"), {
        metadata: { name: "b" },
        eventTime: "2001-01-01T00:00:00.000001Z",
        reportingController: "example.com/c",
        reportingInstance: "c-1",
        action: "Acted",
        reason: "Why",
        regarding: { kind: "Pod", name: "p", namespace: s.namespace },
        note: "text",
        type: "Normal",
      });
      await s.get(s.in("events", "b"));
      await s.post(s.in("events.k8s.io/v1/events"), { metadata: { name: "c" }, type: "Normal" });
      await s.post(s.in("events"), { metadata: { name: "d" }, involvedObject: { namespace: "elsewhere" } });
    }),
    probe("P217b an autoscaler of one version is read in the other", async (s) => {
      await s.post(s.in("autoscaling/v2/horizontalpodautoscalers"), {
        metadata: { name: "a" },
        spec: {
          ...metricSpec,
          minReplicas: 2,
          metrics: [
            { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } } },
            { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } } },
          ],
          behavior: { scaleDown: { stabilizationWindowSeconds: 10 } },
        },
      });
      await s.get(s.in("autoscaling/v1/horizontalpodautoscalers", "a"));
      await s.patch("merge", s.in("autoscaling/v1/horizontalpodautoscalers", "a"), { spec: { targetCPUUtilizationPercentage: 80 } });
      await s.get(s.in("autoscaling/v2/horizontalpodautoscalers", "a"), at("spec"));
    }),
    probe("P218 a Node gets the taint of what is not ready", async (s) => {
      await s.post(s.all("nodes"), { metadata: { name: s.namespace } });
      await s.patch(
        "merge",
        s.all("nodes", s.namespace, "status"),
        { status: { capacity: { cpu: "4", memory: "8Gi" }, conditions: [{ type: "Ready", status: "True" }] } },
        at("status"),
      );
      await s.patch(
        "strategic",
        s.all("nodes", s.namespace),
        { spec: { taints: [{ key: "a", effect: "NoSchedule", value: "b" }], unschedulable: true, podCIDR: "1.2.3.0/24" } },
        at("spec"),
      );
      await s.patch("merge", s.all("nodes", s.namespace), { spec: { podCIDR: "1.2.4.0/24" } });
      await s.delete(s.all("nodes", s.namespace));
    }),
    probe("P219 Jobs: the selector is made, the template stays", async (s) => {
      await s.post(s.in("batch/v1/jobs"), job());
      await s.patch("merge", s.in("batch/v1/jobs", "a"), { spec: { parallelism: 2, backoffLimit: 3 } });
      await s.patch("merge", s.in("batch/v1/jobs", "a"), { spec: { parallelism: 2, suspend: true } }, at("spec", "suspend"));
      await s.patch("merge", s.in("batch/v1/jobs", "a"), { spec: { completions: 5 } });
      await s.patch(
        "strategic",
        s.in("batch/v1/jobs", "a"),
        { spec: { template: { spec: { containers: [{ name: "c", image: "other" }] } } } },
        { view: (body) => valueAt({ body }, "reason") ?? null },
      );
      await s.post(s.in("batch/v1/jobs"), { metadata: { name: "b" }, spec: { template: podTemplate() } });
      await s.post(s.in("batch/v1/jobs"), {
        metadata: { name: "b" },
        spec: { ...(job()["spec"] as JsonObject), completionMode: "Indexed" },
      });
      await s.post(s.in("batch/v1/cronjobs"), {
        metadata: { name: "b" },
        spec: { schedule: "nonsense", jobTemplate: { spec: { template: podTemplate({ restartPolicy: "Never" }) } } },
      });
    }),
    probe("P219b kinds of the cluster: defaults", async (s) => {
      const cluster: readonly (readonly [string, JsonObject])[] = [
        ["persistentvolumes", { spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } } }],
        ["storage.k8s.io/v1/storageclasses", { provisioner: "example.com/p" }],
        ["scheduling.k8s.io/v1/priorityclasses", { value: 10 }],
        ["node.k8s.io/v1/runtimeclasses", { handler: "h" }],
        ["networking.k8s.io/v1/ingressclasses", { spec: { controller: "example.com/c" } }],
        ["rbac.authorization.k8s.io/v1/clusterroles", { rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }] }],
        [
          "rbac.authorization.k8s.io/v1/clusterrolebindings",
          { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "r" }, subjects: [{ kind: "Group", name: "g" }] },
        ],
      ];
      for (const [resource, body] of cluster) {
        await s.post(s.all(resource), { metadata: { name: s.namespace }, ...body });
        await s.delete(s.all(resource, s.namespace), undefined, { view: () => null });
      }
    }),
    probe("P219c a priority class gives its number to pods", async (s) => {
      await s.post(s.all("scheduling.k8s.io/v1/priorityclasses"), {
        metadata: { name: s.namespace },
        value: 77,
        preemptionPolicy: "Never",
      });
      await s.settle(
        { method: "POST", path: `${s.in("pods")}?dryRun=All`, body: pod("x", { priorityClassName: s.namespace }) },
        ({ status }) => status === 201,
      );
      await s.post(s.in("pods"), pod("a", { priorityClassName: s.namespace }), {
        view: (body) => [valueAt({ body }, "spec", "priority") ?? null, valueAt({ body }, "spec", "preemptionPolicy") ?? null],
      });
      await s.patch("merge", s.all("scheduling.k8s.io/v1/priorityclasses", s.namespace), { value: 78 });
      await s.delete(s.all("scheduling.k8s.io/v1/priorityclasses", s.namespace));
      await s.post(s.in("pods"), pod("system", { priorityClassName: "system-cluster-critical" }), at("spec", "priority"));
    }),
    probe("P219d dry runs of every verb leave a Deployment as it was", async (s) => {
      await s.post(s.in("apps/v1/deployments"), deployment("a"), at("metadata", "generation"));
      const before = await s.get(s.in("apps/v1/deployments", "a"), { view: () => null });
      await s.put(`${s.in("apps/v1/deployments", "a")}?dryRun=All`, changed(before, { spec: { replicas: 5 } }), {
        view: (body) => [valueAt({ body }, "spec", "replicas") ?? null, valueAt({ body }, "metadata", "generation") ?? null],
      });
      await s.patch("merge", `${s.in("apps/v1/deployments", "a", "scale")}?dryRun=All`, { spec: { replicas: 7 } });
      await s.patch("merge", `${s.in("apps/v1/deployments", "a", "status")}?dryRun=All`, { status: { replicas: 7 } }, at("status"));
      await s.delete(`${s.in("apps/v1/deployments", "a")}?dryRun=All`);
      const after = await s.get(s.in("apps/v1/deployments", "a"), { view: () => null });
      s.fact("nothing changed", JSON.stringify(before.body) === JSON.stringify(after.body));
    }),
    probe("P219e the service of the API itself, and the ConfigMaps of the beginning", async (s) => {
      await s.until(
        {
          path: "/api/v1/namespaces/default/services/kubernetes",
          view: (body) => [
            valueAt({ body }, "metadata", "labels") ?? null,
            valueAt({ body }, "spec", "clusterIP") ?? null,
            valueAt({ body }, "spec", "type") ?? null,
          ],
        },
        ({ status }) => status === 200,
      );
      await s.post("/api/v1/namespaces/default/services", { ...service("kubernetes") }, at("reason"));
      await s.post(s.in("configmaps"), configMap("kube-root-ca.crt"), at("metadata", "name"));
    }),
  ],
};
