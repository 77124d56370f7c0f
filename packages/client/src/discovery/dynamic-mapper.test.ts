import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AmbiguousResourceError, NoKindMatchError, NoResourceMatchError } from "@drover/machinery";
import type { HttpResponse, Transport } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { discoveryServer, sampleWorld } from "../testing/discovery-server.ts";
import type { SampleForm, SampleResource, SampleWorld } from "../testing/discovery-server.ts";
import type { ScriptedTransport } from "../testing/scripted-transport.ts";
import { DiscoveryClient } from "./discovery-client.ts";
import { GroupDiscoveryFailedError } from "./discovery-error.ts";
import { DynamicMapper } from "./dynamic-mapper.ts";
import type { DynamicMapperOptions } from "./dynamic-mapper.ts";

interface House {
  readonly world: SampleWorld;
  readonly server: ScriptedTransport;
  readonly clock: ManualClock;
  readonly log: ReturnType<typeof recordingLog>;
  readonly mapper: DynamicMapper;
}

function house({
  form = "v2",
  around = (server) => server,
  ...options
}: Partial<DynamicMapperOptions> & { readonly form?: SampleForm; readonly around?: (server: Transport) => Transport } = {}): House {
  const world = sampleWorld(form);
  const server = discoveryServer(world);
  const clock = new ManualClock();
  const log = recordingLog(clock);
  return {
    world,
    server,
    clock,
    log,
    mapper: new DynamicMapper(new DiscoveryClient(around(server), { clock, log }), { clock, log, ...options }),
  };
}

const define = (world: SampleWorld, group: string, ...resources: SampleResource[]): void => {
  world.groups = [...world.groups.filter(({ name }) => name !== group), { name: group, versions: [{ version: "v1", resources }] }];
};
const widget: SampleResource = { plural: "widgets", kind: "Widget", shortNames: ["wd"], categories: ["toys"] };
const widgetKind = { group: "shop.example", kind: "Widget" };
const unknown = { group: "shop.example", kind: "Nothing" };
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail("should have failed"),
    (error: unknown) => error,
  );

describe("DynamicMapper names", () => {
  it("are resolved as in kubectl: plural, singular, kind, short name, with and without group and version", async () => {
    const { mapper } = house();
    const deployments = {
      resource: { group: "apps", version: "v1", resource: "deployments" },
      kind: { group: "apps", version: "v1", kind: "Deployment" },
      scope: "Namespaced",
    };
    for (const word of ["deployments", "deployment", "deploy", "Deployment", "deployments.apps", "deployments.v1.apps", "deploy.apps"])
      expect(await mapper.mappingFor(word)).toEqual(deployments);
    expect((await mapper.mappingFor("deployments.v1beta1.apps")).kind.version).toBe("v1beta1");
    expect((await mapper.mappingFor("ns")).scope).toBe("Cluster");
  });

  it("can be mapped in every direction", async () => {
    const { mapper } = house();
    const gvr = { group: "apps", version: "v1", resource: "deployments" };
    expect(await mapper.resourceFor({ resource: "deploy" })).toEqual(gvr);
    expect(await mapper.resourcesFor({ resource: "deployments" })).toHaveLength(2);
    expect(await mapper.kindFor({ resource: "relics" })).toEqual({ group: "apps", version: "v1beta1", kind: "Relic" });
    expect(await mapper.kindsFor({ resource: "deployments" })).toHaveLength(2);
    expect(await mapper.restMapping({ group: "apps", kind: "Deployment" })).toMatchObject({ resource: gvr });
    expect(await mapper.restMapping({ group: "apps", kind: "Deployment" }, { versions: ["v1beta1"] })).toMatchObject({
      kind: { version: "v1beta1" },
    });
    expect(await mapper.restMappings({ group: "apps", kind: "Deployment" })).toHaveLength(2);
    expect(await mapper.restMappings({ group: "apps", kind: "Deployment" }, { versions: ["v1"] })).toHaveLength(1);
    expect(await mapper.singularFor("pods")).toBe("pod");
    expect(await mapper.expandCategory("all")).toEqual([
      { group: "", resource: "pods" },
      { group: "apps", resource: "deployments" },
    ]);
    expect(await mapper.expandCategory("nobody")).toEqual([]);
    expect(await mapper.describe({ group: "apps", version: "v1", kind: "Deployment" })).toMatchObject({
      plural: "deployments",
      listKind: "DeploymentList",
      subresources: { scale: { group: "autoscaling" } },
    });
  });

  it("that are unknown reject with machinery's errors, in kubectl's words", async () => {
    const { mapper } = house();
    expect(await failure(mapper.restMapping(unknown))).toBeInstanceOf(NoKindMatchError);
    expect(await failure(mapper.resourceFor({ resource: "nothing" }))).toBeInstanceOf(NoResourceMatchError);
    expect(await failure(mapper.describe({ group: "apps", version: "v9", kind: "Deployment" }))).toHaveProperty(
      "message",
      'no matches for kind "Deployment" in version "apps/v9"',
    );
    expect(await failure(mapper.mappingFor("nothing"))).toHaveProperty("message", 'the server doesn\'t have a resource type "nothing"');
  });

  it("that two groups have resolve by the server's order, and an ambiguous short name is logged", async () => {
    const { mapper, world, log } = house();
    define(world, "late.example", { plural: "podlets", kind: "Podlet", shortNames: ["po"] });
    expect(await mapper.resourceFor({ resource: "po" })).toEqual({ group: "", version: "v1", resource: "pods" });
    expect(log.entries.map(({ message }) => message)).toContain(
      'short name "po" could also match lower priority resource podlets.late.example',
    );
    expect(await failure(mapper.resourceFor({ resource: "" }))).not.toBeInstanceOf(AmbiguousResourceError);
  });
});

describe("DynamicMapper discovery", () => {
  it("happens on the first call, and only for one group if the call names it", async () => {
    const { mapper, server } = house();
    expect(server.requests).toHaveLength(0);
    await mapper.restMapping({ group: "apps", kind: "Deployment" });
    await mapper.restMapping({ group: "apps", kind: "Relic" });
    expect(server.requests.map(({ path }) => path)).toEqual(["/apis/apps", "/apis/apps/v1", "/apis/apps/v1beta1"]);
    await mapper.mappingFor("pods");
    await mapper.restMapping({ group: "", kind: "Pod" });
    expect(server.requests.slice(3).map(({ path }) => path)).toEqual(["/api", "/apis"]);
  });

  it("reads everything at once after many single groups", async () => {
    const { mapper, world, server } = house();
    for (let index = 0; index < 40; index++) define(world, `g${index}.example`, widget);
    for (let index = 0; index < 40; index++) await mapper.restMapping({ group: `g${index}.example`, kind: "Widget" });
    expect(server.requests.map(({ path }) => path).filter((path) => path === "/apis")).toHaveLength(1);
    expect(server.requests).toHaveLength(8 * 2 + 2);
  });

  it("is shared by concurrent calls", async () => {
    const { mapper, server } = house();
    await Promise.all([mapper.mappingFor("pods"), mapper.mappingFor("deploy"), mapper.kindFor({ resource: "ns" })]);
    expect(server.requests).toHaveLength(2);
  });

  it("rejects with the signal's reason, and the next call starts again", async () => {
    let isHeld = true;
    const { mapper } = house({ around: (server) => (request) => (isHeld ? new Promise<HttpResponse>(() => undefined) : server(request)) });
    const controller = new AbortController();
    const asked = failure(mapper.mappingFor("pods", { signal: controller.signal }));
    controller.abort("enough");
    expect(await asked).toBe("enough");
    isHeld = false;
    expect((await mapper.mappingFor("pods")).kind.kind).toBe("Pod");
  });

  it("rejects with a failure of the server instead of a no-match error", async () => {
    const lost = new Error("ECONNREFUSED");
    let isDown = false;
    const { mapper } = house({ around: (server) => (request) => (isDown ? Promise.reject(lost) : server(request)) });
    await mapper.mappingFor("pods");
    isDown = true;
    expect(await failure(mapper.mappingFor("widgets"))).toHaveProperty("cause", lost);
    expect((await mapper.mappingFor("pods")).kind.kind).toBe("Pod");
  });
});

describe("DynamicMapper after a kind is defined", () => {
  it("finds it at once by kind, plural, short name and category, although the same call just missed", async () => {
    const { mapper, world } = house();
    expect(await failure(mapper.restMapping(widgetKind))).toBeInstanceOf(NoKindMatchError);
    expect(await failure(mapper.mappingFor("wd"))).toBeInstanceOf(Error);
    define(world, "shop.example", widget);
    expect((await mapper.restMapping(widgetKind)).resource.resource).toBe("widgets");
    expect((await mapper.mappingFor("widgets")).kind.kind).toBe("Widget");
    expect((await mapper.mappingFor("wd")).kind.kind).toBe("Widget");
    define(world, "toys.example", { plural: "balls", kind: "Ball", categories: ["balls"] });
    expect(await mapper.expandCategory("balls")).toEqual([{ group: "toys.example", resource: "balls" }]);
  });

  it("refreshes once per miss, and only its group", async () => {
    const { mapper, world, server } = house();
    define(world, "shop.example", widget);
    await mapper.restMapping(widgetKind);
    const before = server.requests.length;
    define(world, "shop.example", widget, { plural: "gadgets", kind: "Gadget" });
    await mapper.restMapping({ group: "shop.example", kind: "Gadget" });
    expect(server.requests.slice(before).map(({ path }) => path)).toEqual(["/apis/shop.example", "/apis/shop.example/v1"]);
    await failure(mapper.restMapping(unknown));
    expect(server.requests).toHaveLength(before + 4);
  });

  it("costs two 304s if nothing has changed", async () => {
    const { mapper, server } = house();
    await mapper.mappingFor("pods");
    await failure(mapper.mappingFor("widgets"));
    expect(server.requests).toHaveLength(4);
    expect(server.requests.slice(2).every(({ headers }) => headers["if-none-match"] !== undefined)).toBe(true);
  });

  it("does not refresh if the first read was for this call", async () => {
    const { mapper, server } = house();
    await failure(mapper.mappingFor("widgets"));
    expect(server.requests).toHaveLength(2);
  });

  it("finds it although an earlier refresh is still running", async () => {
    const gates: (() => void)[] = [];
    const { mapper, world } = house({
      around: (server) => async (request) => {
        const response = await server(request);
        if (request.path === "/apis" && gates.length === 0) await new Promise<void>((resolve) => gates.push(resolve));
        return response;
      },
    });
    const early = mapper.mappingFor("pods");
    while (gates.length === 0) await Promise.resolve();
    define(world, "shop.example", widget);
    const late = mapper.mappingFor("widgets");
    for (const open of gates) open();
    expect((await early).kind.kind).toBe("Pod");
    expect((await late).kind.kind).toBe("Widget");
  });
});

it("always finds existing kinds, in any order of definitions and calls", async () => {
  const name = fc.constantFrom("shop.example", "toys.example", "metrics.k8s.io");
  const step = fc.record({ group: name, kinds: fc.subarray(["Widget", "Gadget", "Ball"]), ask: fc.constantFrom("kind", "word") });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom<SampleForm>("v2", "legacy"), fc.array(step, { maxLength: 12 }), async (form, steps) => {
      const { mapper, world } = house({ form, refreshBurst: 1000 });
      for (const { group, kinds, ask } of steps) {
        // Existing kinds stay: only a reset notices deletions.
        const before = world.groups.find((entry) => entry.name === group)?.versions[0]?.resources ?? [];
        const added = kinds
          .filter((kind) => !before.some((resource) => resource.kind === kind))
          .map((kind) => ({ plural: `${kind.toLowerCase()}s`, kind }));
        define(world, group, ...before, ...added);
        for (const { kind, plural } of added) {
          const mapping = await (ask === "kind" ? mapper.restMapping({ group, kind }) : mapper.mappingFor(`${plural}.${group}`));
          expect(mapping.kind).toMatchObject({ group, kind });
        }
      }
    }),
    { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 200) / 20) },
  );
});

describe("DynamicMapper with many misses", () => {
  it("answers from memory once the burst is used up, until the miss expires", async () => {
    const { mapper, server, world, clock } = house({ refreshBurst: 3, refreshPerSecond: 0.01, missMs: 5000 });
    await mapper.mappingFor("pods");
    for (let round = 0; round < 100; round++) await failure(mapper.mappingFor("widgets"));
    expect(server.requests).toHaveLength(2 + 3 * 2);
    define(world, "shop.example", widget);
    expect(await failure(mapper.mappingFor("widgets"))).toBeInstanceOf(Error);
    await clock.advance(5000);
    const asked = mapper.mappingFor("widgets");
    await clock.advance(100_000);
    expect((await asked).kind.kind).toBe("Widget");
  });

  it("refreshes ten times at once and then twice a second by default", async () => {
    const { mapper, server, clock } = house();
    await mapper.mappingFor("pods");
    const looks = (): number => server.requests.length / 2 - 1;
    for (let round = 0; round < 30; round++) await failure(mapper.mappingFor("widgets"));
    expect(looks()).toBe(10);
    const storm = Promise.all(Array.from({ length: 50 }, (_, index) => failure(mapper.mappingFor(`word${index}`))));
    await clock.advance(499);
    expect(looks()).toBe(10);
    await clock.advance(1);
    await storm;
    expect(looks()).toBe(11);
  });

  it("caches a miss for ten seconds by default", async () => {
    const { mapper, server, clock } = house({ refreshBurst: 1, refreshPerSecond: 0.001 });
    await mapper.mappingFor("pods");
    await failure(mapper.mappingFor("widgets"));
    await clock.advance(9999);
    await failure(mapper.mappingFor("widgets"));
    expect(server.requests).toHaveLength(4);
    await clock.advance(1);
    const waiting = failure(mapper.mappingFor("widgets"));
    await clock.advance(1_000_000);
    await waiting;
    expect(server.requests).toHaveLength(6);
  });

  it("waits for the rate limit or rejects with the signal's reason", async () => {
    const { mapper } = house({ refreshBurst: 1, refreshPerSecond: 0.001 });
    await mapper.mappingFor("pods");
    await failure(mapper.mappingFor("one"));
    const controller = new AbortController();
    const asked = failure(mapper.mappingFor("two", { signal: controller.signal }));
    controller.abort("enough");
    expect(await asked).toBe("enough");
  });
});

describe("DynamicMapper after a kind is deleted", () => {
  it("knows it until a reset or refresh", async () => {
    const { mapper, world } = house();
    define(world, "shop.example", widget);
    await mapper.restMapping(widgetKind);
    world.groups = world.groups.slice(0, -1);
    expect((await mapper.restMapping(widgetKind)).kind.kind).toBe("Widget");
    mapper.reset();
    expect(await failure(mapper.restMapping(widgetKind))).toBeInstanceOf(NoKindMatchError);
  });

  it("discards a refresh that began before the reset", async () => {
    const gates: (() => void)[] = [];
    const { mapper, world } = house({
      around: (server) => async (request) => {
        const response = await server(request);
        if (request.path === "/apis" && gates.length === 0) await new Promise<void>((resolve) => gates.push(resolve));
        return response;
      },
    });
    define(world, "shop.example", widget);
    const early = mapper.mappingFor("widgets");
    while (gates.length === 0) await Promise.resolve();
    world.groups = world.groups.slice(0, -1);
    mapper.reset();
    for (const open of gates) open();
    expect((await early).kind.kind).toBe("Widget");
    expect(await failure(mapper.mappingFor("widgets"))).toBeInstanceOf(Error);
  });
});

describe("DynamicMapper after a group is deleted", () => {
  it("forgets it on the next refresh", async () => {
    const { mapper, world } = house();
    define(world, "shop.example", widget);
    await mapper.mappingFor("widgets");
    world.groups = world.groups.slice(0, -1);
    await failure(mapper.restMapping(unknown));
    expect(await failure(mapper.restMapping(widgetKind))).toBeInstanceOf(NoKindMatchError);
  });

  it("refreshes each time for a deleted and an unknown group, and keeps nothing of the latter", async () => {
    const { mapper, server } = house();
    await mapper.mappingFor("pods");
    await failure(mapper.restMapping(unknown));
    await failure(mapper.restMapping(unknown));
    expect(server.requests.slice(2).map(({ path }) => path)).toEqual(["/apis/shop.example", "/apis/shop.example"]);
  });
});

describe.each(["v2", "legacy"] as const)("DynamicMapper with a group that the server cannot describe (%s)", (form) => {
  const breakMetrics = (world: SampleWorld): void => {
    world.groups = world.groups.map((group) =>
      group.name === "metrics.k8s.io" ? { ...group, versions: group.versions.map((version) => ({ ...version, isBroken: true })) } : group,
    );
  };

  it("still finds others, and logs it", async () => {
    const { mapper, world, log } = house({ form });
    breakMetrics(world);
    expect((await mapper.mappingFor("deploy")).kind.kind).toBe("Deployment");
    expect(log.entries).toMatchObject([
      { level: "warn", message: "the server cannot describe a group version", fields: { groupVersion: "metrics.k8s.io/v1beta1" } },
    ]);
  });

  it("rejects a miss in it with a GroupDiscoveryFailedError, and a miss elsewhere with a no-match error", async () => {
    const { mapper, world } = house({ form });
    breakMetrics(world);
    expect(await failure(mapper.restMapping({ group: "metrics.k8s.io", kind: "NodeMetrics" }))).toBeInstanceOf(GroupDiscoveryFailedError);
    expect(await failure(mapper.resourceFor({ group: "metrics", resource: "nodes" }))).toBeInstanceOf(GroupDiscoveryFailedError);
    expect(await failure(mapper.mappingFor("nodes.v1beta1.metrics.k8s.io"))).toBeInstanceOf(GroupDiscoveryFailedError);
    expect(await failure(mapper.resourceFor({ resource: "nodes" }))).toBeInstanceOf(NoResourceMatchError);
    expect(await failure(mapper.restMapping({ group: "", kind: "Nothing" }))).toBeInstanceOf(NoKindMatchError);
  });

  it("keeps its known resources", async () => {
    const { mapper, world } = house({ form });
    await mapper.mappingFor("nodes");
    breakMetrics(world);
    await failure(mapper.mappingFor("widgets"));
    expect((await mapper.mappingFor("nodes")).kind.kind).toBe("NodeMetrics");
    expect((await mapper.restMapping({ group: "metrics.k8s.io", kind: "NodeMetrics" })).scope).toBe("Cluster");
  });
});

it.each([{ refreshBurst: 0 }, { refreshPerSecond: 0 }, { refreshPerSecond: Number.NaN }])(
  "DynamicMapper rejects %j, which would never allow a refresh",
  (options) => {
    expect(() => house(options)).toThrow(RangeError);
  },
);
