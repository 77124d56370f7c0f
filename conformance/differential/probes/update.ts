/** Updates: versions, identity, generation, and what the main resource and the status subresource may change. */
import type { JsonObject } from "@drover/machinery";
import { textAt, uidOf, valueAt, versionOf } from "../exchange.ts";
import { changed, configMap, define, deployment, pod, podTemplate, service, widget, widgetDefinition, workload } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";
import type { ProbeSession } from "../session.ts";

const generation = { view: (body: Parameters<typeof valueAt>[0]["body"]) => valueAt({ body }, "metadata", "generation") ?? null };

/** How the generation of a kind changes with labels, annotations, spec and status. */
async function generations(s: ProbeSession, path: string, body: JsonObject, spec: JsonObject, hasStatus = true): Promise<void> {
  await s.post(path, body, generation);
  const name = textAt({ body }, "metadata", "name");
  await s.patch("merge", `${path}/${name}`, { metadata: { labels: { new: "label" } } }, generation);
  await s.patch("merge", `${path}/${name}`, { metadata: { annotations: { new: "annotation" } } }, generation);
  await s.patch("merge", `${path}/${name}`, spec, generation);
  await s.patch("merge", `${path}/${name}`, spec, generation);
  if (hasStatus) await s.patch("merge", `${path}/${name}/status`, { status: { observedGeneration: 1 } }, generation);
}

export const update: Chapter = {
  name: "update",
  probes: [
    probe("P116 a stale version is a conflict", async (s) => {
      const created = await s.post(s.in("configmaps"), configMap("a"));
      await s.put(s.in("configmaps", "a"), changed(created, { data: { k: "1" } }));
      await s.put(s.in("configmaps", "a"), changed(created, { data: { k: "2" } }));
      await s.put(`${s.in("configmaps", "a")}?dryRun=All`, changed(created, { data: { k: "2" } }));
      await s.get(s.in("configmaps", "a"));
    }),
    probe("P117 no version: most kinds take it, some do not", async (s) => {
      await s.post(s.in("configmaps"), configMap("a"), { view: () => null });
      await s.put(s.in("configmaps", "a"), configMap("a", { data: { k: "v" } }));
      await s.post(s.in("coordination.k8s.io/v1/leases"), { metadata: { name: "l" } }, { view: () => null });
      await s.put(s.in("coordination.k8s.io/v1/leases", "l"), { metadata: { name: "l" }, spec: { holderIdentity: "me" } });
      await s.post(s.in("policy/v1/poddisruptionbudgets"), { metadata: { name: "b" }, spec: { minAvailable: 1 } }, { view: () => null });
      await s.put(s.in("policy/v1/poddisruptionbudgets", "b"), { metadata: { name: "b" }, spec: { minAvailable: 2 } });
      const widgets = await define(s, widgetDefinition(s));
      await s.post(widgets, widget(s, "w"), { view: () => null });
      await s.put(`${widgets}/w`, widget(s, "w", { spec: { size: 1 } }));
    }),
    probe("P117b some kinds are created by PUT, others are not", async (s) => {
      await s.put(s.in("coordination.k8s.io/v1/leases", "l"), { metadata: { name: "l" } });
      await s.put(s.in("rbac.authorization.k8s.io/v1/roles", "r"), { metadata: { name: "r" }, rules: [] });
      await s.put(s.in("limitranges", "lr"), { metadata: { name: "lr" } });
      await s.put(s.in("events", "e"), { metadata: { name: "e" }, involvedObject: { namespace: s.namespace } });
      await s.put(s.in("endpoints", "ep"), { metadata: { name: "ep" } });
      await s.put(s.in("services", "svc"), service("svc"));
      await s.put(s.in("configmaps", "c"), configMap("c"));
      await s.put(s.in("apps/v1/deployments", "d"), deployment("d"));
      await s.put(`${s.in("coordination.k8s.io/v1/leases", "l2")}?dryRun=All`, { metadata: { name: "l2" } });
      await s.get(s.in("coordination.k8s.io/v1/leases", "l2"));
    }),
    probe("P118 another uid is a conflict by PUT, and immutable by PATCH", async (s) => {
      const created = await s.post(s.in("configmaps"), configMap("a"));
      await s.put(
        s.in("configmaps", "a"),
        changed(created, { metadata: { uid: "00000000-0000-4000-8000-000000000001", resourceVersion: null } }),
      );
      await s.patch("merge", s.in("configmaps", "a"), { metadata: { uid: "00000000-0000-4000-8000-000000000001" } });
      await s.put(s.in("configmaps", "a"), configMap("a", { metadata: { uid: uidOf(created) }, data: { k: "v" } }));
    }),
    probe("P119 another name, no name, another namespace", async (s) => {
      await s.post(s.in("configmaps"), configMap("a"), { view: () => null });
      await s.put(s.in("configmaps", "a"), configMap("b"));
      await s.put(s.in("configmaps", "a"), { data: { k: "v" } });
      await s.put(s.in("configmaps", "a"), configMap("a", { metadata: { namespace: "other" } }));
      await s.put(s.in("configmaps", "a"), { ...configMap("a"), kind: "Secret" });
      await s.put(s.in("configmaps", "a"), "{bad");
    }),
    probe("P121 writing the same again writes nothing", async (s) => {
      const created = await s.post(s.in("configmaps"), configMap("a", { data: { k: "v" } }));
      const same = await s.put(s.in("configmaps", "a"), created.body);
      s.fact("the version stays", versionOf(created) === versionOf(same));
      const bare = await s.put(s.in("configmaps", "a"), configMap("a", { data: { k: "v" } }));
      s.fact("the version stays without metadata", versionOf(created) === versionOf(bare));
      const other = await s.put(`${s.in("configmaps", "a")}?fieldManager=other`, created.body);
      s.fact("the version stays for another manager", versionOf(created) === versionOf(other));
    }),
    probe("P122 versions that are none", async (s) => {
      await s.post(s.in("configmaps"), configMap("a"), { view: () => null });
      await s.put(s.in("configmaps", "a"), configMap("a", { metadata: { resourceVersion: "abc" } }));
      await s.put(s.in("configmaps", "a"), configMap("a", { metadata: { resourceVersion: "99999999" } }));
      await s.put(s.in("configmaps", "a"), configMap("a", { metadata: { resourceVersion: "0" }, data: { k: "v" } }));
    }),
    probe("P123 times cannot be changed, and managers cannot be forged away", async (s) => {
      const created = await s.post(s.in("configmaps"), configMap("a", { data: { k: "v" } }));
      await s.put(
        s.in("configmaps", "a"),
        changed(created, { metadata: { creationTimestamp: "2001-01-01T00:00:00Z", generation: 9, selfLink: "/x" } }),
      );
      await s.put(s.in("configmaps", "a"), configMap("a", { metadata: { deletionTimestamp: "2001-01-01T00:00:00Z" }, data: { k: "v" } }));
      await s.get(s.in("configmaps", "a"));
    }),
    probe("P124 of many writers with one version exactly one wins", async (s) => {
      const created = await s.post(s.in("configmaps"), configMap("a"));
      const statuses = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          s.settle({ method: "PUT", path: s.in("configmaps", "a"), body: changed(created, { data: { k: String(index) } }) }, () => true),
        ),
      );
      s.fact("winners", statuses.filter(({ status }) => status === 200).length);
      s.fact("losers", statuses.filter(({ status }) => status === 409).length);
    }),
    probe("P124b of many patches without a version all win", async (s) => {
      await s.post(s.in("configmaps"), configMap("a"), { view: () => null });
      const statuses = await Promise.all(
        Array.from({ length: 5 }, (_, index) =>
          s.settle(
            {
              method: "PATCH",
              path: s.in("configmaps", "a"),
              body: { data: { [`k${index}`]: "v" } },
              headers: { "content-type": "application/merge-patch+json" },
            },
            () => true,
          ),
        ),
      );
      s.fact("winners", statuses.filter(({ status }) => status === 200).length);
      await s.get(s.in("configmaps", "a"), { view: (body) => valueAt({ body }, "data") ?? null });
    }),
    probe("P125 generation of a Deployment", (s) =>
      generations(s, s.in("apps/v1/deployments"), deployment("a"), { spec: { replicas: 3 } }),
    ),
    probe("P125b generation of a ReplicaSet", (s) =>
      generations(s, s.in("apps/v1/replicasets"), { metadata: { name: "a" }, spec: workload() }, { spec: { replicas: 3 } }),
    ),
    probe("P125c generation of a StatefulSet", (s) =>
      generations(
        s,
        s.in("apps/v1/statefulsets"),
        { metadata: { name: "a" }, spec: workload({ serviceName: "x" }) },
        { spec: { replicas: 3 } },
      ),
    ),
    probe("P125d generation of a DaemonSet", (s) =>
      generations(s, s.in("apps/v1/daemonsets"), { metadata: { name: "a" }, spec: workload() }, { spec: { minReadySeconds: 3 } }),
    ),
    probe("P125e generation of a Job", (s) =>
      generations(
        s,
        s.in("batch/v1/jobs"),
        { metadata: { name: "a" }, spec: { template: podTemplate({ restartPolicy: "Never" }) } },
        { spec: { parallelism: 3 } },
        false,
      ),
    ),
    probe("P125f generation of a CronJob", (s) =>
      generations(
        s,
        s.in("batch/v1/cronjobs"),
        {
          metadata: { name: "a" },
          spec: { schedule: "* * * * *", jobTemplate: { spec: { template: podTemplate({ restartPolicy: "Never" }) } } },
        },
        { spec: { suspend: true } },
        false,
      ),
    ),
    probe("P125g generation of a Pod", (s) => generations(s, s.in("pods"), pod("a"), { spec: { activeDeadlineSeconds: 30 } })),
    probe("P125h generation of an Ingress, a NetworkPolicy, a PodDisruptionBudget", async (s) => {
      await generations(
        s,
        s.in("networking.k8s.io/v1/ingresses"),
        { metadata: { name: "a" }, spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } } },
        { spec: { ingressClassName: "x" } },
        false,
      );
      await generations(
        s,
        s.in("networking.k8s.io/v1/networkpolicies"),
        { metadata: { name: "a" }, spec: { podSelector: {} } },
        { spec: { policyTypes: ["Egress"] } },
        false,
      );
      await generations(
        s,
        s.in("policy/v1/poddisruptionbudgets"),
        { metadata: { name: "a" }, spec: { minAvailable: 1 } },
        { spec: { minAvailable: 2 } },
      );
    }),
    probe("P125i kinds without generation, and EndpointSlices, which count labels too", async (s) => {
      await generations(s, s.in("services"), service("a"), { spec: { sessionAffinity: "ClientIP" } }, false);
      await generations(s, s.in("secrets"), { metadata: { name: "a" } }, { stringData: { k: "v" } }, false);
      await generations(s, s.in("coordination.k8s.io/v1/leases"), { metadata: { name: "a" } }, { spec: { holderIdentity: "me" } }, false);
      await generations(s, s.in("serviceaccounts"), { metadata: { name: "a" } }, { automountServiceAccountToken: false }, false);
      await generations(
        s,
        s.in("autoscaling/v2/horizontalpodautoscalers"),
        { metadata: { name: "a" }, spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d" } } },
        { spec: { maxReplicas: 4 } },
        false,
      );
      await generations(
        s,
        s.in("discovery.k8s.io/v1/endpointslices"),
        { metadata: { name: "a" }, addressType: "IPv4", endpoints: [] },
        { endpoints: [{ addresses: ["1.2.3.4"] }] },
        false,
      );
    }),
    probe("P125j generation of a custom object with a status of its own", async (s) => {
      const widgets = await define(s, widgetDefinition(s, { version: { subresources: { status: {} } } }));
      await generations(s, widgets, widget(s, "a", { spec: { size: 1 } }), { spec: { size: 2 } });
      await s.patch("merge", `${widgets}/a`, { status: { x: 1 } }, generation);
    }),
    probe("P126 a Deployment: status on the main path is ignored, spec on the status path too", async (s) => {
      const created = await s.post(s.in("apps/v1/deployments"), { ...deployment("a"), status: { replicas: 5 } });
      await s.put(s.in("apps/v1/deployments", "a"), changed(created, { status: { replicas: 7 }, spec: { paused: true } }), {
        view: (body) => [valueAt({ body }, "status") ?? null, valueAt({ body }, "spec", "paused") ?? null],
      });
      await s.patch("merge", s.in("apps/v1/deployments", "a", "status"), {
        metadata: { labels: { a: "b" }, annotations: { a: "b" }, finalizers: ["example.com/f"] },
        spec: { replicas: 9 },
        status: { replicas: 3, observedGeneration: 1 },
      });
      await s.get(s.in("apps/v1/deployments", "a", "status"), { view: (body) => valueAt({ body }, "status") ?? null });
      await s.patch("merge", s.in("apps/v1/deployments", "a", "status"), { status: { replicas: -1 } });
    }),
    probe("P127 a custom kind: status on the main path is ignored, metadata and spec on the status path too", async (s) => {
      const widgets = await define(s, widgetDefinition(s, { version: { subresources: { status: {} } } }));
      const created = await s.post(widgets, widget(s, "a", { spec: { size: 1 }, status: { x: 1 } }));
      const second = await s.put(`${widgets}/a`, changed(created, { spec: { size: 2 }, status: { x: 2 } }));
      await s.put(`${widgets}/a/status`, changed(second, { metadata: { labels: { a: "b" } }, spec: { size: 9 }, status: { x: 3 } }));
      await s.patch("merge", `${widgets}/a/status`, { metadata: { annotations: { a: "b" } }, status: { y: 4 } });
      await s.put(`${widgets}/nope/status`, widget(s, "nope"));
    }),
    probe("P127b a custom kind without a status path: status is data", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      await s.post(widgets, widget(s, "a", { status: { x: 1 } }));
      await s.patch("merge", `${widgets}/a`, { status: { x: 2 } });
      await s.patch("merge", `${widgets}/a/status`, { status: { x: 3 } });
    }),
    probe("P128 what is immutable stays: ConfigMaps and Secrets that say so", async (s) => {
      await s.post(s.in("configmaps"), configMap("a", { data: { k: "v" }, immutable: true }), { view: () => null });
      await s.patch("merge", s.in("configmaps", "a"), { data: { k: "w" } });
      await s.patch("merge", s.in("configmaps", "a"), { immutable: false });
      await s.patch("merge", s.in("configmaps", "a"), { metadata: { labels: { a: "b" } } });
      await s.post(s.in("secrets"), { metadata: { name: "a" }, stringData: { k: "v" }, immutable: true }, { view: () => null });
      await s.patch("merge", s.in("secrets", "a"), { stringData: { k: "w" } });
      await s.patch("merge", s.in("secrets", "a"), { type: "example.com/other" });
    }),
    probe("P129 selectors, addresses and templates that may not change", async (s) => {
      await s.post(s.in("apps/v1/deployments"), deployment("a"), { view: () => null });
      await s.patch("merge", s.in("apps/v1/deployments", "a"), {
        spec: { selector: { matchLabels: { app: "other" } }, template: { metadata: { labels: { app: "other" } } } },
      });
      await s.patch("merge", s.in("apps/v1/deployments", "a"), { spec: { template: { metadata: { labels: { app: "other" } } } } });
      await s.post(s.in("apps/v1/statefulsets"), { metadata: { name: "a" }, spec: workload({ serviceName: "x" }) }, { view: () => null });
      await s.patch("merge", s.in("apps/v1/statefulsets", "a"), { spec: { serviceName: "y" } });
      await s.post(
        s.in("discovery.k8s.io/v1/endpointslices"),
        { metadata: { name: "a" }, addressType: "IPv4", endpoints: [] },
        { view: () => null },
      );
      await s.patch("merge", s.in("discovery.k8s.io/v1/endpointslices", "a"), { addressType: "IPv6" });
      await s.post(
        s.in("rbac.authorization.k8s.io/v1/rolebindings"),
        { metadata: { name: "a" }, roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" } },
        { view: () => null },
      );
      await s.patch("merge", s.in("rbac.authorization.k8s.io/v1/rolebindings", "a"), { roleRef: { name: "other" } });
    }),
    probe("P129b strictness of a replacement", async (s) => {
      await s.post(s.in("configmaps"), configMap("a"), { view: () => null });
      for (const fieldValidation of ["Strict", "Warn", "Ignore", "Foo"])
        await s.put(`${s.in("configmaps", "a")}?fieldValidation=${fieldValidation}`, { ...configMap("a"), foo: 1 });
    }),
    probe("P129c a scale is read and replaced", async (s) => {
      await s.post(s.in("apps/v1/deployments"), deployment("a", { replicas: 2 }), { view: () => null });
      const scale = await s.get(s.in("apps/v1/deployments", "a", "scale"));
      await s.put(s.in("apps/v1/deployments", "a", "scale"), changed(scale, { spec: { replicas: 5 } }));
      await s.put(s.in("apps/v1/deployments", "a", "scale"), changed(scale, { spec: { replicas: 6 } }));
      await s.put(
        s.in("apps/v1/deployments", "a", "scale"),
        changed(scale, { metadata: { resourceVersion: null }, spec: { replicas: -1 } }),
      );
      await s.put(s.in("apps/v1/deployments", "a", "scale"), { metadata: { name: "other" }, spec: { replicas: 1 } });
      await s.put(s.in("apps/v1/deployments", "a", "scale"), deployment("a"));
      await s.get(s.in("apps/v1/deployments", "a"), {
        view: (body) => [valueAt({ body }, "spec", "replicas") ?? null, valueAt({ body }, "metadata", "managedFields") ?? null],
      });
    }),
  ],
};
