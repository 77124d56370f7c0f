/** Forms of an answer: tables, metadata only, YAML, indented JSON. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { textAt, valueAt } from "../exchange.ts";
import {
  asPartial,
  asPartialList,
  asTable,
  configMap,
  container,
  define,
  deployment,
  pod,
  podTemplate,
  service,
  widget,
  widgetDefinition,
  workload,
} from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";
import type { ProbeSession } from "../session.ts";

const table = { headers: { accept: asTable } };
const cells = {
  ...table,
  view: (body: JsonValue): JsonValue => {
    const rows = valueAt({ body }, "rows");
    return {
      columns: valueAt({ body }, "columnDefinitions") ?? null,
      rows: Array.isArray(rows) ? rows.map((row) => ({ cells: valueAt({ body: row }, "cells") ?? null })) : null,
    };
  },
};

const status = (s: ProbeSession, path: string, body: JsonObject): Promise<unknown> =>
  s.quietly("PATCH", `${path}/status`, { status: body });
const partOf = (answer: string): { readonly headers: { readonly accept: string } } => ({ headers: { accept: answer } });

/** Kinds whose cells show only names, counts and ages: one object each. */
const simple: readonly (readonly [string, JsonObject])[] = [
  ["configmaps", configMap("a", { data: { x: "1", y: "2" }, binaryData: { z: "eA==" } })],
  ["secrets", { metadata: { name: "a" }, stringData: { x: "1" } }],
  ["serviceaccounts", { metadata: { name: "a" } }],
  [
    "apps/v1/controllerrevisions",
    {
      metadata: {
        name: "a",
        ownerReferences: [
          { apiVersion: "apps/v1", kind: "StatefulSet", name: "s", uid: "00000000-0000-4000-8000-000000000001", controller: true },
        ],
      },
      revision: 3,
      data: {},
    },
  ],
  ["coordination.k8s.io/v1/leases", { metadata: { name: "a" }, spec: { holderIdentity: "me" } }],
  ["rbac.authorization.k8s.io/v1/roles", { metadata: { name: "a" } }],
  [
    "rbac.authorization.k8s.io/v1/rolebindings",
    {
      metadata: { name: "a" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
      subjects: [
        { kind: "User", name: "u", apiGroup: "rbac.authorization.k8s.io" },
        { kind: "ServiceAccount", name: "sa", namespace: "n" },
      ],
    },
  ],
  ["networking.k8s.io/v1/networkpolicies", { metadata: { name: "a" }, spec: { podSelector: { matchLabels: { a: "b" } } } }],
  ["policy/v1/poddisruptionbudgets", { metadata: { name: "a" }, spec: { maxUnavailable: "10%" } }],
  ["resourcequotas", { metadata: { name: "a" }, spec: { hard: { pods: "3", "requests.cpu": "1" } } }],
  ["limitranges", { metadata: { name: "a" } }],
  [
    "persistentvolumeclaims",
    {
      metadata: { name: "a" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: "fast" },
    },
  ],
  ["podtemplates", { metadata: { name: "a" }, template: podTemplate() }],
];

export const tables: Chapter = {
  name: "tables",
  probes: [
    probe("P020 forms that nobody serves", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a"));
      for (const accept of [
        "text/xml",
        "application/*",
        "application/json;as=Nothing;v=v1;g=meta.k8s.io",
        "application/json;as=Table;v=v9;g=meta.k8s.io",
        "application/json;as=Table;v=v1;g=other",
      ])
        await s.get(s.in("configmaps", "a"), partOf(accept));
      const widgets = await define(s, widgetDefinition(s));
      await s.get(widgets, partOf("text/xml"));
    }),
    probe("P022 no wish, any wish, and wishes in an order", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a"));
      for (const accept of [
        "",
        "*/*",
        "application/yaml;q=0.1, application/json",
        "text/html, application/json",
        "application/json;q=0.5, application/yaml;q=0.9",
      ])
        await s.get(s.in("configmaps", "a"), { ...partOf(accept), view: (body) => typeof body });
    }),
    probe("P023 a list as a table, with metadata, whole objects or nothing in its rows", async (s) => {
      for (const name of ["a", "b"])
        await s.quietly("POST", s.in("configmaps"), configMap(name, { data: { k: "v" }, metadata: { labels: { is: name } } }));
      await s.get(s.in("configmaps"), table);
      for (const includeObject of ["Object", "None", "Metadata", "Foo"])
        await s.get(`${s.in("configmaps")}?includeObject=${includeObject}`, table);
      await s.get(`${s.in("configmaps")}?limit=1`, table);
      await s.get(`${s.in("configmaps")}?labelSelector=is%3Db`, cells);
      await s.get(`${s.in("configmaps")}?labelSelector=is%3Dnone`, table);
    }),
    probe("P024 one object as a table, and errors that stay Status", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a"));
      await s.get(s.in("configmaps", "a"), table);
      await s.get(s.in("configmaps", "none"), table);
      await s.post(s.in("configmaps"), configMap("b"), table);
      await s.delete(s.in("configmaps", "b"), undefined, table);
      await s.get(s.in("configmaps", "a"), partOf("application/json;as=Table;v=v1beta1;g=meta.k8s.io"));
    }),
    probe("P025 metadata alone of one object, of many, of none", async (s) => {
      await s.get(s.in("configmaps"), partOf(asPartialList));
      await s.quietly("POST", s.in("configmaps"), configMap("a", { data: { k: "v" } }));
      await s.get(s.in("configmaps", "a"), partOf(asPartial));
      await s.get(s.in("configmaps"), partOf(asPartialList));
      await s.patch("merge", s.in("configmaps", "a"), { data: { l: "w" } }, { headers: { accept: asPartial } });
      await s.post(s.in("configmaps"), configMap("b", { data: { k: "v" } }), partOf(asPartial));
    }),
    probe("P026 metadata alone in the wrong form", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a"));
      await s.get(s.in("configmaps"), partOf(asPartial));
      await s.get(s.in("configmaps"), partOf(`${asPartial},application/json`));
      await s.get(s.in("configmaps", "a"), partOf(asPartialList));
      await s.get(s.in("configmaps", "a"), partOf("application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io"));
    }),
    probe("P027 custom objects as tables and metadata", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      await s.quietly("POST", widgets, widget(s, "a"));
      await s.get(widgets, table);
      await s.get(`${widgets}/a`, table);
      await s.get(widgets, partOf(asPartialList));
      await s.get(`${widgets}/a`, partOf(asPartial));
      await s.get(widgets, partOf(asPartial));
    }),
    probe("P028 custom objects are no protobuf", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      await s.get(widgets, { ...partOf("application/vnd.kubernetes.protobuf"), view: () => null });
      await s.get(widgets, {
        ...partOf("application/vnd.kubernetes.protobuf,application/json"),
        view: (body) => valueAt({ body }, "kind") ?? null,
      });
    }),
    probe("P033 YAML answers, of objects, lists and errors", async (s) => {
      await s.quietly(
        "POST",
        s.in("configmaps"),
        configMap("a", { data: { text: "two\nlines\n", number: "1", yes: "yes", empty: "", colon: "a: b" } }),
      );
      await s.get(s.in("configmaps", "a"), partOf("application/yaml"));
      await s.get(s.in("configmaps"), {
        ...partOf("application/yaml"),
        view: (body) => textAt({ body }).replace(/resourceVersion: "\d+"/g, "resourceVersion: <version>"),
      });
      await s.get(s.in("configmaps", "none"), partOf("application/yaml"));
      const widgets = await define(s, widgetDefinition(s));
      await s.quietly("POST", widgets, widget(s, "a", { spec: { free: { list: [1, { a: "b" }], nothing: {} } } }));
      await s.get(`${widgets}/a`, partOf("application/yaml"));
    }),
    probe("P037 indented JSON for people", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a", { data: { k: "v" } }));
      const form = {
        raw: true,
        view: (body: JsonValue): JsonValue => ({
          indentation: /^\{(\s*)"/.exec(textAt({ body }))?.[1] ?? null,
          space: textAt({ body }).includes('": "'),
          end: textAt({ body }).slice(-2),
        }),
      };
      await s.get(`${s.in("configmaps", "a")}?pretty=true`, form);
      await s.get(`${s.in("configmaps", "a")}?pretty=false`, { ...form, headers: { "user-agent": "curl/8.1" } });
      await s.get(s.in("configmaps", "a"), { ...form, headers: { "user-agent": "curl/8.1" } });
      await s.get(`${s.in("configmaps", "none")}?pretty=1`, form);
      await s.get(s.in("configmaps", "a"), form);
      await s.get("/api/v1/namespaces?pretty=true&limit=1&labelSelector=none", { raw: true });
    }),
    ...simple.map(([resource, body], index) =>
      probe(`P023${String.fromCodePoint(97 + index)} the table of ${resource}`, async (s) => {
        await s.quietly("POST", s.in(resource), body);
        await s.get(s.in(resource), cells);
      }),
    ),
    probe("P024a the table of pods: states in words", async (s) => {
      const two = [container({ name: "a" }), container({ name: "b" })];
      await s.quietly("POST", s.in("pods"), pod("new", { containers: two }));
      await s.quietly("POST", s.in("pods"), pod("running", { containers: two, nodeName: "n1" }));
      const state = (name: string, ready: boolean, restartCount: number, more: JsonObject): JsonObject => ({
        name,
        ready,
        restartCount,
        image: "i",
        imageID: "",
        ...more,
      });
      await status(s, s.in("pods", "running"), {
        phase: "Running",
        podIP: "1.2.3.4",
        podIPs: [{ ip: "1.2.3.4" }],
        conditions: [{ type: "Ready", status: "True" }],
        containerStatuses: [
          state("a", true, 0, { state: { running: { startedAt: "2001-01-01T00:00:00Z" } } }),
          state("b", false, 2, { state: { waiting: { reason: "CrashLoopBackOff" } } }),
        ],
      });
      await s.quietly("POST", s.in("pods"), pod("done", { nodeName: "n1" }));
      await status(s, s.in("pods", "done"), {
        phase: "Succeeded",
        containerStatuses: [state("c", false, 0, { state: { terminated: { exitCode: 0, reason: "Completed" } } })],
      });
      await s.quietly("POST", s.in("pods"), pod("failed", { nodeName: "n1" }));
      await status(s, s.in("pods", "failed"), { phase: "Failed", reason: "Evicted" });
      await s.quietly("POST", s.in("pods"), pod("going", { nodeName: "n1" }));
      await s.quietly("DELETE", s.in("pods", "going"));
      await s.quietly(
        "POST",
        s.in("pods"),
        pod("init", {
          nodeName: "n1",
          initContainers: [container({ name: "first" }), container({ name: "second" })],
          readinessGates: [{ conditionType: "example.com/gate" }],
        }),
      );
      await status(s, s.in("pods", "init"), {
        phase: "Pending",
        initContainerStatuses: [
          state("first", true, 0, { state: { terminated: { exitCode: 0 } } }),
          state("second", false, 1, { state: { running: {} } }),
        ],
      });
      await s.get(s.in("pods"), cells);
    }),
    probe("P024b the tables of workloads", async (s) => {
      await s.quietly("POST", s.in("apps/v1/deployments"), deployment("a", { replicas: 3 }));
      await status(s, s.in("apps/v1/deployments", "a"), { replicas: 3, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1 });
      await s.get(s.in("apps/v1/deployments"), cells);
      await s.quietly("POST", s.in("apps/v1/replicasets"), { metadata: { name: "a" }, spec: workload({ replicas: 2 }) });
      await s.get(s.in("apps/v1/replicasets"), cells);
      await s.quietly("POST", s.in("apps/v1/statefulsets"), { metadata: { name: "a" }, spec: workload({ serviceName: "x" }) });
      await s.get(s.in("apps/v1/statefulsets"), cells);
      await s.quietly("POST", s.in("apps/v1/daemonsets"), {
        metadata: { name: "a" },
        spec: workload({ template: podTemplate({ nodeSelector: { disk: "ssd" } }) }),
      });
      await s.get(s.in("apps/v1/daemonsets"), cells);
      await s.quietly("POST", s.in("replicationcontrollers"), {
        metadata: { name: "a" },
        spec: { selector: { app: "web" }, template: podTemplate() },
      });
      await s.get(s.in("replicationcontrollers"), cells);
    }),
    probe("P024c the tables of jobs", async (s) => {
      await s.quietly("POST", s.in("batch/v1/jobs"), {
        metadata: { name: "a" },
        spec: { completions: 3, template: podTemplate({ restartPolicy: "Never" }) },
      });
      await s.quietly("POST", s.in("batch/v1/jobs"), {
        metadata: { name: "b" },
        spec: { suspend: true, template: podTemplate({ restartPolicy: "Never" }) },
      });
      await s.get(s.in("batch/v1/jobs"), {
        ...cells,
        view: (body) =>
          JSON.parse(JSON.stringify(cells.view(body)).replaceAll(/controller-uid=[0-9a-f-]+/g, "controller-uid=<uid>")) as JsonValue,
      });
      await s.quietly("POST", s.in("batch/v1/cronjobs"), {
        metadata: { name: "a" },
        spec: {
          schedule: "*/5 * * * *",
          timeZone: "Europe/Berlin",
          jobTemplate: { spec: { template: podTemplate({ restartPolicy: "Never" }) } },
        },
      });
      await s.get(s.in("batch/v1/cronjobs"), cells);
    }),
    probe("P024d the tables of services and what stands behind and before them", async (s) => {
      await s.quietly(
        "POST",
        s.in("services"),
        service("a", {
          selector: { app: "web" },
          ports: [
            { name: "x", port: 80 },
            { name: "y", port: 443, protocol: "UDP" },
          ],
        }),
      );
      await s.quietly("POST", s.in("services"), service("b", { type: "ExternalName", externalName: "example.com" }));
      await s.quietly("POST", s.in("services"), service("c", { clusterIP: "None" }));
      await s.quietly("POST", s.in("services"), service("d", { type: "NodePort", externalIPs: ["80.11.12.10"] }));
      await s.quietly("POST", s.in("services"), service("e", { type: "LoadBalancer" }));
      await s.get(s.in("services"), cells);
      await s.quietly("POST", s.in("endpoints"), {
        metadata: { name: "a" },
        subsets: [
          {
            addresses: [{ ip: "1.2.3.4" }, { ip: "1.2.3.5" }],
            ports: [
              { port: 80, name: "y" },
              { port: 81, name: "x" },
            ],
          },
        ],
      });
      await s.get(s.in("endpoints"), cells);
      await s.quietly("POST", s.in("discovery.k8s.io/v1/endpointslices"), {
        metadata: { name: "a" },
        addressType: "IPv4",
        endpoints: [{ addresses: ["1.2.3.4"] }, { addresses: ["1.2.3.5"] }],
        ports: [{ port: 80 }],
      });
      await s.get(s.in("discovery.k8s.io/v1/endpointslices"), cells);
      await s.quietly("POST", s.in("networking.k8s.io/v1/ingresses"), {
        metadata: { name: "a" },
        spec: {
          ingressClassName: "nginx",
          tls: [{ hosts: ["a.example.com"] }],
          rules: [
            {
              host: "a.example.com",
              http: { paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } }] },
            },
            { host: "b.example.com" },
          ],
        },
      });
      await s.get(s.in("networking.k8s.io/v1/ingresses"), cells);
    }),
    probe("P024e the tables of nodes and namespaces", async (s) => {
      await s.quietly("POST", s.all("nodes"), {
        metadata: { name: s.namespace, labels: { "node-role.kubernetes.io/worker": "", probe: "p024e" } },
        spec: { unschedulable: true },
      });
      await status(s, s.all("nodes", s.namespace), {
        conditions: [{ type: "Ready", status: "True" }],
        nodeInfo: { kubeletVersion: "v1.36.3", osImage: "Debian", kernelVersion: "6.1", containerRuntimeVersion: "containerd://2.0" },
        addresses: [{ type: "InternalIP", address: "1.2.3.4" }],
      });
      await s.get(`${s.all("nodes")}?labelSelector=probe%3Dp024e`, cells);
      await s.get(s.all("namespaces", s.namespace), cells);
      await s.delete(s.all("nodes", s.namespace), undefined, { view: () => null });
    }),
    probe("P024f the tables of events and autoscalers", async (s) => {
      await s.quietly("POST", s.in("events"), {
        metadata: { name: "a" },
        involvedObject: { kind: "Pod", name: "p", namespace: s.namespace, fieldPath: "spec.containers{c}" },
        reason: "Started",
        message: "Started container\n",
        type: "Normal",
        source: { component: "kubelet", host: "n1" },
        count: 3,
      });
      await s.get(s.in("events"), cells);
      await s.quietly("POST", s.in("autoscaling/v2/horizontalpodautoscalers"), {
        metadata: { name: "a" },
        spec: {
          maxReplicas: 5,
          scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
          metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } } }],
        },
      });
      await s.get(s.in("autoscaling/v2/horizontalpodautoscalers"), cells);
      await s.get(s.in("autoscaling/v1/horizontalpodautoscalers"), cells);
    }),
    probe("P024g the tables of cluster kinds", async (s) => {
      const kinds: readonly (readonly [string, JsonObject])[] = [
        ["storage.k8s.io/v1/storageclasses", { provisioner: "example.com/p" }],
        ["scheduling.k8s.io/v1/priorityclasses", { value: 10 }],
        ["node.k8s.io/v1/runtimeclasses", { handler: "h" }],
        ["networking.k8s.io/v1/ingressclasses", { spec: { controller: "example.com/c" } }],
        ["rbac.authorization.k8s.io/v1/clusterroles", {}],
        [
          "rbac.authorization.k8s.io/v1/clusterrolebindings",
          { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "r" } },
        ],
        [
          "persistentvolumes",
          {
            spec: {
              capacity: { storage: "1Gi" },
              accessModes: ["ReadWriteOnce", "ReadOnlyMany"],
              hostPath: { path: "/x" },
              storageClassName: "fast",
            },
          },
        ],
      ];
      for (const [resource, body] of kinds) {
        await s.quietly("POST", s.all(resource), { metadata: { name: s.namespace }, ...body });
        await s.get(s.all(resource, s.namespace), cells);
        await s.delete(s.all(resource, s.namespace), undefined, { view: () => null });
      }
    }),
  ],
};
