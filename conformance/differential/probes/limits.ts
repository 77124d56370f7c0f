/** LimitRanges and ResourceQuotas. No controller counts here, so probes write the status of quotas themselves. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { valueAt } from "../exchange.ts";
import { asking, both, isRefused, limitRange, quota } from "../limit-objects.ts";
import { configMap, container, define, deployment, pod, service, widget, widgetDefinition } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";
import type { ProbeSession } from "../session.ts";

/** A refusal as it is; of an object what it asks for. */
const asked = (body: JsonValue): JsonValue => {
  if (!isJsonObject(body) || body["kind"] === "Status") return body;
  const parts = (field: string): JsonValue => {
    const list = valueAt({ body }, "spec", field);
    return Array.isArray(list) ? list.map((one) => (isJsonObject(one) ? (one["resources"] ?? null) : null)) : null;
  };
  return {
    annotations: valueAt({ body }, "metadata", "annotations") ?? null,
    containers: parts("containers"),
    initContainers: parts("initContainers"),
  };
};
const used = (body: JsonValue): JsonValue => valueAt({ body }, "status") ?? null;
/** A refusal as it is, nothing of an object. */
const refusal = (body: JsonValue): JsonValue => (isJsonObject(body) && body["kind"] === "Status" ? body : null);

const claim = (name: string, storage: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], storageClassName: "", resources: { requests: { storage } }, ...spec },
});

/** Creates a quota of some pods that allows none of them, and waits until it refuses this one. */
async function scopedQuota(s: ProbeSession, name: string, spec: JsonObject, refused: JsonObject): Promise<void> {
  const hard = { pods: "0" };
  await s.quietly("POST", s.in("resourcequotas"), { metadata: { name }, spec: { hard, ...spec } });
  await s.quietly("PATCH", `${s.in("resourcequotas", name)}/status`, { status: { hard, used: { pods: "0" } } });
  await s.settle({ method: "POST", path: `${s.in("pods")}?dryRun=All`, body: refused }, isRefused);
}

const small = { cpu: "100m", memory: "100Mi" };

export const limits: Chapter = {
  name: "limits",
  probes: [
    probe("P227 a LimitRange sets requests and limits, and says so", async (s) => {
      await limitRange(s, "a", [
        { type: "Container", default: { cpu: "500m", memory: "512Mi" }, defaultRequest: { cpu: "100m", memory: "128Mi" } },
      ]);
      await s.post(s.in("pods"), pod("bare"), { view: asked });
      await s.post(s.in("pods"), asking("some", { c: { requests: { cpu: "200m" } }, d: { limits: { memory: "1Gi" } } }), { view: asked });
      await s.post(s.in("pods"), asking("all", { c: both(small) }), { view: asked });
      await s.post(
        s.in("pods"),
        pod("init", { initContainers: [container({ name: "i" }), container({ name: "s", restartPolicy: "Always" })] }),
        { view: asked },
      );
      await s.post(s.in("pods"), pod("noted", {}, { annotations: { a: "b", "kubernetes.io/limit-ranger": "mine" } }), { view: asked });
      await s.post(s.in("pods"), pod("whole", { resources: both({ cpu: "1", memory: "1Gi" }) }), { view: asked });
      await s.post(s.in("apps/v1/deployments"), deployment("d"), {
        view: (body) => valueAt({ body }, "spec", "template", "spec", "containers") ?? null,
      });
    }),
    probe("P227b a LimitRange refuses containers below its minimum and above its maximum", async (s) => {
      await limitRange(s, "a", [{ type: "Container", min: { cpu: "100m" }, max: { cpu: "1" } }]);
      await s.post(s.in("pods"), pod("bare"), { view: asked });
      await s.post(s.in("pods"), asking("little", { c: { requests: { cpu: "50m" } } }), { view: asked });
      await s.post(s.in("pods"), asking("much", { c: { requests: { cpu: "100m" }, limits: { cpu: "1500m" } } }), { view: asked });
      await s.post(s.in("pods"), asking("limited", { c: { requests: { cpu: "50m" }, limits: { cpu: "50m" } } }), { view: asked });
      await s.post(s.in("pods"), asking("two", { c: both({ cpu: "2" }), d: both({ cpu: "3" }), e: both({ cpu: "2" }) }), { view: asked });
      await s.post(
        s.in("pods"),
        { ...asking("x", { c: both({ cpu: "2" }) }), metadata: { generateName: "made-" } },
        {
          view: (body) => valueAt({ body }, "reason") ?? null,
        },
      );
      await s.apply(s.in("pods", "applied"), "one", asking("applied", { c: both({ cpu: "2" }) }));
      await s.post(`${s.in("pods")}?dryRun=All`, asking("dry", { c: both({ cpu: "2" }) }));
      await s.post(
        s.in("pods"),
        asking("init", { c: both({ cpu: "1" }) }, { initContainers: [container({ name: "i", resources: both({ cpu: "1001m" }) })] }),
        { view: asked },
      );
    }),
    probe("P227c a LimitRange refuses limits that are far above requests", async (s) => {
      await limitRange(s, "a", [{ type: "Container", maxLimitRequestRatio: { memory: "1.5" } }]);
      await s.post(s.in("pods"), pod("bare"), { view: asked });
      await s.post(s.in("pods"), asking("zero", { c: { requests: { memory: "0" }, limits: { memory: "1Gi" } } }), { view: asked });
      await s.post(s.in("pods"), asking("unlimited", { c: { requests: { memory: "1Gi" } } }), { view: asked });
      await s.post(s.in("pods"), asking("near", { c: { requests: { memory: "1Gi" }, limits: { memory: "1536Mi" } } }), { view: asked });
      await s.post(s.in("pods"), asking("far", { c: { requests: { memory: "3Gi" }, limits: { memory: "7Gi" } } }), { view: asked });
    }),
    probe("P227d a LimitRange of pods sums up their containers", async (s) => {
      await limitRange(s, "a", [{ type: "Pod", min: { cpu: "200m" }, max: { cpu: "2" }, maxLimitRequestRatio: { cpu: "4" } }]);
      const init = (name: string, cpu: string, more: JsonObject = {}): JsonObject => container({ name, resources: both({ cpu }), ...more });
      await s.post(s.in("pods"), asking("bare", { c: {} }), { view: asked });
      await s.post(s.in("pods"), asking("fits", { c: both({ cpu: "1" }), d: both({ cpu: "1" }) }), { view: asked });
      await s.post(s.in("pods"), asking("much", { c: both({ cpu: "1" }), d: both({ cpu: "1001m" }) }), { view: asked });
      await s.post(s.in("pods"), asking("partly", { c: both({ cpu: "100m" }), d: {} }), { view: asked });
      await s.post(s.in("pods"), asking("init", { c: both({ cpu: "1" }) }, { initContainers: [init("i", "2500m")] }), { view: asked });
      await s.post(
        s.in("pods"),
        asking("side", { c: both({ cpu: "1" }) }, { initContainers: [init("i", "1", { restartPolicy: "Always" }), init("j", "500m")] }),
        { view: asked },
      );
      await s.post(
        s.in("pods"),
        asking("sides", { c: both({ cpu: "1" }) }, { initContainers: [init("i", "1", { restartPolicy: "Always" }), init("j", "1500m")] }),
        { view: asked },
      );
      await s.post(s.in("pods"), asking("whole", { c: both({ cpu: "1" }) }, { resources: { limits: { cpu: "3" } } }), { view: asked });
      await s.post(s.in("pods"), asking("ratio", { c: { requests: { cpu: "200m" }, limits: { cpu: "1" } } }), { view: asked });
    }),
    probe("P227e a LimitRange of claims looks at their requests", async (s) => {
      await s.post(s.in("persistentvolumeclaims"), claim("before", "5Gi"), { view: refusal });
      await limitRange(s, "a", [{ type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "2Gi" } }]);
      await s.post(s.in("persistentvolumeclaims"), claim("little", "1Mi"));
      await s.post(s.in("persistentvolumeclaims"), claim("much", "3Gi"));
      await s.post(s.in("persistentvolumeclaims"), claim("fits", "2Gi"), { view: refusal });
      await s.patch("merge", s.in("persistentvolumeclaims", "before"), { metadata: { labels: { a: "b" } } });
      await s.patch("merge", `${s.in("persistentvolumeclaims", "before")}/status`, { status: { phase: "Bound" } }, { view: refusal });
      await s.delete(s.in("persistentvolumeclaims", "before"), undefined, { view: refusal });
      await s.patch("merge", s.in("persistentvolumeclaims", "before"), { metadata: { labels: { a: "c" } } }, { view: refusal });
    }),
    probe("P227f a LimitRange looks at new pods and at resized ones", async (s) => {
      await s.post(s.in("pods"), asking("a", { c: both({ cpu: "2", memory: "1Gi" }) }), { view: refusal });
      await limitRange(s, "a", [{ type: "Container", max: { cpu: "1" } }]);
      await s.patch("merge", s.in("pods", "a"), { metadata: { labels: { a: "b" } } }, { view: refusal });
      await s.patch("merge", `${s.in("pods", "a")}/status`, { status: { phase: "Running" } }, { view: refusal });
      const resize = `${s.in("pods", "a")}/resize`;
      const to = (cpu: string): JsonObject => ({ spec: { containers: [{ name: "c", resources: both({ cpu }) }] } });
      await s.patch("strategic", resize, to("1500m"));
      await s.patch("strategic", resize, to("500m"), { view: asked });
    }),
    probe("P227g a quota counts when its status says what is used", async (s) => {
      await s.quietly("POST", s.in("resourcequotas"), { metadata: { name: "bare" }, spec: { hard: { configmaps: "0" } } });
      await s.post(s.in("configmaps"), configMap("a"), { view: refusal });
      await quota(s, "other", {});
      await s.quietly("PATCH", `${s.in("resourcequotas", "bare")}/status`, { status: { hard: { configmaps: "1", pods: "1" } } });
      await s.until({ method: "POST", path: `${s.in("configmaps")}?dryRun=All`, body: configMap("b") }, isRefused);
      await s.post(`${s.in("pods")}?dryRun=All`, pod("p"));
      await s.post(`${s.in("services")}?dryRun=All`, service("s"), { view: refusal });
    }),
    probe("P227h a quota counts objects by number", async (s) => {
      await quota(s, "q", { configmaps: "3", "count/configmaps": "4" });
      await s.post(s.in("configmaps"), configMap("a"), { view: refusal });
      await s.get(s.in("resourcequotas", "q"));
      await s.post(s.in("configmaps"), configMap("a"));
      await s.get(s.in("resourcequotas", "q"), { view: used });
      await s.post(`${s.in("configmaps")}?dryRun=All`, configMap("b"), { view: refusal });
      await s.patch("merge", s.in("configmaps", "a"), { data: { a: "b" } }, { view: refusal });
      await s.get(s.in("resourcequotas", "q"), { view: used });
      await s.patch("apply", `${s.in("configmaps", "c")}?fieldManager=one`, configMap("c"), { view: refusal });
      await s.post(s.in("configmaps"), configMap("d"));
      await s.post(`${s.in("configmaps")}?dryRun=All`, configMap("e"));
      await s.apply(s.in("configmaps", "f"), "one", configMap("f"));
      await s.put(s.in("configmaps", "a"), configMap("a", { data: { k: "v" } }), { view: refusal });
      await s.delete(s.in("configmaps", "a"), undefined, { view: () => null });
      await s.get(s.in("resourcequotas", "q"), { view: used });
      await s.post(s.in("secrets"), { metadata: { name: "s" } });
      await s.post(s.in("resourcequotas"), { metadata: { name: "second" } }, { view: refusal });
      await s.delete(s.in("resourcequotas", "q"), undefined, { view: () => null });
      await s.until({ method: "POST", path: s.in("configmaps"), body: configMap("g"), view: refusal }, ({ status }) => status === 201);
    }),
    probe("P227i a quota of compute resources wants them declared", async (s) => {
      await quota(s, "q", { "requests.cpu": "1", "limits.cpu": "2", "requests.memory": "1Gi", pods: "3" });
      await s.post(s.in("pods"), pod("bare"));
      await s.post(s.in("pods"), asking("partly", { c: both(small), d: { requests: { cpu: "1" } }, b: {} }));
      await s.post(
        s.in("pods"),
        asking("init", { c: both(small) }, { initContainers: [container({ name: "i", resources: { requests: { memory: "1Mi" } } })] }),
      );
      await s.post(s.in("pods"), asking("fits", { c: { requests: small, limits: { cpu: "1" } } }), { view: refusal });
      await s.get(s.in("resourcequotas", "q"), { view: used });
      await s.post(s.in("pods"), asking("much", { c: { requests: { cpu: "950m", memory: "1Gi" }, limits: { cpu: "1001m" } } }));
      await s.post(s.in("pods"), pod("whole", { resources: { requests: { cpu: "200m", memory: "200Mi" }, limits: { cpu: "300m" } } }), {
        view: refusal,
      });
      await s.get(s.in("resourcequotas", "q"), { view: used });
      await s.post(s.in("pods"), pod("whole-too-much", { resources: both({ cpu: "800m", memory: "1Mi" }) }));
    }),
    probe("P227j a quota sums up containers, init containers and sidecars", async (s) => {
      await quota(s, "q", {
        cpu: "4",
        memory: "8Gi",
        "ephemeral-storage": "10Gi",
        "requests.ephemeral-storage": "10Gi",
        "limits.ephemeral-storage": "20Gi",
        "hugepages-2Mi": "8Mi",
        "requests.hugepages-2Mi": "8Mi",
        "requests.example.com/gpu": "2",
      });
      await s.post(
        s.in("pods"),
        asking(
          "a",
          { c: both({ cpu: "1", memory: "1Gi", "hugepages-2Mi": "4Mi", "example.com/gpu": "1" }), d: both({ cpu: "500m", memory: "1Gi" }) },
          {
            initContainers: [
              container({ name: "s", restartPolicy: "Always", resources: both({ cpu: "250m", memory: "1Gi" }) }),
              container({ name: "i", resources: { requests: { cpu: "2", memory: "512Mi", "ephemeral-storage": "1Gi" } } }),
            ],
          },
        ),
        { view: refusal },
      );
      await s.get(s.in("resourcequotas", "q"), { view: used });
      await s.post(s.in("pods"), asking("b", { c: both({ cpu: "1", memory: "1Gi", "hugepages-2Mi": "6Mi" }) }));
      await s.post(s.in("pods"), asking("c", { c: both({ cpu: "1", memory: "1Gi", "example.com/gpu": "2" }) }));
      await s.post(s.in("pods"), asking("d", { c: both({ cpu: "2", memory: "10Gi", "example.com/gpu": "2" }) }));
    }),
    probe("P227k a quota of some pods: scopes", async (s) => {
      const besteffort = pod("b");
      const burstable = asking("c", { c: { requests: { cpu: "1" } } });
      const ending = pod("e", { activeDeadlineSeconds: 60 });
      const tries = async (): Promise<void> => {
        for (const one of [besteffort, burstable, ending]) await s.post(`${s.in("pods")}?dryRun=All`, one, { view: refusal });
      };
      for (const [scope, refused] of [
        ["BestEffort", besteffort],
        ["NotBestEffort", burstable],
        ["Terminating", ending],
        ["NotTerminating", besteffort],
      ] as const) {
        const name = scope.toLowerCase();
        await scopedQuota(s, name, { scopes: [scope] }, refused);
        await tries();
        await s.quietly("DELETE", s.in("resourcequotas", name));
        await s.settle({ method: "POST", path: `${s.in("pods")}?dryRun=All`, body: refused }, ({ status }) => status === 201);
      }
      await scopedQuota(s, "two", { scopes: ["BestEffort", "NotTerminating"] }, besteffort);
      await tries();
      await s.post(`${s.in("configmaps")}?dryRun=All`, configMap("c"), { view: refusal });
    }),
    probe("P227l a quota of some pods: priority classes", async (s) => {
      const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
      const [high, low] = [`${s.namespace}-high`, `${s.namespace}-low`];
      for (const [name, value] of [
        [high, 1000],
        [low, 10],
      ] as const)
        await s.quietly("POST", classes, { metadata: { name }, value });
      const plain = pod("p");
      const [ofHigh, ofLow] = [high, low].map((priorityClassName) => pod("p", { priorityClassName }));
      const expressions = (operator: string, values?: string[]): JsonObject => ({
        scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator, ...(values === undefined ? {} : { values }) }] },
      });
      for (const [name, spec, refused] of [
        ["in", expressions("In", [high]), ofHigh],
        ["notin", expressions("NotIn", [high]), ofLow],
        ["exists", expressions("Exists"), ofHigh],
        ["none", expressions("DoesNotExist"), plain],
        ["scope", { scopes: ["PriorityClass"] }, ofLow],
      ] as readonly (readonly [string, JsonObject, JsonObject | undefined])[]) {
        const body = refused ?? plain;
        await s.settle({ method: "POST", path: `${s.in("pods")}?dryRun=All`, body }, ({ status }) => status === 201);
        await scopedQuota(s, name, spec, body);
        for (const one of [plain, ofHigh ?? plain, ofLow ?? plain]) await s.post(`${s.in("pods")}?dryRun=All`, one, { view: refusal });
        await s.quietly("DELETE", s.in("resourcequotas", name));
        await s.settle({ method: "POST", path: `${s.in("pods")}?dryRun=All`, body }, ({ status }) => status === 201);
      }
    }),
    probe("P227m a quota of some pods: affinity across namespaces", async (s) => {
      const term = (more: JsonObject): JsonObject => ({ topologyKey: "zone", labelSelector: {}, ...more });
      const hard = (terms: JsonObject[]): JsonObject => ({ requiredDuringSchedulingIgnoredDuringExecution: terms });
      const soft = (one: JsonObject): JsonObject => ({
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: one }],
      });
      const across = pod("a", { affinity: { podAffinity: hard([term({ namespaces: ["other"] })]) } });
      await scopedQuota(
        s,
        "q",
        { scopeSelector: { matchExpressions: [{ scopeName: "CrossNamespacePodAffinity", operator: "Exists" }] } },
        across,
      );
      for (const affinity of [
        { podAffinity: hard([term({})]) },
        { podAffinity: hard([term({ namespaces: ["other"] })]) },
        { podAntiAffinity: soft(term({ namespaceSelector: {} })) },
        { podAntiAffinity: soft(term({})) },
      ])
        await s.post(`${s.in("pods")}?dryRun=All`, pod("p", { affinity }), { view: refusal });
    }),
    probe("P227n a quota counts node ports and load balancers", async (s) => {
      await quota(s, "q", { services: "5", "count/services": "9", "services.nodeports": "4", "services.loadbalancers": "1" });
      const ports = [1, 2, 3].map((port) => ({ port, name: `p${port}` }));
      await s.post(s.in("services"), service("plain"), { view: refusal });
      await s.post(s.in("services"), service("nodes", { type: "NodePort", ports: ports.slice(0, 2) }), { view: refusal });
      await s.get(s.in("resourcequotas", "q"), { view: used });
      await s.post(s.in("services"), service("many", { type: "NodePort", ports }));
      await s.post(s.in("services"), service("balanced", { type: "LoadBalancer", ports, allocateLoadBalancerNodePorts: false }), {
        view: refusal,
      });
      await s.get(s.in("resourcequotas", "q"), { view: used });
      await s.post(s.in("services"), service("second", { type: "LoadBalancer" }));
      await s.patch("merge", s.in("services", "plain"), { spec: { type: "LoadBalancer" } });
      await s.patch("merge", s.in("services", "plain"), { spec: { type: "NodePort" } }, { view: refusal });
      await s.get(s.in("resourcequotas", "q"), { view: used });
      await s.patch("merge", s.in("services", "nodes"), { spec: { type: "ClusterIP" } }, { view: refusal });
      await s.patch("merge", s.in("services", "plain"), { metadata: { labels: { a: "b" } } }, { view: refusal });
      await s.get(s.in("resourcequotas", "q"), { view: used });
    }),
    probe("P227o a quota counts storage, also by class", async (s) => {
      await quota(s, "q", {
        persistentvolumeclaims: "4",
        "count/persistentvolumeclaims": "9",
        "requests.storage": "10Gi",
        "gold.storageclass.storage.k8s.io/requests.storage": "4Gi",
        "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "2",
      });
      const gold = { storageClassName: "gold" };
      await s.post(s.in("persistentvolumeclaims"), claim("plain", "3Gi"), { view: refusal });
      await s.post(s.in("persistentvolumeclaims"), claim("a", "3Gi", gold), { view: refusal });
      await s.get(s.in("resourcequotas", "q"), { view: used });
      await s.post(s.in("persistentvolumeclaims"), claim("b", "2Gi", gold));
      await s.post(s.in("persistentvolumeclaims"), claim("c", "8Gi"));
      await s.post(s.in("persistentvolumeclaims"), claim("d", "1500m"), { view: refusal });
      await s.get(s.in("resourcequotas", "q"), { view: used });
      await s.patch("merge", s.in("persistentvolumeclaims", "a"), { metadata: { labels: { a: "b" } } }, { view: refusal });
      await s.patch(
        "merge",
        `${s.in("persistentvolumeclaims", "a")}/status`,
        { status: { phase: "Bound", allocatedResources: { storage: "9Gi" } } },
        { view: refusal },
      );
      await s.get(s.in("resourcequotas", "q"), { view: used });
    }),
    probe("P227p a quota counts any kind, custom ones too", async (s) => {
      const path = await define(s, widgetDefinition(s));
      await quota(s, "q", { "count/deployments.apps": "1", [`count/widgets.${s.group}`]: "1", "count/leases.coordination.k8s.io": "0" });
      await s.post(s.in("apps/v1/deployments"), deployment("a"), { view: refusal });
      await s.post(s.in("apps/v1/deployments"), deployment("b"));
      await s.post(path, widget(s, "a"), { view: refusal });
      await s.post(path, widget(s, "b"));
      await s.post(s.in("coordination.k8s.io/v1/leases"), { metadata: { name: "l" } });
      await s.patch("merge", `${s.in("apps/v1/deployments", "a")}/scale`, { spec: { replicas: 3 } }, { view: refusal });
      await s.get(s.in("resourcequotas", "q"), { view: used });
    }),
    probe("P227q several quotas must all have room", async (s) => {
      await quota(s, "big", { "count/configmaps": "5" });
      await quota(s, "tight", { configmaps: "1" });
      await s.post(s.in("configmaps"), configMap("a"), { view: refusal });
      await s.post(s.in("configmaps"), configMap("b"));
      for (const name of ["big", "tight"]) await s.get(s.in("resourcequotas", name), { view: used });
    }),
    probe("P227r a resized pod needs room for the difference", async (s) => {
      await quota(s, "q", { "requests.cpu": "2", "limits.memory": "2Gi", pods: "1" });
      await s.post(s.in("pods"), asking("a", { c: both({ cpu: "1", memory: "1Gi" }) }), { view: refusal });
      const resize = `${s.in("pods", "a")}/resize`;
      const to = (cpu: string): JsonObject => ({ spec: { containers: [{ name: "c", resources: both({ cpu }) }] } });
      await s.patch("strategic", resize, to("2500m"));
      await s.patch("strategic", resize, to("1500m"), { view: refusal });
      await s.get(s.in("resourcequotas", "q"), { view: used });
      await s.patch("strategic", resize, to("500m"), { view: refusal });
      await s.get(s.in("resourcequotas", "q"), { view: used });
      await s.post(s.in("pods"), asking("b", { c: both({ cpu: "1", memory: "1Gi" }) }));
    }),
    probe("P227s a pod that comes into the scope of a quota counts there", async (s) => {
      const ending = pod("e", { activeDeadlineSeconds: 60 });
      await s.post(s.in("pods"), pod("a"), { view: refusal });
      await scopedQuota(s, "q", { scopes: ["Terminating"] }, ending);
      await s.patch("merge", s.in("pods", "a"), { spec: { activeDeadlineSeconds: 30 } });
      await s.quietly("PATCH", `${s.in("resourcequotas", "q")}/status`, { status: { hard: { pods: "1" } } });
      await s.settle({ method: "POST", path: `${s.in("pods")}?dryRun=All`, body: ending }, ({ status }) => status === 201);
      await s.patch("merge", s.in("pods", "a"), { spec: { activeDeadlineSeconds: 30 } }, { view: refusal });
      await s.get(s.in("resourcequotas", "q"), { view: used });
      await s.patch("merge", s.in("pods", "a"), { spec: { activeDeadlineSeconds: 20 } }, { view: refusal });
      await s.get(s.in("resourcequotas", "q"), { view: used });
    }),
    probe("P227t a quota counts devices by their class", async (s) => {
      const claims = s.in("resource.k8s.io/v1/resourceclaims");
      await quota(s, "q", { "count/resourceclaims.resource.k8s.io": "5", "gpu.deviceclass.resource.k8s.io/devices": "3" });
      const device = (name: string, requests: JsonObject[]): JsonObject => ({ metadata: { name }, spec: { devices: { requests } } });
      const exactly = (count: number): JsonObject => ({ deviceClassName: "gpu", allocationMode: "ExactCount", count });
      await s.post(claims, device("a", [{ name: "r", exactly: exactly(2) }]), { view: refusal });
      await s.post(claims, device("b", [{ name: "r", exactly: { deviceClassName: "gpu", allocationMode: "All" } }]));
      await s.post(
        claims,
        device("c", [
          {
            name: "r",
            firstAvailable: [
              { name: "x", ...exactly(1) },
              { name: "y", deviceClassName: "other", allocationMode: "ExactCount", count: 7 },
            ],
          },
        ]),
        { view: refusal },
      );
      await s.get(s.in("resourcequotas", "q"), { view: used });
      await s.post(claims, device("d", [{ name: "r", exactly: exactly(1) }]));
    }),
  ],
};
