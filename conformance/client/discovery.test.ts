/**
 * Discovery, mapping and local validation on a server: everything of @drover/api is found, a kind defined while the
 * client runs is found at once, and local validation refuses what the server's dry run refuses.
 */
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { kinds } from "@drover/api";
import { CachedDiscovery, DiscoveryClient, DynamicMapper, ScaleKindResolver, StaleGroupVersionError, validateObject } from "@drover/client";
import { createLog, NoKindMatchError, poll } from "@drover/machinery";
import type { GroupVersionKind, Log, Transport } from "@drover/machinery";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const { clock } = nodeRuntime();
const log: Log = createLog({ clock, write: () => undefined });

const widgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.shop.example" },
  spec: {
    group: "shop.example",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", shortNames: ["wd"], categories: ["toys"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                required: ["size"],
                properties: {
                  size: { type: "integer", minimum: 1 },
                  replicas: { type: "integer" },
                  color: { type: "string", enum: ["red", "green"] },
                  any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                },
              },
              status: { type: "object", properties: { replicas: { type: "integer" } } },
            },
          },
        },
      },
    ],
  },
};
const widgetKind = { group: "shop.example", kind: "Widget" };
const json = { "content-type": "application/json" };

describeOnServers("discovery", ({ kind: serverKind, missing, start }) => {
  let server: SuiteServer;
  let sent: { readonly path: string; readonly status: number }[] = [];
  let transport: Transport;
  let discovery: DiscoveryClient;

  beforeEach((ctx) => {
    if (missing !== undefined) ctx.skip(missing);
  });
  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    transport = async ({ method, path, headers }) => {
      const response = await server.send({
        method,
        path,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      });
      sent.push({ path, status: response.status });
      return {
        status: response.status,
        headers: Object.fromEntries(
          Object.entries(response.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
        ),
        body: response.body,
      };
    };
    discovery = new DiscoveryClient(transport, { clock, log });
  }, 120_000);
  afterAll(() => server?.stop());

  const established = async (): Promise<void> => {
    await poll(clock, { interval: 10, timeout: 20_000, immediate: true }, async () => {
      const { body } = await server.send({
        method: "GET",
        path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.shop.example",
      });
      const { status } = JSON.parse(body) as { status?: { conditions?: { type: string; status: string }[] } };
      return status?.conditions?.some((condition) => condition.type === "Established" && condition.status === "True") === true;
    });
  };

  it.each(["aggregated", "legacy"] as const)("finds every kind of @drover/api with the same description (%s)", async (format) => {
    const client = new DiscoveryClient(transport, { clock, log, format });
    const found = await client.serverGroupsAndResources();
    expect(found.failures).toEqual([]);
    const mapper = new DynamicMapper(client, { clock, log });
    for (const { listKind, ...kind } of kinds) {
      const described = await mapper.describe(kind);
      const sorted = (verbs: readonly string[]): readonly string[] => verbs.toSorted();
      expect({ ...described, verbs: sorted(described.verbs) }).toMatchObject({ ...kind, verbs: sorted(kind.verbs), subresources: {} });
      expect(Object.keys(described.subresources).toSorted()).toEqual(Object.keys(kind.subresources).toSorted());
      expect(described.listKind).toBe(listKind);
    }
  });

  it("revalidates with a 304, and gives the same answer in both forms", async () => {
    const first = await discovery.serverGroupsAndResources();
    sent = [];
    expect(await discovery.serverGroupsAndResources()).toBe(first);
    expect(sent.map(({ path, status }) => `${path} ${status}`).toSorted()).toEqual(["/api 304", "/apis 304"]);
    const legacy = await discovery.withLegacy().serverGroupsAndResources();
    expect(legacy.groups.map(({ name }) => name)).toEqual(first.groups.map(({ name }) => name));
    const rows = (from: typeof first): readonly string[] =>
      from.resources
        .flatMap(({ groupVersion, resources }) =>
          resources.flatMap((resource) => [
            `${groupVersion} ${resource.plural} ${resource.kind} ${resource.scope} ${resource.singular}`,
            ...Object.entries(resource.subresources).map(
              ([name, kind]) => `${groupVersion} ${resource.plural}/${name} ${kind.group}/${kind.version}/${kind.kind}`,
            ),
          ]),
        )
        .toSorted();
    expect(rows(legacy)).toEqual(rows(first));
  });

  it("returns the server's version", async () => {
    expect((await discovery.serverVersion()).gitVersion).toMatch(/^v1\.\d+\.\d+/);
  });

  it("finds a kind at once when it is defined, by kind, plural, short name and category", async () => {
    const mapper = new DynamicMapper(discovery, { clock, log });
    await expect(mapper.restMapping(widgetKind)).rejects.toBeInstanceOf(NoKindMatchError);
    await expect(mapper.mappingFor("wd")).rejects.toThrow("the server doesn't have a resource type");
    expect(
      (
        await server.send({
          method: "POST",
          path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
          headers: json,
          body: JSON.stringify(widgets),
        })
      ).status,
    ).toBe(201);
    await established();
    // The server's own discovery may lag some milliseconds behind its condition.
    await poll(
      clock,
      { interval: 5, timeout: 5000, immediate: true },
      async () => (await discovery.serverGroup("shop.example")).resources.length > 0,
    );
    const mapping = await mapper.restMapping(widgetKind);
    expect(mapping).toEqual({
      resource: { group: "shop.example", version: "v1", resource: "widgets" },
      kind: { ...widgetKind, version: "v1" },
      scope: "Namespaced",
    });
    await poll(clock, { interval: 5, timeout: 5000, immediate: true }, async () =>
      (await discovery.serverGroups()).some(({ name }) => name === "shop.example"),
    );
    for (const word of ["widgets", "widget", "wd", "Widget", "widgets.shop.example", "wd.shop.example"])
      expect(await mapper.mappingFor(word)).toEqual(mapping);
    expect(await mapper.expandCategory("toys")).toEqual([{ group: "shop.example", resource: "widgets" }]);
    expect(await new ScaleKindResolver(discovery).scaleForResource(mapping.resource)).toEqual({
      group: "autoscaling",
      version: "v1",
      kind: "Scale",
    });
  });

  const dryRun = async (path: string, object: object): Promise<{ readonly status: number; readonly message: string }> => {
    const { status, body } = await server.send({
      method: "POST",
      path: `${path}?dryRun=All&fieldValidation=Strict`,
      headers: json,
      body: JSON.stringify(object),
    });
    return { status, message: String((JSON.parse(body) as { message?: string }).message) };
  };
  const check = async (kind: GroupVersionKind, object: object): Promise<readonly string[]> => {
    const schema = await discovery.openApiV3().schemaFor(kind);
    return validateObject(object, schema ?? expect.fail("no schema")).map(({ field, type }) => `${type} ${field}`);
  };

  const deployment = { group: "apps", version: "v1", kind: "Deployment" };
  const good = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", creationTimestamp: null, labels: { app: "web" } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: "web" } },
      strategy: { rollingUpdate: { maxSurge: "25%", maxUnavailable: 1 } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: {
          containers: [
            {
              name: "web",
              image: "nginx",
              resources: { limits: { cpu: "500m", memory: 1048576 } },
              ports: [{ containerPort: 80, protocol: "" }, { containerPort: 80 }],
            },
          ],
        },
      },
    },
    status: {},
  };
  const withSpec = (spec: object): object => ({ ...good, spec: { ...good.spec, ...spec } });
  const withContainer = (container: object): object =>
    withSpec({ template: { ...good.spec.template, spec: { containers: [{ ...good.spec.template.spec.containers[0], ...container }] } } });

  it.each([
    ["a good one", good, []],
    ["a misspelt field", withSpec({ replica: 3 }), ["Forbidden spec.replica"]],
    [
      "a field misspelt in a container",
      withContainer({ imagePullPolice: "Always" }),
      ["Forbidden spec.template.spec.containers[0].imagePullPolice"],
    ],
    ["a text for a number", withSpec({ replicas: "3" }), ["TypeInvalid spec.replicas"]],
    ["no selector", withSpec({ selector: undefined }), ["Required spec.selector"]],
    ["a container without a name", withContainer({ name: undefined }), ["Required spec.template.spec.containers[0].name"]],
    [
      "a bad quantity",
      withContainer({ resources: { limits: { cpu: "many" } } }),
      ["Invalid spec.template.spec.containers[0].resources.limits.cpu"],
    ],
    ["a fraction of a replica", withSpec({ replicas: 1.5 }), ["TypeInvalid spec.replicas"]],
    ["a label that is no text", { ...good, metadata: { name: "web", labels: { app: 7 } } }, ["TypeInvalid metadata.labels.app"]],
    ["a bad time", { ...good, metadata: { name: "web", creationTimestamp: "yesterday" } }, ["TypeInvalid metadata.creationTimestamp"]],
    ["the wrong kind", { ...good, kind: "StatefulSet" }, ["Invalid kind"]],
    ["a list where an object should be", withSpec({ template: [] }), ["TypeInvalid spec.template"]],
  ])("validates a Deployment as the server's dry run does: %s", async (_, object, expected) => {
    const { status, message } = await dryRun("/apis/apps/v1/namespaces/default/deployments", object);
    expect({ isTaken: status === 201, message: status === 201 ? "" : message }).toMatchObject({ isTaken: expected.length === 0 });
    expect(await check(deployment, object)).toEqual(expected);
  });

  const widget = { apiVersion: "shop.example/v1", kind: "Widget", metadata: { name: "w" }, spec: { size: 3, any: { what: ["ever"] } } };
  it.each([
    ["a good one", widget, []],
    ["a size that is too small", { ...widget, spec: { size: 0 } }, ["Invalid spec.size"]],
    ["no size", { ...widget, spec: {} }, ["Required spec.size"]],
    ["a colour nobody knows", { ...widget, spec: { size: 1, color: "blue" } }, ["NotSupported spec.color"]],
    ["a null, which the server drops", { ...widget, spec: { size: 1, color: null } }, []],
    ["a null where something is required", { ...widget, spec: { size: null } }, ["Required spec.size"]],
    ["an unknown field", { ...widget, spec: { size: 1, colour: "red" } }, ["Forbidden spec.colour"]],
    ["an unknown field of metadata", { ...widget, metadata: { name: "w", lables: {} } }, ["Forbidden metadata.lables"]],
  ])("validates a custom resource as the server's dry run does: %s", async (_, object, expected) => {
    await poll(
      clock,
      { interval: 50, timeout: 10_000, immediate: true },
      async () => (await discovery.openApiV3().schemaFor({ ...widgetKind, version: "v1" })) !== undefined,
    );
    const { status, message } = await dryRun("/apis/shop.example/v1/namespaces/default/widgets", object);
    expect({ isTaken: status === 201, message: status === 201 ? "" : message }).toMatchObject({ isTaken: expected.length === 0 });
    expect(await check({ ...widgetKind, version: "v1" }, object)).toEqual(expected);
  });

  it("reads every OpenAPI v3 document and caches it by its hash", async () => {
    const openApi = discovery.openApiV3();
    const paths = await openApi.paths();
    expect(paths.size).toBeGreaterThan(30);
    for (const kind of kinds) expect((await openApi.schemaFor(kind))?.origin).toBe("built-in");
    sent = [];
    for (const kind of kinds.slice(0, 5)) await openApi.schemaFor(kind);
    expect(sent.every(({ path }) => path === "/openapi/v3")).toBe(true);
    expect(Object.keys((await discovery.openApiSchema())["definitions"] as object).length).toBeGreaterThan(500);
  });

  it("reports an extension API that does not answer, together with everything else", async (ctx) => {
    if (serverKind === "ours") ctx.skip("our server does not ask extension API servers");
    const service = {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: "v1.broken.example" },
      spec: {
        group: "broken.example",
        version: "v1",
        groupPriorityMinimum: 10,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { name: "nobody", namespace: "default", port: 443 },
      },
    };
    expect(
      (
        await server.send({
          method: "POST",
          path: "/apis/apiregistration.k8s.io/v1/apiservices",
          headers: json,
          body: JSON.stringify(service),
        })
      ).status,
    ).toBe(201);
    await poll(
      clock,
      { interval: 50, timeout: 15_000, immediate: true },
      async () => (await discovery.serverGroupsAndResources()).failures.length > 0,
    );
    const cache = new CachedDiscovery(discovery);
    const found = await cache.serverGroupsAndResources();
    expect(found.failures).toEqual([{ groupVersion: "broken.example/v1", error: new StaleGroupVersionError("broken.example/v1") }]);
    expect(found.resources.length).toBeGreaterThan(20);
    await expect(cache.serverResourcesForGroupVersion("broken.example/v1")).rejects.toMatchObject({ code: 503 });
    expect((await discovery.withLegacy().serverGroupsAndResources()).failures).toMatchObject([
      { groupVersion: "broken.example/v1", error: { code: 503 } },
    ]);
    const mapper = new DynamicMapper(discovery, { clock, log });
    expect((await mapper.mappingFor("deploy")).kind.kind).toBe("Deployment");
    await expect(mapper.restMapping({ group: "broken.example", kind: "Thing" })).rejects.toThrow(
      "unable to retrieve the complete list of server APIs: broken.example/v1",
    );
    await server.send({ method: "DELETE", path: "/apis/apiregistration.k8s.io/v1/apiservices/v1.broken.example" });
  });

  it("loses a kind when it is deleted", async () => {
    const mapper = new DynamicMapper(discovery, { clock, log });
    expect((await mapper.restMapping(widgetKind)).kind.kind).toBe("Widget");
    await server.send({ method: "DELETE", path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.shop.example" });
    await poll(
      clock,
      { interval: 20, timeout: 10_000, immediate: true },
      async () => (await discovery.serverGroup("shop.example")).groups.length === 0,
    );
    mapper.reset();
    await expect(mapper.restMapping(widgetKind)).rejects.toBeInstanceOf(NoKindMatchError);
  });
});
