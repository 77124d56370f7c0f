/** What a new server has and says of itself: flow control, APIServices, its own ConfigMaps, health checks, binary OpenAPI. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { itemsOf, textAt, valueAt } from "../exchange.ts";
import { define, definitions, widgetDefinition } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";

const flowControl = "/apis/flowcontrol.apiserver.k8s.io/v1";
const services = "/apis/apiregistration.k8s.io/v1/apiservices";

/** The items without what the probes themselves define, and without versions: the server creates them in any order. */
const builtIn = (body: JsonValue): JsonObject[] =>
  itemsOf({ body })
    .filter((item) => !nameOf(item).endsWith(".example.com"))
    .map((item) => ({ ...item, metadata: { ...(isJsonObject(item["metadata"]) ? item["metadata"] : {}), resourceVersion: null } }));
const nameOf = (item: JsonValue): string => textAt({ body: item }, "metadata", "name");
const withoutVersion = (body: JsonValue): JsonValue => (isJsonObject(body) ? { ...body, metadata: null, items: builtIn(body) } : body);
const managers = (body: JsonValue): JsonValue =>
  builtIn(body).map((item) => [
    nameOf(item),
    itemsOf({ body: valueAt({ body: item }, "metadata") ?? null }, "managedFields").map((entry) => [
      entry["manager"] ?? "",
      entry["operation"] ?? "",
      entry["subresource"] ?? "",
    ]),
  ]);

const v3 = "/openapi/v3/apis/events.k8s.io/v1";
const protobuf = "application/com.github.proto-openapi.spec.v3@v1.0+protobuf";

export const bootstrap: Chapter = {
  name: "bootstrap",
  probes: [
    probe("P800 the flow schemas of a new cluster", async (s) => {
      await s.get(`${flowControl}/flowschemas`, { view: withoutVersion });
      await s.get(`${flowControl}/flowschemas`, { view: managers });
    }),
    probe("P801 the priority levels of a new cluster", async (s) => {
      await s.get(`${flowControl}/prioritylevelconfigurations`, { view: withoutVersion });
      await s.get(`${flowControl}/prioritylevelconfigurations`, { view: managers });
    }),
    probe("P802 every built-in group version has an APIService with its priorities", async (s) => {
      await s.get(services, { view: withoutVersion });
      await s.get(services, { view: managers });
    }),
    probe("P803 the group versions of a custom resource get APIServices, which go with the definition", async (s) => {
      const definition = widgetDefinition(s);
      await define(s, definition);
      const name = `${textAt({ body: valueAt({ body: definition }, "spec", "versions", "0") ?? null }, "name")}.${s.group}`;
      await s.until({ path: `${services}/${name}` }, ({ body }) => valueAt({ body }, "status", "conditions") !== undefined);
      await s.delete(`${definitions}/${nameOf(definition)}`, undefined, { view: () => null });
      await s.until({ path: `${services}/${name}` }, ({ status }) => status === 404);
    }),
    probe("P804 the server remembers since when it tracks service account tokens", async (s) => {
      await s.get("/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking", {
        view: (body) => {
          const data = valueAt({ body }, "data");
          return isJsonObject(data)
            ? Object.entries(data).map(([key, value]) => [key, typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value)])
            : null;
        },
      });
    }),
    probe("P805 the checks of livez, readyz and healthz", async (s) => {
      for (const endpoint of ["livez", "readyz", "healthz"]) await s.get(`/${endpoint}?verbose`);
    }),
    probe("P806 single checks, and checks that are left out", async (s) => {
      for (const path of [
        "/readyz?exclude=etcd",
        "/readyz?verbose&exclude=etcd",
        "/readyz?verbose=true&exclude=etcd&exclude=shutdown",
        "/livez?exclude=nope",
        "/livez?verbose&exclude=nope&exclude=ping",
        "/readyz/etcd",
        "/readyz/ping",
        "/livez/shutdown",
        "/readyz/shutdown",
        "/readyz/informer-sync",
        "/healthz/etcd",
        "/healthz/poststarthook/bootstrap-controller",
        "/livez/poststarthook/start-apiextensions-controllers",
        "/readyz/nope",
        "/readyz/",
      ])
        await s.get(path);
    }),
    probe("P807 OpenAPI v3 in protobuf", async (s) => {
      const shape = (body: JsonValue): JsonValue => textAt({ body }).length > 1000;
      await s.get(v3, { headers: { accept: protobuf }, view: shape });
      await s.get(v3, { headers: { accept: protobuf.replace("@", ".") }, view: shape });
      await s.get(v3, { headers: { accept: `text/xml,${protobuf}` }, view: shape });
      await s.get(v3, { headers: { accept: `${protobuf},application/json` }, view: shape });
      await s.get("/openapi/v3/apis/nope/v1", { headers: { accept: protobuf } });
    }),
  ],
};
