/** Server-side apply: field ownership, conflicts, and removal of fields. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { changed, configMap, container, define, deployment, service, widget, widgetDefinition } from "../probe-objects.ts";
import { valueAt, versionOf } from "../exchange.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";

const cm = (data: JsonValue): JsonObject => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data });
const managers = { view: (body: JsonValue): JsonValue => valueAt({ body }, "metadata", "managedFields") ?? null };
const dep = (spec: JsonObject): JsonObject => ({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d" }, spec });

export const apply: Chapter = {
  name: "apply",
  probes: [
    probe("P148 applying the same again writes nothing", async (s) => {
      const first = await s.apply(s.in("configmaps", "a"), "one", cm({ a: "1" }));
      const second = await s.apply(s.in("configmaps", "a"), "one", cm({ a: "1" }));
      s.fact("the version stays", versionOf(first) === versionOf(second));
    }),
    probe("P149 another value of another manager is a conflict", async (s) => {
      await s.apply(s.in("configmaps", "a"), "one", cm({ a: "1", b: "2" }));
      await s.apply(s.in("configmaps", "a"), "two", cm({ a: "9" }));
      await s.apply(s.in("configmaps", "a"), "two", cm({ a: "9", b: "9" }));
      await s.apply(s.in("configmaps", "a"), "two", cm({ a: "1", c: "3" }));
      await s.get(s.in("configmaps", "a"));
    }),
    probe("P150 applied fields that are left out go, unless others want them", async (s) => {
      await s.apply(s.in("configmaps", "a"), "one", cm({ a: "1", b: "2" }));
      await s.apply(s.in("configmaps", "a"), "two", cm({ b: "2" }));
      await s.apply(s.in("configmaps", "a"), "one", cm({}));
      await s.apply(s.in("configmaps", "a"), "two", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } });
      await s.apply(s.in("configmaps", "a"), "one", cm(null));
    }),
    probe("P151 conflicts with those who did not apply name their version", async (s) => {
      await s.post(`${s.in("configmaps")}?fieldManager=creator`, configMap("a", { data: { a: "1", b: "2" } }));
      await s.apply(s.in("configmaps", "a"), "one", cm({ a: "9" }));
      await s.apply(s.in("configmaps", "a"), "one", cm({ a: "9", b: "9" }));
      await s.patch("merge", `${s.in("configmaps", "a")}?fieldManager=patcher`, { data: { b: "3" } });
      await s.apply(s.in("configmaps", "a"), "one", cm({ a: "9", b: "9" }));
    }),
    probe("P152 force takes ownership", async (s) => {
      await s.apply(s.in("configmaps", "a"), "one", cm({ a: "1", b: "2" }));
      await s.apply(s.in("configmaps", "a"), "two", cm({ a: "9" }), "&force=true");
      await s.apply(s.in("configmaps", "a"), "one", cm({ b: "2" }));
      await s.apply(s.in("configmaps", "a"), "two", cm({ a: "9" }), "&force=false");
    }),
    probe("P153 apply needs a manager and the right kind, and no managers in its body", async (s) => {
      await s.patch("apply", s.in("configmaps", "a"), cm({}));
      await s.apply(s.in("configmaps", "a"), "one", { ...cm({}), kind: "Secret" });
      await s.apply(s.in("configmaps", "a"), "one", { ...cm({}), apiVersion: "v2" });
      await s.apply(s.in("configmaps", "a"), "one", { metadata: { name: "a" } });
      await s.apply(s.in("configmaps", "a"), "one", { ...cm({}), metadata: { name: "a", managedFields: [{ manager: "x" }] } });
      await s.apply(s.in("configmaps", "a"), "one", { ...cm({}), metadata: { name: "b" } });
      await s.apply(s.in("configmaps", "a"), "one", { ...cm({}), metadata: { name: "a", namespace: "elsewhere" } });
      await s.apply(s.in("configmaps", "a"), "one", { ...cm({}), metadata: {} });
      await s.apply(s.in("configmaps", "a"), "one", { ...cm({}), metadata: { name: "a", resourceVersion: "5" } });
      await s.apply(s.in("configmaps", "a"), "one", { ...cm({ k: "v" }), metadata: { name: "a", resourceVersion: "5" } });
    }),
    probe("P154 what is no YAML, or has a key twice", async (s) => {
      await s.apply(s.in("configmaps", "a"), "one", "{bad");
      await s.apply(s.in("configmaps", "a"), "one", "a: [");
      await s.apply(s.in("configmaps", "a"), "one", "");
      await s.apply(s.in("configmaps", "a"), "one", "[]");
      await s.apply(s.in("configmaps", "a"), "one", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: one\n  k: two\n");
      await s.apply(
        s.in("configmaps", "a"),
        "one",
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: one\n  k: two\n",
        "&fieldValidation=Strict",
      );
    }),
    probe("P155 fields that are not in the schema, and keys that are there twice", async (s) => {
      await s.apply(s.in("configmaps", "a"), "one", { ...cm({}), foo: 1 });
      await s.apply(s.in("configmaps", "a"), "one", { ...cm({}), foo: 1 }, "&fieldValidation=Ignore");
      await s.apply(s.in("apps/v1/deployments", "d"), "one", dep({ zzz: 1 }));
      await s.apply(s.in("apps/v1/deployments", "d"), "one", dep({ template: { spec: { containers: [{ name: "c" }, { name: "c" }] } } }));
      await s.apply(s.in("apps/v1/deployments", "d"), "one", dep({ replicas: "two" }));
      await s.apply(s.in("apps/v1/deployments", "d"), "one", dep({ template: { spec: { containers: { name: "c" } } } }));
      await s.apply(s.in("configmaps", "a"), "one", cm({ k: 1 }));
    }),
    probe("P156 apply creates what is missing, valid or not at all", async (s) => {
      await s.apply(s.in("apps/v1/deployments", "d"), "one", dep({ replicas: 2 }));
      await s.apply(s.in("apps/v1/deployments", "d"), "one", deployment("d", { replicas: 2 }));
      await s.apply(s.in("apps/v1/deployments", "d"), "one", deployment("d"));
      await s.apply(s.in("apps/v1/deployments", "d"), "two", dep({ replicas: 3 }));
    }),
    probe("P157 two managers own different items of a list with keys", async (s) => {
      await s.apply(s.in("apps/v1/deployments", "d"), "one", deployment("d"));
      const env = (...names: string[]): JsonObject =>
        dep({ template: { spec: { containers: [{ name: "c", env: names.map((name) => ({ name, value: name })) }] } } });
      const two = await s.apply(s.in("apps/v1/deployments", "d"), "two", env("A", "B"), "&force=true");
      s.fact("answered", two.status);
      await s.apply(s.in("apps/v1/deployments", "d"), "three", env("C"));
      await s.apply(s.in("apps/v1/deployments", "d"), "two", env("A"));
      await s.apply(
        s.in("apps/v1/deployments", "d"),
        "three",
        dep({ template: { spec: { containers: [{ name: "side", image: "i" }, { name: "c" }] } } }),
      );
    }),
    probe("P157b sets and lists with keys of a custom kind", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      const w = (spec: JsonObject): JsonObject => widget(s, "w", { spec });
      await s.apply(`${widgets}/w`, "one", w({ tags: ["a", "b"], parts: [{ key: "x", value: "1" }] }));
      await s.apply(`${widgets}/w`, "two", w({ tags: ["b", "c"], parts: [{ key: "y", value: "2" }] }));
      await s.apply(
        `${widgets}/w`,
        "one",
        w({
          tags: ["a"],
          parts: [
            { key: "x", value: "1" },
            { key: "y", value: "9" },
          ],
        }),
      );
      await s.apply(`${widgets}/w`, "one", w({ tags: ["a"] }));
      await s.apply(`${widgets}/w`, "two", w({}));
      await s.apply(`${widgets}/w`, "one", w({ tags: ["a", "a"] }));
      await s.apply(`${widgets}/w`, "one", w({ parts: [{ value: "keyless" }] }));
    }),
    probe("P158 ports have two keys, one of them with a default", async (s) => {
      await s.apply(s.in("services", "s"), "one", service("s", { ports: [{ port: 80, name: "a" }] }));
      await s.apply(s.in("services", "s"), "two", service("s", { ports: [{ port: 81, name: "b", protocol: "UDP" }] }));
      await s.apply(s.in("services", "s"), "one", service("s", { ports: [{ port: 82, name: "c" }] }));
    }),
    probe("P159 a dry run of apply leaves nothing", async (s) => {
      await s.apply(s.in("configmaps", "a"), "one", cm({ a: "1" }), "&dryRun=All");
      await s.get(s.in("configmaps", "a"));
      await s.apply(s.in("configmaps", "a"), "one", cm({ a: "1" }));
      await s.apply(s.in("configmaps", "a"), "one", cm({ a: "2" }), "&dryRun=All");
      await s.apply(s.in("configmaps", "a"), "two", cm({ a: "2" }), "&dryRun=All");
      await s.get(s.in("configmaps", "a"));
    }),
    probe("P160 apply to status owns status alone", async (s) => {
      const widgets = await define(s, widgetDefinition(s, { version: { subresources: { status: {} } } }));
      await s.apply(`${widgets}/w/status`, "one", widget(s, "w", { status: { x: 1 } }));
      await s.apply(`${widgets}/w`, "one", widget(s, "w", { spec: { size: 1 }, status: { x: 1 } }));
      await s.apply(`${widgets}/w/status`, "one", widget(s, "w", { spec: { size: 5 }, status: { x: 2 } }));
      await s.apply(`${widgets}/w/status`, "two", widget(s, "w", { status: { x: 3 } }));
    }),
    probe("P160b apply to the status of a Deployment", async (s) => {
      await s.apply(s.in("apps/v1/deployments", "d"), "one", deployment("d"));
      const status = (extra: JsonObject): JsonObject => ({
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "d" },
        status: extra,
      });
      await s.apply(
        s.in("apps/v1/deployments", "d", "status"),
        "kubelet",
        status({ conditions: [{ type: "Available", status: "True" }], replicas: 1 }),
        "",
      );
      await s.apply(s.in("apps/v1/deployments", "d", "status"), "other", status({ conditions: [{ type: "Progressing", status: "True" }] }));
      await s.apply(s.in("apps/v1/deployments", "d", "status"), "other", status({ replicas: 2 }));
    }),
    probe("P161 more than ten who did not apply become one", async (s) => {
      await s.post(`${s.in("configmaps")}?fieldManager=m00`, configMap("a", { data: { k0: "v" } }), managers);
      for (let index = 1; index <= 11; index++)
        await s.settle(
          {
            method: "PATCH",
            path: `${s.in("configmaps", "a")}?fieldManager=m${String(index).padStart(2, "0")}`,
            headers: { "content-type": "application/merge-patch+json" },
            body: { data: { [`k${index}`]: "v" } },
          },
          () => true,
        );
      await s.get(s.in("configmaps", "a"), {
        view: (body) => {
          const entries = valueAt({ body }, "metadata", "managedFields");
          return Array.isArray(entries)
            ? { count: entries.length, ancient: entries.filter((entry) => valueAt({ body: entry }, "manager") === "ancient-changes") }
            : null;
        },
      });
    }),
    probe("P162 an object without managers gets one before the first apply", async (s) => {
      const created = await s.post(s.in("configmaps"), configMap("a", { data: { a: "1" } }));
      await s.put(s.in("configmaps", "a"), changed(created, { metadata: { managedFields: [] } }));
      await s.patch("merge", s.in("configmaps", "a"), { data: { b: "2" } });
      await s.apply(s.in("configmaps", "a"), "one", cm({ a: "9" }));
      await s.apply(s.in("configmaps", "a"), "one", cm({ a: "1", c: "3" }));
    }),
    probe("P163 managers are kept without being sent, and reset when sent empty", async (s) => {
      await s.apply(s.in("configmaps", "a"), "one", cm({ a: "1" }));
      await s.put(`${s.in("configmaps", "a")}?fieldManager=putter`, configMap("a", { data: { a: "1", b: "2" } }), managers);
      await s.put(
        `${s.in("configmaps", "a")}?fieldManager=putter`,
        configMap("a", { metadata: { managedFields: null }, data: { a: "2", b: "2" } }),
        managers,
      );
      await s.put(
        `${s.in("configmaps", "a")}?fieldManager=putter`,
        configMap("a", { metadata: { managedFields: [{}] }, data: { a: "3" } }),
        managers,
      );
      await s.put(
        `${s.in("configmaps", "a")}?fieldManager=putter`,
        configMap("a", {
          metadata: {
            managedFields: [
              { manager: "x", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: { "f:data": { "f:a": {} } } },
            ],
          },
          data: { a: "3" },
        }),
        managers,
      );
      await s.put(
        `${s.in("configmaps", "a")}?fieldManager=putter`,
        configMap("a", { metadata: { managedFields: [{ manager: "x", operation: "Nonsense" }] }, data: { a: "3" } }),
      );
      await s.post(
        s.in("configmaps"),
        configMap("b", {
          metadata: {
            managedFields: [
              { manager: "x", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: { "f:data": { "f:a": {} } } },
            ],
          },
          data: { a: "3" },
        }),
        managers,
      );
    }),
    probe("P164 kubectl: applying on the server after applying on the client is no conflict", async (s) => {
      const last = JSON.stringify(cm({ a: "1", b: "2" }));
      await s.post(
        `${s.in("configmaps")}?fieldManager=kubectl-client-side-apply`,
        configMap("a", {
          metadata: { annotations: { "kubectl.kubernetes.io/last-applied-configuration": `${last}\n` } },
          data: { a: "1", b: "2" },
        }),
      );
      await s.apply(s.in("configmaps", "a"), "kubectl", cm({ a: "9" }));
      await s.apply(s.in("configmaps", "a"), "other", cm({ b: "9" }));
    }),
    probe("P165 every way of writing is a manager of its own", async (s) => {
      await s.apply(s.in("apps/v1/deployments", "d"), "m", deployment("d"));
      await s.patch("merge", `${s.in("apps/v1/deployments", "d")}?fieldManager=m`, { spec: { paused: true } }, managers);
      await s.patch("merge", `${s.in("apps/v1/deployments", "d", "status")}?fieldManager=m`, { status: { replicas: 1 } }, managers);
      await s.patch("merge", `${s.in("apps/v1/deployments", "d", "scale")}?fieldManager=m`, { spec: { replicas: 5 } }, managers);
      await s.get(s.in("apps/v1/deployments", "d"), managers);
      await s.apply(s.in("apps/v1/deployments", "d"), "hand", dep({ replicas: 2 }));
    }),
    probe("P165b apply to scale", async (s) => {
      await s.apply(s.in("apps/v1/deployments", "d"), "one", deployment("d", { replicas: 1 }));
      const scale = (replicas: number): JsonObject => ({
        apiVersion: "autoscaling/v1",
        kind: "Scale",
        metadata: { name: "d" },
        spec: { replicas },
      });
      await s.apply(s.in("apps/v1/deployments", "d", "scale"), "hpa", scale(4));
      await s.apply(s.in("apps/v1/deployments", "d", "scale"), "hpa", scale(4), "&force=true");
      await s.get(s.in("apps/v1/deployments", "d"), managers);
      await s.apply(s.in("apps/v1/deployments", "d"), "one", deployment("d", { replicas: 1 }));
      await s.apply(s.in("apps/v1/deployments", "d"), "one", deployment("d"));
    }),
    probe("P166 what is atomic is owned as a whole", async (s) => {
      const podSpec = {
        nodeSelector: { a: "b" },
        tolerations: [{ key: "x", operator: "Exists" }],
        containers: [container({ command: ["a", "b"], args: ["c"] })],
      };
      await s.apply(
        s.in("apps/v1/deployments", "d"),
        "one",
        deployment("d", { template: { metadata: { labels: { app: "web" } }, spec: podSpec } }),
      );
      await s.apply(
        s.in("apps/v1/deployments", "d"),
        "two",
        dep({ template: { spec: { tolerations: [{ key: "y", operator: "Exists" }] } } }),
      );
      await s.apply(s.in("apps/v1/deployments", "d"), "two", dep({ template: { spec: { nodeSelector: { c: "d" } } } }));
      await s.apply(s.in("apps/v1/deployments", "d"), "two", dep({ template: { spec: { containers: [{ name: "c", command: ["z"] }] } } }));
      await s.apply(s.in("apps/v1/deployments", "d"), "two", dep({ selector: { matchLabels: { app: "web", b: "c" } } }));
    }),
    probe("P166b labels, annotations, finalizers and owners are owned one by one", async (s) => {
      const meta = (metadata: JsonObject): JsonObject => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", ...metadata } });
      const owner = (digit: number): JsonObject => ({
        apiVersion: "v1",
        kind: "Pod",
        name: `p${digit}`,
        uid: `00000000-0000-4000-8000-00000000000${digit}`,
      });
      await s.apply(
        s.in("configmaps", "a"),
        "one",
        meta({ labels: { a: "1" }, annotations: { a: "1" }, finalizers: ["example.com/a"], ownerReferences: [owner(1)] }),
      );
      await s.apply(
        s.in("configmaps", "a"),
        "two",
        meta({ labels: { b: "2" }, annotations: { b: "2" }, finalizers: ["example.com/b"], ownerReferences: [owner(2)] }),
      );
      await s.apply(s.in("configmaps", "a"), "one", meta({}));
    }),
    probe("P166c null in an applied configuration, and empty things", async (s) => {
      await s.apply(s.in("configmaps", "a"), "one", cm({ a: null, b: "2" }));
      await s.apply(s.in("configmaps", "a"), "one", { ...cm({}), metadata: { name: "a", labels: null, annotations: {} } });
      const widgets = await define(s, widgetDefinition(s));
      await s.apply(`${widgets}/w`, "one", widget(s, "w", { spec: { free: { a: null, b: {}, c: [] }, tags: [] } }));
    }),
    probe("P166d apply to an object that is being deleted, and one that was deleted", async (s) => {
      await s.apply(s.in("configmaps", "a"), "one", { ...cm({ a: "1" }), metadata: { name: "a", finalizers: ["example.com/f"] } });
      await s.delete(s.in("configmaps", "a"), undefined, { view: () => null });
      await s.apply(s.in("configmaps", "a"), "two", cm({ b: "2" }));
      await s.apply(s.in("configmaps", "a"), "one", cm({ a: "1" }));
      await s.apply(s.in("configmaps", "a"), "one", cm({ a: "1" }));
    }),
    probe("P166e YAML with comments and anchors is applied", async (s) => {
      await s.apply(
        s.in("configmaps", "a"),
        "one",
        "# comment\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: &v text\n  y: *v\n  z: |\n    lines\n    of text\n",
      );
    }),
  ],
};
