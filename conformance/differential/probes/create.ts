/** Creating: defaults, stored fields, and errors with their messages. */
import type { JsonValue } from "@drover/machinery";
import { textAt, valueAt, versionOf } from "../exchange.ts";
import { configMap, define, pod, widget, widgetDefinition } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";

const yaml = { headers: { "content-type": "application/yaml" } };

export const create: Chapter = {
  name: "create",
  probes: [
    probe("P038 a minimal object gets uid, time, version and its manager", async (s) => {
      const created = await s.post(s.in("configmaps"), configMap("a", { data: { k: "v" } }));
      const read = await s.get(s.in("configmaps", "a"));
      s.fact("the version read is the version answered", versionOf(created) === versionOf(read));
      s.fact("the uid is of version 4", /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/.test(textAt(read, "metadata", "uid")));
    }),
    probe("P039 the manager is the user agent up to the slash, or what the query says", async (s) => {
      const managers = { view: (body: JsonValue): JsonValue => valueAt({ body }, "metadata", "managedFields") ?? null };
      await s.post(s.in("configmaps"), configMap("a"), { ...managers, headers: { "user-agent": "tool/v1.2 (linux)" } });
      await s.post(`${s.in("configmaps")}?fieldManager=me`, configMap("b", { data: { k: "v" } }), managers);
      await s.post(s.in("configmaps"), configMap("c", { data: { k: "v" } }), { ...managers, headers: { "user-agent": "" } });
      await s.post(`${s.in("configmaps")}?fieldManager=${"m".repeat(128)}`, configMap("d", { data: { k: "v" } }), managers);
    }),
    probe("P040 a version is refused on create, unless it is 0", async (s) => {
      await s.post(s.in("configmaps"), configMap("a", { metadata: { resourceVersion: "5" } }));
      await s.post(s.in("configmaps"), configMap("a", { metadata: { resourceVersion: "0" } }));
      await s.post(s.in("configmaps"), configMap("b", { metadata: { resourceVersion: "abc" } }));
    }),
    probe("P041 uid, times and selfLink of the body are replaced, generation stays", async (s) => {
      await s.post(
        s.in("configmaps"),
        configMap("a", {
          metadata: {
            uid: "00000000-0000-4000-8000-000000000001",
            creationTimestamp: "2001-01-01T00:00:00Z",
            selfLink: "/x",
            generation: 7,
            deletionTimestamp: "2001-01-01T00:00:00Z",
            deletionGracePeriodSeconds: 5,
          },
        }),
      );
      await s.get(s.in("configmaps", "a"));
      await s.post(
        s.in("apps/v1/deployments"),
        {
          metadata: { name: "d", generation: 7 },
          spec: {
            selector: { matchLabels: { a: "b" } },
            template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
          },
        },
        { view: (body) => valueAt({ body }, "metadata", "generation") ?? null },
      );
    }),
    probe("P042 the same name twice is a conflict, also in a dry run", async (s) => {
      await s.post(s.in("configmaps"), configMap("a"));
      await s.post(s.in("configmaps"), configMap("a", { data: { k: "other" } }));
      await s.post(`${s.in("configmaps")}?dryRun=All`, configMap("a"));
      await s.get(s.in("configmaps", "a"));
    }),
    probe("P043 a name with capitals is refused", async (s) => {
      await s.post(s.in("configmaps"), configMap("Bad_Name"));
      await s.post(s.in("configmaps"), configMap(""));
      await s.post(s.in("configmaps"), configMap("a".repeat(254)));
      await s.post(s.in("configmaps"), configMap("a..b"));
      await s.post(s.in("services"), { metadata: { name: "a.b" }, spec: { ports: [{ port: 80 }] } });
      await s.post("/api/v1/namespaces", { metadata: { name: "Up" } });
      await s.post(s.in("rbac.authorization.k8s.io/v1/roles"), { metadata: { name: "system:a/b%" } });
    }),
    probe("P044 another namespace in the body is refused, none is filled in", async (s) => {
      await s.post(s.in("configmaps"), configMap("a", { metadata: { namespace: "elsewhere" } }));
      await s.post(s.in("configmaps"), configMap("a"));
      await s.post(s.all("configmaps"), configMap("b", { metadata: { namespace: s.namespace } }));
      await s.post("/api/v1/namespaces", { metadata: { name: `${s.namespace}-x`, namespace: "elsewhere" } });
    }),
    probe("P045 creating in a namespace that is not there says so", async (s) => {
      await s.post("/api/v1/namespaces/p045-missing/configmaps", configMap("a"));
      await s.post("/api/v1/namespaces/p045-missing/configmaps?dryRun=All", configMap("a"));
      await s.get("/api/v1/namespaces/p045-missing/configmaps");
    }),
    probe("P046 another version or kind in the body is refused", async (s) => {
      await s.post(s.in("configmaps"), { ...configMap("a"), apiVersion: "v2" });
      await s.post(s.in("configmaps"), { ...configMap("a"), kind: "Secret" });
      await s.post(s.in("configmaps"), { ...configMap("a"), kind: "Nothing" });
      await s.post(s.in("configmaps"), { ...configMap("a"), apiVersion: "apps/v1" });
      await s.post(s.in("configmaps"), { ...configMap("a"), apiVersion: "a/b/c" });
    }),
    probe("P047 a built-in body may leave out its type, a custom one may not", async (s) => {
      await s.post(s.in("configmaps"), { metadata: { name: "a" }, data: { k: "v" } });
      const widgets = await define(s, widgetDefinition(s));
      await s.post(widgets, { metadata: { name: "a" } });
      await s.post(widgets, { kind: "Widget", metadata: { name: "a" } });
      await s.post(widgets, { apiVersion: `${s.group}/v1`, metadata: { name: "a" } });
    }),
    probe("P049 a body that is no JSON is refused", async (s) => {
      for (const body of ["{bad", "", "[]", "null", "3", '"text"', '{"a":1}trailing', '{"metadata":{"name":"a"}', "\u0000"])
        await s.post(s.in("configmaps"), body);
    }),
    probe("P050 a value of the wrong type is refused with its place", async (s) => {
      await s.post(s.in("configmaps"), { metadata: { name: "a" }, data: { k: 1 } });
      await s.post(s.in("configmaps"), { metadata: { name: "a" }, data: ["k"] });
      await s.post(s.in("configmaps"), { metadata: "a" });
      await s.post(s.in("configmaps"), { metadata: { name: "a", labels: { k: true } } });
      await s.post(s.in("pods"), { metadata: { name: "a" }, spec: { containers: {} } });
      await s.post(s.in("pods"), pod("a", { terminationGracePeriodSeconds: "30" }));
      await s.post(s.in("configmaps"), { metadata: { name: "a", creationTimestamp: "yesterday" } });
    }),
    probe("P051 unknown fields are dropped with a warning, refused when strict, silent when ignored", async (s) => {
      const body = { ...configMap("a"), foo: 1, metadata: { name: "a", bar: 2 } };
      await s.post(s.in("configmaps"), body);
      await s.post(`${s.in("configmaps")}?fieldValidation=Strict`, { ...body, metadata: { name: "b", bar: 2 } });
      await s.post(`${s.in("configmaps")}?fieldValidation=Ignore`, { ...body, metadata: { name: "c", bar: 2 } });
      await s.post(`${s.in("configmaps")}?fieldValidation=Warn`, { ...body, metadata: { name: "d", bar: 2 } });
      await s.post(
        `${s.in("pods")}?fieldValidation=Strict`,
        pod("p", { containers: [{ name: "c", image: "i", imagePolicy: "x", ports: [{ containerPort: 80, port: 1 }] }], nodename: "n" }),
      );
    }),
    probe("P052 duplicate keys: the last wins with a warning, strictly they are refused", async (s) => {
      await s.post(s.in("configmaps"), '{"metadata":{"name":"a"},"data":{"k":"1","k":"2"}}');
      await s.post(`${s.in("configmaps")}?fieldValidation=Strict`, '{"metadata":{"name":"b"},"data":{"k":"1","k":"2"},"foo":1}');
      await s.post(s.in("configmaps"), '{"metadata":{"name":"c"},"data":{"k":"1"},"data":{"l":"2"}}');
      await s.post(`${s.in("configmaps")}?fieldValidation=Ignore`, '{"metadata":{"name":"d","name":"e"}}');
    }),
    probe("P053 options that are none are refused", async (s) => {
      await s.post(`${s.in("configmaps")}?fieldValidation=Foo`, configMap("a"));
      await s.post(`${s.in("configmaps")}?dryRun=Foo`, configMap("a"));
      await s.post(`${s.in("configmaps")}?dryRun=All&dryRun=Foo`, configMap("a"));
      await s.post(`${s.in("configmaps")}?dryRun=`, configMap("b"));
      await s.post(`${s.in("configmaps")}?fieldManager=${"m".repeat(129)}`, configMap("a"));
      await s.post(`${s.in("configmaps")}?fieldManager=%07`, configMap("a"));
    }),
    probe("P054 a dry run answers as if, and leaves nothing", async (s) => {
      await s.post(`${s.in("configmaps")}?dryRun=All`, configMap("a", { data: { k: "v" } }));
      await s.get(s.in("configmaps", "a"));
      await s.post(`${s.in("configmaps")}?dryRun=All`, configMap("Bad"));
      await s.post(
        `${s.in("configmaps")}?dryRun=All`,
        { metadata: { generateName: "g-" } },
        { view: (body) => /^g-.{5}$/.test(textAt({ body }, "metadata", "name")) },
      );
    }),
    probe("P055 YAML is read as YAML 1.1", async (s) => {
      await s.post(s.in("configmaps"), "metadata:\n  name: y\n", yaml);
      await s.post(s.in("configmaps"), 'metadata:\n  name: "y"\ndata:\n  a: &x one\n  b: *x\n', yaml);
      await s.post(s.in("configmaps"), "metadata:\n  name: two\ndata: {k: v}\n---\nmetadata:\n  name: three\n", yaml);
      await s.post(s.in("configmaps"), '{"metadata":{"name":"json"}}', yaml);
      await s.post(s.in("configmaps"), "metadata:\n  name: four\n");
      await s.post(s.in("configmaps"), "metadata:\n\tname: tab\n", yaml);
      await s.post(s.in("configmaps"), "metadata:\n  name: dup\ndata:\n  k: a\n  k: b\nfoo: 1\n", yaml);
      await s.post(`${s.in("configmaps")}?fieldValidation=Strict`, "metadata:\n  name: dup2\ndata:\n  k: a\n  k: b\n", yaml);
    }),
    probe("P056 a content type that is none is refused", async (s) => {
      await s.post(s.in("configmaps"), configMap("a"), { headers: { "content-type": "text/xml" } });
      await s.post(s.in("configmaps"), configMap("a"), { headers: { "content-type": "" } });
      await s.post(s.in("configmaps"), configMap("b"), { headers: { "content-type": "application/json; charset=utf-8" } });
      await s.post(s.in("configmaps"), configMap("c"), { headers: { "content-type": "nonsense" } });
    }),
    probe("P058 more than a megabyte in a ConfigMap or a Secret is refused", async (s) => {
      await s.post(s.in("configmaps"), configMap("a", { data: { k: "x".repeat(1_100_000) } }), {
        view: (body) => valueAt({ body }, "details") ?? null,
      });
      await s.post(
        s.in("secrets"),
        { metadata: { name: "a" }, stringData: { k: "x".repeat(1_100_000) } },
        { view: (body) => valueAt({ body }, "details") ?? null },
      );
      await s.post(s.in("configmaps"), configMap("a", { metadata: { annotations: { k: "x".repeat(262_144) } } }), {
        view: (body) => valueAt({ body }, "details") ?? null,
      });
    }),
    probe("P059 generateName adds five letters", async (s) => {
      const one = await s.post(s.in("configmaps"), { metadata: { generateName: "gen-" } });
      const two = await s.post(s.in("configmaps"), { metadata: { generateName: "gen-" } });
      s.fact(
        "letters of the alphabet",
        [one, two].every((answer) => /^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/.test(textAt(answer, "metadata", "name"))),
      );
      s.fact("two names", textAt(one, "metadata", "name") !== textAt(two, "metadata", "name"));
      const long = await s.settle(
        { method: "POST", path: s.in("configmaps"), body: { metadata: { generateName: "g".repeat(80) } } },
        () => true,
      );
      s.fact("length of a name made from 80 letters", textAt(long, "metadata", "name").length);
      await s.post(s.in("configmaps"), { metadata: { generateName: "Bad_" } }, { view: (body) => valueAt({ body }, "reason") ?? null });
    }),
    probe("P061 name wins over generateName", async (s) => {
      await s.post(s.in("configmaps"), configMap("a", { metadata: { generateName: "gen-" } }));
      await s.post(s.in("configmaps"), configMap("a", { metadata: { generateName: "gen-" } }));
    }),
    probe("P062 bad labels and annotations are refused, each with its cause", async (s) => {
      await s.post(s.in("configmaps"), configMap("a", { metadata: { labels: { "bad key": "v" } } }));
      await s.post(s.in("configmaps"), configMap("a", { metadata: { labels: { k: "bad value!" } } }));
      await s.post(s.in("configmaps"), configMap("a", { metadata: { labels: { k: "x".repeat(64) } } }));
      await s.post(s.in("configmaps"), configMap("a", { metadata: { annotations: { "Bad/Key/x": "v" } } }));
      await s.post(s.in("configmaps"), configMap("a", { metadata: { annotations: { "UP/k": "any value! ☃" } } }));
    }),
    probe("P064 finalizers of built-in kinds need a slash, those of custom ones only get a warning", async (s) => {
      await s.post(s.in("configmaps"), configMap("a", { metadata: { finalizers: ["noslash"] } }));
      await s.post(s.in("configmaps"), configMap("a", { metadata: { finalizers: ["orphan", "foregroundDeletion"] } }));
      await s.post(s.in("configmaps"), configMap("a", { metadata: { finalizers: ["example.com/a b"] } }));
      const widgets = await define(s, widgetDefinition(s));
      await s.post(widgets, widget(s, "a", { metadata: { finalizers: ["noslash"] } }));
      await s.patch("merge", `${widgets}/a`, { metadata: { finalizers: null } });
    }),
    probe("P065 owner references must be whole, and one may control", async (s) => {
      await s.post(s.in("configmaps"), configMap("a", { metadata: { ownerReferences: [{}] } }));
      const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "00000000-0000-4000-8000-000000000001", controller: true };
      await s.post(
        s.in("configmaps"),
        configMap("a", { metadata: { ownerReferences: [owner, { ...owner, name: "q", uid: "00000000-0000-4000-8000-000000000002" }] } }),
      );
      await s.post(s.in("configmaps"), configMap("a", { metadata: { ownerReferences: [{ ...owner, kind: "Event" }] } }));
      await s.post(s.in("configmaps"), configMap("a", { metadata: { ownerReferences: [owner, owner] } }));
    }),
    probe("P066 keys of data are checked, data and binaryData may not share one", async (s) => {
      await s.post(s.in("configmaps"), configMap("a", { data: { "bad key": "v" } }));
      await s.post(s.in("configmaps"), configMap("a", { data: { "..": "v" } }));
      await s.post(s.in("configmaps"), configMap("a", { data: { k: "v" }, binaryData: { k: "eA==" } }));
      await s.post(s.in("configmaps"), configMap("a", { binaryData: { k: "!" } }));
      await s.post(s.in("configmaps"), configMap("a", { binaryData: { k: "eA==" }, data: { l: "\u2028<&>" } }));
    }),
    probe("P068 methods that a path does not have are refused", async (s) => {
      await s.post(s.in("configmaps"), configMap("a"));
      await s.post(s.in("configmaps", "a"), configMap("a"));
      await s.put(s.in("configmaps"), configMap("a"));
      await s.patch("merge", s.in("configmaps"), {});
      await s.send({ method: "HEAD", path: s.in("configmaps", "a") });
      await s.send({ method: "OPTIONS", path: s.in("configmaps") });
      await s.send({ method: "FOO", path: s.in("configmaps") });
      await s.post(s.in("pods", "a", "status"), pod("a"));
      await s.delete(s.in("pods", "a", "status"));
    }),
    probe("P069 methods that a custom path does not have are refused otherwise", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      await s.post(`${widgets}/a`, widget(s, "a"));
      await s.put(widgets, widget(s, "a"));
      await s.patch("merge", widgets, {});
      await s.send({ method: "HEAD", path: `${widgets}/a` });
      await s.send({ method: "OPTIONS", path: widgets });
      await s.get(`${widgets}/a/status`);
      await s.get(`${widgets}/a/scale`);
      await s.get(`${widgets}/a/nothing`);
    }),
    probe("P070 keys that are dangerous in JavaScript survive in free data", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      const text = `{"apiVersion":"${s.group}/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"free":{"__proto__":{"polluted":true},"constructor":{"prototype":1},"":"empty","a.b":"dot"}}}`;
      await s.post(widgets, text);
      await s.get(`${widgets}/a`);
      await s.post(
        s.in("configmaps"),
        '{"metadata":{"name":"a","labels":{"__proto__":"x","constructor":"y"}},"data":{"__proto__":"x","constructor":"y"}}',
      );
    }),
  ],
};
