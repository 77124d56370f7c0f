import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newFailure, newServiceUnavailable, TimeoutError } from "@drover/machinery";
import type { HttpResponse, Transport } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { discoveryServer, sampleWorld } from "../testing/discovery-server.ts";
import { jsonResponse, scriptedTransport, statusResponse, textResponse } from "../testing/scripted-transport.ts";
import type { ScriptedTransport } from "../testing/scripted-transport.ts";
import type { ApiResourceList } from "./api-group.ts";
import { DiscoveryClient } from "./discovery-client.ts";
import type { DiscoveryClientOptions } from "./discovery-client.ts";
import {
  DiscoveryDocumentError,
  GroupDiscoveryFailedError,
  isGroupDiscoveryFailed,
  requireComplete,
  StaleGroupVersionError,
} from "./discovery-error.ts";
import { filterResources, supportsAllVerbs } from "./preferred-resources.ts";

const clientOf = (transport: Transport, options: Partial<DiscoveryClientOptions> = {}): DiscoveryClient => {
  const clock = options.clock ?? new ManualClock();
  return new DiscoveryClient(transport, { clock, log: recordingLog(clock), ...options });
};
const paths = ({ requests }: ScriptedTransport): readonly string[] => requests.map(({ path }) => path);
const names = (lists: readonly ApiResourceList[]): readonly string[] =>
  lists.flatMap(({ groupVersion, resources }) => resources.map(({ plural }) => `${groupVersion} ${plural}`));
const everything = [
  "v1 pods",
  "v1 namespaces",
  "apps/v1 deployments",
  "apps/v1beta1 deployments",
  "apps/v1beta1 relics",
  "metrics.k8s.io/v1beta1 nodes",
];
const acceptAll =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

describe("DiscoveryClient with the aggregated format", () => {
  it.each(["v2", "v2beta1"] as const)("finds everything on a server with %s in two requests", async (form) => {
    const server = discoveryServer(sampleWorld(form));
    const found = await clientOf(server).serverGroupsAndResources();
    expect(names(found.resources)).toEqual(everything);
    expect(found.groups).toEqual([
      { name: "", versions: ["v1"], preferredVersion: "v1" },
      { name: "apps", versions: ["v1", "v1beta1"], preferredVersion: "v1" },
      { name: "metrics.k8s.io", versions: ["v1beta1"], preferredVersion: "v1beta1" },
    ]);
    expect(found.failures).toEqual([]);
    expect(paths(server)).toEqual(["/api", "/apis"]);
    expect(server.requests[0]?.headers["accept"]).toBe(acceptAll);
  });

  it("requests only what this API server serves with peers 'none'", async () => {
    const server = discoveryServer(sampleWorld());
    await clientOf(server, { peers: "none" }).serverGroups();
    expect(server.requests[0]?.headers["accept"]).toBe(
      `application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer,${acceptAll}`,
    );
  });

  it("reports a stale group version together with all the others", async () => {
    const world = sampleWorld();
    world.groups = world.groups.map((group) =>
      group.name === "metrics.k8s.io" ? { ...group, versions: group.versions.map((version) => ({ ...version, isBroken: true })) } : group,
    );
    const found = await clientOf(discoveryServer(world)).serverGroupsAndResources();
    expect(names(found.resources)).toEqual(everything.slice(0, -1));
    expect(found.failures).toEqual([
      { groupVersion: "metrics.k8s.io/v1beta1", error: new StaleGroupVersionError("metrics.k8s.io/v1beta1") },
    ]);
  });

  it("sends the ETag of the known document, and returns the same object for a 304", async () => {
    const world = sampleWorld();
    const server = discoveryServer(world);
    const client = clientOf(server);
    const first = await client.serverGroupsAndResources();
    expect(await client.serverGroupsAndResources()).toBe(first);
    expect(server.requests[2]?.headers["if-none-match"]).toMatch(/^".*"$/);
    world.groups = world.groups.slice(0, 1);
    expect((await client.serverGroupsAndResources()).groups.map(({ name }) => name)).toEqual([""]);
  });

  it("drops the ETag of a server that has returned to the legacy format", async () => {
    const world = sampleWorld();
    const server = discoveryServer(world);
    const client = clientOf(server);
    await client.serverGroups();
    world.forms = { api: "legacy", apis: "legacy" };
    await client.serverGroups();
    await client.serverGroups();
    expect(server.requests.map(({ headers }) => headers["if-none-match"] !== undefined)).toEqual([false, false, true, true, false, false]);
  });

  it("rejects a 304 without an ETag in the request", async () => {
    await expect(
      clientOf(scriptedTransport([{ status: 304, headers: {}, body: "" }, jsonResponse({ groups: [] })])).serverGroups(),
    ).rejects.toThrow("304");
  });

  it("uses only the legacy format with format 'legacy'", async () => {
    const server = discoveryServer(sampleWorld());
    const found = await clientOf(server).withLegacy().serverGroupsAndResources();
    expect(names(found.resources)).toEqual(everything);
    expect(server.requests.every(({ headers }) => headers["accept"] === "application/json")).toBe(true);
    expect(paths(server)).toEqual(["/api", "/apis", "/api/v1", "/apis/apps/v1", "/apis/apps/v1beta1", "/apis/metrics.k8s.io/v1beta1"]);
  });
});

describe("DiscoveryClient with the legacy format", () => {
  it("requests every group version", async () => {
    const found = await clientOf(discoveryServer(sampleWorld("legacy"))).serverGroupsAndResources();
    expect(names(found.resources)).toEqual(everything);
  });

  it.each([
    ["legacy", "v2"],
    ["v2", "legacy"],
  ] as const)("is used only where needed: /api %s, /apis %s", async (api, apis) => {
    const server = discoveryServer({ ...sampleWorld(), forms: { api, apis } });
    expect(names((await clientOf(server).serverGroupsAndResources()).resources)).toEqual(everything);
    expect(paths(server).slice(2)).toEqual(
      api === "legacy" ? ["/api/v1"] : ["/apis/apps/v1", "/apis/apps/v1beta1", "/apis/metrics.k8s.io/v1beta1"],
    );
  });

  it("sends at most `concurrency` requests at a time", async () => {
    const counts = { now: 0, most: 0 };
    const server = discoveryServer(sampleWorld("legacy"));
    const counting: Transport = async (request) => {
      if (request.path.split("/").length < 3) return server(request);
      counts.most = Math.max(counts.most, ++counts.now);
      await Promise.resolve();
      const response = await server(request);
      counts.now--;
      return response;
    };
    await clientOf(counting, { concurrency: 2 }).serverGroupsAndResources();
    expect(counts.most).toBe(2);
    counts.most = 0;
    await clientOf(counting).serverGroupsAndResources();
    expect(counts.most).toBe(4);
  });

  it("retries once what failed, and only that", async () => {
    const world = sampleWorld("legacy");
    const server = discoveryServer(world);
    let refusals = 1;
    const flaky: Transport = async (request) =>
      request.path === "/apis/apps/v1" && refusals-- > 0 ? statusResponse(newServiceUnavailable("busy")) : server(request);
    expect(names((await clientOf(flaky).serverGroupsAndResources()).resources)).toEqual(everything);
    expect(paths(server).filter((path) => path === "/api/v1")).toHaveLength(1);
  });

  it("omits a group that was deleted between list and description, without a failure", async () => {
    const world = sampleWorld("legacy");
    const server = discoveryServer(world);
    const vanishing: Transport = (request) => {
      if (request.path === "/apis/metrics.k8s.io/v1beta1") world.groups = world.groups.slice(0, 2);
      return server(request);
    };
    const found = await clientOf(vanishing).serverGroupsAndResources();
    expect(found.failures).toEqual([]);
    expect(found.groups.map(({ name }) => name)).toEqual(["", "apps"]);
  });

  it("reports a broken extension API after the second try, together with all the others", async () => {
    const world = sampleWorld("legacy");
    world.groups = world.groups.map((group) =>
      group.name === "metrics.k8s.io" ? { ...group, versions: [{ version: "v1beta1", resources: [], isBroken: true }] } : group,
    );
    const server = discoveryServer(world);
    const found = await clientOf(server).serverGroupsAndResources();
    expect(names(found.resources)).toEqual(everything.slice(0, -1));
    expect(found.failures).toMatchObject([
      { groupVersion: "metrics.k8s.io/v1beta1", error: { code: 503, attempt: "get /apis/metrics.k8s.io/v1beta1" } },
    ]);
    expect(paths(server).filter((path) => path.includes("metrics"))).toHaveLength(2);
  });
});

describe("both discovery formats", () => {
  const resource = fc.record({
    plural: fc.constantFrom("pods", "widgets", "__proto__", "nodes"),
    kind: fc.constantFrom("Pod", "Widget", "Node"),
    isClusterWide: fc.boolean(),
    shortNames: fc.subarray(["po", "wd"]),
    categories: fc.subarray(["all"]),
    subresources: fc.subarray(["status", "scale"] as const),
  });
  const version = fc.record({
    version: fc.constantFrom("v1", "v1beta1", "v2"),
    resources: fc.uniqueArray(resource, { maxLength: 4, selector: ({ plural }) => plural }),
  });
  const versions = fc.uniqueArray(version, { minLength: 1, maxLength: 3, selector: (entry) => entry.version });
  const groups = fc.uniqueArray(fc.record({ name: fc.constantFrom("", "apps", "shop.example", "a.b"), versions }), {
    maxLength: 4,
    selector: ({ name }) => name,
  });

  it("give the same result for any server", async () => {
    await fc.assert(
      fc.asyncProperty(groups, async (served) => {
        const world = { ...sampleWorld(), groups: served };
        const aggregatedForm = await clientOf(discoveryServer(world)).serverGroupsAndResources();
        expect(await clientOf(discoveryServer(world)).withLegacy().serverGroupsAndResources()).toEqual(aggregatedForm);
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 200) / 10) },
    );
  });
});

describe("DiscoveryClient with missing endpoints", () => {
  it.each(["v2", "legacy"] as const)("tolerates a missing /api, as on an extension server (%s)", async (apis) => {
    const found = await clientOf(discoveryServer({ ...sampleWorld(), forms: { api: "missing", apis } })).serverGroupsAndResources();
    expect(names(found.resources)).toEqual(everything.slice(2));
  });

  it("rejects if /apis is missing", async () => {
    await expect(
      clientOf(discoveryServer({ ...sampleWorld(), forms: { api: "v2", apis: "missing" } })).serverGroups(),
    ).rejects.toMatchObject({ code: 404, attempt: "get /apis" });
  });

  it("rejects on other errors of /api", async () => {
    const server = scriptedTransport(({ path }) =>
      path === "/api" ? statusResponse(newFailure(403, "Forbidden", "no")) : jsonResponse({ kind: "APIGroupList", groups: [] }),
    );
    await expect(clientOf(server).serverGroups()).rejects.toMatchObject({ reason: "Forbidden" });
  });
});

describe("serverResourcesForGroupVersion", () => {
  it("requests the path of the group version", async () => {
    const server = discoveryServer(sampleWorld());
    const client = clientOf(server);
    expect(names([await client.serverResourcesForGroupVersion("v1")])).toEqual(["v1 pods", "v1 namespaces"]);
    expect(names([await client.serverResourcesForGroupVersion("apps/v1")])).toEqual(["apps/v1 deployments"]);
    expect(paths(server)).toEqual(["/api/v1", "/apis/apps/v1"]);
  });

  it("returns an empty list for a missing core group version, and rejects for others", async () => {
    const client = clientOf(discoveryServer({ ...sampleWorld(), groups: [] }));
    expect(await client.serverResourcesForGroupVersion("v1")).toEqual({ groupVersion: "v1", resources: [] });
    await expect(client.serverResourcesForGroupVersion("apps/v1")).rejects.toMatchObject({ reason: "NotFound" });
  });

  it.each(["", "a/b/c", "../v1", "apps/.."])("rejects the name %j", async (groupVersion) => {
    const server = discoveryServer(sampleWorld());
    await expect(clientOf(server).serverResourcesForGroupVersion(groupVersion)).rejects.toThrow();
    expect(server.requests).toEqual([]);
  });
});

describe("serverGroup", () => {
  it("reads no other group", async () => {
    const server = discoveryServer(sampleWorld());
    const found = await clientOf(server).serverGroup("apps");
    expect(found.groups).toEqual([{ name: "apps", versions: ["v1", "v1beta1"], preferredVersion: "v1" }]);
    expect(names(found.resources)).toEqual(["apps/v1 deployments", "apps/v1beta1 deployments", "apps/v1beta1 relics"]);
    expect(paths(server)).toEqual(["/apis/apps", "/apis/apps/v1", "/apis/apps/v1beta1"]);
  });

  it("returns the core group", async () => {
    expect(names((await clientOf(discoveryServer(sampleWorld())).serverGroup("")).resources)).toEqual(["v1 pods", "v1 namespaces"]);
  });

  it("returns no groups for an unknown name", async () => {
    expect(await clientOf(discoveryServer(sampleWorld())).serverGroup("nobody.example")).toEqual({
      groups: [],
      resources: [],
      failures: [],
    });
  });
});

describe("preferred resources", () => {
  it("contain each resource once, in the preferred version or the first that has it", async () => {
    const { resources, failures } = await clientOf(discoveryServer(sampleWorld())).serverPreferredResources();
    expect(names(resources)).toEqual([
      "v1 pods",
      "v1 namespaces",
      "apps/v1 deployments",
      "apps/v1beta1 relics",
      "metrics.k8s.io/v1beta1 nodes",
    ]);
    expect(failures).toEqual([]);
  });

  it("use a later version if the server prefers it", async () => {
    const world = sampleWorld("legacy");
    const server = discoveryServer(world);
    const preferring: Transport = async (request) => {
      const response = await server(request);
      return request.path === "/apis"
        ? {
            ...response,
            body: (response.body as string).replace(
              '"preferredVersion":{"groupVersion":"apps/v1","version":"v1"}',
              '"preferredVersion":{"groupVersion":"apps/v1beta1","version":"v1beta1"}',
            ),
          }
        : response;
    };
    expect(names((await clientOf(preferring).serverPreferredResources()).resources)).toContain("apps/v1beta1 deployments");
  });

  it("can be limited to namespaced ones", async () => {
    expect(names((await clientOf(discoveryServer(sampleWorld())).serverPreferredNamespacedResources()).resources)).toEqual([
      "v1 pods",
      "apps/v1 deployments",
      "apps/v1beta1 relics",
    ]);
  });

  it("can be filtered by verbs", async () => {
    const { resources } = await clientOf(discoveryServer(sampleWorld())).serverPreferredResources();
    expect(filterResources(resources, supportsAllVerbs("list", "watch"))).toHaveLength(4);
    expect(filterResources(resources, supportsAllVerbs("list", "deletecollection"))).toEqual([]);
  });
});

describe("requireComplete", () => {
  it("throws an error with everything that was found", async () => {
    const world = sampleWorld();
    world.groups = world.groups.map((group) => ({
      ...group,
      versions: group.versions.map((version) => ({ ...version, isBroken: group.name !== "" })),
    }));
    const found = await clientOf(discoveryServer(world)).serverGroupsAndResources();
    const failing = (): unknown => requireComplete(found);
    expect(failing).toThrow(GroupDiscoveryFailedError);
    expect(failing).toThrow(
      "unable to retrieve the complete list of server APIs: apps/v1: stale GroupVersion discovery: apps/v1, apps/v1beta1: stale GroupVersion discovery: apps/v1beta1, metrics.k8s.io/v1beta1: ",
    );
    try {
      failing();
    } catch (error) {
      expect(isGroupDiscoveryFailed(error) && error.found).toBe(found);
    }
    expect(isGroupDiscoveryFailed(new Error("other"))).toBe(false);
  });

  it("returns a complete result", async () => {
    const found = await clientOf(discoveryServer(sampleWorld())).serverGroupsAndResources();
    expect(requireComplete(found)).toBe(found);
  });
});

describe("serverVersion and openApiSchema", () => {
  it("read their documents", async () => {
    const server = scriptedTransport([
      jsonResponse({ major: "1", minor: "36+", gitVersion: "v1.36.3", platform: "linux/amd64" }),
      jsonResponse({ swagger: "2.0" }),
    ]);
    const client = clientOf(server);
    expect(await client.serverVersion()).toMatchObject({
      major: "1",
      minor: "36+",
      gitVersion: "v1.36.3",
      platform: "linux/amd64",
      emulationMajor: "",
    });
    expect(await client.openApiSchema()).toEqual({ swagger: "2.0" });
    expect(paths(server)).toEqual(["/version", "/openapi/v2"]);
  });

  it("reject for any other document", async () => {
    await expect(clientOf(scriptedTransport([jsonResponse(["1"])])).serverVersion()).rejects.toThrow(
      "version: expected an object, found a list",
    );
    await expect(clientOf(scriptedTransport([jsonResponse({ major: 1 })])).serverVersion()).rejects.toThrow(
      "major: expected a text, found number",
    );
  });
});

describe("fetchDocument", () => {
  const never: Transport = () => new Promise<HttpResponse>(() => undefined);

  it("times out after 32 seconds and names the path", async () => {
    const clock = new ManualClock();
    const asked = clientOf(never, { clock })
      .serverVersion()
      .catch((error: unknown) => error);
    await clock.advance(31_999);
    await clock.advance(1);
    const error = await asked;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toHaveProperty("message", "get /version: timed out after 32000 ms");
  });

  it("times out after timeoutMs", async () => {
    const clock = new ManualClock();
    const asked = clientOf(never, { clock, timeoutMs: 5 })
      .serverVersion()
      .catch((error: unknown) => error);
    await clock.advance(5);
    expect(await asked).toHaveProperty("message", "get /version: timed out after 5 ms");
  });

  it("rejects with the signal's reason, also while the body arrives", async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    async function* endless(): AsyncGenerator<string> {
      yield "{";
      await new Promise<never>(() => undefined);
    }
    const asked = clientOf(async () => ({ status: 200, headers: {}, body: endless() }), { clock })
      .serverGroupsAndResources({ signal: controller.signal })
      .catch((error: unknown) => error);
    await clock.advance(1);
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await asked).toBe(reason);
  });

  it("stops reading at its limit", async () => {
    async function* large(): AsyncGenerator<Uint8Array> {
      for (;;) yield new Uint8Array(1000);
    }
    await expect(
      clientOf(async () => ({ status: 200, headers: {}, body: large() }), { maxBodyBytes: 10_000 }).serverVersion(),
    ).rejects.toThrow("get /version: the response is larger than 10000 bytes");
  });

  it("accepts any chunk boundaries", async () => {
    async function* cut(): AsyncGenerator<Uint8Array> {
      for (const byte of new TextEncoder().encode('{"gitVersion":"v1.36.3–ä"}')) yield new Uint8Array([byte]);
    }
    expect((await clientOf(async () => ({ status: 200, headers: {}, body: cut() })).serverVersion()).gitVersion).toBe("v1.36.3–ä");
  });

  it.each([
    ["<html>", "get /version: "],
    ["[".repeat(5000), "get /version: "],
  ])("names the path of a document that is not JSON", async (body, message) => {
    const asked = clientOf(scriptedTransport([textResponse(body)])).serverVersion();
    await expect(asked).rejects.toThrow(DiscoveryDocumentError);
    await expect(asked).rejects.toThrow(message);
  });

  it("keeps the message of an API error and its Retry-After", async () => {
    const refusal = clientOf(
      scriptedTransport([textResponse("try later", { status: 503, headers: { "retry-after": "7" } })]),
    ).serverVersion();
    await expect(refusal).rejects.toMatchObject({ code: 503, reason: "ServiceUnavailable", retryAfterSeconds: 7, attempt: "get /version" });
  });

  it("follows redirects on the same server only, and a limited number", async () => {
    const redirect = (location: string): HttpResponse => ({ status: 301, headers: { location }, body: "" });
    const server = scriptedTransport([redirect("/version/"), jsonResponse({ major: "1" })]);
    expect((await clientOf(server).serverVersion()).major).toBe("1");
    expect(paths(server)).toEqual(["/version", "/version/"]);
    for (const away of ["https://evil.example/version", "//evil.example/version", "version", "", "/\\evil.example", "/a b"]) {
      await expect(clientOf(scriptedTransport([redirect(away)])).serverVersion()).rejects.toThrow("not a path on this server");
    }
    await expect(clientOf(scriptedTransport([redirect("https://login.example/oauth?code=canary")])).serverVersion()).rejects.toThrow(
      /^(?!.*canary)/,
    );
    await expect(clientOf(scriptedTransport(() => redirect("/version"))).serverVersion()).rejects.toThrow("redirected more than 5 times");
  });

  it("names the path when the transport fails", async () => {
    const broken = new Error("connect ECONNREFUSED");
    await expect(clientOf(scriptedTransport([broken])).serverVersion()).rejects.toMatchObject({
      message: "get /version: connect ECONNREFUSED",
      cause: broken,
    });
  });
});
