/** Reads, watches, pages and tables: options that do not go together, and forms that do not exist. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { textAt, valueAt } from "../exchange.ts";
import {
  asPartial,
  asPartialList,
  asTable,
  configMap,
  define,
  definitions,
  deployment,
  pod,
  widget,
  widgetDefinition,
} from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";
import type { ProbeSession } from "../session.ts";

const names = {
  view: (body: JsonValue): JsonValue =>
    (valueAt({ body }, "items") as readonly JsonObject[] | undefined)?.map((item) => valueAt({ body: item }, "metadata", "name") ?? null) ??
    valueAt({ body }, "message") ??
    null,
};

const table = {
  headers: { accept: asTable },
  view: (body: JsonValue): JsonValue => [
    valueAt({ body }, "message") ?? null,
    (valueAt({ body }, "columnDefinitions") as readonly JsonObject[] | undefined)?.map((column) => column["name"] ?? null) ?? null,
    (valueAt({ body }, "rows") as readonly JsonObject[] | undefined)?.length ?? null,
  ],
};

const typeOf = {
  view: (event: JsonValue): JsonValue => [
    valueAt({ body: event }, "type") ?? null,
    valueAt({ body: event }, "object", "metadata", "name") ?? valueAt({ body: event }, "object", "message") ?? null,
  ],
};

async function three(s: ProbeSession): Promise<void> {
  for (const name of ["a", "b", "c"])
    await s.quietly("POST", s.in("configmaps"), configMap(name, { metadata: { labels: { n: name, all: "1" } } }));
}

export const reads: Chapter = {
  name: "reads",
  probes: [
    probe("P930 pages whose selector changes", async (s) => {
      await three(s);
      const first = await s.get(`${s.in("configmaps")}?limit=1&labelSelector=all%3D1`, names);
      const token = encodeURIComponent(textAt(first, "metadata", "continue"));
      await s.get(`${s.in("configmaps")}?limit=1&labelSelector=n%3Dc&continue=${token}`, names);
      await s.get(`${s.in("configmaps")}?limit=1&fieldSelector=metadata.name%3Db&continue=${token}`, names);
      await s.get(`${s.in("configmaps")}?continue=${token}`, names);
      await s.get(`${s.in("secrets")}?limit=1&continue=${token}`, names);
      await s.get(`${s.all("configmaps")}?limit=1&continue=${token}&fieldSelector=metadata.namespace%3D${s.namespace}`, names);
    }),
    probe("P931 pages with versions and matches", async (s) => {
      await three(s);
      const first = await s.get(`${s.in("configmaps")}?limit=1`, names);
      const token = encodeURIComponent(textAt(first, "metadata", "continue"));
      for (const more of [
        "resourceVersion=0",
        "resourceVersion=1",
        "resourceVersionMatch=Exact",
        "resourceVersionMatch=NotOlderThan",
        "resourceVersion=0&resourceVersionMatch=NotOlderThan",
        "limit=-1",
        "limit=0",
        "sendInitialEvents=true",
      ])
        await s.get(`${s.in("configmaps")}?continue=${token}&${more}`, names);
    }),
    probe("P932 pages of tables, of metadata and of custom objects", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      for (const name of ["a", "b", "c"]) await s.quietly("POST", widgets, widget(s, name));
      for (const accept of [asTable, asPartialList]) {
        const first = await s.get(`${widgets}?limit=2`, {
          headers: { accept },
          view: (body) => valueAt({ body }, "metadata", "remainingItemCount") ?? null,
        });
        const token = encodeURIComponent(textAt(first, "metadata", "continue"));
        await s.get(`${widgets}?limit=2&continue=${token}`, {
          headers: { accept },
          view: (body) => [valueAt({ body }, "kind") ?? null, valueAt({ body }, "metadata", "continue") ?? null],
        });
      }
    }),
    probe("P933 versions and matches of lists that do not go together", async (s) => {
      await three(s);
      for (const query of [
        "resourceVersionMatch=Exact",
        "resourceVersionMatch=Nope&resourceVersion=1",
        "resourceVersion=0&resourceVersionMatch=Exact",
        "resourceVersion=&resourceVersionMatch=NotOlderThan",
        "resourceVersionMatch=",
        "resourceVersion=1&resourceVersionMatch=NotOlderThan",
        "limit=1&resourceVersionMatch=Exact",
        "resourceVersion=-1",
        "resourceVersion=1.5",
        "resourceVersion=01",
      ])
        await s.get(`${s.in("configmaps")}?${query}`, { view: (body) => [query, valueAt({ body }, "message") ?? null] });
    }),
    probe("P934 selectors by labels that are refused", async (s) => {
      await three(s);
      for (const selector of [
        "n in (a",
        "n in ()",
        "n notin a",
        "=a",
        "n=a=b",
        "n==a,all",
        "!n",
        "!n=a",
        "n>1",
        "n>x",
        "n in (a,,b)",
        " n = a ",
        "a/b/c=d",
        "n=é",
        "-x",
        ",",
        "n,",
        "n=a,n!=a",
        "all=1,n in (a,b),n notin (b)",
      ])
        await s.get(`${s.in("configmaps")}?labelSelector=${encodeURIComponent(selector)}`, {
          view: (body) => [selector, names.view(body)],
        });
    }),
    probe("P935 selectors by fields that are refused", async (s) => {
      await three(s);
      for (const selector of [
        "metadata.name",
        "metadata.name=a,metadata.name=b",
        "metadata.name!=a",
        "metadata.name==a",
        "metadata.namespace=other",
        "metadata.uid=x",
        "data.x=1",
        "=",
        "metadata.name=a\\,b",
        "metadata.name in (a)",
        "metadata.name=a,",
        "metadata.name=\\x",
      ])
        await s.get(`${s.in("configmaps")}?fieldSelector=${encodeURIComponent(selector)}`, {
          view: (body) => [selector, names.view(body)],
        });
      await s.get(`${s.in("pods")}?fieldSelector=spec.nodeName%3D,status.phase!%3DRunning`, names);
    }),
    probe("P936 watches with options that do not go together", async (s) => {
      for (const query of [
        "sendInitialEvents=true",
        "sendInitialEvents=true&resourceVersionMatch=Exact",
        "sendInitialEvents=false&resourceVersionMatch=NotOlderThan",
        "sendInitialEvents=maybe&resourceVersionMatch=NotOlderThan",
        "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&limit=1&continue=x",
        "resourceVersionMatch=NotOlderThan",
        "resourceVersionMatch=Exact&resourceVersion=1",
        "continue=x",
        "resourceVersion=x",
        "labelSelector=(",
        "fieldSelector=nope",
        "timeoutSeconds=x",
        "allowWatchBookmarks=maybe&timeoutSeconds=1",
      ])
        await s.watch(`${s.in("configmaps")}?watch=true&${query}${query.includes("timeoutSeconds") ? "" : "&timeoutSeconds=1"}`, typeOf);
    }),
    probe("P937 initial events of a selection, without bookmarks", async (s) => {
      await three(s);
      await s.watch(`${s.in("configmaps")}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&labelSelector=n%3Db`, {
        ...typeOf,
        count: 1,
      });
      await s.watch(
        `${s.in("configmaps")}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=n%20in%20(a,c)`,
        { ...typeOf, count: 3 },
      );
      await s.watch(
        `${s.in("configmaps")}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&fieldSelector=metadata.name%3Dnone`,
        { ...typeOf, count: 1 },
      );
      await s.watch(
        `${s.in("configmaps")}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=1`,
        { ...typeOf, count: 4 },
      );
    }),
    probe("P938 a watch of custom objects with initial events, in all forms", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      for (const name of ["a", "b"]) await s.quietly("POST", widgets, widget(s, name));
      const path = `${widgets}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;
      await s.watch(path, { ...typeOf, count: 3 });
      await s.watch(path, {
        headers: { accept: asPartial },
        view: (event) => [valueAt({ body: event }, "type") ?? null, valueAt({ body: event }, "object", "kind") ?? null],
        count: 3,
      });
      await s.watch(path, {
        headers: { accept: asTable },
        view: (event) => [valueAt({ body: event }, "type") ?? null, valueAt({ body: event }, "object", "kind") ?? null],
        count: 3,
      });
    }),
    probe("P939 a watch that loses an object to its selector", async (s) => {
      const created = await s.quietly("POST", s.in("configmaps"), configMap("a", { metadata: { labels: { n: "1" } } }));
      const version = textAt(created, "metadata", "resourceVersion");
      await s.watch(`${s.in("configmaps")}?watch=true&labelSelector=n%3D1&resourceVersion=${version}`, {
        ...typeOf,
        count: 4,
        during: async () => {
          await s.quietly("PATCH", s.in("configmaps", "a"), { metadata: { labels: { n: "2" } } });
          await s.quietly("PATCH", s.in("configmaps", "a"), { data: { x: "unseen" } });
          await s.quietly("PATCH", s.in("configmaps", "a"), { metadata: { labels: { n: "1" } } });
          await s.quietly("PATCH", s.in("configmaps", "a"), { data: { x: "seen" } });
          await s.quietly("DELETE", s.in("configmaps", "a"));
        },
      });
    }),
    probe("P940 reads of one object with options of lists", async (s) => {
      await three(s);
      for (const query of [
        "resourceVersion=0",
        "resourceVersion=1",
        "resourceVersion=x",
        "resourceVersionMatch=Exact",
        "labelSelector=n%3Dx",
        "limit=1",
        "watch=true&timeoutSeconds=1",
        "pretty=true",
        "pretty=maybe",
        "export=true",
        "nope=1",
      ])
        await s.get(`${s.in("configmaps", "a")}?${query}`, {
          view: (body) => [
            query,
            valueAt({ body }, "metadata", "name") ?? valueAt({ body }, "message") ?? (typeof body === "string" ? body.slice(0, 20) : null),
          ],
        });
    }),
    probe("P947 tables of subresources and of what has no rows", async (s) => {
      await define(s, widgetDefinition(s));
      await s.quietly("POST", s.in("apps/v1/deployments"), deployment("d"));
      await s.quietly("POST", s.in("pods"), pod("p"));
      for (const path of [
        s.in("apps/v1/deployments", "d", "scale"),
        s.in("apps/v1/deployments", "d", "status"),
        s.in("pods", "p", "status"),
        s.in("pods", "p", "ephemeralcontainers"),
        s.in("pods", "p", "resize"),
        `${definitions}/widgets.${s.group}/status`,
        s.all("certificates.k8s.io/v1/certificatesigningrequests", "missing", "approval"),
        s.in("pods", "missing"),
        s.in("pods"),
        s.all("namespaces", s.namespace),
        s.in("bindings"),
        "/api/v1",
        "/version",
      ])
        await s.get(path, table);
    }),
    probe("P948 tables as answers to writes", async (s) => {
      const path = s.in("configmaps");
      await s.post(path, configMap("a"), table);
      await s.post(path, configMap("a"), table);
      await s.put(`${path}/a`, configMap("a", { data: { x: "1" } }), table);
      await s.patch("merge", `${path}/a`, { data: { y: "1" } }, table);
      await s.patch("apply", `${path}/b?fieldManager=m`, configMap("b"), table);
      await s.delete(`${path}/a`, undefined, table);
      await s.delete(path, undefined, table);
      await s.post(`${path}?dryRun=All`, configMap("c"), {
        ...table,
        headers: { accept: asPartial },
        view: (body) => valueAt({ body }, "kind") ?? null,
      });
    }),
    probe("P949 values of includeObject", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a"));
      for (const value of ["None", "Metadata", "Object", "nope", "", "none"])
        await s.get(`${s.in("configmaps")}?includeObject=${value}`, {
          headers: { accept: asTable },
          view: (body) => [value, valueAt({ body }, "message") ?? null, valueAt({ body }, "rows", "0", "object", "kind") ?? null],
        });
      await s.get(`${s.in("configmaps")}?includeObject=nope`, names);
    }),
    probe("P950 wishes for forms that do not exist", async (s) => {
      await s.quietly("POST", s.in("configmaps"), configMap("a"));
      for (const accept of [
        "application/json;as=Table;v=v1beta1;g=meta.k8s.io",
        "application/json;as=Table;v=v2;g=meta.k8s.io",
        "application/json;as=Nope;v=v1;g=meta.k8s.io",
        "application/json;as=Table;v=v1;g=apps",
        "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
        "application/yaml;as=Table;v=v1;g=meta.k8s.io",
        "application/vnd.kubernetes.protobuf;as=Nope;v=v1;g=meta.k8s.io,application/json",
        "text/plain",
        "application/json;as=Table",
      ])
        await s.get(s.in("configmaps", "a"), {
          headers: { accept },
          view: (body) => [
            accept,
            typeof body === "string" ? "text" : (valueAt({ body }, "kind") ?? null),
            valueAt({ body }, "apiVersion") ?? null,
            valueAt({ body }, "message") ?? null,
          ],
        });
    }),
    probe("P951 metadata of lists, of deletions and of custom objects", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      await s.quietly("POST", widgets, widget(s, "w", { metadata: { labels: { a: "b" }, finalizers: ["ex.io/x"] } }));
      await s.get(`${widgets}/w`, { headers: { accept: asPartial } });
      await s.get(widgets, { headers: { accept: asPartialList } });
      await s.patch("merge", `${widgets}/w`, { metadata: { annotations: { x: "y" } } }, { headers: { accept: asPartial } });
      await s.delete(`${widgets}/w`, undefined, { headers: { accept: asPartial } });
      await s.patch("merge", `${widgets}/w`, { metadata: { finalizers: null } }, { headers: { accept: asPartial } });
    }),
  ],
};
