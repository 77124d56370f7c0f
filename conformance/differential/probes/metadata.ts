/** Metadata that clients write: managers, owners, finalizers, names, labels. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { textAt, valueAt } from "../exchange.ts";
import { changed, configMap, define, deployment, service, widget, widgetDefinition } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";

const refusal = {
  view: (body: JsonValue): JsonValue => [valueAt({ body }, "reason") ?? null, valueAt({ body }, "message") ?? null],
};

const at = (...path: readonly string[]): { readonly view: (body: JsonValue) => JsonValue } => ({
  view: (body) => valueAt({ body }, ...path) ?? valueAt({ body }, "message") ?? null,
});

const managed = {
  view: (body: JsonValue): JsonValue => [
    valueAt({ body }, "message") ?? null,
    valueAt({ body }, "metadata", "managedFields", "0", "manager") ?? null,
  ],
};

export const metadataProbes: Chapter = {
  name: "metadata",
  probes: [
    probe("P916 names of field managers", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a"));
      const long = "m".repeat(129);
      for (const manager of [long, "m".repeat(128), "a%00b", "%C3%A9", "a%0Ab", ""]) {
        await s.post(`${s.in("configmaps")}?dryRun=All&fieldManager=${manager}`, configMap("b"), managed);
        await s.patch("merge", `${s.in("configmaps", "a")}?dryRun=All&fieldManager=${manager}`, { data: { x: "1" } }, refusal);
        await s.patch("apply", `${s.in("configmaps", "c")}?dryRun=All&fieldManager=${manager}`, configMap("c"), managed);
      }
      await s.patch("apply", `${s.in("configmaps", "c")}?dryRun=All`, configMap("c"), refusal);
      await s.put(`${s.in("configmaps", "a")}?dryRun=All&fieldManager=${long}`, configMap("a"), refusal);
    }),
    probe("P917 managers are named after the user agent", async (s) => {
      for (const agent of ["kubectl/v1 (linux)", "x", "a/b/c", "/x", "é/1", " spaced/1", "m".repeat(200)])
        await s.post(`${s.in("configmaps")}?dryRun=All`, configMap("b"), { ...managed, headers: { "user-agent": agent } });
    }),
    probe("P918 force only goes with apply", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a"));
      for (const type of ["json", "merge", "strategic"] as const)
        for (const value of ["true", "false"])
          await s.patch(type, `${s.in("configmaps", "a")}?dryRun=All&force=${value}`, type === "json" ? [] : {}, refusal);
      await s.patch("apply", `${s.in("configmaps", "a")}?dryRun=All&force=maybe&fieldManager=m`, configMap("a"), refusal);
      await s.put(`${s.in("configmaps", "a")}?dryRun=All&force=true`, configMap("a"), refusal);
    }),
    probe("P919 applies with managed fields, without names and with others", async (s) => {
      const path = `${s.in("configmaps", "a")}?fieldManager=m`;
      await s.patch(
        "apply",
        path,
        configMap("a", {
          metadata: { managedFields: [{ manager: "x", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: {} }] },
        }),
        refusal,
      );
      await s.patch("apply", path, { apiVersion: "v1", kind: "ConfigMap" }, refusal);
      await s.patch("apply", path, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "other" } }, refusal);
      await s.patch("apply", path, configMap("a", { metadata: { namespace: "other" } }), refusal);
      await s.patch("apply", path, configMap("a", { metadata: { uid: "00000000-0000-0000-0000-000000000000" } }), refusal);
      await s.patch("apply", path, configMap("a", { metadata: { resourceVersion: "5" } }), refusal);
      await s.patch("apply", path, configMap("a", { metadata: { generateName: "g" } }), refusal);
      await s.patch("apply", path, { kind: "ConfigMap", metadata: { name: "a" } }, refusal);
      await s.patch("apply", path, [], refusal);
      await s.patch("apply", path, "text", refusal);
    }),
    probe("P920 managed fields that a writer sends", async (s) => {
      const created = await s.quietly("POST", s.in("configmaps"), configMap("a", { data: { x: "1" } }));
      const entry: JsonObject = {
        manager: "x",
        operation: "Update",
        apiVersion: "v1",
        time: "2020-01-01T00:00:00Z",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { "f:x": {} } },
      };
      const fields = {
        view: (body: JsonValue): JsonValue =>
          valueAt({ body }, "message") ??
          (valueAt({ body }, "metadata", "managedFields") as readonly JsonObject[] | undefined)?.map((one) => [
            one["manager"] ?? null,
            one["operation"] ?? null,
            one["fieldsV1"] ?? null,
          ]) ??
          null,
      };
      for (const managedFields of [
        [entry],
        [{ ...entry, operation: "Nope" }],
        [{ ...entry, fieldsType: "Nope" }],
        [{ ...entry, fieldsV1: { "x:nope": {} } }],
        [{ ...entry, apiVersion: "v9" }],
        [{}],
        [],
      ] as readonly JsonValue[])
        await s.put(`${s.in("configmaps", "a")}?dryRun=All`, changed(created, { metadata: { managedFields } }), fields);
    }),
    probe("P921 owner references that are refused", async (s) => {
      const owner: JsonObject = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "u" };
      for (const references of [
        [{ ...owner, apiVersion: "" }],
        [{ ...owner, apiVersion: "a/b/c" }],
        [{ ...owner, kind: "" }],
        [{ ...owner, name: "" }],
        [{ ...owner, uid: "" }],
        [
          { ...owner, controller: true },
          { ...owner, uid: "v", controller: true },
        ],
        [owner, owner],
        [{ ...owner, kind: "Event", apiVersion: "v1" }],
        [{ ...owner, blockOwnerDeletion: "yes" }],
        [{ ...owner, nope: 1 }],
        "none",
      ] as readonly JsonValue[])
        await s.post(`${s.in("configmaps")}?dryRun=All`, configMap("a", { metadata: { ownerReferences: references } }), refusal);
    }),
    probe("P922 owner references of objects without namespace, and across namespaces", async (s) => {
      const owner: JsonObject = { apiVersion: "v1", kind: "Namespace", name: s.namespace, uid: "u", blockOwnerDeletion: true };
      await s.post(
        `${s.in("configmaps")}?dryRun=All`,
        configMap("a", { metadata: { ownerReferences: [owner] } }),
        at("metadata", "ownerReferences", "0", "kind"),
      );
      await s.post(
        `${s.all("namespaces")}?dryRun=All`,
        { metadata: { name: `${s.namespace}-x`, ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "u" }] } },
        at("metadata", "ownerReferences", "0", "kind"),
      );
      await s.quietly("POST", s.in("configmaps"), configMap("b"));
      for (const patch of [{ ownerReferences: [owner] }, { ownerReferences: null }, { ownerReferences: [{ ...owner, uid: "" }] }])
        await s.patch("merge", s.in("configmaps", "b"), { metadata: patch }, at("metadata", "ownerReferences", "0", "uid"));
    }),
    probe("P923 finalizers that are edited", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a", { metadata: { finalizers: ["ex.io/a", "ex.io/b"] } }));
      const path = s.in("configmaps", "a");
      const finalizers = at("metadata", "finalizers");
      await s.patch("strategic", path, { metadata: { finalizers: ["ex.io/c"] } }, finalizers);
      await s.patch("strategic", path, { metadata: { "$deleteFromPrimitiveList/finalizers": ["ex.io/a"] } }, finalizers);
      await s.patch("json", path, [{ op: "add", path: "/metadata/finalizers/0", value: "nope" }], finalizers);
      await s.patch("merge", path, { metadata: { finalizers: ["ex.io/a", "ex.io/a"] } }, finalizers);
      await s.patch("merge", path, { metadata: { finalizers: ["kubernetes"] } }, finalizers);
      await s.patch("merge", path, { metadata: { finalizers: ["foregroundDeletion", "orphan"] } }, finalizers);
      await s.patch("merge", path, { metadata: { finalizers: ["ex.io/a"] } }, finalizers);
      await s.delete(path, undefined, finalizers);
      await s.patch("merge", path, { metadata: { finalizers: ["ex.io/a", "ex.io/n"] } }, refusal);
      await s.patch("merge", path, { metadata: { deletionTimestamp: null, deletionGracePeriodSeconds: null } }, finalizers);
      await s.delete(path, undefined, finalizers);
      await s.patch("json", path, [{ op: "remove", path: "/metadata/finalizers" }], finalizers);
      await s.get(path, refusal);
    }),
    probe("P924 status subresources that do not exist", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a"));
      const widgets = await define(s, widgetDefinition(s));
      await s.quietly("POST", widgets, widget(s, "w"));
      for (const path of [
        s.in("configmaps", "a", "status"),
        `${widgets}/w/status`,
        `${widgets}/w/scale`,
        s.in("configmaps", "a", "nope"),
        s.in("pods", "x", "nope"),
      ]) {
        await s.get(path, refusal);
        await s.put(path, configMap("a"), refusal);
        await s.patch("merge", path, {}, refusal);
      }
    }),
    probe("P925 a status that is replaced as a whole", async (s) => {
      const created = await s.quietly("POST", s.in("apps/v1/deployments"), deployment("d"));
      const path = s.in("apps/v1/deployments", "d", "status");
      await s.put(path, changed(created, { status: { replicas: -1 } }), refusal);
      await s.put(path, changed(created, { status: { replicas: 1, readyReplicas: 2 } }), refusal);
      await s.put(
        path,
        changed(created, {
          status: { replicas: 2, availableReplicas: 1, readyReplicas: 1, observedGeneration: 1 },
          spec: { replicas: 9 },
          metadata: { labels: { x: "y" } },
        }),
        {
          view: (body) => [
            valueAt({ body }, "status") ?? null,
            valueAt({ body }, "spec", "replicas") ?? null,
            valueAt({ body }, "metadata", "labels") ?? null,
          ],
        },
      );
      await s.put(path, deployment("d"), at("status"));
      await s.patch("json", path, [{ op: "replace", path: "/status", value: { replicas: "x" } }], refusal);
      await s.put(s.in("apps/v1/deployments", "missing", "status"), deployment("missing"), refusal);
      await s.post(path, deployment("d"), refusal);
    }),
    probe("P928 what a merge patch may not touch", async (s) => {
      const created = await s.quietly("POST", s.in("configmaps"), configMap("a", { data: { x: "1" } }));
      s.fact("it exists", valueAt(created, "metadata", "name") ?? null);
      const path = `${s.in("configmaps", "a")}?dryRun=All`;
      for (const patch of [
        { kind: "Secret" },
        { apiVersion: "v2" },
        { kind: null },
        { metadata: null },
        { metadata: { name: null } },
        { metadata: { namespace: null } },
        { metadata: { uid: null } },
        { metadata: { creationTimestamp: null } },
        { metadata: { creationTimestamp: "2020-01-01T00:00:00Z" } },
        { metadata: { generation: 5 } },
        { metadata: { selfLink: "/x" } },
        { metadata: { deletionTimestamp: "2020-01-01T00:00:00Z" } },
        { data: { x: 1 } },
        { data: "x" },
        { binaryData: { y: "not base64!" } },
      ] as readonly JsonObject[])
        await s.patch("merge", path, patch, {
          view: (body) => [JSON.stringify(patch), valueAt({ body }, "message") ?? valueAt({ body }, "metadata", "name") ?? null],
        });
    }),
    probe("P956 names of every shape", async (s) => {
      for (const name of ["a.b", "a..b", "-a", "a-", "A", "a_b", "a/b", "%", "é", "a".repeat(253), "a".repeat(254), "0", ".", ".."]) {
        await s.post(`${s.in("configmaps")}?dryRun=All`, configMap(name), {
          view: (body) => [name.slice(0, 10), valueAt({ body }, "message") ?? null],
        });
        await s.post(`${s.in("services")}?dryRun=All`, service(name), {
          view: (body) => [name.slice(0, 10), valueAt({ body }, "message") ?? null],
        });
      }
    }),
    probe("P957 generated names", async (s) => {
      for (const generateName of ["a-", "A-", "-", "a".repeat(300), "é-", "a/b", ""])
        await s.post(
          `${s.in("configmaps")}?dryRun=All`,
          { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName } },
          {
            view: (body) => [
              generateName.slice(0, 10),
              textAt({ body }, "message").replaceAll(/-?[a-z0-9]{5}"/g, '…"'),
              textAt({ body }, "metadata", "name").length,
            ],
          },
        );
    }),
    probe("P958 labels and annotations that are refused", async (s) => {
      for (const metadata of [
        { labels: { "": "a" } },
        { labels: { "a b": "c" } },
        { labels: { a: "b c" } },
        { labels: { ["a".repeat(64)]: "b" } },
        { labels: { a: "b".repeat(64) } },
        { labels: { "x/y/z": "a" } },
        { labels: { "X.io/a": "b" } },
        { labels: { a: 1 } },
        { labels: null },
        { labels: [] },
        { annotations: { "a b": "c" } },
        { annotations: { A: "x" } },
        { annotations: { a: "x".repeat(262_145) } },
        { annotations: { a: null } },
        { annotations: { "x/": "a" } },
      ] as readonly JsonObject[])
        await s.post(`${s.in("configmaps")}?dryRun=All`, configMap("a", { metadata }), refusal);
    }),
    probe("P959 a custom object's metadata is checked as any other's", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      for (const metadata of [
        { labels: { a: "b c" } },
        { labels: { a: 1 } },
        { annotations: { "a b": "c" } },
        { annotations: { a: { b: 1 } } },
        { finalizers: ["nope"] },
        { finalizers: "x" },
        { generation: 7 },
        { uid: "x" },
        { creationTimestamp: "x" },
        { deletionTimestamp: "2020-01-01T00:00:00Z" },
        { managedFields: "x" },
        { nope: 1 },
        { name: "Upper" },
        { namespace: "other" },
      ] as readonly JsonObject[])
        await s.post(`${widgets}?dryRun=All`, widget(s, "w", { metadata }), refusal);
    }),
    probe("P960 updates of what is not there", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      await s.put(s.in("configmaps", "a"), configMap("a"), refusal);
      await s.put(s.in("configmaps", "a"), configMap("a", { metadata: { uid: "u" } }), refusal);
      await s.put(s.in("configmaps", "a"), configMap("a", { metadata: { resourceVersion: "5" } }), refusal);
      await s.put(`${widgets}/w`, widget(s, "w", { metadata: { resourceVersion: "5" } }), refusal);
      await s.put(`${widgets}/w`, widget(s, "w"), refusal);
      await s.put(
        s.in("coordination.k8s.io/v1/leases", "l"),
        { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "l" } },
        { view: (body) => [valueAt({ body }, "message") ?? null, valueAt({ body }, "kind") ?? null] },
      );
      await s.put(
        s.in("events", "e"),
        { apiVersion: "v1", kind: "Event", metadata: { name: "e" }, involvedObject: { namespace: s.namespace } },
        { view: (body) => [valueAt({ body }, "message") ?? null, valueAt({ body }, "kind") ?? null] },
      );
      await s.patch("merge", s.in("configmaps", "a"), {}, refusal);
      await s.delete(s.in("configmaps", "a"), undefined, refusal);
    }),
  ],
};
