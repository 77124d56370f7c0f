/** Watches: events, their order and form, and the end of a stream. */
import type { JsonObject } from "@drover/machinery";
import { textAt, valueAt, versionOf } from "../exchange.ts";
import { asPartial, asPartialList, asTable, configMap, define, pod, widget, widgetDefinition } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";

const versionOfEvent = (event: JsonObject): number => Number(textAt({ body: event }, "object", "metadata", "resourceVersion"));
const endOfInitial = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

export const watch: Chapter = {
  name: "watch",
  probes: [
    probe("P097 everything that happens to an object is seen in order", async (s) => {
      const path = s.in("configmaps");
      const events = await s.watch(`${path}?watch=true`, {
        count: 3,
        during: async () => {
          await s.quietly("POST", path, configMap("a", { data: { k: "1" } }));
          await s.quietly("PATCH", `${path}/a`, { data: { k: "2" } });
          await s.quietly("DELETE", `${path}/a`);
        },
      });
      s.fact(
        "versions increase, also that of the deletion",
        events.map(versionOfEvent).every((version, index, all) => index === 0 || version > (all[index - 1] ?? 0)),
      );
    }),
    probe("P098 an object that leaves or enters a selection is deleted or added", async (s) => {
      const path = s.in("configmaps");
      await s.watch(`${path}?watch=true&labelSelector=in%3Dyes`, {
        count: 5,
        during: async () => {
          await s.quietly("POST", path, configMap("a", { metadata: { labels: { in: "no" } } }));
          await s.quietly("PATCH", `${path}/a`, { metadata: { labels: { in: "yes" } } });
          await s.quietly("PATCH", `${path}/a`, { data: { k: "v" } });
          await s.quietly("PATCH", `${path}/a`, { metadata: { labels: { in: "no" } }, data: { k: "w" } });
          await s.quietly("PATCH", `${path}/a`, { data: { k: "unseen" } });
          await s.quietly("PATCH", `${path}/a`, { metadata: { labels: { in: "yes" } } });
          await s.quietly("DELETE", `${path}/a`);
        },
      });
    }),
    probe("P098b the same for a field selector of pods", async (s) => {
      const path = s.in("pods");
      await s.watch(`${path}?watch=true&fieldSelector=spec.nodeName%3D`, {
        count: 2,
        during: async () => {
          await s.quietly("POST", path, pod("a"));
          await s.quietly("POST", `${path}/a/binding`, { metadata: { name: "a" }, target: { name: "n1" } });
        },
      });
    }),
    probe("P099 a watch without a version starts with what is there", async (s) => {
      const path = s.in("configmaps");
      for (const name of ["a", "b"]) await s.quietly("POST", path, configMap(name));
      await s.watch(`${path}?watch=true&timeoutSeconds=1`);
      await s.settle({ path: `${path}?resourceVersion=0` }, ({ body }) => JSON.stringify(body).includes('"name":"b"'));
      await s.watch(`${path}?watch=true&resourceVersion=0&timeoutSeconds=1`);
    }),
    probe("P099b a watch from a list's version continues it", async (s) => {
      const path = s.in("configmaps");
      await s.quietly("POST", path, configMap("a"));
      const version = versionOf(await s.quietly("GET", path));
      await s.quietly("POST", path, configMap("b"));
      await s.watch(`${path}?watch=true&resourceVersion=${version}`, { count: 2, during: () => s.quietly("DELETE", `${path}/a`) });
    }),
    probe("P100 no initial events when they are not wanted", async (s) => {
      const path = s.in("configmaps");
      await s.quietly("POST", path, configMap("a"));
      await s.watch(`${path}?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`, {
        count: 1,
        during: () => s.quietly("POST", path, configMap("b")),
      });
    }),
    probe("P101 options of watches that do not go together are refused", async (s) => {
      const path = s.in("configmaps");
      for (const query of [
        "resourceVersionMatch=NotOlderThan",
        "sendInitialEvents=true",
        "sendInitialEvents=true&resourceVersionMatch=Exact",
        "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x",
        "resourceVersion=5&resourceVersionMatch=NotOlderThan",
        "limit=abc",
        "labelSelector=a%3Db%3Dc",
        "fieldSelector=spec.x%3Dy",
      ]) {
        await s.watch(`${path}?watch=true&timeoutSeconds=1&${query}`);
      }
    }),
    probe("P102 WatchList: the objects, the mark, what comes after", async (s) => {
      const path = s.in("configmaps");
      for (const name of ["a", "b"]) await s.quietly("POST", path, configMap(name));
      const events = await s.watch(`${path}?watch=true&${endOfInitial}`, {
        count: 4,
        during: () => s.quietly("POST", path, configMap("c")),
      });
      s.fact(
        "the mark is not older than what came before it",
        versionOfEvent(events[2] ?? {}) >= Math.max(...events.slice(0, 2).map(versionOfEvent)),
      );
    }),
    probe("P102b WatchList of nothing is the mark alone, also at version 0 and for a selection", async (s) => {
      await s.watch(`${s.in("configmaps")}?watch=true&${endOfInitial}`, { count: 1 });
      await s.watch(`${s.in("configmaps")}?watch=true&${endOfInitial}&resourceVersion=0`, { count: 1 });
      await s.watch(`${s.in("configmaps")}?watch=true&${endOfInitial}&labelSelector=a%3Db`, { count: 1 });
      await s.watch(`${s.in("apps/v1/deployments")}?watch=true&${endOfInitial}`, { count: 1 });
      await s.watch(`${s.in("configmaps")}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`);
    }),
    probe("P102c WatchList of custom objects", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      await s.quietly("POST", widgets, widget(s, "a"));
      await s.watch(`${widgets}?watch=true&${endOfInitial}`, { count: 3, during: () => s.quietly("DELETE", `${widgets}/a`) });
    }),
    probe("P102d WatchList of metadata and of tables", async (s) => {
      const path = s.in("configmaps");
      await s.quietly("POST", path, configMap("a"));
      await s.watch(`${path}?watch=true&${endOfInitial}`, { count: 2, headers: { accept: asPartial } });
      await s.watch(`${path}?watch=true&${endOfInitial}`, { count: 2, headers: { accept: asTable } });
    }),
    probe("P103 a version that is none is refused, one of the future is waited for", async (s) => {
      await s.watch(`${s.in("configmaps")}?watch=true&resourceVersion=abc`);
      await s.watch(`${s.in("configmaps")}?watch=true&resourceVersion=-1`);
      await s.watch(`${s.in("configmaps")}?watch=true&resourceVersion=99999999&timeoutSeconds=1`);
    }),
    probe(
      "P103b a version that nobody remembers is an error in the stream, in every form",
      async (s) => {
        const widgets = await define(s, widgetDefinition(s));
        await s.quietly("POST", widgets, widget(s, "a"));
        await s.compact();
        for (const accept of ["application/json", asTable, asPartial])
          await s.watch(`${widgets}?watch=true&resourceVersion=1&timeoutSeconds=2`, { headers: { accept } });
      },
      { alone: true },
    ),
    probe("P104 the server ends a watch after its time", async (s) => {
      const start = performance.now();
      await s.watch(`${s.in("configmaps")}?watch=true&timeoutSeconds=1`);
      s.fact("not before its time", performance.now() - start > 900);
      await s.watch(`${s.in("configmaps")}?watch=true&timeoutSeconds=abc`);
      await s.watch(`${s.in("configmaps")}?watch=true&timeoutSeconds=1&resourceVersion=0&allowWatchBookmarks=true`);
    }),
    probe("P105 values of watch that are not false are true", async (s) => {
      for (const value of ["1", "F", "yes"]) await s.watch(`${s.in("configmaps")}?watch=${value}&timeoutSeconds=1`);
      await s.watch(`${s.in("configmaps")}?watch&timeoutSeconds=1`);
      for (const value of ["0", "false", "FALSE"]) await s.get(`${s.in("configmaps")}?watch=${value}`);
    }),
    probe("P106 a watch of tables names the columns once", async (s) => {
      const path = s.in("configmaps");
      await s.watch(`${path}?watch=true`, {
        count: 3,
        headers: { accept: asTable },
        during: async () => {
          await s.quietly("POST", path, configMap("a", { data: { k: "v" } }));
          await s.quietly("PATCH", `${path}/a`, { data: { l: "w" } });
          await s.quietly("DELETE", `${path}/a`);
        },
      });
    }),
    probe("P106b a watch of tables with whole objects, or none", async (s) => {
      const path = s.in("configmaps");
      await s.quietly("POST", path, configMap("a"));
      for (const includeObject of ["Object", "None"])
        await s.watch(`${path}?watch=true&includeObject=${includeObject}`, { count: 1, headers: { accept: asTable } });
    }),
    probe("P107 a watch of metadata alone", async (s) => {
      const path = s.in("configmaps");
      await s.watch(`${path}?watch=true`, {
        count: 2,
        headers: { accept: asPartial },
        during: async () => {
          await s.quietly("POST", path, configMap("a", { data: { k: "v" } }));
          await s.quietly("DELETE", `${path}/a`);
        },
      });
      await s.watch(`${path}?watch=true&timeoutSeconds=1`, { headers: { accept: asPartialList } });
    }),
    probe("P108 forms that cannot be watched", async (s) => {
      await s.watch(`${s.in("configmaps")}?watch=true&timeoutSeconds=1`, { headers: { accept: "application/yaml" } });
      await s.watch(`${s.in("configmaps")}?watch=true&timeoutSeconds=1`, { headers: { accept: "text/plain" } });
      await s.watch(`${s.in("configmaps")}?watch=true&timeoutSeconds=1`, { headers: { accept: "*/*" } });
      await s.watch(`${s.in("configmaps")}?watch=true&timeoutSeconds=1`, { headers: { accept: "application/json;stream=watch" } });
    }),
    probe("P109 the old paths of watches still work", async (s) => {
      const path = s.in("configmaps");
      for (const name of ["a", "b"]) await s.quietly("POST", path, configMap(name));
      const old = path.replace("/api/v1/", "/api/v1/watch/");
      await s.watch(`${old}?timeoutSeconds=1`);
      await s.watch(`${old}/a?timeoutSeconds=1`);
      await s.watch(`${old}/a?timeoutSeconds=1&fieldSelector=metadata.name%3Db`);
    }),
    probe("P110 a watch of one name sees only that object; on an object's path it is a plain read", async (s) => {
      const path = s.in("configmaps");
      await s.watch(`${path}?watch=true&fieldSelector=metadata.name%3Db`, {
        count: 2,
        during: async () => {
          for (const name of ["a", "b", "c"]) await s.quietly("POST", path, configMap(name));
          for (const name of ["a", "b", "c"]) await s.quietly("DELETE", `${path}/${name}`);
        },
      });
      await s.quietly("POST", path, configMap("a"));
      await s.get(`${path}/a?watch=true`);
    }),
    probe("P113 many watchers see the same in the same order", async (s) => {
      const path = s.in("configmaps");
      const from = versionOf(await s.quietly("GET", path));
      const write = async (): Promise<void> => {
        for (const name of ["a", "b", "c", "d"]) await s.quietly("POST", path, configMap(name));
        for (const name of ["c", "a"]) await s.quietly("DELETE", `${path}/${name}`);
      };
      const view = (event: unknown): string =>
        `${textAt({ body: event as JsonObject }, "type")} ${textAt({ body: event as JsonObject }, "object", "metadata", "name")}`;
      await s.watch(`${path}?watch=true&resourceVersion=${from}`, { count: 6, view, during: write });
      await s.watch(`${path}?watch=true&resourceVersion=${from}`, { count: 6, view });
    }),
    probe("P114 a deletion with finalizers is a change first", async (s) => {
      const path = s.in("configmaps");
      await s.watch(`${path}?watch=true`, {
        count: 3,
        during: async () => {
          await s.quietly("POST", path, configMap("a", { metadata: { finalizers: ["example.com/f"] } }));
          await s.quietly("DELETE", `${path}/a`);
          await s.quietly("PATCH", `${path}/a`, { metadata: { finalizers: null } });
        },
      });
    }),
    probe("P114b writes that change nothing, and dry runs, are not seen", async (s) => {
      const path = s.in("configmaps");
      await s.watch(`${path}?watch=true`, {
        count: 2,
        during: async () => {
          await s.quietly("POST", path, configMap("a", { data: { k: "v" } }));
          await s.quietly("PATCH", `${path}/a`, { data: { k: "v" } });
          await s.quietly("PATCH", `${path}/a?dryRun=All`, { data: { k: "w" } });
          await s.quietly("DELETE", `${path}/a?dryRun=All`);
          await s.quietly("DELETE", `${path}/a`);
        },
      });
    }),
    probe("P114c status and scale are seen as changes of the object", async (s) => {
      const widgets = await define(
        s,
        widgetDefinition(s, {
          version: { subresources: { status: {}, scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } } },
        }),
      );
      await s.quietly("POST", widgets, widget(s, "a", { spec: { replicas: 1 } }));
      await s.watch(`${widgets}?watch=true`, {
        count: 3,
        during: async () => {
          await s.quietly("PATCH", `${widgets}/a/status`, { status: { replicas: 1 } });
          await s.quietly("PATCH", `${widgets}/a/scale`, { spec: { replicas: 2 } });
        },
        view: (event) => [
          valueAt({ body: event }, "type") ?? null,
          valueAt({ body: event }, "object", "spec") ?? null,
          valueAt({ body: event }, "object", "status") ?? null,
          valueAt({ body: event }, "object", "metadata", "generation") ?? null,
        ],
      });
    }),
    probe("P114d every namespace in one watch", async (s) => {
      await s.watch("/api/v1/configmaps?watch=true&labelSelector=probe%3Dp114d", {
        count: 2,
        during: async () => {
          await s.quietly("POST", s.in("configmaps"), configMap("a", { metadata: { labels: { probe: "p114d" } } }));
          await s.quietly(
            "POST",
            "/api/v1/namespaces/default/configmaps",
            configMap("p114d", { metadata: { labels: { probe: "p114d" } } }),
          );
        },
      });
    }),
  ],
};
