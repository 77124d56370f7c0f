/** Discovery: versions, health, groups, resources, OpenAPI. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { itemsOf, textAt, valueAt } from "../exchange.ts";
import { define, definitions, widgetDefinition } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";

const aggregated = { headers: { accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" } };
const isOurs = (name: string): boolean => name.endsWith(".example.com");

/** A list of groups without those that probes define. */
const builtInGroups = (body: JsonValue): JsonValue => ({
  ...(isJsonObject(body) ? body : {}),
  groups: itemsOf({ body }, "groups").filter((group) => !isOurs(textAt({ body: group }, "name"))),
});
const builtInItems = (body: JsonValue): JsonObject[] =>
  itemsOf({ body }).filter((group) => !isOurs(textAt({ body: group }, "metadata", "name")));

/** Names of the checks in the text of a health endpoint; each server has its own checks. */
const shapeOfHealth = (body: JsonValue): JsonValue => {
  const lines = textAt({ body }).split("\n");
  return {
    ping: lines.includes("[+]ping ok"),
    everyLine: lines.slice(0, -2).every((line) => /^\[\+\][\w/-]+ (?:ok|excluded: ok)$/.test(line)),
    last: lines.slice(-2),
  };
};

/** Paths, operations and schemas by name, with their kinds: what clients look for in a document. */
const outline = (body: JsonValue): JsonValue => ({
  keys: isJsonObject(body) ? Object.keys(body).toSorted() : null,
  paths: keysAt(body, "paths"),
  schemas: keysAt(body, "components", "schemas"),
});
const keysAt = (body: JsonValue, ...path: readonly string[]): JsonValue => {
  const value = valueAt({ body }, ...path);
  return isJsonObject(value)
    ? Object.keys(value)
        .filter((key) => !key.includes("example.com") || path.length > 1)
        .toSorted()
    : null;
};

/** The groups whose resources are compared one by one. */
const groupVersions = [
  "apps/v1",
  "batch/v1",
  "autoscaling/v1",
  "autoscaling/v2",
  "policy/v1",
  "networking.k8s.io/v1",
  "discovery.k8s.io/v1",
  "coordination.k8s.io/v1",
  "events.k8s.io/v1",
  "rbac.authorization.k8s.io/v1",
  "authentication.k8s.io/v1",
  "authorization.k8s.io/v1",
  "apiextensions.k8s.io/v1",
  "storage.k8s.io/v1",
  "scheduling.k8s.io/v1",
  "node.k8s.io/v1",
  "certificates.k8s.io/v1",
  "admissionregistration.k8s.io/v1",
  "apiregistration.k8s.io/v1",
  "flowcontrol.apiserver.k8s.io/v1",
  "resource.k8s.io/v1",
] as const;

export const discovery: Chapter = {
  name: "discovery",
  probes: [
    probe("P001 the version has its keys and the minor number", async (s) => {
      await s.get("/version", {
        view: (body) => ({
          keys: isJsonObject(body) ? Object.keys(body).toSorted() : [],
          major: valueAt({ body }, "major") ?? null,
          minor: valueAt({ body }, "minor") ?? null,
        }),
      });
      await s.get("/version/", { view: () => null });
      await s.post("/version", {}, { view: () => null });
    }),
    probe("P002 /api names the core versions", async (s) => {
      await s.get("/api");
      await s.get("/api/");
      await s.post("/api", {}, { view: () => null });
    }),
    probe(
      "P003 /apis lists the groups in their order",
      async (s) => {
        await s.get("/apis", { view: builtInGroups });
        await s.get("/apis/", { view: builtInGroups });
      },
      { alone: true },
    ),
    probe("P004 one group names its versions", async (s) => {
      await s.get("/apis/apps");
      await s.get("/apis/apps/");
      await s.get("/apis/autoscaling");
    }),
    probe("P005 what is not there is not there in plain text, or as a Status inside a built-in group", async (s) => {
      for (const path of [
        "/apis/nope",
        "/apis/nope/v1",
        "/apis/nope/v1/things",
        "/nope",
        "/apis/apps/v2",
        "/apis/apps/v1/nope",
        "/api/v2",
        "/api/v1/nope",
        "/api/v1/namespaces/default/nope",
        "/api/v1/namespaces/default/nope/x",
        "/apis/apps/v1/deployments/a/b/c/d",
      ])
        await s.get(path);
    }),
    probe("P006 /api/v1 lists the core resources", async (s) => {
      await s.get("/api/v1");
    }),
    ...groupVersions.map((groupVersion, index) =>
      probe(`P006${String.fromCodePoint(97 + index)} the resources of ${groupVersion}`, async (s) => {
        await s.get(`/apis/${groupVersion}`);
      }),
    ),
    probe(
      "P007 aggregated discovery of the groups, with its own content type, tag and caching",
      async (s) => {
        await s.get("/apis", { ...aggregated, view: builtInItems });
      },
      { alone: true },
    ),
    probe(
      "P008 an unchanged tag answers 304",
      async (s) => {
        const first = await s.get("/apis", { ...aggregated, view: () => null });
        const tag = String(first.headers["etag"]);
        await s.get("/apis", { headers: { ...aggregated.headers, "if-none-match": tag } });
        await s.get("/apis", { headers: { ...aggregated.headers, "if-none-match": `W/${tag}` }, view: () => null });
        await s.get("/api", { headers: { ...aggregated.headers, "if-none-match": tag }, view: () => null });
      },
      { alone: true },
    ),
    probe("P009 of several accepted forms of discovery the first that is served is taken", async (s) => {
      const kind = (body: JsonValue): JsonValue => valueAt({ body }, "kind") ?? null;
      await s.get("/apis", {
        headers: {
          accept:
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
        },
        view: kind,
      });
      await s.get("/apis", {
        headers: { accept: "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json" },
        view: kind,
      });
      await s.get("/apis", {
        headers: { accept: "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList" },
        view: kind,
      });
      await s.get("/apis", {
        headers: { accept: "application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList,application/json" },
        view: kind,
      });
      await s.get("/apis", { headers: { accept: "" }, view: kind });
      await s.get("/apis", { headers: { accept: "text/html" }, view: kind });
    }),
    probe("P010 aggregated discovery of the core", async (s) => {
      await s.get("/api", aggregated);
    }),
    probe(
      "P011 the index of OpenAPI names every group version with a hash",
      async (s) => {
        await s.get("/openapi/v3", {
          view: (body) => ({ paths: keysAt(body, "paths"), core: valueAt({ body }, "paths", "api/v1") ?? null }),
        });
      },
      { alone: true },
    ),
    probe(
      "P012 documents of OpenAPI have their paths and schemas, and are cached for ever by their hash",
      async (s) => {
        const index = await s.settle({ path: "/openapi/v3" }, () => true);
        for (const path of ["api/v1", "apis/apps/v1", "apis/batch/v1", "apis/coordination.k8s.io/v1", "version", "api", "apis"])
          await s.get(textAt(index, "paths", path, "serverRelativeURL"), { view: outline });
      },
      { alone: true },
    ),
    probe("P013 a wrong hash leads to the right one", async (s) => {
      await s.get("/openapi/v3/apis/apps/v1?hash=ABC", { view: () => null });
      await s.get("/openapi/v3/apis/apps/v1", { view: () => null });
      await s.get("/openapi/v3/apis/nope/v1");
    }),
    probe("P013b what a document says of one kind", async (s) => {
      await s.get("/openapi/v3/apis/apps/v1", {
        view: (body) =>
          [
            "io.k8s.api.apps.v1.Deployment",
            "io.k8s.api.apps.v1.DeploymentSpec",
            "io.k8s.api.apps.v1.DeploymentStrategy",
            "io.k8s.api.core.v1.Container",
          ].map((name) => valueAt({ body }, "components", "schemas", name) ?? null),
      });
      await s.get("/openapi/v3/apis/apps/v1", {
        view: (body) => valueAt({ body }, "paths", "/apis/apps/v1/namespaces/{namespace}/deployments/{name}") ?? null,
      });
    }),
    probe("P014 OpenAPI v2 as the protobuf document that old clients insist on", async (s) => {
      for (const accept of [
        "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
        "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
      ])
        await s.get("/openapi/v2", { headers: { accept }, raw: true, view: (body) => textAt({ body }).includes("Kubernetes") });
    }),
    probe(
      "P015 OpenAPI v2 as JSON: its head and the names of its definitions",
      async (s) => {
        await s.get("/openapi/v2", {
          view: (body) => ({
            swagger: valueAt({ body }, "swagger") ?? null,
            title: valueAt({ body }, "info", "title") ?? null,
            definitions: keysAt(body, "definitions"),
            paths: keysAt(body, "paths"),
          }),
        });
        await s.get("/openapi/v2", { headers: { accept: "text/html" }, view: () => null });
      },
      { alone: true },
    ),
    probe("P016 health in one word", async (s) => {
      for (const path of ["/healthz", "/livez", "/readyz", "/healthz/ping", "/livez/ping", "/readyz/ping"]) await s.get(path);
      await s.post("/healthz", {}, { view: () => null });
    }),
    probe("P017 health in many words", async (s) => {
      for (const path of ["/healthz?verbose", "/livez?verbose=true", "/readyz?verbose"]) await s.get(path, { view: shapeOfHealth });
    }),
    probe("P018 health without one check", async (s) => {
      await s.get("/readyz?exclude=ping");
      await s.get("/readyz?verbose&exclude=ping", { view: (body) => textAt({ body }).split("\n").includes("[+]ping excluded: ok") });
      await s.get("/readyz?verbose&exclude=nothing", {
        view: (body) =>
          textAt({ body })
            .split("\n")
            .filter((line) => line.includes("nothing")),
      });
    }),
    probe("P019 a health check that is none", async (s) => {
      await s.get("/healthz/nope");
      await s.get("/readyz/nope");
    }),
    probe("P019b metrics are text for Prometheus", async (s) => {
      await s.get("/metrics", {
        view: (body) => /^# HELP /m.test(textAt({ body })) && /^apiserver_request_total\{/m.test(textAt({ body })),
      });
    }),
    probe("P019c a kind that is defined appears in discovery, and goes with its definition", async (s) => {
      const definition = widgetDefinition(s, {
        version: { subresources: { status: {}, scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } } },
        names: { shortNames: ["wi"], categories: ["all", "toys"], singular: "widget" },
      });
      await define(s, definition);
      await s.until({ path: `/apis/${s.group}` }, ({ status }) => status === 200);
      await s.until({ path: `/apis/${s.group}/v1` }, (answer) => itemsOf(answer, "resources").length === 3);
      const mine = (body: JsonValue): JsonObject[] =>
        itemsOf({ body }).filter((group) => textAt({ body: group }, "metadata", "name") === s.group);
      await s.until({ path: "/apis", ...aggregated, view: mine }, ({ body }) => mine(body).length === 1);
      const index = await s.settle({ path: "/openapi/v3" }, (answer) => valueAt(answer, "paths", `apis/${s.group}/v1`) !== undefined);
      await s.get(textAt(index, "paths", `apis/${s.group}/v1`, "serverRelativeURL"));
      await s.delete(`${definitions}/widgets.${s.group}`, undefined, { view: () => null });
      await s.until({ path: `/apis/${s.group}` }, ({ status }) => status === 404);
    }),
  ],
};
