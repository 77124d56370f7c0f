/** Reconciles that never settle, on our server in virtual time: they are slowed down and reported, and leaked timers are counted. */
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { ConfigMap } from "@drover/api/core/v1";
import { Event } from "@drover/api/events/v1";
import { createCluster } from "@drover/cache";
import { createEventBroadcaster, createController, done, kindSource } from "../index.ts";
import type { ControllerOptions, KindSource } from "../index.ts";
import { prometheusText, splitObjectKey } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";

type Life = Awaited<ReturnType<typeof live>>;

/** One controller for ConfigMaps in the default namespace. */
async function live(
  reconcile: (place: {
    readonly maps: KindSource<ConfigMap>;
    readonly runtime: ReturnType<typeof testRuntime>;
  }) => ControllerOptions["reconcile"],
) {
  const runtime = testRuntime();
  const { clock } = runtime;
  const server = await createApiServer({ runtime, host: nodeHost });
  let writes = 0;
  const cluster = createCluster({
    runtime,
    namespace: "default",
    transport: (request) => {
      if (request.method !== "GET" && request.path.includes("/configmaps")) writes++;
      return server.handle(request);
    },
  });
  const events = createEventBroadcaster({ ...runtime, client: cluster.client });
  const maps = kindSource(ConfigMap, { cluster, request: { namespace: "default" } });
  const controller = createController({
    name: "web",
    cluster,
    reconcile: reconcile({ maps, runtime }),
    events: events.recorder({ controller: "web", instance: "web-1" }),
  });
  controller.watch(maps);
  const stop = new AbortController();
  const ends = [cluster.run(stop.signal), events.run(stop.signal), controller.run(stop.signal)];
  await clock.settle();
  return {
    runtime,
    clock,
    client: cluster.client,
    controller,
    writes: () => writes,
    end: async () => {
      stop.abort();
      await clock.advance(60_000);
      await Promise.all(ends);
      server.close();
    },
  };
}

async function ending(life: Life, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await life.end();
  }
}

describe("B11: a controller that triggers itself by writes without effect", () => {
  it("is slowed down to a write per minute, and reported in an Event and in the log; a change by others is handled at once", async () => {
    let count = 0;
    const life = await live(({ maps }) => async ({ key, client }) => {
      const map = maps.informer?.get(key);
      if (map !== undefined)
        await client.update(ConfigMap, { ...map, metadata: { ...map.metadata, annotations: { "example.com/seen": String(++count) } } });
      return done;
    });
    await ending(life, async () => {
      const { client, clock, runtime, writes } = life;
      await client.create(ConfigMap, { metadata: { name: "shop" }, data: { a: "1" } });
      await clock.advance(10 * 60_000);
      const before = writes();
      await clock.advance(10 * 60_000);
      expect(writes() - before).toBeLessThanOrEqual(11);
      expect(writes() - before).toBeGreaterThanOrEqual(9);
      expect(before).toBeLessThan(50);
      const { items } = await client.list(Event, { namespace: "default" });
      const [event] = items.filter(({ reason }) => reason === "ReconcileLoop");
      expect(event).toMatchObject({ type: "Warning", regarding: { kind: "ConfigMap", name: "shop" } });
      expect(event?.note).toMatch(
        /^Controller web wrote this object 20 times in a row, each time caused only by its own last write; each time it changes metadata.annotations/,
      );
      expect(runtime.log.entries.filter(({ message }) => message.startsWith("reconcile loop"))[0]?.fields).toMatchObject({
        key: "default/shop",
        wait: "1s",
      });
      const now = writes();
      await client.patch(ConfigMap, "shop", { type: "merge", body: { data: { a: "2" } } });
      await clock.settle();
      expect(writes() - now).toBe(2);
    });
  });

  it("is not slowed down when it settles by itself, however many objects it writes", async () => {
    const life = await live(({ maps }) => async ({ key, client }) => {
      const map = maps.informer?.get(key);
      const step = Number(map?.data?.["step"] ?? 0);
      if (map !== undefined && step < 15) await client.update(ConfigMap, { ...map, data: { step: String(step + 1) } });
      return done;
    });
    await ending(life, async () => {
      const { client, clock, runtime } = life;
      for (let index = 0; index < 5; index++) await client.create(ConfigMap, { metadata: { name: `shop-${index}` } });
      await clock.settle();
      const { items } = await client.list(ConfigMap, { namespace: "default" });
      expect(items.filter(({ metadata }) => metadata.name?.startsWith("shop")).map(({ data }) => data?.["step"])).toEqual([
        "15",
        "15",
        "15",
        "15",
        "15",
      ]);
      expect(prometheusText(runtime.metrics)).toContain('drover_reconcile_echoes_slowed_total{controller="web"} 0');
    });
  });
});

describe("B10: a reconcile that leaves 100,000 timers behind in every run", () => {
  it("is reported with its key, and the framework itself leaks nothing", async () => {
    const life = await live(({ runtime: { clock } }) => ({ key }) => {
      if (splitObjectKey(key).name === "leaky") for (let count = 0; count < 100_000; count++) clock.timer(3_600_000_000, () => undefined);
      return done;
    });
    await ending(life, async () => {
      const { clock, runtime, controller } = life;
      const leaks = (): readonly unknown[] =>
        runtime.log.entries
          .filter(({ message }) => message.startsWith("reconcile leaves timers"))
          .map(({ fields: { key, left } }) => [key, left]);
      const before = clock.pending.length;
      for (let run = 0; run < 5; run++) {
        for (const name of ["default/leaky", "default/tidy"]) controller.enqueue(name as Parameters<typeof controller.enqueue>[0]);
        await clock.advance(2000);
      }
      expect(leaks()).toEqual([["default/leaky", 100_000]]);
      expect(clock.pending.length - before).toBeLessThanOrEqual(500_000 + 10);
    });
  });
});
