/** Patches: JSON, merge and strategic, on built-in and custom objects. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { valueAt, versionOf } from "../exchange.ts";
import { configMap, container, define, deployment, pod, widget, widgetDefinition } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";
import type { ProbeSession } from "../session.ts";

const viewOf = (...path: readonly string[]): { readonly view: (body: JsonValue) => JsonValue } => ({
  view: (body) => valueAt({ body }, ...path) ?? valueAt({ body }, "message") ?? null,
});
const spec = viewOf("spec", "template", "spec");

/** Creates a ConfigMap with data and labels, unrecorded, and returns its path. */
async function made(s: ProbeSession, extra: JsonObject = { data: { a: "1", b: "2" } }): Promise<string> {
  await s.quietly("POST", s.in("configmaps"), configMap("a", extra));
  return s.in("configmaps", "a");
}

/** Creates a Deployment with two containers, unrecorded, and returns its path. */
async function deployed(s: ProbeSession, podSpec: JsonObject = {}): Promise<string> {
  const containers = [
    container({
      name: "c1",
      env: [
        { name: "A", value: "1" },
        { name: "B", value: "2" },
      ],
      command: ["run", "it"],
      ports: [{ containerPort: 80 }],
    }),
    container({ name: "c2" }),
  ];
  await s.quietly(
    "POST",
    s.in("apps/v1/deployments"),
    deployment("d", { template: { metadata: { labels: { app: "web" } }, spec: { containers, ...podSpec } } }),
  );
  return s.in("apps/v1/deployments", "d");
}

const template = (podSpec: JsonObject): JsonObject => ({ spec: { template: { spec: podSpec } } });

export const patch: Chapter = {
  name: "patch",
  probes: [
    probe("P130 content types that are no patches are refused", async (s) => {
      const path = await made(s);
      for (const type of ["application/json", "text/plain", "", "application/yaml"])
        await s.send({ method: "PATCH", path, headers: { "content-type": type }, body: {} });
      const widgets = await define(s, widgetDefinition(s));
      await s.post(widgets, widget(s, "w"), { view: () => null });
      await s.patch("strategic", `${widgets}/w`, { spec: { size: 1 } });
      await s.send({ method: "PATCH", path: `${widgets}/w`, headers: { "content-type": "application/json" }, body: {} });
    }),
    probe("P131 JSON patches that fail, all in the same words", async (s) => {
      const path = await made(s);
      for (const operation of [
        { op: "test", path: "/data/a", value: "9" },
        { op: "remove", path: "/data/none" },
        { op: "bad", path: "/data/a" },
        { op: "add", path: "/none/deep", value: 1 },
        { op: "copy", from: "/none", path: "/data/c" },
        { op: "add", path: "no-slash", value: 1 },
        { path: "/data/a" },
      ])
        await s.patch("json", path, [operation]);
      await s.patch("json", path, {});
      await s.patch("json", path, "{bad");
      await s.patch("json", path, "null");
      await s.patch("json", path, []);
    }),
    probe("P132 JSON patches that work, in order", async (s) => {
      const path = await made(s, { metadata: { annotations: { a: "b" } }, data: { a: "1", b: "2" } });
      await s.patch("json", path, [
        { op: "test", path: "/data/a", value: "1" },
        { op: "replace", path: "/data/a", value: "3" },
        { op: "add", path: "/metadata/annotations/example.com~1d", value: "x" },
        { op: "move", from: "/data/b", path: "/data/e" },
        { op: "copy", from: "/data/a", path: "/data/f" },
        { op: "remove", path: "/data/f" },
      ]);
      await s.patch("json", path, [{ op: "replace", path: "/data/new", value: "made" }], viewOf("data"));
      await s.patch("json", path, [{ op: "test", path: "/data/none", value: null }], viewOf("data"));
      await s.patch("json", path, [{ op: "remove", path: "/data" }], viewOf("data"));
      const d = await deployed(s);
      await s.patch("json", d, [{ op: "add", path: "/spec/template/spec/containers/-", value: { name: "c3", image: "i" } }], spec);
      await s.patch("json", d, [{ op: "remove", path: "/spec/template/spec/containers/-1" }], spec);
      await s.patch("json", d, [{ op: "add", path: "/spec/template/spec/containers/0", value: { name: "c0", image: "i" } }], spec);
    }),
    probe("P133 merge patches: null removes, lists are replaced, what is no object is refused", async (s) => {
      const path = await made(s);
      await s.patch("merge", path, { data: { a: null, c: "3" } });
      await s.patch("merge", path, [{ a: 1 }]);
      await s.patch("merge", path, "{bad");
      await s.patch("merge", path, "null");
      await s.patch("merge", path, "3");
      await s.patch("merge", path, "");
      await s.patch("merge", path, { data: null });
      await s.patch("merge", path, {});
      const d = await deployed(s);
      await s.patch("merge", d, template({ containers: [{ name: "only", image: "i" }] }), spec);
    }),
    probe("P134 a patch whose result cannot be read", async (s) => {
      const path = await made(s);
      await s.patch("merge", path, { data: "x" });
      await s.patch("merge", path, { metadata: { labels: ["x"] } });
      await s.patch("json", path, [{ op: "replace", path: "/data/a", value: 1 }]);
      await s.patch("strategic", path, { data: { a: 1 } });
      await s.patch("strategic", path, { data: "x" });
    }),
    probe("P135 a patch whose result is not valid", async (s) => {
      const path = await made(s);
      await s.patch("merge", path, { metadata: { labels: { k: "bad value" } } });
      await s.patch("merge", path, { data: { "bad key": "v" } });
      await s.patch("merge", await deployed(s), { spec: { replicas: -1 } });
    }),
    probe("P136 a version in a patch is a condition; names may not change; what is missing is missing", async (s) => {
      const path = await made(s);
      const first = await s.patch("merge", path, { data: { a: "2" } });
      await s.patch("merge", path, { metadata: { resourceVersion: "1" }, data: { a: "3" } });
      await s.patch("merge", path, { metadata: { resourceVersion: versionOf(first) }, data: { a: "4" } });
      await s.patch("merge", path, { metadata: { resourceVersion: null }, data: { a: "5" } });
      await s.patch("merge", path, { metadata: { name: "b" } });
      await s.patch("merge", path, { metadata: { namespace: "b" } });
      await s.patch("merge", path, { kind: "Secret" });
      await s.patch("merge", path, { apiVersion: "v2" });
      await s.patch("merge", s.in("configmaps", "nope"), {});
      await s.patch("json", s.in("configmaps", "nope"), []);
      await s.patch("strategic", s.in("configmaps", "nope"), {});
    }),
    probe("P137 options of patches", async (s) => {
      const path = await made(s);
      for (const query of ["force=true", "force=false", "force=", "dryRun=Foo", "fieldValidation=Foo", `fieldManager=${"m".repeat(129)}`])
        await s.patch("merge", `${path}?${query}`, {});
      await s.patch("merge", `${path}?fieldManager=me&dryRun=All`, { data: { a: "9" } });
      await s.get(path);
    }),
    probe("P138 a patch that changes nothing writes nothing", async (s) => {
      const path = await made(s);
      const before = await s.get(path);
      const same: readonly (readonly ["merge" | "json" | "strategic", JsonValue])[] = [
        ["merge", { data: { a: "1" } }],
        ["json", [{ op: "replace", path: "/data/a", value: "1" }]],
        ["strategic", { data: { a: "1" } }],
      ];
      for (const [type, body] of same) {
        const after = await s.patch(type, path, body, { view: () => null });
        s.fact(`${type}: the version stays`, versionOf(before) === versionOf(after));
      }
    }),
    probe("P139 strategic: items merge by name, in the order the patch asks for", async (s) => {
      const path = await deployed(s);
      await s.patch(
        "strategic",
        path,
        template({
          containers: [
            { name: "c2", image: "new" },
            { name: "c3", image: "i" },
          ],
        }),
        spec,
      );
      await s.patch(
        "strategic",
        path,
        template({
          "$setElementOrder/containers": [{ name: "c3" }, { name: "c1" }, { name: "c2" }],
          containers: [{ name: "c1", image: "ordered" }],
        }),
        spec,
      );
      await s.patch("strategic", path, template({ containers: [{ name: "c3", $patch: "delete" }] }), spec);
      await s.patch("strategic", path, template({ containers: [{ $patch: "replace" }, { name: "alone", image: "i" }] }), spec);
    }),
    probe("P140 strategic: environment merges by name, commands are replaced", async (s) => {
      const path = await deployed(s);
      await s.patch(
        "strategic",
        path,
        template({
          containers: [
            {
              name: "c1",
              env: [
                { name: "B", value: "changed" },
                { name: "C", value: "3" },
              ],
              command: ["other"],
            },
          ],
        }),
        spec,
      );
      await s.patch(
        "strategic",
        path,
        template({
          containers: [
            { name: "c1", env: [{ name: "A", $patch: "delete" }], ports: [{ containerPort: 80, protocol: "UDP" }, { containerPort: 81 }] },
          ],
        }),
        spec,
      );
      await s.patch("strategic", path, template({ containers: [{ name: "c1", env: null }] }), spec);
    }),
    probe("P141 strategic: patches that make no sense", async (s) => {
      const path = await deployed(s);
      await s.patch("strategic", path, template({ containers: [{ image: "nameless" }] }));
      await s.patch("strategic", path, template({ containers: { name: "c1" } }));
      await s.patch("strategic", path, template({ $patch: "bogus" }));
      await s.patch(
        "strategic",
        path,
        template({ "$setElementOrder/containers": [{ name: "c2" }, { name: "c1" }], containers: [{ name: "c1" }, { name: "c2" }] }),
      );
      await s.patch("strategic", path, "null");
      await s.patch("strategic", path, "[]");
      await s.patch("strategic", path, "{bad");
      await s.patch("strategic", path, { spec: { replicas: "two" } });
    }),
    probe("P142 strategic: retained keys switch the source of a volume", async (s) => {
      const path = await deployed(s, { volumes: [{ name: "v", emptyDir: {} }] });
      await s.patch("strategic", path, template({ volumes: [{ name: "v", configMap: { name: "c" } }] }));
      await s.patch(
        "strategic",
        path,
        template({ volumes: [{ name: "v", $retainKeys: ["name", "configMap"], configMap: { name: "c" } }] }),
        spec,
      );
      await s.patch("strategic", path, { spec: { strategy: { type: "Recreate" } } });
      await s.patch("strategic", path, { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } }, viewOf("spec", "strategy"));
      await s.patch(
        "merge",
        path,
        { spec: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 2 } } } },
        viewOf("spec", "strategy"),
      );
    }),
    probe("P143 strategic: lists of words merge, new ones first, and single ones are deleted", async (s) => {
      const path = await made(s, { metadata: { finalizers: ["example.com/b"] } });
      const finalizers = viewOf("metadata", "finalizers");
      await s.patch("strategic", path, { metadata: { finalizers: ["example.com/c"] } }, finalizers);
      await s.patch(
        "strategic",
        path,
        { metadata: { "$setElementOrder/finalizers": ["example.com/b", "example.com/c", "example.com/d"], finalizers: ["example.com/d"] } },
        finalizers,
      );
      await s.patch(
        "strategic",
        path,
        { metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/b", "example.com/c"] } },
        finalizers,
      );
      await s.patch("strategic", path, { metadata: { finalizers: null } }, finalizers);
    }),
    probe("P144 strategic: owner references merge by uid", async (s) => {
      const owner = (digit: number): JsonObject => ({
        apiVersion: "v1",
        kind: "Pod",
        name: `p${digit}`,
        uid: `00000000-0000-4000-8000-00000000000${digit}`,
      });
      const path = await made(s, { metadata: { ownerReferences: [owner(1)] } });
      await s.patch("strategic", path, { metadata: { ownerReferences: [owner(2)] } }, viewOf("metadata", "ownerReferences"));
      await s.patch(
        "strategic",
        path,
        { metadata: { ownerReferences: [{ uid: owner(1)["uid"] ?? "", $patch: "delete" }] } },
        viewOf("metadata", "ownerReferences"),
      );
      await s.patch("merge", path, { metadata: { ownerReferences: [owner(3)] } }, viewOf("metadata", "ownerReferences"));
    }),
    probe("P145 strategic: null deletes a label, unknown fields are dropped with a warning", async (s) => {
      const path = await made(s, { metadata: { labels: { a: "1", b: "2" } } });
      await s.patch("strategic", path, { metadata: { labels: { a: null, c: "3" } } });
      await s.patch("strategic", path, { spec: { bogus: 1 }, unknown: { deep: [1] } });
      await s.patch("strategic", `${path}?fieldValidation=Strict`, { unknown: 1 });
      await s.patch("strategic", path, { metadata: { labels: { $patch: "replace", only: "this" } } });
      await s.patch("strategic", path, { metadata: { labels: { $patch: "delete" } } });
    }),
    probe("P145b strictness of each kind of patch, on a built-in and on a custom object", async (s) => {
      const path = await made(s);
      const widgets = await define(s, widgetDefinition(s));
      await s.post(widgets, widget(s, "w"), { view: () => null });
      for (const fieldValidation of ["Strict", "Warn", "Ignore"]) {
        for (const target of [path, `${widgets}/w`]) {
          await s.patch("merge", `${target}?fieldValidation=${fieldValidation}`, { spec: { bogus: 1 }, foo: 1 }, viewOf("spec"));
          await s.patch(
            "json",
            `${target}?fieldValidation=${fieldValidation}`,
            [{ op: "add", path: "/foo", value: 1, extra: true }],
            viewOf("spec"),
          );
          await s.patch(
            "merge",
            `${target}?fieldValidation=${fieldValidation}`,
            '{"metadata":{"labels":{"a":"1","a":"2"}}}',
            viewOf("metadata", "labels"),
          );
        }
      }
    }),
    probe("P146 the scale of a Deployment is patched", async (s) => {
      const path = await deployed(s);
      await s.patch("merge", `${path}/scale`, { spec: { replicas: 4 } });
      await s.patch("json", `${path}/scale`, [{ op: "replace", path: "/spec/replicas", value: 5 }]);
      await s.patch("strategic", `${path}/scale`, { spec: { replicas: 6 } });
      await s.patch("merge", `${path}/scale`, { spec: { replicas: -1 } });
      await s.patch("merge", `${path}/scale`, { metadata: { labels: { a: "b" } } });
      await s.get(path, viewOf("spec", "replicas"));
    }),
    probe("P147 JSON and merge patches of custom objects", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      await s.post(widgets, widget(s, "w", { spec: { tags: ["a"], free: { x: { y: 1 } } } }), { view: () => null });
      await s.patch("merge", `${widgets}/w`, { spec: { tags: ["b"], free: { x: null, z: [1, 2] } } });
      await s.patch("json", `${widgets}/w`, [
        { op: "add", path: "/spec/tags/-", value: "c" },
        { op: "replace", path: "/spec/size", value: 5 },
      ]);
      await s.patch("merge", `${widgets}/w`, { spec: { size: 99 } });
      await s.patch("merge", `${widgets}/w`, { spec: { size: null } });
      await s.patch("merge", `${widgets}/w`, { spec: "x" });
      await s.patch("merge", `${widgets}/w`, { metadata: { resourceVersion: null } });
      await s.patch("json", `${widgets}/w`, [{ op: "test", path: "/spec/size", value: 1 }]);
    }),
    probe("P147b a patch of status changes nothing else", async (s) => {
      await s.post(s.in("pods"), pod("p"), { view: () => null });
      await s.patch("strategic", s.in("pods", "p", "status"), {
        status: { conditions: [{ type: "Ready", status: "True" }], phase: "Running" },
        spec: { nodeName: "n" },
        metadata: { labels: { a: "b" } },
      });
      await s.patch(
        "strategic",
        s.in("pods", "p", "status"),
        { status: { conditions: [{ type: "Other", status: "False" }], podIP: "1.2.3.4", podIPs: [{ ip: "1.2.3.4" }] } },
        viewOf("status"),
      );
      await s.patch("merge", s.in("pods", "p", "status"), { status: { conditions: [] } }, viewOf("status"));
    }),
    probe("P147c a JSON patch may have ten thousand operations and not one more", async (s) => {
      const path = await made(s);
      const operations = (count: number): JsonValue => Array.from({ length: count }, () => ({ op: "test", path: "/data/a", value: "1" }));
      await s.patch("json", path, operations(10_000), viewOf("data"));
      await s.patch("json", path, operations(10_001));
    }),
  ],
};
