/** The admission plug-ins that are on by default. Those for which users need rights are in ../../apiserver/admission-plugins.test.ts. */
import type { JsonObject } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { mastersRequest, nodeRequest, userRequest } from "../../servers/certificate-requests.ts";
import { objectOf, textAt, valueAt, versionOf } from "../exchange.ts";
import type { Answer } from "../exchange.ts";
import { configMap, container, deployment, pod, podTemplate, workload } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";
import type { ProbeSession } from "../session.ts";

const label = (name: string): string => `pod-security.kubernetes.io/${name}`;
const labels = (modes: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(Object.entries(modes).map(([mode, value]) => [label(mode), value]));

/** A new namespace, so that no cache of the server has an older version of it. */
async function guarded(s: ProbeSession, suffix: string, modes: Readonly<Record<string, string>>): Promise<string> {
  const name = `${s.namespace}-${suffix}`;
  await s.quietly("POST", "/api/v1/namespaces", { metadata: { name, labels: labels(modes) } });
  return `/api/v1/namespaces/${name}`;
}

const tight: JsonObject = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};
const tightPod = (name: string, spec: JsonObject = {}): JsonObject =>
  pod(name, { containers: [container({ securityContext: tight })], ...spec });

/** Violates every check. */
const loosePod: JsonObject = pod(
  "loose",
  {
    hostNetwork: true,
    hostPID: true,
    hostIPC: true,
    securityContext: {
      runAsUser: 0,
      runAsNonRoot: false,
      seLinuxOptions: { type: "spc_t", user: "u", role: "r" },
      seccompProfile: { type: "Unconfined" },
      appArmorProfile: { type: "Unconfined" },
      sysctls: [
        { name: "kernel.msgmax", value: "1" },
        { name: "net.ipv4.tcp_rmem", value: "1" },
        { name: "net.ipv4.tcp_fin_timeout", value: "1" },
      ],
    },
    initContainers: [container({ name: "i", securityContext: { procMount: "Default", runAsUser: 0 } })],
    containers: [
      container({
        name: "a",
        ports: [
          { containerPort: 80, hostPort: 80 },
          { containerPort: 9, hostPort: 9 },
        ],
        livenessProbe: { httpGet: { port: 80, host: "b.example.com" } },
        securityContext: {
          capabilities: { add: ["SYS_ADMIN", "CHOWN", "NET_RAW"] },
          seLinuxOptions: { type: "container_engine_t" },
          seccompProfile: { type: "Unconfined" },
          runAsNonRoot: false,
        },
      }),
      container({
        name: "b",
        ports: [{ containerPort: 80, hostPort: 80, protocol: "UDP" }],
        lifecycle: { preStop: { tcpSocket: { port: 80, host: "a.example.com" } } },
        securityContext: { capabilities: { add: ["NET_BIND_SERVICE"], drop: ["ALL"] }, allowPrivilegeEscalation: false },
      }),
    ],
    volumes: [
      { name: "h", hostPath: { path: "/" } },
      { name: "n", nfs: { server: "a", path: "/" } },
      { name: "e", emptyDir: {} },
    ],
  },
  {
    annotations: {
      "seccomp.security.alpha.kubernetes.io/pod": "unconfined",
      "container.seccomp.security.alpha.kubernetes.io/a": "x/y",
    },
  },
);

const certificateRequest = (name: string, signerName: string, request: string): JsonObject => ({
  metadata: { name },
  spec: { request, signerName, usages: ["client auth"] },
});

const claim = (name: string, spec: JsonObject = {}, meta: JsonObject = {}): JsonObject => ({
  metadata: { name, ...meta },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});

const storageClass = (name: string, extra: JsonObject = {}): JsonObject => ({ metadata: { name }, provisioner: "example.com/p", ...extra });

const has =
  (...path: readonly string[]): ((answer: Answer) => boolean) =>
  (answer) =>
    valueAt(answer, ...path) !== undefined;

export const admissionPlugins: Chapter = {
  name: "admission-plugins",
  probes: [
    probe("P650 pod security labels that make no sense are refused", async (s) => {
      const create = (modes: Readonly<Record<string, string>>) =>
        s.post("/api/v1/namespaces?dryRun=All", { metadata: { name: `${s.namespace}-x`, labels: labels(modes) } });
      await create({ enforce: "strict" });
      await create({ enforce: "", warn: "Baseline", "audit-version": "1.25", "enforce-version": "v1.025", "warn-version": "v2.1" });
      await create({ enforce: "restricted", "enforce-version": "v1.99", audit: "baseline", other: "x" });
      const own = `/api/v1/namespaces/${s.namespace}`;
      await s.patch("merge", own, { metadata: { labels: labels({ warn: "nope", "warn-version": "latest" }) } });
      await s.patch("merge", own, { metadata: { labels: labels({ warn: "baseline", "warn-version": "v1.0" }) } });
      await s.patch("merge", `${own}/status`, { metadata: { labels: labels({ audit: "nope" }) } });
    }),
    probe("P651 a pod that violates what its namespace enforces is refused", async (s) => {
      const restricted = await guarded(s, "r", { enforce: "restricted" });
      const baseline = await guarded(s, "b", { enforce: "baseline" });
      await s.post(`${restricted}/pods`, pod("a"));
      await s.post(`${baseline}/pods`, pod("a"));
      await s.post(`${restricted}/pods`, tightPod("b"));
      await s.post(`${restricted}/pods`, tightPod("c", { hostNetwork: true, volumes: [{ name: "v", hostPath: { path: "/" } }] }));
      await s.post(`${baseline}/pods`, tightPod("c", { hostNetwork: true, volumes: [{ name: "v", hostPath: { path: "/" } }] }));
      await s.post(`${restricted}/pods`, loosePod);
      await s.post(`${baseline}/pods`, loosePod);
      await s.post(`${restricted}/pods`, { metadata: { name: "d" }, spec: {} });
      await s.post(`${restricted}/pods?dryRun=All`, pod("a"));
      await s.put(`${restricted}/pods/z`, pod("z"));
    }),
    probe("P652 workloads are warned about their pods, not refused", async (s) => {
      const restricted = await guarded(s, "r", { enforce: "restricted", "enforce-version": "v1.24" });
      const inApps = restricted.replace("/api/v1", "/apis/apps/v1");
      const inBatch = restricted.replace("/api/v1", "/apis/batch/v1");
      await s.post(`${inApps}/deployments`, deployment("a"));
      await s.patch("merge", `${inApps}/deployments/a`, { metadata: { labels: { a: "b" } } });
      await s.patch("merge", `${inApps}/deployments/a/scale`, { spec: { replicas: 2 } });
      await s.post(`${inApps}/statefulsets`, { metadata: { name: "a" }, spec: { serviceName: "a", ...workload() } });
      await s.post(`${inApps}/daemonsets`, { metadata: { name: "a" }, spec: workload() });
      await s.post(`${inApps}/replicasets`, { metadata: { name: "a" }, spec: workload() });
      await s.post(
        `${inBatch}/jobs?dryRun=All`,
        { metadata: { name: "a" }, spec: { template: podTemplate({ restartPolicy: "Never" }) } },
        {
          view: (body) => objectOf({ body })["kind"] ?? null,
        },
      );
      await s.post(`${inBatch}/cronjobs`, {
        metadata: { name: "a" },
        spec: { schedule: "* * * * *", jobTemplate: { spec: { template: podTemplate({ restartPolicy: "Never", hostPID: true }) } } },
      });
      await s.post(`${restricted}/podtemplates`, { metadata: { name: "a" }, template: podTemplate() });
      await s.post(`${restricted}/replicationcontrollers`, {
        metadata: { name: "a" },
        spec: { selector: { app: "web" }, template: podTemplate() },
      });
    }),
    probe("P653 warnings and audit have levels of their own", async (s) => {
      const warns = await guarded(s, "w", { warn: "restricted", "warn-version": "v1.8", enforce: "privileged" });
      const audits = await guarded(s, "a", { audit: "restricted" });
      const both = await guarded(s, "b", { enforce: "baseline", warn: "restricted" });
      const quiet = await guarded(s, "q", { enforce: "baseline", warn: "privileged" });
      const later = await guarded(s, "l", { enforce: "baseline", "enforce-version": "v1.5", "warn-version": "v1.30" });
      for (const where of [warns, audits, both, quiet, later]) {
        await s.post(`${where}/pods`, pod("a"));
        await s.post(`${where}/pods`, pod("b", { hostPID: true }));
        await s.post(
          `${where.replace("/api/v1", "/apis/apps/v1")}/deployments`,
          deployment("a", { template: podTemplate({ hostPID: true }) }),
        );
      }
    }),
    probe("P654 every version of the standards has its own checks", async (s) => {
      for (const version of [0, 7, 8, 18, 19, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 99]) {
        for (const level of ["baseline", "restricted"]) {
          const where = await guarded(s, `${level}-${version}`, { enforce: level, "enforce-version": `v1.${version}` });
          await s.post(`${where}/pods?dryRun=All`, loosePod);
        }
      }
      const latest = await guarded(s, "latest", { enforce: "restricted", "enforce-version": "latest" });
      const inUserNamespace = { hostUsers: false, securityContext: { runAsUser: 0 } };
      const proc = container({ securityContext: { ...tight, procMount: "Unmasked", runAsNonRoot: false } });
      await s.post(`${latest}/pods?dryRun=All`, pod("u", { ...inUserNamespace, containers: [proc] }));
      await s.post(`${latest}/pods?dryRun=All`, pod("w", { os: { name: "windows" } }));
    }),
    probe("P655 an update of a pod counts when its images change", async (s) => {
      const where = await guarded(s, "r", {});
      await s.quietly("POST", `${where}/pods`, pod("a"));
      await s.quietly("PATCH", where, { metadata: { labels: labels({ enforce: "restricted" }) } });
      await s.settle({ method: "POST", path: `${where}/pods?dryRun=All`, body: pod("x") }, ({ status }) => status === 403);
      await s.patch("merge", `${where}/pods/a`, { metadata: { labels: { a: "b" } } });
      await s.patch("strategic", `${where}/pods/a`, { spec: { containers: [{ name: "c", image: "example.com/c:2" }] } });
      await s.patch("strategic", `${where}/pods/a/ephemeralcontainers`, {
        spec: { ephemeralContainers: [{ name: "e", image: "example.com/e:1", securityContext: tight }] },
      });
      await s.patch("merge", `${where}/pods/a/status`, { status: { message: "m" } });
    }),
    probe("P656 pods that a new level would refuse are named in warnings", async (s) => {
      const own = `/api/v1/namespaces/${s.namespace}`;
      const owner = (uid: string): JsonObject => ({
        ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "r", uid, controller: true }],
      });
      await s.quietly("POST", `${own}/pods`, pod("z"));
      await s.quietly("POST", `${own}/pods`, pod("b", { hostPID: true }));
      await s.quietly("POST", `${own}/pods`, pod("a", { hostPID: true }, owner("u1")));
      await s.quietly("POST", `${own}/pods`, pod("c", { hostPID: true }, owner("u1")));
      await s.quietly("POST", `${own}/pods`, tightPod("d"));
      await s.quietly("POST", `${own}/pods`, pod("e", { hostIPC: true, hostNetwork: true }));
      const set = async (modes: Readonly<Record<string, string | null>>, query = ""): Promise<void> => {
        const answer = await s.patch("merge", `${own}${query}`, {
          metadata: { labels: Object.fromEntries(Object.entries(modes).map(([mode, value]) => [label(mode), value])) },
        });
        // The next update begins with the object in the server's cache.
        if (query === "") await s.settle({ path: `${own}?resourceVersion=0` }, (read) => versionOf(read) === versionOf(answer));
      };
      // Pods come from a cache.
      await s.settle(
        {
          method: "PATCH",
          path: `${own}?dryRun=All`,
          body: { metadata: { labels: labels({ enforce: "baseline" }) } },
          headers: { "content-type": "application/merge-patch+json" },
        },
        ({ headers }) => JSON.stringify(headers["warning"] ?? "").includes("3 other pods"),
      );
      await set({ enforce: "restricted" }, "?dryRun=All");
      await set({ enforce: "baseline" });
      await set({ enforce: "baseline", warn: "restricted" });
      await set({ enforce: "restricted", "enforce-version": "v1.24" });
      await set({ enforce: "baseline" });
      await set({ "enforce-version": "v1.25" });
      await set({ enforce: "privileged" });
      await set({ enforce: null, "enforce-version": null, warn: null });
    }),
    probe("P657 a runtime class gives its pods overhead, a node selector and tolerations", async (s) => {
      const name = (suffix: string): string => `${s.namespace}-${suffix}`;
      const create = (suffix: string, extra: JsonObject): Promise<unknown> =>
        s.quietly("POST", "/apis/node.k8s.io/v1/runtimeclasses", { metadata: { name: name(suffix) }, handler: "h", ...extra });
      await create("plain", {});
      await create("over", { overhead: { podFixed: { cpu: "250m", memory: "100Mi" } } });
      await create("placed", {
        scheduling: {
          nodeSelector: { disk: "ssd", zone: "a" },
          tolerations: [
            { key: "k", operator: "Exists" },
            { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
          ],
        },
      });
      const post = (podName: string, spec: JsonObject) => s.post(s.in("pods"), pod(podName, spec));
      await post("a", { runtimeClassName: name("plain") });
      await post("b", { runtimeClassName: name("over") });
      await post("c", { runtimeClassName: name("over"), overhead: { memory: "102400Ki", cpu: "0.25" } });
      await post("d", { runtimeClassName: name("over"), overhead: { cpu: "1" } });
      await post("e", { runtimeClassName: name("plain"), overhead: { cpu: "1" } });
      await post("f", { overhead: { cpu: "1" } });
      await post("g", { runtimeClassName: name("gone") });
      await post("h", { runtimeClassName: name("placed") });
      await post("i", {
        runtimeClassName: name("placed"),
        nodeSelector: { zone: "a", more: "x" },
        tolerations: [{ key: "k", operator: "Equal", value: "v", effect: "NoSchedule" }],
      });
      await post("j", { runtimeClassName: name("placed"), nodeSelector: { zone: "b" } });
      await s.post(s.in("pods"), { ...pod("x", { runtimeClassName: name("gone") }), metadata: { generateName: "x-" } });
    }),
    probe("P658 a claim grows when it is bound and its class allows it", async (s) => {
      const [fixed, growing] = [`${s.namespace}-fixed`, `${s.namespace}-growing`];
      await s.quietly("POST", s.all("storage.k8s.io/v1/storageclasses"), storageClass(fixed));
      await s.quietly("POST", s.all("storage.k8s.io/v1/storageclasses"), storageClass(growing, { allowVolumeExpansion: true }));
      for (const [name, storageClassName] of [
        ["a", fixed],
        ["b", growing],
        ["c", ""],
        ["d", `${s.namespace}-gone`],
      ] as const)
        await s.quietly("POST", s.in("persistentvolumeclaims"), claim(name, { storageClassName, volumeName: `${s.namespace}-v` }));
      const grow = (name: string, storage: string) =>
        s.patch("merge", s.in("persistentvolumeclaims", name), { spec: { resources: { requests: { storage } } } });
      await grow("b", "2Gi");
      for (const name of ["a", "b", "c", "d"])
        await s.quietly("PATCH", s.in("persistentvolumeclaims", name, "status"), {
          status: { phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] },
        });
      await s.settle(
        {
          method: "PATCH",
          path: `${s.in("persistentvolumeclaims", "b")}?dryRun=All`,
          body: { spec: { resources: { requests: { storage: "2Gi" } } } },
          headers: { "content-type": "application/merge-patch+json" },
        },
        ({ status }) => status === 200,
      );
      for (const name of ["a", "b", "c", "d"]) await grow(name, "2Gi");
      await grow("a", "1024Mi");
      await grow("b", "1Gi");
    }),
    probe(
      "P659 claims without a class get the default one",
      async (s) => {
        const classes = s.all("storage.k8s.io/v1/storageclasses");
        const isDefault = (prefix = "storageclass"): JsonObject => ({
          annotations: { [`${prefix}.kubernetes.io/is-default-class`]: "true" },
        });
        await s.post(s.in("persistentvolumeclaims"), claim("a"));
        await s.quietly("POST", classes, { ...storageClass("p459-b"), metadata: { name: "p459-b", ...isDefault("storageclass.beta") } });
        const dryRun = { method: "POST", path: `${s.in("persistentvolumeclaims")}?dryRun=All`, body: claim("x") };
        await s.settle(dryRun, has("spec", "storageClassName"));
        await s.post(s.in("persistentvolumeclaims"), claim("b"));
        await s.post(s.in("persistentvolumeclaims"), claim("c", { storageClassName: "" }));
        await s.post(
          s.in("persistentvolumeclaims"),
          claim("d", {}, { annotations: { "volume.beta.kubernetes.io/storage-class": "other" } }),
        );
        // Newest, and first by name.
        await s.quietly("POST", classes, { ...storageClass("p459-a"), metadata: { name: "p459-a", ...isDefault() } });
        await s.settle(dryRun, (answer) => textAt(answer, "spec", "storageClassName") === "p459-a");
        await s.post(s.in("persistentvolumeclaims"), claim("e"));
        await s.get(s.in("persistentvolumeclaims", "a"));
        for (const name of ["p459-a", "p459-b"]) await s.quietly("DELETE", `${classes}/${name}`);
        await s.settle(dryRun, (answer) => valueAt(answer, "spec", "storageClassName") === undefined);
        await s.post(s.in("persistentvolumeclaims"), claim("f"));
      },
      { alone: true },
    ),
    probe(
      "P660 ingresses without a class get the default one",
      async (s) => {
        const classes = s.all("networking.k8s.io/v1/ingressclasses");
        const ingress = (name: string, spec: JsonObject = {}, meta: JsonObject = {}): JsonObject => ({
          metadata: { name, ...meta },
          spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } }, ...spec },
        });
        const path = s.in("networking.k8s.io/v1/ingresses");
        await s.quietly("POST", classes, {
          metadata: { name: "p460", annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
          spec: { controller: "example.com/c" },
        });
        const dryRun = { method: "POST", path: `${path}?dryRun=All`, body: ingress("x") };
        await s.settle(dryRun, has("spec", "ingressClassName"));
        await s.post(path, ingress("a"));
        await s.post(path, ingress("b", { ingressClassName: "other" }));
        await s.post(path, ingress("c", {}, { annotations: { "kubernetes.io/ingress.class": "old" } }));
        await s.quietly("DELETE", `${classes}/p460`);
        await s.settle(dryRun, (answer) => valueAt(answer, "spec", "ingressClassName") === undefined);
        await s.post(path, ingress("d"));
      },
      { alone: true },
    ),
    probe("P661 a certificate request must not ask for administrators", async (s) => {
      const path = s.all("certificates.k8s.io/v1/certificatesigningrequests");
      const post = (suffix: string, signerName: string, request: string) =>
        s.post(path, certificateRequest(`${s.namespace}-${suffix}`, signerName, request), {
          // The rest depends on the administrator.
          view: (body) => {
            const { kind, message = null, spec } = objectOf({ body });
            return { kind: kind ?? null, message, signerName: isJsonObject(spec) ? (spec["signerName"] ?? null) : null };
          },
        });
      await post("a", "kubernetes.io/kube-apiserver-client", mastersRequest);
      await post("b", "kubernetes.io/kube-apiserver-client", userRequest);
      await post("c", "example.com/signer", mastersRequest);
      await post("d", "kubernetes.io/kube-apiserver-client", nodeRequest);
      await post("e", "kubernetes.io/kube-apiserver-client", "bm90IFBFTQ==");
    }),
    probe("P662 pods get the zone and the region of their node as labels", async (s) => {
      const topology = { "topology.kubernetes.io/zone": "z1", "topology.kubernetes.io/region": "r1", other: "x" };
      await s.quietly("POST", "/api/v1/nodes", { metadata: { name: s.namespace, labels: topology } });
      await s.settle(
        { method: "POST", path: `${s.in("pods")}?dryRun=All`, body: pod("x", { nodeName: s.namespace }) },
        has("metadata", "labels"),
      );
      await s.post(s.in("pods"), pod("a", { nodeName: s.namespace }));
      await s.post(s.in("pods"), pod("b", { nodeName: s.namespace }, { labels: { "topology.kubernetes.io/zone": "mine", a: "b" } }));
      await s.post(s.in("pods"), pod("c", { nodeName: "gone" }));
      await s.post(s.in("pods"), pod("d", {}, { labels: { "topology.kubernetes.io/zone": "mine" } }));
      await s.post(s.in("pods", "d", "binding"), { metadata: { name: "d" }, target: { kind: "Node", name: s.namespace } });
      await s.get(s.in("pods", "d"));
      await s.post(s.in("pods"), pod("e"));
      await s.post(s.in("pods", "e", "binding"), { metadata: { name: "e" }, target: { name: s.namespace } });
      await s.get(s.in("pods", "e"));
      await s.post(s.in("pods"), pod("f"));
      await s.post(s.in("bindings"), { metadata: { name: "f" }, target: { kind: "Node", name: s.namespace } });
      await s.get(s.in("pods", "f"));
    }),
    probe("P663 a running pod grows within its node", async (s) => {
      const [linux, windows] = [`${s.namespace}-l`, `${s.namespace}-w`];
      const allocatable = { cpu: "2", memory: "1Gi" };
      for (const [name, system] of [
        [linux, "linux"],
        [windows, "windows"],
      ] as const) {
        await s.quietly("POST", "/api/v1/nodes", {
          metadata: { name, labels: { "kubernetes.io/os": system, "topology.kubernetes.io/zone": "z" } },
        });
        await s.quietly("PATCH", `/api/v1/nodes/${name}/status`, { status: { capacity: allocatable, allocatable } });
        await s.settle(
          { method: "POST", path: `${s.in("pods")}?dryRun=All`, body: pod("x", { nodeName: name }) },
          has("metadata", "labels"),
        );
      }
      const sized = container({ resources: { requests: { cpu: "100m", memory: "64Mi" } } });
      for (const [name, nodeName] of [
        ["a", linux],
        ["b", windows],
        ["c", "gone"],
        ["d", undefined],
      ] as const)
        await s.quietly("POST", s.in("pods"), pod(name, { containers: [sized], ...(nodeName === undefined ? {} : { nodeName }) }));
      const resize = (name: string, requests: JsonObject) =>
        s.patch("strategic", s.in("pods", name, "resize"), { spec: { containers: [{ name: "c", resources: { requests } }] } });
      for (const name of ["a", "b", "c", "d"]) await resize(name, { cpu: "1" });
      await resize("a", { cpu: "3" });
      await resize("a", { cpu: "2500m", memory: "2Gi" });
      await resize("a", { memory: "1Gi" });
      await resize("a", { cpu: "1" });
      await s.quietly("POST", s.in("pods"), pod("e", { containers: [sized], initContainers: [{ ...sized, name: "i" }], nodeName: linux }));
      await s.patch("strategic", s.in("pods", "e", "resize"), {
        spec: { initContainers: [{ name: "i", resources: { requests: { cpu: "200m" } } }] },
      });
    }),
    probe(
      "P664 there is one default priority class, and its number is not for choosing",
      async (s) => {
        const classes = s.all("scheduling.k8s.io/v1/priorityclasses");
        await s.post(classes, { metadata: { name: "p464-a" }, value: 5, globalDefault: true, preemptionPolicy: "Never" });
        await s.settle({ method: "POST", path: `${s.in("pods")}?dryRun=All`, body: pod("x") }, ({ body }) =>
          JSON.stringify(body).includes("p464-a"),
        );
        await s.post(classes, { metadata: { name: "p464-b" }, value: 6, globalDefault: true });
        await s.post(classes, { metadata: { name: "p464-b" }, value: 6 });
        await s.patch("merge", `${classes}/p464-b`, { globalDefault: true });
        await s.patch("merge", `${classes}/p464-a`, { description: "d" });
        await s.post(s.in("pods"), pod("a"));
        await s.settle(
          { method: "POST", path: `${s.in("pods")}?dryRun=All`, body: pod("x", { priorityClassName: "p464-b" }) },
          ({ status }) => status === 201,
        );
        await s.post(s.in("pods"), pod("b", { priorityClassName: "p464-b", priority: 6 }));
        await s.post(s.in("pods"), pod("c", { priorityClassName: "p464-b", priority: 7 }));
        await s.post(s.in("pods"), pod("d", { preemptionPolicy: "PreemptLowerPriority" }));
        await s.post(s.in("pods"), { ...pod("x", { priorityClassName: "gone" }), metadata: { generateName: "x-" } });
        for (const name of ["p464-a", "p464-b"]) await s.quietly("DELETE", `${classes}/${name}`);
        await s.settle(
          { method: "POST", path: `${s.in("pods")}?dryRun=All`, body: pod("x") },
          ({ body }) => !JSON.stringify(body).includes("p464-a"),
        );
      },
      { alone: true },
    ),
    probe("P665 volumes, claims and attribute classes get their finalizers", async (s) => {
      await s.post(s.in("persistentvolumeclaims"), claim("a", { storageClassName: "" }, { finalizers: ["example.com/mine"] }));
      await s.post(s.all("storage.k8s.io/v1/volumeattributesclasses"), {
        metadata: { name: s.namespace },
        driverName: "example.com",
        parameters: { a: "b" },
      });
    }),
    probe("P666 a refusal names what has no name yet", async (s) => {
      await s.quietly("POST", s.in("pods"), pod("a"));
      await s.quietly("DELETE", `/api/v1/namespaces/${s.namespace}`);
      await s.settle({ method: "POST", path: `${s.in("configmaps")}?dryRun=All`, body: configMap("b") }, ({ status }) => status === 403);
      await s.post(s.in("configmaps"), { metadata: { generateName: "c-" } });
      await s.post(s.in("pods", "a", "eviction"), { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" } });
      await s.post(s.in("pods", "a", "binding"), { metadata: { name: "a" }, target: { kind: "Node", name: "n" } });
      await s.post(s.in("authorization.k8s.io/v1/localsubjectaccessreviews"), {
        spec: { user: "jane", resourceAttributes: { namespace: s.namespace, verb: "get", resource: "pods" } },
      });
    }),
  ],
};
