/** Reviews, token requests, impersonation, subresources of pods and namespaces, content types, numbers. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { valueAt } from "../exchange.ts";
import { configMap, define, pod, schema, service, widget, widgetDefinition, widgetSpec } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";
import { patchTypes } from "../session.ts";

const refusal = {
  view: (body: JsonValue): JsonValue => [valueAt({ body }, "reason") ?? null, valueAt({ body }, "message") ?? null],
};

const review = (kind: string, spec: JsonObject): JsonObject => ({ apiVersion: "authorization.k8s.io/v1", kind, spec });

const reviews = "/apis/authorization.k8s.io/v1";

const textOf = (body: JsonValue): string => (typeof body === "string" ? body : "");

export const requests: Chapter = {
  name: "requests",
  probes: [
    probe("P941 rules of a user in a namespace", async (s) => {
      for (const spec of [
        { namespace: s.namespace },
        {},
        { namespace: "" },
        { namespace: "missing" },
        { nope: 1 },
      ] as readonly JsonObject[])
        await s.post(`${reviews}/selfsubjectrulesreviews`, review("SelfSubjectRulesReview", spec), {
          view: (body) => [
            valueAt({ body }, "message") ?? null,
            valueAt({ body }, "status", "incomplete") ?? null,
            valueAt({ body }, "status", "resourceRules") ?? null,
            valueAt({ body }, "status", "nonResourceRules") ?? null,
          ],
        });
      await s.post(`${reviews}/selfsubjectrulesreviews?dryRun=All`, review("SelfSubjectRulesReview", { namespace: "default" }), {
        view: (body) => valueAt({ body }, "kind") ?? null,
      });
      await s.get(`${reviews}/selfsubjectrulesreviews`, refusal);
    }),
    probe("P942 access reviews: what is asked, and what is missing", async (s) => {
      for (const spec of [
        {},
        { user: "u" },
        { user: "u", resourceAttributes: {}, nonResourceAttributes: {} },
        { resourceAttributes: { verb: "get" } },
        { groups: ["g"], resourceAttributes: { verb: "get", resource: "pods" } },
        { user: "u", nonResourceAttributes: { path: "/x", verb: "get" } },
        { user: "u", resourceAttributes: { verb: "get", resource: "pods", labelSelector: { rawSelector: "a=b" } } },
        { user: "u", resourceAttributes: { verb: "list", resource: "pods", labelSelector: { rawSelector: "a in (" } } },
        { user: "u", resourceAttributes: { verb: "list", resource: "pods", labelSelector: {} } },
        {
          user: "u",
          resourceAttributes: {
            verb: "list",
            resource: "pods",
            fieldSelector: { requirements: [{ key: "spec.nodeName", operator: "In", values: ["n"] }] },
          },
        },
        {
          user: "u",
          resourceAttributes: { verb: "list", resource: "pods", fieldSelector: { requirements: [{ key: "x", operator: "Nope" }] } },
        },
        {
          user: "u",
          resourceAttributes: {
            verb: "list",
            resource: "pods",
            labelSelector: { rawSelector: "a", requirements: [{ key: "b", operator: "Exists" }] },
          },
        },
      ] as readonly JsonObject[])
        await s.post(`${reviews}/subjectaccessreviews`, review("SubjectAccessReview", spec), {
          view: (body) => valueAt({ body }, "message") ?? [valueAt({ body }, "spec") ?? null, valueAt({ body }, "status") ?? null],
        });
    }),
    probe("P943 local access reviews belong to their namespace", async (s) => {
      const local = (namespace: string): JsonObject =>
        review("LocalSubjectAccessReview", { user: "u", resourceAttributes: { verb: "get", resource: "pods", namespace } });
      for (const namespace of [s.namespace, "other", ""])
        await s.post(s.in("authorization.k8s.io/v1/localsubjectaccessreviews"), local(namespace), refusal);
      await s.post(
        s.in("authorization.k8s.io/v1/localsubjectaccessreviews"),
        review("LocalSubjectAccessReview", { user: "u", nonResourceAttributes: { verb: "get", path: "/" } }),
        refusal,
      );
      await s.post(
        s.in("authorization.k8s.io/v1/localsubjectaccessreviews"),
        { ...local(s.namespace), metadata: { namespace: "other" } },
        refusal,
      );
      await s.post(s.in("authorization.k8s.io/v1/localsubjectaccessreviews"), { ...local(s.namespace), metadata: { name: "x" } }, refusal);
    }),
    probe("P944 reviews with metadata", async (s) => {
      for (const metadata of [
        { name: "x" },
        { labels: { a: "b" } },
        { namespace: "x" },
        { creationTimestamp: "2020-01-01T00:00:00Z" },
        { uid: "x", selfLink: "/x", deletionTimestamp: "2020-01-01T00:00:00Z" },
        { resourceVersion: "5" },
        { generation: 3 },
      ] as readonly JsonObject[])
        for (const kind of ["SelfSubjectAccessReview", "SubjectAccessReview"])
          await s.post(
            `${reviews}/${kind.toLowerCase()}s`,
            {
              ...review(kind, {
                ...(kind === "SubjectAccessReview" ? { user: "u" } : {}),
                nonResourceAttributes: { path: "/", verb: "get" },
              }),
              metadata,
            },
            refusal,
          );
      await s.post(
        "/apis/authentication.k8s.io/v1/selfsubjectreviews",
        { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview", metadata: { name: "x" } },
        {
          view: (body) => [
            valueAt({ body }, "message") ?? null,
            valueAt({ body }, "metadata", "name") ?? null,
            valueAt({ body }, "status", "userInfo", "username") ?? null,
          ],
        },
      );
    }),
    probe("P945 the identity of a user who impersonates another", async (s) => {
      const who = (headers: Readonly<Record<string, string>>): Promise<unknown> =>
        s.post(
          "/apis/authentication.k8s.io/v1/selfsubjectreviews",
          { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
          { headers, view: (body) => valueAt({ body }, "message") ?? valueAt({ body }, "status", "userInfo") ?? null },
        );
      await who({ "impersonate-user": "u" });
      await who({ "impersonate-user": "u", "impersonate-group": "g" });
      await who({ "impersonate-user": "u", "impersonate-uid": "1" });
      await who({ "impersonate-user": "u", "impersonate-extra-scopes": "x" });
      await who({ "impersonate-user": "u", "impersonate-extra-a%2fb": "x" });
      await who({ "impersonate-group": "g" });
      await who({ "impersonate-uid": "1" });
      await who({ "impersonate-extra-scopes": "x" });
      await who({ "impersonate-user": "system:anonymous" });
      await who({ "impersonate-user": "system:serviceaccount:default:x" });
      await who({ "impersonate-user": "system:serviceaccount:default" });
      await who({ "impersonate-user": "u", "impersonate-group": "system:authenticated" });
      await who({ "impersonate-user": "u", "impersonate-group": "system:unauthenticated" });
    }),
    probe("P946 token requests that are refused", async (s) => {
      await s.quietly("POST", s.in("serviceaccounts"), { metadata: { name: "sa" } });
      const token = (spec: JsonObject, more: JsonObject = {}): Promise<unknown> =>
        s.post(
          s.in("serviceaccounts", "sa", "token"),
          { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec, ...more },
          refusal,
        );
      await token({ expirationSeconds: 1 });
      await token({ expirationSeconds: -1 });
      await token({ expirationSeconds: 4294967297 });
      await token({ boundObjectRef: { kind: "Pod", name: "missing" } });
      await token({ boundObjectRef: { kind: "ConfigMap", apiVersion: "v1", name: "x" } });
      await token({ boundObjectRef: { kind: "Pod", apiVersion: "v2", name: "x" } });
      await token({ audiences: "x" });
      await token({}, { kind: "TokenReview" });
      await token({}, { metadata: { name: "other" } });
      await token({}, { metadata: { namespace: "other" } });
      await s.post(
        s.in("serviceaccounts", "missing", "token"),
        { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
        refusal,
      );
      await s.get(s.in("serviceaccounts", "sa", "token"), refusal);
    }),
    probe("P952 ephemeral containers", async (s) => {
      await s.quietly("POST", s.in("pods"), pod("p"));
      const path = s.in("pods", "p", "ephemeralcontainers");
      const containers = {
        view: (body: JsonValue): JsonValue => valueAt({ body }, "message") ?? valueAt({ body }, "spec", "ephemeralContainers") ?? null,
      };
      await s.get(path, containers);
      const debug: JsonObject = { name: "d", image: "busybox", targetContainerName: "c" };
      await s.patch("strategic", path, { spec: { ephemeralContainers: [{ ...debug, ports: [{ containerPort: 1 }] }] } }, containers);
      await s.patch("strategic", path, { spec: { ephemeralContainers: [{ ...debug, name: "c" }] } }, containers);
      await s.patch("strategic", path, { spec: { ephemeralContainers: [{ ...debug, targetContainerName: "nope" }] } }, containers);
      await s.patch("strategic", path, { spec: { ephemeralContainers: [debug], activeDeadlineSeconds: 5 } }, containers);
      await s.patch("json", path, [{ op: "remove", path: "/spec/ephemeralContainers" }], containers);
      await s.patch("json", path, [{ op: "replace", path: "/spec/ephemeralContainers/0/image", value: "other" }], containers);
      await s.patch("merge", s.in("pods", "p"), { spec: { ephemeralContainers: [] } }, containers);
      await s.post(s.in("pods"), pod("q", { ephemeralContainers: [debug] }), containers);
    }),
    probe("P953 resizes of pods", async (s) => {
      await s.quietly("POST", s.in("pods"), pod("p", { containers: [{ name: "c", image: "i", resources: { requests: { cpu: "1" } } }] }));
      const path = s.in("pods", "p", "resize");
      const resized = {
        view: (body: JsonValue): JsonValue =>
          valueAt({ body }, "message") ?? valueAt({ body }, "spec", "containers", "0", "resources") ?? null,
      };
      await s.patch("strategic", path, { spec: { containers: [{ name: "c", resources: { requests: { cpu: "2" } } }] } }, resized);
      await s.patch("strategic", path, { spec: { containers: [{ name: "c", image: "other" }] } }, resized);
      await s.patch("strategic", path, { spec: { containers: [{ name: "c", resources: { requests: { memory: "-1" } } }] } }, resized);
      await s.patch("strategic", path, { spec: { containers: [{ name: "c", resources: { limits: { cpu: "1" } } }] } }, resized);
      await s.patch("strategic", path, { spec: { containers: [{ name: "n", image: "i" }] } }, resized);
      await s.patch("json", path, [{ op: "remove", path: "/spec/containers/0/resources" }], resized);
      await s.patch(
        "strategic",
        s.in("pods", "p"),
        { spec: { containers: [{ name: "c", resources: { requests: { cpu: "3" } } }] } },
        { view: (body) => valueAt({ body }, "reason") ?? null },
      );
      await s.get(path, resized);
    }),
    probe("P954 proxies, logs and commands of what is not there", async (s) => {
      await s.quietly("POST", s.in("pods"), pod("p"));
      await s.quietly("POST", s.in("services"), service("s", { clusterIP: "None" }));
      for (const path of [
        s.in("pods", "p", "log"),
        `${s.in("pods", "p", "log")}?container=nope`,
        `${s.in("pods", "p", "log")}?tailLines=-1`,
        `${s.in("pods", "p", "log")}?sinceSeconds=0`,
        `${s.in("pods", "p", "log")}?sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z`,
        `${s.in("pods", "p", "log")}?limitBytes=0`,
        `${s.in("pods", "p", "log")}?stream=Nope`,
        s.in("pods", "missing", "log"),
        s.in("pods", "missing", "proxy"),
        s.in("services", "missing", "proxy"),
        s.in("pods", "missing", "exec"),
        s.in("pods", "missing", "portforward"),
      ])
        await s.get(path, refusal);
    }),
    probe("P955 namespaces and their subresources", async (s) => {
      const finalize = s.all("namespaces", s.namespace, "finalize");
      const before = await s.get(s.all("namespaces", s.namespace), { view: (body) => valueAt({ body }, "spec") ?? null });
      await s.get(finalize, refusal);
      await s.patch("merge", finalize, { spec: { finalizers: [] } }, refusal);
      await s.put(finalize, { apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } }, refusal);
      await s.put(
        finalize,
        { apiVersion: "v1", kind: "Namespace", metadata: { name: s.namespace }, spec: { finalizers: ["nope"] } },
        refusal,
      );
      await s.put(`${finalize}?dryRun=All`, before.body, {
        view: (body) => valueAt({ body }, "spec") ?? valueAt({ body }, "message") ?? null,
      });
      await s.patch(
        "merge",
        s.all("namespaces", s.namespace),
        { spec: { finalizers: [] } },
        { view: (body) => valueAt({ body }, "spec") ?? valueAt({ body }, "message") ?? null },
      );
      await s.patch("merge", s.all("namespaces", s.namespace, "status"), { status: { phase: "Terminating" } }, refusal);
      await s.patch(
        "merge",
        s.all("namespaces", s.namespace),
        { metadata: { labels: { "kubernetes.io/metadata.name": "x" } } },
        { view: (body) => valueAt({ body }, "metadata", "labels") ?? valueAt({ body }, "message") ?? null },
      );
    }),
    probe("P926 content types of every write", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a"));
      for (const type of [
        "application/json-patch+json",
        "application/merge-patch+json;charset=utf-8",
        "application/apply-patch+cbor",
        "application/cbor",
        "text/html",
        "*/*",
        "application/",
        "json",
      ]) {
        const headers = { "content-type": type };
        await s.post(`${s.in("configmaps")}?dryRun=All`, JSON.stringify(configMap("b")), { ...refusal, headers });
        await s.put(`${s.in("configmaps", "a")}?dryRun=All`, JSON.stringify(configMap("a")), { ...refusal, headers });
        await s.send({ method: "PATCH", path: `${s.in("configmaps", "a")}?dryRun=All`, body: "{}", headers, ...refusal });
      }
      await s.send({
        method: "PATCH",
        path: s.in("apps/v1/deployments", "x"),
        body: "{}",
        headers: { "content-type": patchTypes.merge },
        ...refusal,
      });
    }),
    probe("P927 patches that are no patches", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a", { data: { x: "1" } }));
      const path = `${s.in("configmaps", "a")}?dryRun=All`;
      for (const body of [
        "",
        "null",
        "1",
        '"text"',
        "[]",
        "{}",
        "[{}]",
        "[1]",
        '{"data":',
        '[{"op":"replace"}]',
        '[{"op":"test","path":"/data/x","value":"2"}]',
        '[{"op":"move","path":"/data/y"}]',
        '[{"op":"add","path":"data"}]',
      ])
        for (const type of ["json", "merge", "strategic"] as const) await s.patch(type, path, body, refusal);
    }),
    probe("P929 numbers of custom objects", async (s) => {
      const widgets = await define(
        s,
        widgetDefinition(s, {
          version: { schema: schema({ ...widgetSpec, d: { type: "number" }, any: { "x-kubernetes-int-or-string": true } }) },
        }),
      );
      for (const spec of [
        '{"size":1.0}',
        '{"size":1e1}',
        '{"size":1.5}',
        '{"size":10000000000000000000}',
        '{"d":1}',
        '{"d":1e400}',
        '{"d":-0.0}',
        '{"d":9007199254740993}',
        '{"any":1.0}',
        '{"any":1.5}',
        '{"size":-9223372036854775809}',
      ])
        await s.post(`${widgets}?dryRun=All`, `{"apiVersion":"${s.group}/v1","kind":"Widget","metadata":{"name":"w"},"spec":${spec}}`, {
          raw: true,
          view: (body) => [
            spec,
            /"spec":(\{[^}]*\})/.exec(textOf(body))?.[1] ?? null,
            /"message":"((?:[^"\\]|\\.)*)"/.exec(textOf(body))?.[1] ?? null,
          ],
        });
    }),
    probe("P961 devices of a slice that are refused", async (s) => {
      const slice = (spec: JsonObject): JsonObject => ({
        apiVersion: "resource.k8s.io/v1",
        kind: "ResourceSlice",
        metadata: { name: s.namespace },
        spec: { driver: "d.io", pool: { name: "p", generation: 1, resourceSliceCount: 1 }, nodeName: "n", ...spec },
      });
      const send = (spec: JsonObject): Promise<unknown> =>
        s.post(`${s.all("resource.k8s.io/v1/resourceslices")}?dryRun=All`, slice(spec), {
          view: (body) => [JSON.stringify(spec).slice(0, 150), valueAt({ body }, "message") ?? valueAt({ body }, "kind") ?? null],
        });
      for (const spec of [
        { nodeName: null, allNodes: true },
        { allNodes: true },
        { allNodes: false },
        { nodeName: null, perDeviceNodeSelection: true, devices: [{ name: "a" }, { name: "b", nodeName: "n", allNodes: true }] },
        { nodeName: null, nodeSelector: { nodeSelectorTerms: [] } },
        { nodeName: null, nodeSelector: { nodeSelectorTerms: [{}, {}] } },
        { driver: "Not_Valid" },
        { driver: "a".repeat(64) },
        { pool: { name: "a/b/C", generation: 1, resourceSliceCount: 1 } },
        { sharedCounters: [{ name: "c", counters: { x: { value: "1" } } }], devices: [{ name: "a" }] },
        { sharedCounters: [{ name: "C", counters: { X: { value: "1" } } }] },
        { devices: Array.from({ length: 129 }, (_none, index) => ({ name: `d${index}` })) },
      ] as readonly JsonObject[])
        await send(spec);
      for (const device of [
        { nodeName: "n" },
        { attributes: { x: { string: "v" }, "d.io/y": { int: 1 } }, capacity: { memory: { value: "1Gi" } } },
        { attributes: { "x-y": { bool: true } } },
        { attributes: { "/x": { bool: true } } },
        { attributes: { "x/": { bool: true } } },
        { attributes: { "a/b/c": { bool: true } } },
        { attributes: { ["x".repeat(33)]: { bool: true } } },
        { attributes: { x: {} } },
        { attributes: { x: { version: "1.0" } } },
        { attributes: { x: { version: "1.0.0-rc.1+b" } } },
        { attributes: { x: { string: "v".repeat(65) } } },
        { attributes: Object.fromEntries(Array.from({ length: 33 }, (_none, index) => [`a${index}`, { bool: true }])) },
        { capacity: { "1x": { value: "1" } } },
        { taints: [{ key: "k", effect: "NoSchedule" }] },
        { taints: [{ key: "k k", value: "v v", effect: "Nope" }] },
        { taints: Array.from({ length: 17 }, () => ({ key: "k", effect: "None" })) },
        { consumesCounters: [{ counterSet: "c", counters: { x: { value: "1" } } }] },
        { bindingConditions: ["a"], bindingFailureConditions: ["a"] },
        { bindingConditions: ["a b"], bindingFailureConditions: ["c"] },
        { name: "A" },
      ] as readonly JsonObject[])
        await send({ devices: [{ name: "a", ...device }] });
      await send({ devices: [{ name: "a" }, { name: "a" }] });
    }),
    probe("P962 patches whose result says neither kind nor version", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a", { data: { x: "1" } }));
      const path = s.in("configmaps", "a");
      const nameless = { apiVersion: null, kind: null };
      for (const level of ["Strict", "Warn", "Ignore"]) {
        await s.patch("merge", `${path}?fieldValidation=${level}`, nameless, refusal);
        await s.patch("merge", `${path}?fieldValidation=${level}`, { apiVersion: "", kind: "", other: 1 }, refusal);
        const removals = ["/apiVersion", "/kind"].map((field) => ({ op: "remove", path: field }));
        await s.patch("json", `${path}?fieldValidation=${level}`, removals, refusal);
        await s.patch("strategic", `${path}?fieldValidation=${level}`, nameless, refusal);
      }
      const widgets = await define(s, widgetDefinition(s));
      await s.quietly("POST", widgets, widget(s, "w"));
      await s.patch("merge", `${widgets}/w`, nameless, refusal);
    }),
    probe("P963 empty maps and missing ones in errors", async (s) => {
      const spec = (labels: JsonObject | null): JsonObject => ({
        selector: { matchLabels: { app: "web" } },
        template: { metadata: labels === null ? {} : { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
      });
      const one = (labels: JsonObject | null): JsonObject => ({
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "d" },
        spec: spec(labels),
      });
      const path = s.in("apps/v1/deployments");
      for (const labels of [{}, null, { app: "other" }]) await s.post(path, one(labels), refusal);
      await s.quietly("POST", path, one({ app: "web" }));
      for (const labels of [{}, null]) await s.put(`${path}/d`, one(labels), refusal);
      await s.patch("merge", `${path}/d`, { spec: { template: { metadata: { labels: { app: null } } } } }, refusal);
    }),
  ],
};
