/** Deleting: answers, finalizers, options. */
import type { JsonObject } from "@drover/machinery";
import { namesOf, uidOf, valueAt, versionOf } from "../exchange.ts";
import { changed, configMap, define, deployment, pod, podTemplate, service, widget, widgetDefinition, workload } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";

const held = (name: string): JsonObject => configMap(name, { metadata: { finalizers: ["example.com/f"] } });

export const remove: Chapter = {
  name: "delete",
  probes: [
    probe("P167 most kinds answer that they are gone", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a"));
      await s.delete(s.in("configmaps", "a"));
      await s.delete(s.in("configmaps", "a"));
      await s.quietly("POST", s.in("apps/v1/deployments"), deployment("a"));
      await s.delete(s.in("apps/v1/deployments", "a"), { propagationPolicy: "Background" });
      await s.quietly("POST", s.in("secrets"), { metadata: { name: "a" } });
      await s.delete(s.in("secrets", "a"), {});
      const widgets = await define(s, widgetDefinition(s));
      await s.quietly("POST", widgets, widget(s, "a"));
      await s.delete(`${widgets}/a`);
    }),
    probe("P168 some kinds answer with what they were", async (s) => {
      await s.quietly("POST", s.in("pods"), pod("a"));
      await s.delete(s.in("pods", "a"));
      await s.quietly("POST", s.in("services"), service("a"));
      await s.delete(s.in("services", "a"));
      await s.quietly("POST", s.in("serviceaccounts"), { metadata: { name: "a" } });
      await s.delete(s.in("serviceaccounts", "a"));
      await s.quietly("POST", s.in("resourcequotas"), { metadata: { name: "a" } });
      await s.delete(s.in("resourcequotas", "a"));
      await s.quietly("POST", s.in("podtemplates"), { metadata: { name: "a" }, template: podTemplate() });
      await s.delete(s.in("podtemplates", "a"), undefined, { view: (body) => valueAt({ body }, "kind") ?? null });
      await s.quietly("POST", s.all("storage.k8s.io/v1/storageclasses"), { metadata: { name: s.namespace }, provisioner: "example.com/p" });
      await s.delete(s.all("storage.k8s.io/v1/storageclasses", s.namespace));
    }),
    probe("P169 a finalizer holds an object back", async (s) => {
      await s.quietly("POST", s.in("configmaps"), held("a"));
      const first = await s.delete(s.in("configmaps", "a"));
      const second = await s.delete(s.in("configmaps", "a"));
      s.fact("the version stays", versionOf(first) === versionOf(second));
      await s.patch("merge", s.in("configmaps", "a"), { metadata: { finalizers: [] } });
      await s.get(s.in("configmaps", "a"));
    }),
    probe("P170 while it is being deleted an object may change, but get no new finalizers", async (s) => {
      await s.quietly("POST", s.in("configmaps"), held("a"));
      const deleting = await s.delete(s.in("configmaps", "a"));
      await s.patch("merge", s.in("configmaps", "a"), { metadata: { finalizers: ["example.com/f", "example.com/g"] } });
      await s.put(
        s.in("configmaps", "a"),
        changed(deleting, { metadata: { deletionTimestamp: null, deletionGracePeriodSeconds: null }, data: { k: "v" } }),
      );
      await s.patch("merge", s.in("configmaps", "a"), { metadata: { labels: { a: "b" } } });
      await s.post(s.in("configmaps"), configMap("a"));
      await s.patch("json", s.in("configmaps", "a"), [{ op: "remove", path: "/metadata/finalizers/0" }]);
      await s.post(s.in("configmaps"), configMap("a"));
    }),
    probe("P171 a custom object with a finalizer: its generation moves when it is deleted", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      await s.quietly("POST", widgets, widget(s, "a", { metadata: { finalizers: ["example.com/f"] } }));
      await s.delete(`${widgets}/a`);
      await s.patch("merge", `${widgets}/a`, { metadata: { finalizers: null } });
      await s.get(`${widgets}/a`);
    }),
    probe("P171b a Deployment with a finalizer: its generation moves when it is deleted", async (s) => {
      await s.quietly("POST", s.in("apps/v1/deployments"), deployment("a", {}, { finalizers: ["example.com/f"] }));
      await s.delete(s.in("apps/v1/deployments", "a"));
      await s.patch(
        "merge",
        s.in("apps/v1/deployments", "a"),
        { metadata: { finalizers: null } },
        { view: (body) => valueAt({ body }, "metadata", "generation") ?? null },
      );
    }),
    probe("P172 preconditions that do not hold are conflicts", async (s) => {
      const created = await s.post(s.in("configmaps"), configMap("a"));
      await s.delete(s.in("configmaps", "a"), { preconditions: { uid: "00000000-0000-4000-8000-000000000001" } });
      await s.delete(s.in("configmaps", "a"), { preconditions: { resourceVersion: "1" } });
      await s.delete(`${s.in("configmaps", "a")}?uid=00000000-0000-4000-8000-000000000001`);
      await s.delete(`${s.in("configmaps", "a")}?resourceVersion=1`);
      await s.delete(s.in("configmaps", "a"), { preconditions: { uid: uidOf(created), resourceVersion: versionOf(created) } });
    }),
    probe("P173 options that are none, or do not go together", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a"));
      for (const body of [
        { propagationPolicy: "Foo" },
        { propagationPolicy: "Orphan", orphanDependents: true },
        { dryRun: ["Foo"] },
        { gracePeriodSeconds: "x" },
        { kind: "Pod", apiVersion: "v1" },
        { bogus: 1, dryRun: ["All"] },
      ] as readonly JsonObject[])
        await s.delete(s.in("configmaps", "a"), body);
      await s.delete(s.in("configmaps", "a"), "{bad");
      await s.delete(`${s.in("configmaps", "a")}?gracePeriodSeconds=x`);
      await s.delete(`${s.in("configmaps", "a")}?propagationPolicy=Foo`);
      await s.delete(`${s.in("configmaps", "a")}?propagationPolicy=Foo`, { dryRun: ["All"] });
      await s.delete(s.in("configmaps", "a"), { apiVersion: "v1", kind: "DeleteOptions" });
    }),
    probe("P175 a dry run of a deletion deletes nothing", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a"));
      await s.quietly("POST", s.in("configmaps"), held("b"));
      await s.delete(`${s.in("configmaps", "a")}?dryRun=All`);
      await s.delete(s.in("configmaps", "a"), { dryRun: ["All"], propagationPolicy: "Foreground" });
      await s.delete(`${s.in("configmaps", "b")}?dryRun=All`);
      await s.delete(`${s.in("configmaps")}?dryRun=All`);
      await s.get(s.in("configmaps"), { view: (body) => namesOf({ body }) });
      await s.get(s.in("configmaps", "b"));
    }),
    probe("P176 policies become finalizers, which stay while nobody collects", async (s) => {
      for (const [name, body] of [
        ["a", { propagationPolicy: "Orphan" }],
        ["b", { propagationPolicy: "Foreground" }],
        ["c", { orphanDependents: true }],
        ["d", { orphanDependents: false }],
        ["e", { propagationPolicy: "Background" }],
      ] as readonly (readonly [string, JsonObject])[]) {
        await s.quietly("POST", s.in("configmaps"), configMap(name));
        await s.delete(s.in("configmaps", name), body);
      }
      await s.delete(s.in("configmaps", "b"), { propagationPolicy: "Background" });
      await s.delete(s.in("configmaps", "a"), { propagationPolicy: "Foreground" });
      await s.get(s.in("configmaps"), { view: (body) => namesOf({ body }) });
    }),
    probe("P177 a finalizer that says how to delete wins over the default", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a", { metadata: { finalizers: ["orphan"] } }));
      await s.delete(s.in("configmaps", "a"));
      await s.quietly("POST", s.in("configmaps"), configMap("b", { metadata: { finalizers: ["foregroundDeletion"] } }));
      await s.delete(s.in("configmaps", "b"), { propagationPolicy: "Background" });
      await s.quietly("POST", s.in("configmaps"), configMap("c", { metadata: { finalizers: ["example.com/f", "orphan"] } }));
      await s.delete(s.in("configmaps", "c"), { propagationPolicy: "Foreground" });
    }),
    probe("P179 Jobs and ReplicationControllers orphan by default, with a warning", async (s) => {
      await s.quietly("POST", s.in("batch/v1/jobs"), {
        metadata: { name: "j" },
        spec: { template: podTemplate({ restartPolicy: "Never" }) },
      });
      await s.delete(s.in("batch/v1/jobs", "j"));
      await s.quietly("POST", s.in("batch/v1/jobs"), {
        metadata: { name: "k" },
        spec: { template: podTemplate({ restartPolicy: "Never" }) },
      });
      await s.delete(s.in("batch/v1/jobs", "k"), { propagationPolicy: "Background" });
      await s.quietly("POST", s.in("replicationcontrollers"), {
        metadata: { name: "r" },
        spec: { selector: { app: "web" }, template: podTemplate() },
      });
      await s.delete(s.in("replicationcontrollers", "r"));
      await s.quietly("POST", s.in("apps/v1/replicasets"), { metadata: { name: "r" }, spec: workload() });
      await s.delete(s.in("apps/v1/replicasets", "r"));
    }),
    probe("P180 grace of a pod on a node: shortened, never lengthened", async (s) => {
      await s.quietly("POST", s.in("pods"), pod("a", { nodeName: "n1" }));
      await s.delete(s.in("pods", "a"));
      await s.delete(
        s.in("pods", "a"),
        { gracePeriodSeconds: 60 },
        { view: (body) => valueAt({ body }, "metadata", "deletionGracePeriodSeconds") ?? null },
      );
      await s.delete(
        s.in("pods", "a"),
        { gracePeriodSeconds: 5 },
        { view: (body) => valueAt({ body }, "metadata", "deletionGracePeriodSeconds") ?? null },
      );
      await s.delete(`${s.in("pods", "a")}?gracePeriodSeconds=-3`, undefined, {
        view: (body) => valueAt({ body }, "metadata", "deletionGracePeriodSeconds") ?? null,
      });
      await s.get(s.in("pods", "a"));
      await s.delete(s.in("pods", "a"), { gracePeriodSeconds: 0 });
      await s.get(s.in("pods", "a"));
    }),
    probe("P180b a pod without a node, or that has ended, goes at once", async (s) => {
      await s.quietly("POST", s.in("pods"), pod("a"));
      await s.delete(s.in("pods", "a"), { gracePeriodSeconds: 30 });
      await s.get(s.in("pods", "a"));
      await s.quietly("POST", s.in("pods"), pod("b", { nodeName: "n1" }));
      await s.patch("merge", s.in("pods", "b", "status"), { status: { phase: "Succeeded" } }, { view: () => null });
      await s.delete(s.in("pods", "b"), undefined, { view: (body) => valueAt({ body }, "metadata", "deletionTimestamp") ?? null });
      await s.get(s.in("pods", "b"));
      await s.quietly(
        "POST",
        s.in("pods"),
        pod("c", { nodeName: "n1", terminationGracePeriodSeconds: 7 }, { finalizers: ["example.com/f"] }),
      );
      await s.delete(s.in("pods", "c"));
      await s.delete(s.in("pods", "c"), { gracePeriodSeconds: 0 });
      await s.patch("merge", s.in("pods", "c"), { metadata: { finalizers: null } });
      await s.get(s.in("pods", "c"));
    }),
    probe("P181 deleting a collection answers with what it was", async (s) => {
      for (const name of ["a", "b", "c"])
        await s.quietly("POST", s.in("configmaps"), configMap(name, { metadata: { labels: { keep: name === "b" ? "yes" : "no" } } }));
      await s.delete(`${s.in("configmaps")}?labelSelector=keep%3Dno`);
      await s.delete(`${s.in("configmaps")}?labelSelector=keep%3Dno`);
      await s.get(s.in("configmaps"), { view: (body) => namesOf({ body }) });
      await s.delete(`${s.in("configmaps")}?fieldSelector=metadata.name%3Db`);
      await s.delete("/api/v1/namespaces?labelSelector=none%3Dnone");
      await s.delete(s.in("services"));
    }),
    probe("P181b a collection with finalizers, of custom objects, with options", async (s) => {
      await s.quietly("POST", s.in("configmaps"), held("a"));
      await s.quietly("POST", s.in("configmaps"), configMap("b"));
      await s.delete(s.in("configmaps"));
      await s.get(s.in("configmaps"), { view: (body) => namesOf({ body }) });
      const widgets = await define(s, widgetDefinition(s));
      for (const name of ["a", "b"]) await s.quietly("POST", widgets, widget(s, name));
      await s.delete(`${widgets}?fieldSelector=metadata.name%3Da`);
      await s.delete(widgets, { propagationPolicy: "Foreground" });
      await s.delete(`${widgets}?labelSelector=a%3Db%3Dc`);
      await s.delete(`${widgets}?limit=abc`);
    }),
    probe("P183 the owner that may control, and what blocks its deletion, are kept as written", async (s) => {
      const owner = await s.post(s.in("configmaps"), configMap("owner"));
      await s.post(
        s.in("configmaps"),
        configMap("child", {
          metadata: {
            ownerReferences: [
              { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: uidOf(owner), controller: true, blockOwnerDeletion: true },
            ],
          },
        }),
      );
      await s.delete(s.in("configmaps", "owner"), { propagationPolicy: "Foreground" });
      await s.get(s.in("configmaps"));
    }),
  ],
};
