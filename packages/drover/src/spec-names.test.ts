/**
 * Every construct that documents 000 and 001 of the specification name and that concerns a client, under its name: Go's `GetRateLimiter`
 * is `getRateLimiter` here. A sentence of the documents stands beside each, in our words.
 */
import { ConfigMap } from "@drover/api/core/v1";
import { encodeListOptions } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import * as client from "@drover/client";
import { jsonResponse, memoryHost, ScriptedStream, scriptedTransport } from "@drover/client/testing";
import * as clientGo from "./client-go.ts";
import * as lasso from "./lasso.ts";

const door = { ...client, ...clientGo, ...lasso };

const { clock, log } = testRuntime();
const quiet = scriptedTransport(() => jsonResponse({ metadata: {}, items: [] }));
const rest = new door.RestClient({
  transport: quiet,
  clock,
  log,
  groupVersion: { group: "", version: "v1" },
  rateLimiter: door.tokenBucketRateLimiter({ qps: 5, burst: 10, clock }),
});
const isVerb = (value: object, name: string): boolean => typeof (value as Readonly<Record<string, unknown>>)[name] === "function";

describe("document 000: from KUBECONFIG to requests", () => {
  it("turns a KUBECONFIG into what a client needs (rest.Config is ClusterAccess)", async () => {
    const host = memoryHost(
      {
        "/k": "current-context: x\ncontexts: [{ name: x, context: { cluster: c } }]\nclusters: [{ name: c, cluster: { server: 'https://h' } }]",
      },
      { env: { KUBECONFIG: "/k" } },
    );
    expect(await door.findAccess({ host, log })).toMatchObject({ server: "https://h", namespace: "default" });
  });

  it.each<[string, string]>([
    ["apiVersion", "says which version of the API it is for"],
    ["delete", "starts a DELETE"],
    ["get", "starts a GET"],
    ["getRateLimiter", "says what its requests wait for"],
    ["patch", "starts a PATCH of a type"],
    ["post", "starts a POST"],
    ["put", "starts a PUT"],
    ["verb", "starts a request with any method"],
  ])("a REST client has %s: %s", (name) => expect(isVerb(rest, name)).toBe(true));

  it.each<[string, string]>([
    ["absPath", "begins the path"],
    ["backOff", "waits between attempts as a manager says"],
    ["body", "sets the body"],
    ["do", "sends, and gives a result"],
    ["doRaw", "sends, and gives bytes"],
    ["maxRetries", "says how often it may be repeated"],
    ["name", "names the object"],
    ["namespace", "names the namespace"],
    ["namespaceIfScoped", "names it where there is one"],
    ["param", "adds a parameter"],
    ["prefix", "adds to the front of the path"],
    ["requestURI", "takes path and query from a text"],
    ["resource", "names the resource"],
    ["setHeader", "sets a header"],
    ["specificallyVersionedParams", "writes options as a query for a version"],
    ["stream", "sends, and gives the body as it comes"],
    ["subResource", "names a part of the object"],
    ["suffix", "adds to the end of the path"],
    ["throttle", "waits for the turns of a limiter"],
    ["timeout", "limits the call"],
    ["url", "is the path with its query"],
    ["verb", "sets the method"],
    ["versionedParams", "writes options as a query"],
    ["warningHandler", "is told what the server warns about"],
    ["watch", "sends, and gives events"],
  ])("a request has %s: %s", (name) => expect(isVerb(rest.get(), name)).toBe(true));

  it("every step of a request returns a request, and `do().into()` the object", async () => {
    const restClient = new door.RestClient({
      transport: scriptedTransport([jsonResponse({ kind: "Pod", metadata: { name: "web" } })]),
      clock,
      log,
    });
    const request = restClient
      .get()
      .absPath("/api/v1")
      .prefix("p")
      .suffix("s")
      .namespaceIfScoped("shop", true)
      .resource("pods")
      .name("web")
      .subResource("status")
      .param("a", "b")
      .setHeader("x", "y")
      .timeout(1000)
      .maxRetries(1)
      .versionedParams({ limit: 1 }, encodeListOptions)
      .specificallyVersionedParams({ continue: "c" }, encodeListOptions, { group: "", version: "v1" })
      .body({})
      .verb("PUT")
      .throttle(door.tokenBucketRateLimiter({ qps: 1, burst: 1, clock }))
      .backOff(door.urlBackoff({ clock }))
      .warningHandler(door.noWarnings);
    expect(request.url()).toBe("/api/v1/p/namespaces/shop/pods/web/status/s?a=b&continue=c&limit=1&timeout=1s");
    expect((await request.do()).into<ConfigMap>().metadata.name).toBe("web");
  });

  it.each<[string, string]>([
    ["tryAccept", "takes a turn if there is one"],
    ["accept", "waits for a turn"],
    ["wait", "waits for a turn until it is called off"],
    ["stop", "ends the limiter"],
    ["qps", "says its rate"],
  ])("a rate limiter (flowcontrol.RateLimiter) has %s: %s", (name) => {
    expect(rest.getRateLimiter()).toBeDefined();
    expect(isVerb(rest.getRateLimiter() ?? {}, name)).toBe(true);
  });

  it.each<[string, string]>([
    ["calculateBackoff", "says how long to wait"],
    ["updateBackoff", "is told how an attempt went"],
  ])("a back-off manager (BackoffManager) has %s: %s", (name) => expect(isVerb(door.urlBackoff({ clock }), name)).toBe(true));

  it("watches like `kubectl get configmaps -n default --watch`: applied, changed and deleted are three changes", async () => {
    const stream = new ScriptedStream();
    for (const [type, value] of [
      ["ADDED", "1"],
      ["MODIFIED", "2"],
      ["DELETED", "2"],
    ] as const)
      stream.event(type, { metadata: { name: "c" }, data: { value } });
    stream.end();
    const typed = door.createClient({ transport: scriptedTransport([stream.response]), clock, log, namespace: "default" });
    const seen: string[] = [];
    for await (const { type, object } of typed.watch(ConfigMap))
      seen.push(`${type} ${object.kind ?? ""} ${"data" in object ? (object.data?.["value"] ?? "") : ""}`);
    expect(seen).toEqual(["ADDED ConfigMap 1", "MODIFIED ConfigMap 2", "DELETED ConfigMap 2"]);
  });

  it("lists contain resourceVersion, continue and remainingItemCount", async () => {
    const metadata = { resourceVersion: "7", continue: "token", remainingItemCount: 3 };
    const typed = door.createClient({
      transport: scriptedTransport([jsonResponse({ metadata, items: [] })]),
      clock,
      log,
      namespace: "default",
    });
    expect((await typed.list(ConfigMap, { limit: 1 })).metadata).toEqual(metadata);
  });

  it("events have the five types of watch.Event", async () => {
    const stream = new ScriptedStream();
    for (const type of ["ADDED", "MODIFIED", "DELETED", "BOOKMARK"] as const)
      stream.event(type, { metadata: { name: "c", resourceVersion: "1" } });
    stream.event("ERROR", { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 410, reason: "Expired" });
    const seen: string[] = [];
    for await (const { type } of new door.RestClient({ transport: scriptedTransport([stream.response]), clock, log })
      .get()
      .absPath("/api/v1/pods")
      .watch())
      seen.push(type);
    expect(seen).toEqual(["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"]);
  });
});

describe("document 001: clients of a framework", () => {
  const jobs = door.newClient({ group: "batch", version: "v1", resource: "jobs" }, "Job", true, rest, 0);
  it("newClient(gvr, kind, namespaced, client, defaultTimeout) has exactly nine verbs, list and watch for a ListerWatcher among them", () => {
    expect(door.newClient).toHaveLength(5);
    expect(
      Object.keys(jobs)
        .filter((name) => isVerb(jobs, name))
        .toSorted(),
    ).toEqual(["create", "delete", "deleteCollection", "get", "list", "patch", "update", "updateStatus", "watch"]);
  });

  it.each<[string, string]>([
    ["restClient", "RESTClient: a client for other requests"],
    ["serverGroups", "the groups and their versions"],
    ["serverResourcesForGroupVersion", "the resources of one group version"],
    ["serverGroupsAndResources", "everything, in part where something failed"],
    ["serverPreferredResources", "each resource in its preferred version"],
    ["serverPreferredNamespacedResources", "those of them that are in namespaces"],
    ["serverVersion", "what the server is"],
    ["openApiSchema", "OpenAPISchema: the schema in version 2"],
    ["openApiV3", "OpenAPIV3: the schemas in version 3"],
  ])("DiscoveryInterface has %s: %s", (name) => {
    for (const discovery of [
      door.newDiscoveryClient(quiet, { clock, log }),
      door.newDiscoveryClient(quiet, { clock, log }, new door.CachedDiscovery(new door.DiscoveryClient(quiet, { clock, log }))),
    ])
      expect(isVerb(discovery, name)).toBe(true);
  });

  it("an object can be validated locally, without a request (OpenAPISchema)", () => {
    expect(typeof door.validateObject).toBe("function");
    expect(isVerb(door.OpenApiSchemas.prototype, "schemaFor")).toBe(true);
  });

  it.each<[string, string]>([
    ["kindFor", "from a resource to its kind"],
    ["kindsFor", "to all kinds it may mean"],
    ["resourceFor", "from a partial resource to the whole"],
    ["resourcesFor", "to all it may mean"],
    ["restMapping", "from a kind to its resource"],
    ["restMappings", "to all its resources"],
    ["singularFor", "ResourceSingularizer: from the plural to the singular"],
  ])("a RESTMapper has %s: %s", (name) =>
    expect(isVerb(new door.DynamicMapper(new door.DiscoveryClient(quiet, { clock, log }), { clock, log }), name)).toBe(true),
  );

  it("the clients of Lasso's deferred and retrying wrappers are lazy: they send nothing before a verb is called", () => {
    expect(quiet.requests).toEqual([]);
  });
});
