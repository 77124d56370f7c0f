/** Details of the wire that were found to differ by users, and their neighbours. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { textAt, valueAt } from "../exchange.ts";
import { asPartial, asTable, changed, configMap, define, deployment, pod, schema, widget, widgetDefinition } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";

const refusal = {
  view: (body: JsonValue): JsonValue => [valueAt({ body }, "reason") ?? null, valueAt({ body }, "message") ?? null],
};
const eviction = (apiVersion: string, name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion,
  kind: "Eviction",
  metadata: { name },
  ...more,
});

export const details: Chapter = {
  name: "details",
  probes: [
    probe("P260 evictions in both versions, and in none", async (s) => {
      for (const [name, version] of [
        ["a", "policy/v1"],
        ["b", "policy/v1beta1"],
        ["c", "policy/v2"],
        ["d", "v1"],
        ["e", ""],
      ] as const) {
        await s.quietly("POST", s.in("pods"), pod(name));
        await s.post(s.in("pods", name, "eviction"), eviction(version, name));
      }
      await s.post(s.in("pods", "c", "eviction"), eviction("policy/v1beta1", "other"));
      await s.post(s.in("pods", "c", "eviction"), eviction("policy/v1beta1", "c", { deleteOptions: { gracePeriodSeconds: -1 } }));
      await s.post(s.in("pods", "c", "eviction"), { ...eviction("policy/v1beta1", "c"), kind: "Pod" });
      await s.post(s.in("pods", "c", "eviction"), eviction("policy/v1beta1", "c", { deleteOptions: { dryRun: ["All"] } }));
      await s.post(s.in("pods", "missing", "eviction"), eviction("policy/v1beta1", "missing"));
    }),
    probe("P261 dry-run creates with a version", async (s) => {
      for (const version of ["0", "1", "123", "x", ""])
        await s.post(`${s.in("configmaps")}?dryRun=All`, configMap("a", { metadata: { resourceVersion: version } }));
      const widgets = await define(s, widgetDefinition(s));
      for (const version of ["0", "1", "x"])
        await s.post(`${widgets}?dryRun=All`, { ...widget(s, "w"), metadata: { name: "w", resourceVersion: version } });
    }),
    probe("P262 a version of the future", async (s) => {
      await s.get(`${s.in("configmaps")}?resourceVersion=9000000000000`);
      await s.get(`${s.in("configmaps", "a")}?resourceVersion=9000000000000`);
      await s.get(`${s.in("configmaps")}?resourceVersion=9000000000000&resourceVersionMatch=Exact`);
      await s.get(`${s.in("configmaps")}?resourceVersion=9000000000000&limit=1`);
    }),
    probe("P263 bodies of other versions and kinds", async (s) => {
      const paths = { configMaps: s.in("configmaps"), deployments: s.in("apps/v1/deployments") };
      for (const [apiVersion, kind] of [
        ["v2", "ConfigMap"],
        ["v1beta1", "ConfigMap"],
        ["apps/v1", "ConfigMap"],
        ["nope/v1", "ConfigMap"],
        ["a/b/c", "ConfigMap"],
        ["v1", "Nope"],
        ["v1", "configmap"],
        ["v1", "Pod"],
        ["v1", "ConfigMapList"],
        ["v1", "List"],
        ["v1", "Status"],
        ["v1", "DeleteOptions"],
        ["", "ConfigMap"],
        ["v1", ""],
        ["apps/v1beta1", "Deployment"],
        ["extensions/v1beta1", "Deployment"],
        ["apps/v1", "Scale"],
      ] as const) {
        const body = { apiVersion, kind, metadata: { name: "a" } };
        for (const path of Object.values(paths)) await s.post(`${path}?dryRun=All`, body, refusal);
      }
    }),
    probe("P264 the same in replacements and applies", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a"));
      for (const [apiVersion, kind] of [
        ["v2", "ConfigMap"],
        ["v1", "Pod"],
        ["nope/v1", "ConfigMap"],
        ["", ""],
        ["v1", ""],
      ] as const) {
        const body = { apiVersion, kind, metadata: { name: "a" } };
        await s.put(s.in("configmaps", "a"), body, refusal);
        await s.patch("apply", `${s.in("configmaps", "a")}?fieldManager=m`, body, refusal);
        await s.patch("merge", s.in("configmaps", "a"), { apiVersion, kind }, refusal);
        await s.patch("strategic", s.in("configmaps", "a"), { apiVersion, kind }, refusal);
      }
    }),
    probe("P265 bodies of deletions", async (s) => {
      for (const body of [
        { kind: "DeleteOptions", apiVersion: "v1" },
        { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1" },
        { kind: "DeleteOptions", apiVersion: "apps/v1" },
        { kind: "DeleteOptions", apiVersion: "nope/v1" },
        { kind: "DeleteOptions", apiVersion: "v2" },
        { kind: "DeleteOptions" },
        { kind: "Pod", apiVersion: "v1" },
        { kind: "Status", apiVersion: "v1" },
        { apiVersion: "v1" },
        {},
        { nope: 1 },
        { gracePeriodSeconds: "1" },
        { propagationPolicy: 1 },
        { dryRun: "All" },
        { dryRun: ["Some"] },
        { preconditions: { resourceVersion: 1 } },
        { orphanDependents: true, propagationPolicy: "Background" },
        [],
        "text",
      ] as readonly JsonValue[]) {
        const text = JSON.stringify(body);
        await s.quietly("POST", s.in("configmaps"), configMap("a"));
        await s.delete(s.in("configmaps", "a"), text, refusal);
        await s.settle({ path: s.in("configmaps", "a"), method: "DELETE" }, ({ status }) => status === 404);
      }
    }),
    probe("P266 bodies of scale", async (s) => {
      const path = s.in("apps/v1/deployments");
      await s.quietly("POST", path, deployment("d"));
      const scale = { metadata: { name: "d", namespace: s.namespace }, spec: { replicas: 2 } };
      for (const [apiVersion, kind] of [
        ["autoscaling/v1", "Scale"],
        ["autoscaling/v2", "Scale"],
        ["apps/v1", "Scale"],
        ["apps/v1beta1", "Scale"],
        ["extensions/v1beta1", "Scale"],
        ["v1", "Scale"],
        ["autoscaling/v1", "Deployment"],
        ["", "Scale"],
        ["autoscaling/v1", ""],
      ] as const)
        await s.put(`${path}/d/scale`, { apiVersion, kind, ...scale });
      await s.put(`${path}/d/scale`, { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "other" }, spec: { replicas: 1 } });
      await s.put(`${path}/d/scale`, { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "d" }, spec: { replicas: -1 } });
      await s.put(`${path}/missing/scale`, { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "missing" } });
    }),
    probe("P267 sets of numbers in custom objects", async (s) => {
      const numbersOf = { type: "array", items: { type: "number" }, "x-kubernetes-list-type": "set" };
      const widgets = await define(s, widgetDefinition(s, { version: { schema: schema({ numbers: numbersOf }) } }));
      for (const numbers of ["[1,1.0]", "[1,1]", "[1.0,1.0]", "[1,1e0]", "[0,-0]", "[0.1,0.10]", "[100,1e2]"])
        await s.post(
          `${widgets}?dryRun=All`,
          `{"apiVersion":"${s.group}/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"numbers":${numbers}}}`,
          { view: (body) => [numbers, valueAt({ body }, "message") ?? null] },
        );
    }),
    probe("P268 labels of Jobs, of a CronJob and of their own", async (s) => {
      const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
      await s.post(s.in("batch/v1/jobs"), { apiVersion: "batch/v1", kind: "Job", metadata: { name: "j" }, spec: { template } });
      await s.post(s.in("batch/v1/jobs"), { apiVersion: "batch/v1", kind: "Job", metadata: { generateName: "g-" }, spec: { template } });
      await s.post(s.in("batch/v1/jobs"), {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "m", labels: { own: "1" } },
        spec: { manualSelector: true, selector: { matchLabels: { a: "b" } }, template: { ...template, metadata: { labels: { a: "b" } } } },
      });
    }),
    probe("P269 health with checks left out", async (s) => {
      for (const path of ["/readyz", "/livez", "/healthz"])
        for (const query of ["exclude=etcd", "exclude=nope", "verbose&exclude=etcd", "exclude=etcd&exclude=ping", "exclude="])
          await s.get(`${path}?${query}`, { raw: true, view: () => null });
      for (const check of ["ping", "etcd", "nope", "log"]) await s.get(`/readyz/${check}`, { raw: true });
    }),
    probe("P270 timeouts of requests", async (s) => {
      for (const timeout of ["1ns", "0", "0s", "-1s", "x", "1", "34s", "1h"]) {
        await s.post(`${s.in("configmaps")}?dryRun=All&timeout=${timeout}`, configMap("a"), refusal);
        await s.get(`${s.in("configmaps")}?timeout=${timeout}`, refusal);
      }
    }),
    probe(
      "P271 paths with doubled slashes and unknown versions",
      async (s) => {
        for (const path of [
          "//api/v1/namespaces/default",
          "/api//v1/namespaces/default",
          "/api/v1//namespaces/default",
          "/api/v1/namespaces//default",
          "/api/v1/namespaces/default//",
          "/apis//apps/v1/deployments",
          "/apis/apps//v1/deployments",
          "/apis/apps/v1//deployments",
          "/api/v2/namespaces",
          "/api/v1beta1/pods",
          "/apis/apps/v2/deployments",
          "/apis/apps/v1beta1/deployments",
          "/apis/nope/v1/things",
          "/apis/nope",
          "/apis/apps/v1/nope",
          "/apis/apps/v1/namespaces/default/nope",
          "/api/v1/nope",
          "/api/v1/namespaces/default/nope/a",
          "/api/v1/namespaces/default/pods/a/nope",
          "/api/v1/namespaces/default/pods/a/log/b",
          "/api/v1/pods/a",
          "/api/v1/nodes/a/nope",
          "/api/v1/namespaces/default/nodes",
          "/api/v1/namespaces/default/namespaces",
          "/api",
          "/api/",
          "/apis/",
          "/nope",
          "/nope/",
          "/./api",
          "/api/../apis",
          "/api/v1/./namespaces",
          "/api/v1/%6eamespaces",
          "/api/v1/namespaces?limit=1&limit=2",
        ])
          await s.get(path, {
            view: (body) => [
              path,
              typeof body === "string" ? body : [valueAt({ body }, "kind") ?? null, valueAt({ body }, "message") ?? null],
            ],
          });
      },
      { alone: true },
    ),
    probe("P272 methods that HTTP does not know, and some that it does", async (s) => {
      for (const method of ["LIST", "WATCH", "OPTIONS", "HEAD", "TRACE", "PURGE", "get"])
        for (const path of [s.in("configmaps"), s.in("configmaps", "a"), "/version", "/api", "/nope"])
          await s.send({ method, path, ...refusal });
    }),
    probe("P273 many warnings, and long ones", async (s) => {
      const fields = (count: number, length: number): JsonObject =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${String(index).padStart(3, "0")}${"x".repeat(length)}`, 1]));
      for (const [count, length] of [
        [3, 10],
        [3, 300],
        [3, 2000],
        [1, 5000],
        [60, 100],
        [500, 3],
      ] as const)
        await s.post(`${s.in("configmaps")}?dryRun=All`, { ...configMap("a"), ...fields(count, length) }, refusal);
    }),
    probe("P274 a list posted to a collection", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      await s.post(widgets, { apiVersion: `${s.group}/v1`, kind: "WidgetList", metadata: {}, items: [widget(s, "w")] });
      await s.post(widgets, { apiVersion: `${s.group}/v1`, kind: "Widget", metadata: { name: "i" }, items: [widget(s, "w")] });
      await s.post(widgets, { apiVersion: "v1", kind: "List", items: [widget(s, "w")] });
      await s.post(s.in("configmaps"), { apiVersion: "v1", kind: "ConfigMapList", items: [configMap("a")] });
      await s.post(s.in("configmaps"), { apiVersion: "v1", kind: "List", items: [configMap("a")] });
      await s.post(s.in("configmaps"), [configMap("a")] as JsonValue);
    }),
    probe("P275 reviews as tables and as metadata", async (s) => {
      const review = {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        spec: { nonResourceAttributes: { path: "/", verb: "get" } },
      };
      const token = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token: "nope" } };
      for (const accept of [asTable, asPartial]) {
        const options = { headers: { accept } };
        await s.post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review, options);
        await s.post("/apis/authentication.k8s.io/v1/tokenreviews", token, options);
        await s.post(
          "/apis/authentication.k8s.io/v1/selfsubjectreviews",
          { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
          options,
        );
      }
    }),
    probe("P276 metadata of token requests", async (s) => {
      await s.quietly("POST", s.in("serviceaccounts"), { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "a" } });
      const view = { view: (body: JsonValue) => [valueAt({ body }, "metadata") ?? null, valueAt({ body }, "message") ?? null] };
      for (const metadata of [
        {},
        { name: "a" },
        { name: "b" },
        { namespace: "other" },
        { labels: { a: "b" } },
        { uid: "x" },
        { generateName: "g" },
      ])
        await s.post(
          s.in("serviceaccounts", "a", "token"),
          { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata, spec: {} },
          view,
        );
      await s.post(s.in("serviceaccounts", "a", "token"), {}, view);
      await s.post(s.in("serviceaccounts", "missing", "token"), {}, view);
    }),
    probe("P277 revisions beyond 2^53", async (s) => {
      const created = await s.post(s.in("apps/v1/deployments"), deployment("d"));
      for (const revision of ["9007199254740993", "9223372036854775807", "9223372036854775808", "-1"])
        await s.put(
          `${s.in("apps/v1/deployments", "d")}?dryRun=All`,
          changed(created, { metadata: { annotations: { "deployment.kubernetes.io/revision": revision } } }),
          {
            view: (body) => valueAt({ body }, "metadata", "annotations") ?? valueAt({ body }, "message") ?? null,
          },
        );
      for (const revision of ["9007199254740993", "9223372036854775807", "9223372036854775808", "1.0", "1e3"])
        await s.post(
          `${s.in("apps/v1/controllerrevisions")}?dryRun=All`,
          `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"r"},"data":{"a":1},"revision":${revision}}`,
          { raw: true, view: (body) => /"(?:revision|message)":[^,}]*/.exec(textAt({ body }))?.[0] ?? null },
        );
    }),
  ],
};
