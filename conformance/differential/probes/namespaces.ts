/** Namespaces: their creation, their deletion without controllers, and writes in between. */
import { valueAt, versionOf } from "../exchange.ts";
import { changed, configMap } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";

export const namespaces: Chapter = {
  name: "namespaces",
  probes: [
    probe("P184 some namespaces may not be deleted", async (s) => {
      for (const name of ["default", "kube-system", "kube-public"]) await s.delete(`/api/v1/namespaces/${name}`);
      await s.get(`/api/v1/namespaces/${s.namespace}`);
      await s.delete(`/api/v1/namespaces/${s.namespace}?dryRun=All`);
      await s.delete(`/api/v1/namespaces/${s.namespace}`);
      await s.delete(`/api/v1/namespaces/${s.namespace}`);
      await s.get(`/api/v1/namespaces/${s.namespace}`);
    }),
    probe("P185 nothing new in a namespace that is being deleted", async (s) => {
      await s.post(s.in("configmaps"), configMap("a"));
      await s.delete(`/api/v1/namespaces/${s.namespace}`);
      await s.settle({ method: "POST", path: `${s.in("configmaps")}?dryRun=All`, body: configMap("b") }, ({ status }) => status === 403);
      await s.post(s.in("configmaps"), configMap("b"));
      await s.post(s.in("apps/v1/deployments"), { metadata: { name: "d" } });
      await s.apply(s.in("configmaps", "c"), "one", configMap("c"));
      await s.patch("merge", s.in("configmaps", "a"), { data: { k: "v" } });
      await s.delete(s.in("configmaps", "a"));
      await s.post("/api/v1/namespaces", { metadata: { name: s.namespace } });
    }),
    probe("P186 finalize takes the last hold away", async (s) => {
      const own = `/api/v1/namespaces/${s.namespace}`;
      await s.patch("merge", own, { spec: { finalizers: [] } });
      const read = await s.get(own);
      await s.put(`${own}/finalize`, changed(read, { spec: { finalizers: ["kubernetes", "example.com/mine"] } }));
      const deleting = await s.delete(own);
      await s.put(`${own}/finalize`, changed(deleting, { metadata: { resourceVersion: null }, spec: { finalizers: ["bad finalizer"] } }));
      await s.put(`${own}/finalize`, changed(deleting, { spec: { finalizers: [] } }));
      await s.get(own);
      await s.get(`${own}/finalize`);
      await s.post(`${own}/finalize`, {});
    }),
    probe("P186b the label with the name stays, others are free", async (s) => {
      const own = `/api/v1/namespaces/${s.namespace}`;
      await s.patch("merge", own, { metadata: { labels: { "kubernetes.io/metadata.name": "other", a: "b" } } });
      await s.patch("merge", own, { metadata: { labels: { "kubernetes.io/metadata.name": null } } });
      const created = await s.post("/api/v1/namespaces", {
        metadata: { name: `${s.namespace}-x`, labels: { a: "b" } },
        spec: { finalizers: ["example.com/mine"] },
        status: { phase: "Terminating" },
      });
      s.fact("has a version", versionOf(created) !== "");
    }),
    probe("P186c the status of a namespace", async (s) => {
      const own = `/api/v1/namespaces/${s.namespace}`;
      await s.patch("merge", `${own}/status`, {
        status: { conditions: [{ type: "NamespaceContentRemaining", status: "True", reason: "Why", message: "why" }] },
        metadata: { labels: { a: "b" } },
      });
      await s.patch("merge", `${own}/status`, { status: { phase: "Terminating" } });
      await s.get(own);
    }),
    probe("P186d the namespaces of the beginning", async (s) => {
      for (const name of ["default", "kube-system", "kube-public", "kube-node-lease"])
        await s.get(`/api/v1/namespaces/${name}`, {
          view: (body) => [
            valueAt({ body }, "metadata", "labels") ?? null,
            valueAt({ body }, "spec") ?? null,
            valueAt({ body }, "status") ?? null,
          ],
        });
    }),
    probe("P187 an object with a finalizer outlives the end of its namespace, and cannot be changed there", async (s) => {
      await s.post(s.in("configmaps"), configMap("a", { metadata: { finalizers: ["example.com/f"] } }));
      const deleting = await s.delete(`/api/v1/namespaces/${s.namespace}`);
      await s.put(`/api/v1/namespaces/${s.namespace}/finalize`, changed(deleting, { spec: { finalizers: [] } }), { view: () => null });
      await s.get(s.in("configmaps", "a"));
      await s.settle(
        {
          method: "PATCH",
          path: `${s.in("configmaps", "a")}?dryRun=All`,
          body: {},
          headers: { "content-type": "application/merge-patch+json" },
        },
        ({ status }) => status === 404,
      );
      await s.patch("merge", s.in("configmaps", "a"), { metadata: { finalizers: null } });
    }),
  ],
};
