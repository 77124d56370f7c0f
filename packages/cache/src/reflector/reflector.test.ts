import { statusResponse } from "@drover/client/testing";
import { encodeJson, encodeWatchEvent, newFailure, prometheusText } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { reflectorRig } from "../testing/reflector-rig.ts";
import { refused } from "../testing/scripted-api.ts";
import { createWatchListMemory } from "./watch-list-memory.ts";

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);

describe("createReflector", () => {
  it.each(["late", "classic"] as const)("starts with a watch-list and follows the same stream (%s)", async (source) => {
    const rig = reflectorRig({ source });
    rig.write("a", "b");
    await rig.settled(1000);
    rig.write("c");
    rig.api.remove("shop/a");
    await rig.settled(1000);
    expect(rig.sink.calls).toEqual(["replace 2 @3", "ADDED shop/c @4", "DELETED shop/a @5"]);
    expect(rig.api.calls.map(({ verb, options: { sendInitialEvents } }) => [verb, sendInitialEvents])).toEqual([["watch", true]]);
    expect(rig.reflector.state()).toMatchObject({
      phase: "watching",
      hasSynced: true,
      lastSyncResourceVersion: "5",
      lists: 1,
      watches: 1,
      hasFailed: false,
    });
    await rig.stop();
    expect(rig.clock.pending).toEqual([]);
    expect(rig.reflector.state().phase).toBe("stopped");
  });

  it("falls back to pages of 500, then watches from the version of the list", async () => {
    const rig = reflectorRig({ api: { watchList: false } });
    rig.write(...names(1200));
    await rig.settled(1000);
    expect(rig.differences()).toEqual([]);
    const asked = rig.api.calls.map(({ verb, options }) => [verb, options.limit, options.continue !== undefined, options.resourceVersion]);
    expect(asked).toEqual([
      ["list", 500, false, undefined],
      ["list", 500, true, undefined],
      ["list", 500, true, undefined],
      ["watch", undefined, false, "1201"],
    ]);
    await rig.stop();
  });

  it("requests version 0 first with firstResourceVersion, and all objects at once with a page size of 0", async () => {
    const rig = reflectorRig({ api: { watchList: false }, reflector: { firstResourceVersion: "0", pageSize: 0 } });
    rig.write("a");
    await rig.settled(1000);
    expect(rig.api.calls[0]?.options).toEqual({ resourceVersion: "0" });
    await rig.stop();
  });

  it("does not try a watch-list that failed for other reflectors of the kind", async () => {
    const first = reflectorRig({ api: { watchList: false } });
    const watchListMemory = createWatchListMemory({ clock: first.clock });
    await first.stop();
    const teacher = reflectorRig({ api: { watchList: false }, reflector: { watchListMemory, watchListKey: "configmaps" } });
    await teacher.settled(1000);
    await teacher.stop();
    expect(teacher.reflector.state().watches).toBe(2);
    expect(watchListMemory.remainingMs("configmaps")).toBeGreaterThan(0);
    const pupil = reflectorRig({ reflector: { watchListMemory, watchListKey: "configmaps" } });
    await pupil.settled(1000);
    expect(pupil.api.calls.map(({ verb }) => verb)).toEqual(["list", "watch"]);
    await pupil.stop();
  });

  it("requests bookmarks and a duration of five to ten minutes for every watch (§9.8)", async () => {
    const rig = reflectorRig();
    for (let turn = 0; turn < 5; turn++) {
      rig.write("a");
      await rig.settled(10 * 60_000);
    }
    const watches = rig.api.calls.map(({ options }) => options);
    expect(watches.length).toBeGreaterThan(4);
    for (const { allowWatchBookmarks, timeoutSeconds = 0 } of watches) {
      expect(allowWatchBookmarks).toBe(true);
      expect(timeoutSeconds).toBeGreaterThanOrEqual(300);
      expect(timeoutSeconds).toBeLessThan(600);
    }
    expect(new Set(watches.map(({ timeoutSeconds }) => timeoutSeconds)).size).toBeGreaterThan(1);
    expect(rig.reflector.state().lists).toBe(1);
    await rig.stop();
  });

  it.each([60_000, Infinity])(
    "observes a change within two seconds after any number of quiet hours (bookmarks every %d ms) (§9.7)",
    async (bookmarkMs) => {
      const rig = reflectorRig({ api: { bookmarkMs } });
      for (let hour = 1; hour <= (process.env["DROVER_LONG"] === "1" ? 24 : 8); hour++) {
        await rig.settled(60 * 60_000 + hour * 7919);
        rig.write("a");
        await rig.settled(2000);
        expect([hour, rig.differences()]).toEqual([hour, []]);
      }
      await rig.stop();
    },
  );

  it("relists on request, while it watches and while it waits", async () => {
    const rig = reflectorRig();
    rig.write("a");
    await rig.settled(5000);
    rig.reflector.relist("the audit found a difference");
    await rig.settled(1000);
    expect(rig.reflector.state()).toMatchObject({ lists: 2, phase: "watching", lastError: undefined });
    expect(rig.api.calls.at(-1)?.options.resourceVersion).toBeUndefined();
    rig.api.fault(() => refused(), { times: 100 });
    rig.api.cut();
    await rig.settled(20_000);
    expect(rig.reflector.state().phase).toBe("backing-off");
    rig.api.repair();
    rig.reflector.relist("the test asks for it");
    await rig.settled(1);
    expect(rig.reflector.state()).toMatchObject({ lists: 3, phase: "watching" });
    await rig.stop();
  });

  it("resumes from the right version when it is interrupted within a batch", async () => {
    const rig = reflectorRig();
    rig.write("a");
    await rig.settled(2000);
    const [watch] = rig.api.watches;
    const upsert = rig.sink.upsert.bind(rig.sink);
    rig.sink.upsert = (...args) => {
      upsert(...args);
      rig.sink.isFull = true;
    };
    const line = (name: string, resourceVersion: string): string =>
      encodeWatchEvent(
        "ADDED",
        encodeJson({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name, uid: name, resourceVersion } }),
      );
    watch?.raw(line("b", "3") + line("c", "4"));
    await rig.settled(10);
    expect(rig.sink.resourceVersion).toBe("3");
    // The server that responds now lags behind: it is still at version 2.
    rig.api.lagBy(0, { blind: true });
    rig.reflector.relist("test");
    await rig.settled(1000);
    expect(rig.sink.wentBack).toEqual([]);
    expect(rig.reflector.state().refused).toBeGreaterThan(0);
    await rig.stop();
  });

  it("has at most one request open", async () => {
    const rig = reflectorRig({ seed: 5 });
    rig.api.chances = { cut: 0.05, halfOpen: 0.01, close: 0.02, status: 0.1, refuse: 0.1, delay: 0.02 };
    for (let turn = 0; turn < 300; turn++) {
      rig.write(`n${turn % 10}`);
      await rig.settled(3000);
    }
    expect(rig.api.openMax).toBe(1);
    await rig.stop();
    expect(rig.api.watches).toEqual([]);
  });

  it.each(["listing", "watching", "backing-off", "waiting for the sink"])("ends when its signal aborts, while %s", async (phase) => {
    const rig = reflectorRig({ api: { watchList: false } });
    if (phase === "listing") rig.api.fault(() => "hang");
    if (phase === "backing-off") rig.api.fault(() => refused(), { times: 100 });
    await rig.settled(5000);
    if (phase === "waiting for the sink") {
      rig.sink.isFull = true;
      rig.write("a");
      await rig.settled(10);
    }
    await rig.stop();
    expect(rig.clock.pending).toEqual([]);
    // A stop is not a failure.
    expect(rig.runtime.log.entries.filter(({ fields }) => String(fields["error"]).includes("Abort"))).toEqual([]);
    expect(rig.reflector.state().phase).toBe("stopped");
  });

  it("runs once, and does nothing if its signal is aborted already", async () => {
    const rig = reflectorRig();
    await rig.stop();
    await expect(rig.reflector.run(AbortSignal.abort())).rejects.toThrow("run was called twice");
  });

  it("relists after a backoff when the sink threw", async () => {
    const rig = reflectorRig();
    const replace = rig.sink.replace.bind(rig.sink);
    let times = 0;
    rig.sink.replace = (...args) => {
      if (++times < 3) throw new Error("no room");
      replace(...args);
    };
    rig.write("a");
    await rig.settled();
    expect(rig.differences()).toEqual([]);
    expect(times).toBe(3);
    await rig.stop();
  });

  it("never loops without waiting, whatever response the server repeats", async () => {
    for (const code of [200, 400, 401, 403, 404, 405, 410, 422, 429, 500, 503, 504]) {
      const rig = reflectorRig({ api: { watchList: false } });
      rig.write("a");
      const answer =
        code === 200
          ? { status: 200, headers: { "content-type": "application/json" }, body: "" }
          : statusResponse(newFailure(code, "", "no"));
      rig.api.fault(({ verb }) => (verb === "watch" ? answer : undefined), { times: Infinity });
      await rig.settled(10 * 60_000);
      expect(rig.api.calls.length, `answer ${code}`).toBeLessThan(60);
      rig.api.repair();
      rig.write("b");
      await rig.settled(61_000);
      expect(rig.differences(), `answer ${code}`).toEqual([]);
      await rig.stop();
    }
  });

  it("counts lists, watches and events", async () => {
    const rig = reflectorRig({ reflector: { name: "maps" } });
    rig.write("a");
    await rig.settled(1000);
    rig.write("b");
    await rig.settled(1000);
    const text = prometheusText(rig.runtime.metrics);
    expect(text).toContain('reflector_lists_total{name="maps"} 1\n');
    expect(text).toContain('reflector_events_total{name="maps"} 1\n');
    expect(text).toContain('reflector_last_resource_version{name="maps"} 3\n');
    await rig.stop();
  });
});
