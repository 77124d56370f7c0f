import { describe, expect, it } from "vitest";
import { newFailure, newServiceUnavailable, newTooManyRequests } from "@drover/machinery";
import type { HttpResponse, Transport } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { discoveryServer, sampleWorld } from "../testing/discovery-server.ts";
import type { SampleWorld } from "../testing/discovery-server.ts";
import { jsonResponse, scriptedTransport, statusResponse } from "../testing/scripted-transport.ts";
import { CachedDiscovery } from "./cached-discovery.ts";
import { DiscoveryClient } from "./discovery-client.ts";

const cacheOf = (transport: Transport): CachedDiscovery => {
  const clock = new ManualClock();
  return new CachedDiscovery(new DiscoveryClient(transport, { clock, log: recordingLog(clock) }));
};
const setBroken = (world: SampleWorld, isBroken: boolean): void => {
  world.groups = world.groups.map((group) =>
    group.name === "metrics.k8s.io" ? { ...group, versions: group.versions.map((version) => ({ ...version, isBroken })) } : group,
  );
};

describe("CachedDiscovery", () => {
  it("answers from memory until it is invalidated", async () => {
    const world = sampleWorld();
    const server = discoveryServer(world);
    const cache = cacheOf(server);
    expect(cache.isFresh).toBe(false);
    await cache.serverGroupsAndResources();
    expect(cache.isFresh).toBe(true);
    expect((await cache.serverGroups()).map(({ name }) => name)).toEqual(["", "apps", "metrics.k8s.io"]);
    expect((await cache.serverGroup("apps")).resources).toHaveLength(2);
    expect((await cache.serverResourcesForGroupVersion("apps/v1")).resources).toHaveLength(1);
    expect((await cache.serverPreferredResources()).resources).toHaveLength(4);
    expect((await cache.serverPreferredNamespacedResources()).resources).toHaveLength(3);
    expect(server.requests).toHaveLength(2);
    world.groups = world.groups.slice(0, 1);
    expect(await cache.serverGroups()).toHaveLength(3);
    cache.invalidate();
    expect(cache.isFresh).toBe(false);
    expect(await cache.serverGroups()).toHaveLength(1);
    expect(server.requests).toHaveLength(4);
  });

  it("shares one request between concurrent calls", async () => {
    const server = discoveryServer(sampleWorld());
    const cache = cacheOf(server);
    await Promise.all([cache.serverGroups(), cache.serverGroupsAndResources(), cache.serverResourcesForGroupVersion("v1")]);
    expect(server.requests).toHaveLength(2);
  });

  it("discards the result of a request that began before an invalidation", async () => {
    const world = sampleWorld();
    const server = discoveryServer(world);
    const gate: { open?: () => void } = {};
    const gated: Transport = async (request) => {
      const response = await server(request);
      if (gate.open === undefined) await new Promise<void>((resolve) => (gate.open = resolve));
      return response;
    };
    const cache = cacheOf(gated);
    const old = cache.serverGroups();
    while (gate.open === undefined) await Promise.resolve();
    cache.invalidate();
    world.groups = world.groups.slice(0, 1);
    gate.open();
    expect(await old).toHaveLength(3);
    expect(await cache.serverGroups()).toHaveLength(1);
  });

  it("finds a group version that was added since", async () => {
    const world = sampleWorld();
    const cache = cacheOf(discoveryServer(world));
    await cache.serverGroups();
    world.groups = [
      ...world.groups,
      { name: "new.example", versions: [{ version: "v1", resources: [{ plural: "gadgets", kind: "Gadget" }] }] },
    ];
    expect((await cache.serverResourcesForGroupVersion("new.example/v1")).resources).toHaveLength(1);
    expect((await cache.serverGroup("new.example")).groups).toEqual([{ name: "new.example", versions: ["v1"], preferredVersion: "v1" }]);
    await expect(cache.serverResourcesForGroupVersion("nobody.example/v1")).rejects.toMatchObject({ reason: "NotFound" });
    expect((await cache.serverGroupsAndResources()).failures).toEqual([]);
  });
});

describe("CachedDiscovery after a failure", () => {
  it("does not cache a failure of the whole request", async () => {
    const world = sampleWorld();
    const server = discoveryServer(world);
    let refusals = 1;
    const cache = cacheOf(async (request) =>
      request.path === "/apis" && refusals-- > 0 ? statusResponse(newServiceUnavailable("starting")) : server(request),
    );
    await expect(cache.serverGroups()).rejects.toMatchObject({ code: 503 });
    expect(cache.isFresh).toBe(false);
    expect(await cache.serverGroups()).toHaveLength(3);
  });

  it.each(["v2", "legacy"] as const)("retries a transient failure on the next call, for its group version alone (%s)", async (form) => {
    const world = sampleWorld(form);
    setBroken(world, true);
    const server = discoveryServer(world);
    const cache = cacheOf(server);
    expect((await cache.serverGroupsAndResources()).failures.map(({ groupVersion }) => groupVersion)).toEqual(["metrics.k8s.io/v1beta1"]);
    const before = server.requests.length;
    await expect(cache.serverResourcesForGroupVersion("metrics.k8s.io/v1beta1")).rejects.toMatchObject({ code: 503 });
    expect((await cache.serverGroupsAndResources()).failures).toMatchObject([{ error: { code: 503 } }]);
    setBroken(world, false);
    const healed = await cache.serverGroupsAndResources();
    expect(healed.failures).toEqual([]);
    expect(healed.resources.map(({ groupVersion }) => groupVersion)).toEqual(["v1", "apps/v1", "apps/v1beta1", "metrics.k8s.io/v1beta1"]);
    expect(healed.groups.at(-1)).toEqual({ name: "metrics.k8s.io", versions: ["v1beta1"], preferredVersion: "v1beta1" });
    expect(server.requests.slice(before).map(({ path }) => path)).toEqual([
      "/apis/metrics.k8s.io/v1beta1",
      "/apis/metrics.k8s.io/v1beta1",
      "/apis/metrics.k8s.io/v1beta1",
    ]);
    await cache.serverGroupsAndResources();
    expect(server.requests).toHaveLength(before + 3);
  });

  it("answers about a working group without retrying a failed one", async () => {
    const world = sampleWorld();
    setBroken(world, true);
    const server = discoveryServer(world);
    const cache = cacheOf(server);
    expect((await cache.serverGroup("apps")).failures).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ["a 403", "stays", 2, statusResponse(newFailure(403, "Forbidden", "no"))],
    ["a document that cannot be read", "stays", 2, jsonResponse({ kind: "APIResourceList", resources: 7 })],
    ["a 429", "may pass", 4, statusResponse(newTooManyRequests("slowly", 1))],
    ["a lost connection", "may pass", 4, new Error("ECONNRESET")],
  ] as const)("with an error that is %s %s, so it is requested %d times", async (_, __, times, answer) => {
    const server = discoveryServer(sampleWorld("legacy"));
    const asked: string[] = [];
    const cache = cacheOf(async (request) => {
      if (!request.path.startsWith("/apis/metrics")) return server(request);
      asked.push(request.path);
      if (answer instanceof Error) throw answer;
      return answer;
    });
    await cache.serverGroupsAndResources();
    await cache.serverGroupsAndResources();
    await expect(cache.serverResourcesForGroupVersion("metrics.k8s.io/v1beta1")).rejects.toThrow();
    expect(asked).toHaveLength(times);
  });
});

describe("CachedDiscovery after an abort", () => {
  const held = (): { readonly transport: Transport; readonly signals: (AbortSignal | undefined)[] } => {
    const signals: (AbortSignal | undefined)[] = [];
    return { signals, transport: scriptedTransport(({ signal }) => new Promise<HttpResponse>(() => signals.push(signal))) };
  };

  it("ends only the aborted call while others wait, and the request when no caller is left", async () => {
    const { transport, signals } = held();
    const cache = cacheOf(transport);
    const [one, two] = [new AbortController(), new AbortController()];
    const waits = [one, two].map(async ({ signal }) => cache.serverGroups({ signal }).catch((error: unknown) => error));
    while (signals.length < 2) await Promise.resolve();
    one.abort("one");
    expect(await waits[0]).toBe("one");
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, false]);
    two.abort("two");
    expect(await waits[1]).toBe("two");
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
    expect(cache.isFresh).toBe(false);
  });

  it("retries a group version again if the previous retry was aborted", async () => {
    const world = sampleWorld();
    setBroken(world, true);
    const server = discoveryServer(world);
    let isHeld = true;
    const cache = cacheOf((request) =>
      isHeld && request.path.startsWith("/apis/metrics") ? new Promise<HttpResponse>(() => undefined) : server(request),
    );
    await cache.serverGroupsAndResources();
    const controller = new AbortController();
    const given = cache.serverGroupsAndResources({ signal: controller.signal }).catch((error: unknown) => error);
    controller.abort("enough");
    expect(await given).toBe("enough");
    isHeld = false;
    setBroken(world, false);
    expect((await cache.serverGroupsAndResources()).failures).toEqual([]);
  });

  it("caches no failure: the next call sends a new request", async () => {
    const world = sampleWorld();
    const server = discoveryServer(world);
    let isHeld = true;
    const cache = cacheOf((request) => (isHeld ? new Promise<HttpResponse>(() => undefined) : server(request)));
    const controller = new AbortController();
    const given = cache.serverGroups({ signal: controller.signal }).catch((error: unknown) => error);
    controller.abort("enough");
    expect(await given).toBe("enough");
    isHeld = false;
    expect(await cache.serverGroups()).toHaveLength(3);
  });
});

it("CachedDiscovery requests version and OpenAPI from the server", async () => {
  const server = scriptedTransport([
    jsonResponse({ major: "1" }),
    jsonResponse({ major: "2" }),
    jsonResponse({ swagger: "2.0" }),
    jsonResponse({ paths: {} }),
  ]);
  const cache = cacheOf(server);
  expect((await cache.serverVersion()).major).toBe("1");
  expect((await cache.serverVersion()).major).toBe("2");
  expect(await cache.openApiSchema()).toEqual({ swagger: "2.0" });
  expect((await cache.openApiV3().paths()).size).toBe(0);
});
