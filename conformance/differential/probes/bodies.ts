/** Bodies and options of writes: what each verb and subresource accepts, refuses and ignores. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { valueAt } from "../exchange.ts";
import { changed, configMap, define, deployment, pod, widget, widgetDefinition } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";

const refusal = {
  view: (body: JsonValue): JsonValue => [valueAt({ body }, "reason") ?? null, valueAt({ body }, "message") ?? null],
};

const at = (...path: readonly string[]): { readonly view: (body: JsonValue) => JsonValue } => ({
  view: (body) => valueAt({ body }, ...path) ?? valueAt({ body }, "message") ?? null,
});

const binding = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Binding",
  metadata: { name },
  target: { kind: "Node", name: "n" },
  ...more,
});

const scaled: JsonObject = {
  subresources: {
    status: {},
    scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas", labelSelectorPath: ".status.selector" },
  },
};

export const bodies: Chapter = {
  name: "bodies",
  probes: [
    probe("P900 bindings of pods", async (s) => {
      for (const name of ["a", "b", "c"]) await s.quietly("POST", s.in("pods"), pod(name));
      await s.post(s.in("pods", "a", "binding"), binding("other"), refusal);
      await s.post(s.in("pods", "a", "binding"), binding("a", { target: {} }), refusal);
      await s.post(s.in("pods", "a", "binding"), binding("a", { target: { kind: "Pod", name: "n" } }), refusal);
      await s.post(s.in("pods", "a", "binding"), binding("a", { target: { kind: "Node", name: "" } }), refusal);
      await s.post(`${s.in("pods", "a", "binding")}?dryRun=All`, binding("a"));
      await s.get(s.in("pods", "a"), at("spec", "nodeName"));
      await s.post(s.in("pods", "a", "binding"), binding("a", { metadata: { name: "a", annotations: { x: "y" }, labels: { l: "1" } } }));
      await s.get(s.in("pods", "a"), at("metadata", "annotations"));
      await s.get(s.in("pods", "a"), at("status", "conditions", "0", "type"));
      await s.post(s.in("pods", "a", "binding"), binding("a"), refusal);
      await s.post(s.in("pods", "missing", "binding"), binding("missing"), refusal);
      await s.get(s.in("pods", "a", "binding"));
    }),
    probe("P901 bindings of a namespace, the older way", async (s) => {
      for (const name of ["a", "b"]) await s.quietly("POST", s.in("pods"), pod(name));
      await s.post(s.in("bindings"), binding("a"));
      await s.get(s.in("pods", "a"), at("spec", "nodeName"));
      await s.post(s.in("bindings"), binding("a"), refusal);
      await s.post(s.in("bindings"), binding("missing"), refusal);
      await s.get(s.in("bindings"));
      await s.post(s.in("bindings"), { ...binding("b"), metadata: {} }, refusal);
    }),
    probe("P902 bindings with the uid and the version of the pod", async (s) => {
      const created = await s.quietly("POST", s.in("pods"), pod("a"));
      const uid = valueAt(created, "metadata", "uid") ?? "";
      await s.post(s.in("pods", "a", "binding"), binding("a", { metadata: { name: "a", uid: "00000000-0000-0000-0000-000000000000" } }), {
        view: (body) => valueAt({ body }, "reason") ?? null,
      });
      await s.post(s.in("pods", "a", "binding"), binding("a", { metadata: { name: "a", resourceVersion: "1" } }), {
        view: (body) => valueAt({ body }, "reason") ?? null,
      });
      await s.post(s.in("pods", "a", "binding"), binding("a", { metadata: { name: "a", uid } }));
    }),
    probe("P903 evictions with options and preconditions", async (s) => {
      const created = await s.quietly("POST", s.in("pods"), pod("a"));
      const evict = (deleteOptions: JsonObject, query = ""): Promise<unknown> =>
        s.post(
          `${s.in("pods", "a", "eviction")}${query}`,
          { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" }, deleteOptions },
          { view: (body) => [valueAt({ body }, "message") ?? valueAt({ body }, "status") ?? null] },
        );
      await evict({ preconditions: { uid: "00000000-0000-0000-0000-000000000000" } });
      await evict({ preconditions: { resourceVersion: "1" } });
      await evict({ propagationPolicy: "Nope" });
      await evict({ orphanDependents: true, propagationPolicy: "Orphan" });
      await evict({ dryRun: ["Nope"] });
      await evict({}, "?dryRun=All");
      await evict({}, "?dryRun=Nope");
      await s.get(s.in("pods", "a"), at("metadata", "name"));
      await evict({ preconditions: { uid: valueAt(created, "metadata", "uid") ?? "" }, gracePeriodSeconds: 0 });
      await s.get(s.in("pods", "a"), refusal);
    }),
    probe("P904 the scale of custom objects: paths that lead nowhere", async (s) => {
      const widgets = await define(s, widgetDefinition(s, { version: scaled }));
      await s.quietly("POST", widgets, widget(s, "w"));
      await s.get(`${widgets}/w/scale`);
      await s.patch("merge", `${widgets}/w/scale`, { spec: { replicas: 4 } });
      await s.get(`${widgets}/w`, at("spec"));
      await s.patch("merge", `${widgets}/w/status`, { status: { replicas: "three", selector: 4 } }, at("status"));
      await s.get(`${widgets}/w/scale`, refusal);
      await s.patch("merge", `${widgets}/w/status`, { status: { replicas: 3, selector: "a=b" } }, at("status"));
      await s.get(`${widgets}/w/scale`);
      await s.get(`${widgets}/missing/scale`, refusal);
      await s.delete(`${widgets}/w/scale`, undefined, refusal);
      await s.post(`${widgets}/w/scale`, { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "w" } }, refusal);
    }),
    probe("P905 replacing the scale of a custom object", async (s) => {
      const widgets = await define(s, widgetDefinition(s, { version: scaled }));
      await s.quietly("POST", widgets, widget(s, "w", { spec: { replicas: 1 } }));
      const scale = (spec: JsonObject, more: JsonObject = {}): JsonObject => ({
        apiVersion: "autoscaling/v1",
        kind: "Scale",
        metadata: { name: "w" },
        spec,
        ...more,
      });
      await s.put(`${widgets}/w/scale`, scale({ replicas: 2 }));
      await s.put(`${widgets}/w/scale`, scale({ replicas: -2 }), refusal);
      await s.put(`${widgets}/w/scale`, scale({ replicas: "2" }), refusal);
      await s.put(`${widgets}/w/scale`, scale({ replicas: 2.5 }), refusal);
      await s.put(`${widgets}/w/scale`, scale({ replicas: 3 }, { kind: "Widget" }), refusal);
      await s.put(`${widgets}/w/scale`, scale({ replicas: 3 }, { apiVersion: `${s.group}/v1` }), refusal);
      await s.put(`${widgets}/w/scale`, scale({ replicas: 3 }, { metadata: { name: "other" } }), refusal);
      await s.put(`${widgets}/w/scale`, scale({ replicas: 3 }, { metadata: { name: "w", resourceVersion: "1" } }), refusal);
      await s.put(`${widgets}/w/scale?dryRun=All`, scale({ replicas: 9 }), at("spec"));
      await s.get(`${widgets}/w`, at("spec", "replicas"));
    }),
    probe("P906 DELETE bodies in YAML and in nothing", async (s) => {
      for (const [type, body] of [
        ["application/yaml", "apiVersion: v1\nkind: DeleteOptions\ndryRun: [All]\n"],
        ["application/yaml", "gracePeriodSeconds: x\n"],
        ["application/yaml", "a: b: c\n"],
        ["text/plain", "{}"],
        ["application/json", ""],
        ["application/json", "null"],
        ["application/json", "{"],
        ["application/json; charset=utf-8", "{}"],
      ] as const) {
        await s.quietly("POST", s.in("configmaps"), configMap("a")).catch(() => undefined);
        await s.delete(s.in("configmaps", "a"), body, { ...refusal, headers: { "content-type": type } });
      }
    }),
    probe("P907 options of deletions in the query and in the body", async (s) => {
      for (const [query, body] of [
        ["?propagationPolicy=Nope", undefined],
        ["?gracePeriodSeconds=x", undefined],
        ["?gracePeriodSeconds=-5", undefined],
        ["?orphanDependents=maybe", undefined],
        ["?orphanDependents=true&propagationPolicy=Orphan", undefined],
        ["?dryRun=Nope", undefined],
        ["?dryRun=All&dryRun=All", undefined],
        ["?preconditions.uid=x", undefined],
        ["?ignoreStoreReadErrorWithClusterBreakingPotential=true", undefined],
        ["?propagationPolicy=Orphan", { propagationPolicy: "Foreground" }],
        ["?dryRun=All", { kind: "DeleteOptions", apiVersion: "v1" }],
      ] as readonly (readonly [string, JsonValue | undefined])[]) {
        await s.quietly("POST", s.in("configmaps"), configMap("a")).catch(() => undefined);
        await s.delete(`${s.in("configmaps", "a")}${query}`, body, {
          view: (answer) => [valueAt({ body: answer }, "message") ?? null, valueAt({ body: answer }, "metadata", "finalizers") ?? null],
        });
        await s.patch("merge", s.in("configmaps", "a"), { metadata: { finalizers: null } }, { view: () => null });
      }
    }),
    probe("P908 options of deleting a collection", async (s) => {
      for (const name of ["a", "b", "c"])
        await s.quietly("POST", s.in("configmaps"), configMap(name, { metadata: { labels: { n: name } } }));
      for (const query of [
        "?labelSelector=(",
        "?fieldSelector=nope=1",
        "?resourceVersion=x",
        "?limit=x",
        "?resourceVersionMatch=Exact",
        "?dryRun=Nope",
        "?propagationPolicy=Nope",
        "?timeoutSeconds=x",
        "?sendInitialEvents=true",
        "?continue=x",
      ])
        await s.delete(`${s.in("configmaps")}${query}`, undefined, refusal);
      const names = {
        view: (body: JsonValue): JsonValue =>
          (valueAt({ body }, "items") as readonly JsonObject[] | undefined)?.map(
            (item) => valueAt({ body: item }, "metadata", "name") ?? null,
          ) ??
          valueAt({ body }, "message") ??
          null,
      };
      await s.delete(`${s.in("configmaps")}?dryRun=All`, undefined, names);
      await s.delete(`${s.in("configmaps")}?fieldSelector=metadata.name=a`, undefined, names);
      await s.delete(
        `${s.in("configmaps")}?labelSelector=n=b`,
        { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid: "x" } },
        refusal,
      );
      await s.delete(`${s.in("configmaps")}?labelSelector=n%3Db`, { dryRun: ["All"] }, names);
      await s.get(s.in("configmaps"), names);
    }),
    probe("P909 deleting collections that cannot be", async (s) => {
      await s.delete(s.all("namespaces"), undefined, refusal);
      await s.delete(s.in("services"), undefined, { view: (body) => valueAt({ body }, "kind") ?? null });
      await s.delete(s.all("configmaps"), undefined, refusal);
      await s.delete(s.in("bindings"), undefined, refusal);
      await s.delete(s.in("apps/v1/deployments", "a", "scale"), undefined, refusal);
      await s.delete(s.in("pods", "a", "log"), undefined, refusal);
      await s.delete("/api/v1", undefined, refusal);
      await s.delete("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", undefined, refusal);
    }),
    probe("P910 dry runs of every verb of a custom object", async (s) => {
      const widgets = await define(s, widgetDefinition(s, { version: scaled }));
      await s.post(`${widgets}?dryRun=All`, widget(s, "dry"), at("metadata", "name"));
      await s.get(`${widgets}/dry`, refusal);
      const before = await s.quietly("POST", widgets, widget(s, "w", { spec: { size: 1 } }));
      await s.put(`${widgets}/w?dryRun=All`, changed(before, { spec: { size: 2 } }), at("metadata", "generation"));
      await s.patch("merge", `${widgets}/w?dryRun=All`, { spec: { size: 3 } }, at("spec", "size"));
      await s.patch("json", `${widgets}/w?dryRun=All`, [{ op: "replace", path: "/spec/size", value: 4 }], at("spec", "size"));
      await s.patch(
        "apply",
        `${widgets}/w?dryRun=All&fieldManager=m&force=true`,
        widget(s, "w", { spec: { size: 5 } }),
        at("spec", "size"),
      );
      await s.patch("apply", `${widgets}/new?dryRun=All&fieldManager=m`, widget(s, "new", { spec: { size: 5 } }), at("spec", "size"));
      await s.patch("merge", `${widgets}/w/status?dryRun=All`, { status: { a: 1 } }, at("status"));
      await s.patch("merge", `${widgets}/w/scale?dryRun=All`, { spec: { replicas: 2 } }, at("spec"));
      await s.delete(`${widgets}/w?dryRun=All`, undefined, at("metadata", "name"));
      await s.delete(`${widgets}?dryRun=All`, undefined, { view: (body) => valueAt({ body }, "kind") ?? null });
      const after = await s.get(`${widgets}/w`, { view: () => null });
      s.fact("nothing changed", JSON.stringify(before.body) === JSON.stringify(after.body));
    }),
    probe("P911 values of dryRun", async (s) => {
      for (const query of ["dryRun=", "dryRun=all", "dryRun=All,All", "dryRun=All&dryRun=None", "dryRun=true", "dryrun=All"])
        await s.post(`${s.in("configmaps")}?${query}`, configMap("a"), { view: (body) => [query, valueAt({ body }, "message") ?? null] });
      await s.get(s.in("configmaps", "a"), at("metadata", "name"));
    }),
    probe("P912 values of fieldValidation", async (s) => {
      for (const query of [
        "fieldValidation=",
        "fieldValidation=strict",
        "fieldValidation=Strict&fieldValidation=Ignore",
        "fieldValidation=None",
      ]) {
        await s.post(`${s.in("configmaps")}?dryRun=All&${query}`, configMap("a", { nope: 1 }), refusal);
        await s.patch("apply", `${s.in("configmaps", "b")}?fieldManager=m&dryRun=All&${query}`, configMap("b", { nope: 1 }), refusal);
      }
      await s.delete(`${s.in("configmaps", "a")}?fieldValidation=Nope`, undefined, refusal);
    }),
    probe("P913 strictness of YAML, also with several documents", async (s) => {
      const yaml = { "content-type": "application/yaml" };
      for (const level of ["Strict", "Warn", "Ignore"])
        for (const text of [
          "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nnope: 1\n",
          "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: a, x: b}\n",
          "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: 1}\n",
          "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\nkind: Pod\n",
          'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {Y: y, n: "no"}\n',
        ])
          await s.post(`${s.in("configmaps")}?dryRun=All&fieldValidation=${level}`, text, { ...refusal, headers: yaml });
    }),
    probe("P914 strictness of custom objects in YAML", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      const head = `apiVersion: ${s.group}/v1\nkind: Widget\nmetadata: {name: w, nope: 1}\n`;
      for (const level of ["Strict", "Warn", "Ignore"])
        for (const text of [
          "spec: {size: 1, nope: 2}\n",
          "spec: {size: 1, size: 2}\n",
          "spec: {parts: [{key: a, other: b}]}\n",
          "spec: {free: {a: 1, a: 2}}\n",
        ])
          await s.post(`${widgets}?dryRun=All&fieldValidation=${level}`, `${head}${text}`, {
            ...refusal,
            headers: { "content-type": "application/yaml" },
          });
    }),
    probe("P915 strictness of every kind of patch of a Deployment", async (s) => {
      await s.quietly("POST", s.in("apps/v1/deployments"), deployment("d"));
      const path = s.in("apps/v1/deployments", "d");
      for (const level of ["Strict", "Warn", "Ignore"]) {
        await s.patch(
          "merge",
          `${path}?dryRun=All&fieldValidation=${level}`,
          { spec: { nope: 1, template: { spec: { nope: 2 } } } },
          refusal,
        );
        await s.patch(
          "strategic",
          `${path}?dryRun=All&fieldValidation=${level}`,
          { spec: { template: { spec: { containers: [{ name: "c", nope: 1 }] } } } },
          refusal,
        );
        await s.patch(
          "json",
          `${path}?dryRun=All&fieldValidation=${level}`,
          [{ op: "add", path: "/spec/nope", value: 1, more: 2 }],
          refusal,
        );
        await s.patch(
          "apply",
          `${path}?dryRun=All&fieldManager=m&fieldValidation=${level}`,
          { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d" }, spec: { nope: 1 } },
          refusal,
        );
      }
    }),
  ],
};
