/** Reading: one object and many, in pages, at versions, by selectors. */
import type { JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { itemsOf, namesOf, textAt, valueAt, versionOf } from "../exchange.ts";
import { configMap, container, define, pod, widget, widgetDefinition } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";
import type { ProbeSession } from "../session.ts";

const token = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const next = (answer: Parameters<typeof textAt>[0]): string => textAt(answer, "metadata", "continue");

/** Creates ConfigMaps a, b, c …, unrecorded; odd ones have the label odd=yes. */
async function fill(s: ProbeSession, count: number): Promise<string> {
  for (let index = 0; index < count; index++) {
    const name = String.fromCodePoint(97 + index);
    await s.quietly("POST", s.in("configmaps"), configMap(name, { metadata: { labels: { odd: index % 2 === 1 ? "yes" : "no", name } } }));
  }
  return s.in("configmaps");
}

export const list: Chapter = {
  name: "list",
  probes: [
    probe("P073 what is missing is not found, with its name and resource", async (s) => {
      await s.get(s.in("configmaps", "nope"));
      await s.get(s.in("apps/v1/deployments", "nope"));
      await s.get(s.in("apps/v1/deployments", "nope", "scale"));
      await s.get(s.in("pods", "nope", "status"));
      await s.get("/api/v1/namespaces/p073-nope");
      await s.delete(s.in("configmaps", "nope"));
      await s.put(s.in("configmaps", "nope"), configMap("nope"));
    }),
    probe("P074 a GET at a version: 0, one that is there, one from the future, one that is none", async (s) => {
      const created = await s.post(s.in("configmaps"), configMap("a"));
      await s.until({ path: `${s.in("configmaps", "a")}?resourceVersion=0` }, ({ status }) => status === 200);
      await s.get(`${s.in("configmaps", "a")}?resourceVersion=${versionOf(created)}`);
      await s.get(`${s.in("configmaps", "a")}?resourceVersion=99999999`);
      await s.get(`${s.in("configmaps", "a")}?resourceVersion=abc`);
      await s.get(`${s.in("configmaps", "a")}?resourceVersion=-1`);
      await s.get(`${s.in("configmaps", "a")}?export=true`);
      await s.get(`${s.in("configmaps", "a")}?unknown=1&resourceVersion=`);
    }),
    probe("P076 items of built-in lists have no type, those of custom ones do", async (s) => {
      await s.get(await fill(s, 2));
      const widgets = await define(s, widgetDefinition(s));
      await s.post(widgets, widget(s, "a"));
      await s.get(widgets);
    }),
    probe("P077 an empty list has items", async (s) => {
      await s.get(s.in("configmaps"), { raw: true });
      await s.get(s.in("apps/v1/deployments"), { raw: true });
      const widgets = await define(s, widgetDefinition(s));
      await s.get(widgets, { raw: true });
    }),
    probe("P078 a page has as many items as asked for, says how many remain and where to go on", async (s) => {
      const path = await fill(s, 5);
      const first = await s.get(`${path}?limit=2`);
      const second = await s.get(`${path}?limit=2&continue=${next(first)}`);
      const third = await s.get(`${path}?limit=2&continue=${next(second)}`);
      s.fact("one version on all pages", new Set([first, second, third].map(versionOf)).size);
      await s.get(`${path}?limit=0`, { view: (body) => namesOf({ body }) });
      await s.get(`${path}?limit=5`);
    }),
    probe("P079 later pages show the state of the first, whatever was written since", async (s) => {
      const path = await fill(s, 3);
      const first = await s.get(`${path}?limit=1`);
      await s.delete(`${path}/b`, undefined, { view: () => null });
      await s.patch("merge", `${path}/c`, { data: { k: "late" } }, { view: () => null });
      await s.post(path, configMap("bb"), { view: () => null });
      const second = await s.get(`${path}?limit=5&continue=${next(first)}`, {
        view: (body) =>
          itemsOf({ body }).map((item) => [textAt({ body: item }, "metadata", "name"), valueAt({ body: item }, "data") ?? null]),
      });
      s.fact("one version on both pages", versionOf(first) === versionOf(second));
    }),
    probe("P080 pages of a selection do not say how many remain", async (s) => {
      const path = await fill(s, 6);
      const first = await s.get(`${path}?limit=2&labelSelector=odd%3Dyes`);
      await s.get(`${path}?limit=2&labelSelector=odd%3Dyes&continue=${next(first)}`);
      const byField = await s.get(`${path}?limit=1&fieldSelector=metadata.name!%3Da`);
      await s.get(`${path}?limit=10&fieldSelector=metadata.name!%3Da&continue=${next(byField)}`, { view: (body) => namesOf({ body }) });
    }),
    probe("P081 pages across namespaces go on in the order of keys", async (s) => {
      await s.quietly("POST", "/api/v1/namespaces", { metadata: { name: `${s.namespace}-b` } });
      for (const name of [`${s.namespace}-b`, s.namespace]) {
        for (const item of ["x", "a"])
          await s.quietly("POST", `/api/v1/namespaces/${name}/configmaps`, configMap(item, { metadata: { labels: { probe: "p081" } } }));
      }
      const first = await s.get("/api/v1/configmaps?labelSelector=probe%3Dp081&limit=3");
      await s.get(`/api/v1/configmaps?labelSelector=probe%3Dp081&limit=3&continue=${next(first)}`);
    }),
    probe("P082 continue tokens that are none are refused", async (s) => {
      const path = s.in("configmaps");
      for (const value of [
        "abc",
        "!!!",
        token({ v: "v2", rv: 5, start: "a" }),
        token({ v: "meta.k8s.io/v1", rv: 0, start: "a" }),
        token({ v: "meta.k8s.io/v1", rv: 5, start: "" }),
        token({ v: "meta.k8s.io/v1", rv: 5, start: "../../x" }),
        token({}),
      ])
        await s.get(`${path}?limit=1&continue=${value}`);
      await s.get(`${path}?limit=1&continue=${token({ v: "meta.k8s.io/v1", rv: 5, start: "a\u0000" })}&resourceVersion=5`);
    }),
    probe("P083 a token of version -1 goes on at the latest, one of the future fails", async (s) => {
      const path = await fill(s, 3);
      await s.get(`${path}?limit=1&continue=${token({ v: "meta.k8s.io/v1", rv: -1, start: "a\u0000" })}`);
      await s.get(`${path}?limit=1&continue=${token({ v: "meta.k8s.io/v1", rv: 99_999_999, start: "a\u0000" })}`, {
        view: (body) => [valueAt({ body }, "reason") ?? null, valueAt({ body }, "details") ?? null],
      });
    }),
    probe(
      "P085 an expired token is gone, with another to go on inconsistently",
      async (s) => {
        const path = await fill(s, 4);
        const first = await s.get(`${path}?limit=1`);
        await s.patch("merge", `${path}/c`, { data: { k: "late" } }, { view: () => null });
        await s.compact();
        const gone = await s.get(`${path}?limit=1&continue=${next(first)}`);
        await s.get(`${path}?limit=2&continue=${next(gone)}`);
        await s.get(`${path}?resourceVersion=${versionOf(first)}&resourceVersionMatch=Exact`);
        await s.get(`${path}?resourceVersion=${versionOf(first)}&resourceVersionMatch=NotOlderThan`, { view: (body) => namesOf({ body }) });
        await s.get(`${path}?resourceVersion=${versionOf(first)}&limit=1`);
      },
      { alone: true },
    ),
    probe("P086 ways to match a version that make no sense are refused", async (s) => {
      const path = s.in("configmaps");
      for (const query of [
        "resourceVersionMatch=Exact",
        "resourceVersionMatch=NotOlderThan",
        "resourceVersion=5&resourceVersionMatch=Foo",
        "resourceVersion=0&resourceVersionMatch=Exact",
        `continue=${token({ v: "meta.k8s.io/v1", rv: 5, start: "a" })}&resourceVersionMatch=Exact`,
      ])
        await s.get(`${path}?${query}`);
    }),
    probe("P087 exact lists show the past, not older ones the present", async (s) => {
      const path = s.in("configmaps");
      const one = await s.post(path, configMap("a"));
      await s.post(path, configMap("b"), { view: () => null });
      await s.delete(`${path}/a`, undefined, { view: () => null });
      await s.get(`${path}?resourceVersion=${versionOf(one)}&resourceVersionMatch=Exact`);
      await s.get(`${path}?resourceVersion=${versionOf(one)}&limit=5`);
      await s.get(`${path}?resourceVersion=${versionOf(one)}&resourceVersionMatch=NotOlderThan`);
      await s.get(`${path}?resourceVersion=${versionOf(one)}`);
      await s.until({ path: `${path}?resourceVersion=0` }, (answer) => namesOf(answer).join("") === "b");
    }),
    probe("P088 versions that are none, or of the future", async (s) => {
      for (const query of ["resourceVersion=abc", "resourceVersion=-1", "resourceVersion=1.5", "resourceVersion=99999999"])
        await s.get(`${s.in("configmaps")}?${query}`);
      await s.get(`${s.in("configmaps")}?resourceVersion=99999999&resourceVersionMatch=Exact`);
    }),
    probe("P089 numbers that are none", async (s) => {
      await s.get(`${s.in("configmaps")}?limit=abc`);
      await s.get(`${s.in("configmaps")}?limit=-1`);
      await s.get(`${s.in("configmaps")}?limit=1.5`);
      await s.get(`${s.in("configmaps")}?timeoutSeconds=x`);
      await s.get(`${s.in("configmaps")}?limit=99999999999999999999`);
      await s.get(`${s.in("configmaps")}?timeout=abc`);
    }),
    probe("P090 label selectors select", async (s) => {
      const path = await fill(s, 4);
      for (const selector of [
        "odd=yes",
        "odd!=yes",
        "odd in (yes,no)",
        "name notin (a,b)",
        "!nothing",
        "odd",
        "odd=yes,name=b",
        "odd=",
        "",
        "name>1",
      ])
        await s.get(`${path}?labelSelector=${encodeURIComponent(selector)}`, { view: (body) => namesOf({ body }) });
      for (const selector of ["a=b=c", "odd in yes", "bad key=v", "odd=yes,", "k=bad value"])
        await s.get(`${path}?labelSelector=${encodeURIComponent(selector)}`);
    }),
    probe("P091 field selectors that a kind does not know are refused, each in its words", async (s) => {
      await s.get(`${s.in("configmaps")}?fieldSelector=spec.foo%3Dx`);
      await s.get(`${s.in("apps/v1/deployments")}?fieldSelector=spec.foo%3Dx`);
      await s.get(`${s.in("pods")}?fieldSelector=spec.foo%3Dx`);
      await s.get(`${s.in("services")}?fieldSelector=spec.foo%3Dx`);
      await s.get(`${s.in("events")}?fieldSelector=spec.foo%3Dx`);
      await s.get(`${s.in("secrets")}?fieldSelector=spec.foo%3Dx`);
      await s.get(`${s.in("configmaps")}?fieldSelector=nonsense`);
      await s.get(`${s.in("configmaps")}?fieldSelector=a%3Db%3Dc`);
    }),
    probe("P092 field selectors of pods select", async (s) => {
      await s.post(s.in("pods"), pod("a"), { view: () => null });
      await s.post(s.in("pods"), pod("b", { nodeName: "n1", restartPolicy: "Never", schedulerName: "mine", serviceAccountName: "robot" }), {
        view: () => null,
      });
      for (const selector of [
        "spec.nodeName=n1",
        "spec.nodeName=",
        "spec.nodeName!=n1",
        "status.phase=Pending",
        "status.phase=Running",
        "spec.restartPolicy=Never",
        "spec.schedulerName=mine",
        "spec.serviceAccountName=robot",
        "metadata.name=a,status.phase=Pending",
        "metadata.namespace=other",
        "spec.hostNetwork=false",
        "status.podIP=",
      ]) {
        await s.get(`${s.in("pods")}?fieldSelector=${encodeURIComponent(selector)}`, { view: (body) => namesOf({ body }) });
      }
    }),
    probe("P093 field selectors of other kinds select", async (s) => {
      await s.post(s.in("secrets"), { metadata: { name: "a" } }, { view: () => null });
      await s.post(s.in("secrets"), { metadata: { name: "b" }, type: "example.com/kind" }, { view: () => null });
      await s.get(`${s.in("secrets")}?fieldSelector=type%3DOpaque`, { view: (body) => namesOf({ body }) });
      await s.post(
        s.in("services"),
        { metadata: { name: "x" }, spec: { type: "ExternalName", externalName: "example.com" } },
        { view: () => null },
      );
      await s.get(`${s.in("services")}?fieldSelector=spec.type%3DExternalName`, { view: (body) => namesOf({ body }) });
      await s.post(
        s.in("events"),
        { metadata: { name: "e" }, involvedObject: { kind: "Pod", name: "p", namespace: s.namespace }, reason: "Why", type: "Normal" },
        { view: () => null },
      );
      for (const selector of ["involvedObject.name=p", "involvedObject.kind=Node", "reason=Why", "type=Normal,involvedObject.name=p"])
        await s.get(`${s.in("events")}?fieldSelector=${encodeURIComponent(selector)}`, { view: (body) => namesOf({ body }) });
      await s.get(`/api/v1/namespaces?fieldSelector=${encodeURIComponent(`metadata.name=${s.namespace},status.phase=Active`)}`, {
        view: (body) => namesOf({ body }),
      });
    }),
    probe("P094 what only watches may ask is refused on a list", async (s) => {
      await s.get(`${s.in("configmaps")}?sendInitialEvents=true`);
      await s.get(`${s.in("configmaps")}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan`);
      await s.get(`${s.in("configmaps")}?allowWatchBookmarks=true`);
    }),
    probe("P095 one counter for all kinds, and a list is never older than its items", async (s) => {
      const versions: number[] = [];
      for (const [path, body] of [
        [s.in("configmaps"), configMap("a")],
        [s.in("secrets"), { metadata: { name: "a" } }],
        [s.in("pods"), pod("a")],
        [s.in("configmaps"), configMap("b")],
      ] as const)
        versions.push(Number(versionOf(await s.post(path, body, { view: () => null }))));
      s.fact(
        "versions increase",
        versions.every((version, index) => index === 0 || version > (versions[index - 1] ?? 0)),
      );
      const all = await s.get(s.in("configmaps"), { view: (body) => namesOf({ body }) });
      s.fact(
        "the list is not older than its items",
        itemsOf(all).every((item) => Number(versionOf({ body: item })) <= Number(versionOf(all))),
      );
    }),
    probe("P096 a trailing slash, an encoded name, a doubled slash, a wrong case", async (s) => {
      await fill(s, 1);
      await s.get(`${s.in("configmaps")}/`, { view: (body) => namesOf({ body }) });
      await s.get(`${s.in("configmaps")}/%61`, { view: (body) => textAt({ body }, "metadata", "name") });
      await s.get(`/api/v1//namespaces/${s.namespace}/configmaps`);
      await s.get("/api/v1/Namespaces");
      await s.get("/api/v1/namespace/default");
      await s.get(s.in("configmap", "a"));
      await s.get(s.in("cm", "a"));
      await s.get(`${s.in("configmaps")}/a/`, { view: () => null });
    }),
    probe("P096b the audit id of a request comes back", async (s) => {
      await fill(s, 1);
      await s.get(s.in("configmaps", "a"), { headers: { "audit-id": "my-id-1" } });
    }),
    probe("P096c big lists are compressed for those who ask", async (s) => {
      await s.post(s.in("configmaps"), configMap("big", { data: { k: "x".repeat(200_000) } }), { view: () => null });
      await s.get(s.in("configmaps", "big"), { headers: { "accept-encoding": "gzip" }, raw: true, view: () => null });
      await s.get(s.in("configmaps", "none"), { headers: { "accept-encoding": "gzip" }, raw: true, view: () => null });
      await s.get(s.in("configmaps", "big"), { view: (body) => textAt({ body }, "data", "k").length });
    }),
    probe("P096d lists by name take only that object", async (s) => {
      const path = await fill(s, 2);
      await s.get(`${path}?fieldSelector=metadata.name%3Db`);
      await s.get(`${path}?fieldSelector=metadata.name%3Dnope`);
      await s.get(`${path}?fieldSelector=metadata.name%3Db,metadata.name%3Da`);
      await s.get(`${path}?fieldSelector=metadata.name%3Db&labelSelector=odd%3Dno`);
    }),
    probe("P096e members of a built-in object come in the order of its type, those of a custom one by name", async (s) => {
      await s.post(
        s.in("pods"),
        pod("a", { containers: [container({ ports: [{ containerPort: 80 }], env: [{ name: "A", value: "b" }] })] }),
        { view: () => null },
      );
      const orders = (body: JsonValue): JsonValue =>
        [[], ["metadata"], ["spec"], ["spec", "containers", "0"]].map((path) => {
          const value = valueAt({ body }, ...path);
          return isJsonObject(value) ? Object.keys(value) : null;
        });
      await s.get(s.in("pods", "a"), { view: orders });
      const widgets = await define(s, widgetDefinition(s));
      await s.post(widgets, widget(s, "a", { spec: { size: 1, mode: "a" } }), { view: orders });
    }),
  ],
};
