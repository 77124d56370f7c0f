/** Load: many reflectors, large collections and long runs, by the rows of the catalogue. */
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import type { ConfigMap } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { createReflector } from "../reflector/reflector.ts";
import { MapSink } from "../testing/map-sink.ts";
import { lateSource, reflectorRig } from "../testing/reflector-rig.ts";
import { ScriptedApi, refused } from "../testing/scripted-api.ts";

const isLong = process.env["DROVER_LONG"] === "1";
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);

/** Returns the maximum number of requests in any second. */
function peak(times: readonly number[]): number {
  const perSecond = new Map<number, number>();
  for (const atMs of times) perSecond.set(Math.floor(atMs / 1000), (perSecond.get(Math.floor(atMs / 1000)) ?? 0) + 1);
  return Math.max(0, ...perSecond.values());
}

describe("Reflector: many at once", () => {
  it("A18, W3: 60 reflectors (500 in long mode) reconnect spread out, without a list, within 90 s after an outage of ten minutes", async () => {
    const clock = new ManualClock({ quietTurns: 16 });
    const runtime = testRuntime({ clock });
    const api = new ScriptedApi({ clock, random: runtime.random.stream("api") });
    for (const name of names(3)) api.put({ metadata: { namespace: "shop", name } });
    const count = isLong ? 500 : 60;
    const stops = Array.from({ length: count }, () => new AbortController());
    const reflectors = Array.from({ length: count }, () =>
      createReflector<ConfigMap>({ source: lateSource(api, runtime, { namespace: "*" }), sink: new MapSink<ConfigMap>(), runtime }),
    );
    const running = reflectors.map((reflector, index) => reflector.run((stops[index] ?? new AbortController()).signal));
    await clock.advance(5000);
    expect(reflectors.every((reflector) => reflector.hasSynced())).toBe(true);
    const asked: number[] = [];
    const noteRequest = (): undefined => {
      asked.push(clock.monotonic());
      return undefined;
    };
    api.fault(
      () => {
        noteRequest();
        return refused();
      },
      { times: Infinity },
    );
    api.cut();
    await clock.advance(10 * 60_000);
    const away = asked.splice(0);
    const settledRate = away.filter((atMs) => atMs > 300_000).length / 300;
    api.repair();
    api.fault(noteRequest, { times: Infinity });
    api.put({ metadata: { namespace: "shop", name: "after" } });
    await clock.advance(90_000);
    const isBack = ({ lastSyncResourceVersion }: { readonly lastSyncResourceVersion: () => string }): boolean =>
      lastSyncResourceVersion() === String(api.revision);
    expect(reflectors.filter((reflector) => !isBack(reflector))).toHaveLength(0);
    expect(asked.length).toBe(count);
    expect(peak(asked)).toBeLessThan(5 * settledRate);
    expect(api.calls.filter(({ verb }) => verb === "list")).toHaveLength(0);
    for (const stop of stops) stop.abort();
    await Promise.all(running);
    expect(clock.pending).toEqual([]);
  });

  it("A26: starting and stopping hundreds of times (a thousand in long mode) leaves no stream, timer or listener", async () => {
    const clock = new ManualClock({ quietTurns: 16 });
    const runtime = testRuntime({ clock });
    const api = new ScriptedApi({ clock, random: runtime.random.stream("api") });
    api.put({ metadata: { namespace: "shop", name: "a" } });
    for (let turn = 0; turn < (isLong ? 1000 : 150); turn++) {
      const stopped = new AbortController();
      const running = createReflector<ConfigMap>({
        source: lateSource(api, runtime, { namespace: "*" }),
        sink: new MapSink<ConfigMap>(),
        runtime,
      }).run(stopped.signal);
      await clock.advance(turn % 4);
      if (turn % 3 === 0) api.cut();
      if (turn % 5 === 0) await clock.advance(1);
      stopped.abort();
      await running;
    }
    await clock.settle();
    expect(api.watches).toHaveLength(0);
    expect(clock.pending).toEqual([]);
    expect(api.openMax).toBe(1);
  });

  it("A29: two reflectors of one kind with different selectors are both correct", async () => {
    const clock = new ManualClock({ quietTurns: 64 });
    const runtime = testRuntime({ clock });
    const api = new ScriptedApi({ clock, random: runtime.random.stream("api") });
    const stopped = new AbortController();
    const sinks = ["web", "db"].map((app) => {
      const sink = new MapSink<ConfigMap>();
      const running = createReflector<ConfigMap>({
        source: lateSource(api, runtime, { namespace: "*", labelSelector: `app=${app}` }),
        sink,
        runtime,
      }).run(stopped.signal);
      return { app, sink, running };
    });
    const random = runtime.random.stream("test");
    for (let turn = 0; turn < 500; turn++) {
      api.put({ metadata: { namespace: "shop", name: `n${random.int(30)}`, labels: { app: random.int(2) === 0 ? "web" : "db" } } });
      if (turn % 50 === 0) await clock.advance(1000);
      if (turn % 120 === 0) api.cut();
    }
    await clock.advance(60_000);
    for (const { app, sink } of sinks) {
      const wanted = [...api.objects].filter(([, { metadata }]) => metadata.labels?.["app"] === app).map(([key]) => key);
      expect([...sink.versions.keys()].toSorted()).toEqual(wanted.toSorted());
      expect(sink.wentBack).toEqual([]);
    }
    stopped.abort();
    await Promise.all(sinks.map(({ running }) => running));
  });
});

describe("Reflector: large collections", () => {
  it.each([true, false])(
    "A19: 5,000 objects (20,000 in long mode) listed while they change are one consistent state, then a stream (watch-list: %s)",
    async (watchList) => {
      const count = isLong ? 20_000 : 5000;
      const rig = reflectorRig({ api: { watchList, commitsMax: 200_000 } });
      rig.write(...names(count));
      rig.api.fault(
        (call) => {
          // Objects of later pages change while each page is served.
          if (call.verb === "list") for (let index = 0; index < 200; index++) rig.write(`n${(index * 97) % count}`);
          return undefined;
        },
        { times: Infinity },
      );
      await rig.settled(1000);
      expect(rig.sink.calls.filter((call) => call.startsWith("replace"))).toHaveLength(1);
      expect(rig.differences()).toEqual([]);
      expect(rig.sink.wentBack).toEqual([]);
      await rig.stop();
    },
  );

  it("applies backpressure from the sink to the stream and the server", async () => {
    const rig = reflectorRig();
    await rig.settled(1000);
    rig.sink.isFull = true;
    rig.write(...names(100));
    await rig.settled(10_000);
    expect(rig.sink.versions.size).toBe(0);
    rig.sink.release();
    await rig.settled(1000);
    expect(rig.differences()).toEqual([]);
    expect(rig.reflector.state().watches).toBe(1);
    await rig.stop();
  });
});
