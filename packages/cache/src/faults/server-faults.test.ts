/** Faults of a server, by the rows of the catalogue: error responses, restarts, compaction, lag, a restored backup. */
import { statusResponse } from "@drover/client/testing";
import { newFailure, newForbidden, newTooManyRequests } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { reflectorRig } from "../testing/reflector-rig.ts";
import type { ReflectorRig } from "../testing/reflector-rig.ts";
import { refused } from "../testing/scripted-api.ts";
import type { ApiCall, GoneForm } from "../testing/scripted-api.ts";

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);

function expectEqual(rig: ReflectorRig): void {
  expect(rig.differences()).toEqual([]);
  expect(rig.sink.wentBack).toEqual([]);
  expect(rig.api.openMax).toBeLessThanOrEqual(1);
}

const codes = [400, 401, 403, 404, 405, 409, 410, 422, 429, 500, 502, 503, 504] as const;
const refusal = (code: number): Status => newFailure(code, "", `answer ${code}`);
const moments = ["at the first request", "at a list", "at the opening of a watch", "within the stream"] as const;

describe("A2: a single failure of a reflector", () => {
  for (const moment of moments) {
    it.each([...codes, "socket"] as const)(`${moment} does not end the reflector: %s (§9.6)`, async (code) => {
      const rig = reflectorRig({ api: { watchList: moment !== "at a list" } });
      rig.write(...names(5));
      const fails = (call: ApiCall): ReturnType<typeof statusResponse> | Error | undefined => {
        if (moment === "at a list" && call.verb !== "list") return undefined;
        return code === "socket" ? refused() : statusResponse(refusal(code));
      };
      if (moment === "at the first request" || moment === "at a list") rig.api.fault(fails);
      await rig.settled(5000);
      if (moment === "at the opening of a watch") {
        rig.api.fault(fails);
        rig.api.cut();
      }
      if (moment === "within the stream") {
        if (code === "socket") rig.api.cut();
        else
          for (const watch of rig.api.watches) {
            watch.send("ERROR", refusal(code));
            watch.close();
          }
      }
      rig.write("n1", "later");
      rig.api.remove("shop/n2");
      await rig.settled();
      expectEqual(rig);
      expect(rig.reflector.state()).toMatchObject({ phase: "watching", hasSynced: true });
      await rig.stop();
    });
  }

  it("that lasts is visible in the status: since when, why and until when (§9.6)", async () => {
    const rig = reflectorRig();
    rig.write("a");
    await rig.settled(1000);
    rig.api.fault(() => statusResponse(refusal(503)), { times: Infinity });
    rig.api.cut();
    await rig.settled(10 * 60_000);
    const { phase, hasFailed, lastError, lagMs, untilMs } = rig.reflector.state();
    expect([phase, hasFailed]).toEqual(["backing-off", true]);
    expect(String(lastError?.error)).toContain("answer 503");
    expect(lagMs).toBeGreaterThan(9 * 60_000);
    expect((untilMs ?? 0) - rig.clock.now()).toBeLessThanOrEqual(60_000);
    rig.api.repair();
    await rig.settled(61_000);
    expect(rig.reflector.state()).toMatchObject({ phase: "watching", hasFailed: false });
    expectEqual(rig);
    await rig.stop();
  });

  it("is passed to the watch error handler, which cannot stop the reflector", async () => {
    const told: unknown[] = [];
    const rig = reflectorRig({
      reflector: {
        watchErrorHandler: (error) => {
          told.push(error);
          throw new Error("no");
        },
      },
    });
    rig.api.fault(() => refused(), { times: 3 });
    rig.write("a");
    await rig.settled();
    expect(told).toHaveLength(3);
    expectEqual(rig);
    await rig.stop();
  });
});

describe("Reflector: a server that lost its history", () => {
  it.each([true, false])(
    "A4: is relisted once after a restart during a burst, and deleted objects are removed (watch-list: %s)",
    async (watchList) => {
      const rig = reflectorRig({ api: { watchList } });
      rig.write(...names(100));
      await rig.settled(5000);
      const before = rig.reflector.state().lists;
      rig.write(...names(50));
      rig.api.restart();
      for (const name of names(30)) rig.api.remove(`shop/${name}`);
      rig.write("n200");
      rig.api.compact();
      await rig.settled();
      expectEqual(rig);
      expect(rig.sink.versions.size).toBe(71);
      expect(rig.reflector.state().lists - before).toBe(1);
      await rig.stop();
    },
  );

  it.each(["status", "expired-event", "gone-event", "too-large-status", "silent"] satisfies GoneForm[])(
    "A8: reports an expired version as %s: at most three lists in a minute, and no hot loop",
    async (goneAs) => {
      const rig = reflectorRig({ api: { goneAs } });
      rig.write(...names(20));
      await rig.settled(5000);
      rig.api.cut();
      rig.write("n1", "n30");
      rig.api.remove("shop/n2");
      rig.api.compact();
      const before = rig.reflector.state().lists;
      await rig.settled();
      expectEqual(rig);
      expect(rig.reflector.state().lists - before).toBeGreaterThanOrEqual(1);
      expect(rig.reflector.state().lists - before).toBeLessThanOrEqual(3);
      await rig.stop();
    },
  );

  it("A20: lets a page expire during a list: the list restarts without pages, and readers never see a partial list", async () => {
    const rig = reflectorRig({ api: { watchList: false }, reflector: { pageSize: 10 } });
    rig.write(...names(35));
    let pages = 0;
    rig.api.fault((call) => {
      if (call.verb === "list" && ++pages === 3) {
        rig.api.remove("shop/n1");
        rig.api.compact();
      }
      return undefined;
    });
    await rig.settled(5000);
    expectEqual(rig);
    expect(rig.sink.calls.filter((call) => call.startsWith("replace"))).toEqual(["replace 34 @37"]);
    expect(
      rig.api.calls.filter(({ verb }) => verb === "list").map(({ options: { limit, continue: token } }) => [limit, token !== undefined]),
    ).toEqual([
      [10, false],
      [10, true],
      [10, true],
      [undefined, false],
    ]);
    await rig.stop();
  });

  it("A31: does not complete its initial events: it is listed in pages, at once after a close and after half a minute of a stall, and watch-list is avoided for a while", async () => {
    const rig = reflectorRig();
    rig.api.endsInitialEvents = false;
    rig.write(...names(5));
    await rig.settled(1000);
    expect(rig.reflector.hasSynced()).toBe(false);
    rig.api.close();
    await rig.settled(1000);
    expectEqual(rig);
    expect(rig.api.count("list")).toBe(1);
    await rig.stop();

    const stalled = reflectorRig();
    stalled.api.endsInitialEvents = false;
    stalled.write(...names(5));
    await stalled.settled(30_000);
    expectEqual(stalled);
    stalled.api.restart();
    stalled.write("n1");
    stalled.api.compact();
    await stalled.settled();
    expectEqual(stalled);
    expect(stalled.api.calls.filter(({ options }) => options.sendInitialEvents)).toHaveLength(1);
    expect(stalled.api.count("list")).toBe(2);
    await stalled.stop();
  });
});

describe("Reflector: a server at another version", () => {
  it.each([1, 10, 100])("A7: %i revisions behind after a reconnect never moves the cache back", async (behind) => {
    for (const blind of [false, true]) {
      const rig = reflectorRig();
      rig.write(...names(20));
      for (let turn = 0; turn < 100; turn++) rig.write(`n${turn % 20}`);
      await rig.settled(5000);
      rig.api.lagBy(behind, { blind });
      rig.api.cut();
      for (let turn = 0; turn < behind; turn++) {
        rig.write(`n${turn % 7}`);
        await rig.settled(50);
      }
      expect(rig.sink.wentBack).toEqual([]);
      rig.api.raw(`{"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"3"}}}\n`);
      await rig.settled(2000);
      expect(rig.sink.wentBack).toEqual([]);
      rig.api.lagBy(0);
      await rig.settled();
      expectEqual(rig);
      expect(rig.reflector.state().epoch).toBe(0);
      await rig.stop();
    }
  });

  it("W6: is never asked for an arbitrary version, and relists are at least as new as the cache", async () => {
    const rig = reflectorRig({ api: { watchList: false } });
    rig.write("a");
    await rig.settled(1000);
    rig.api.restart();
    rig.write("b");
    rig.api.compact();
    await rig.settled();
    const lists = rig.api.calls
      .filter(({ verb }) => verb === "list")
      .map(({ options: { resourceVersion, resourceVersionMatch } }) => [resourceVersion, resourceVersionMatch]);
    expect(lists).toEqual([
      [undefined, undefined],
      ["2", "NotOlderThan"],
    ]);
    await rig.stop();
  });

  it.each([true, false])(
    "W5: restored from a backup starts a new epoch with an error log, and the cache follows it (watch-list: %s)",
    async (watchList) => {
      const rig = reflectorRig({ api: { watchList } });
      rig.write(...names(10));
      const backup = rig.api.snapshot();
      await rig.settled(1000);
      for (let turn = 0; turn < 500; turn++) rig.write(`n${turn % 15}`);
      await rig.settled(10_000);
      rig.api.restore(backup);
      rig.write("n1");
      // A real server sends nothing to a watch from a future version, so only the silence shows it.
      await rig.settled(15 * 60_000);
      expect(rig.differences()).toEqual([]);
      expect(rig.reflector.state().epoch).toBe(1);
      expect(rig.runtime.log.entries.some(({ level, message }) => level === "error" && message.includes("went back permanently"))).toBe(
        true,
      );
      expect(rig.sink.wentBack.length).toBeGreaterThan(0);
      rig.write("n1", "n2");
      await rig.settled(1000);
      expect(rig.differences()).toEqual([]);
      await rig.stop();
    },
  );

  it("W5: restored from a backup and rejecting watches as too far ahead is followed within a minute", async () => {
    const rig = reflectorRig();
    rig.write(...names(10));
    const backup = rig.api.snapshot();
    for (let turn = 0; turn < 500; turn++) rig.write(`n${turn % 15}`);
    await rig.settled(10_000);
    rig.api.restore(backup);
    rig.api.fault(
      (call) =>
        call.verb === "watch" && Number(call.options.resourceVersion) > rig.api.revision
          ? statusResponse(
              newFailure(504, "Timeout", "Timeout: Too large resource version: 511, current: 11", {
                causes: [{ reason: "ResourceVersionTooLarge" }],
              }),
            )
          : undefined,
      { times: Infinity },
    );
    await rig.settled();
    expect(rig.differences()).toEqual([]);
    expect(rig.reflector.state().epoch).toBe(1);
    await rig.stop();
  });
});

describe("Reflector: a server that rejects requests", () => {
  it("A23: for five minutes: the reflector recovers within a minute, without a restart", async () => {
    const rig = reflectorRig();
    rig.write(...names(5));
    await rig.settled(1000);
    rig.api.fault(() => statusResponse(newForbidden({ group: "", resource: "configmaps" }, "", "no more")), { times: Infinity });
    rig.api.cut();
    rig.write("n1", "n9");
    await rig.settled(5 * 60_000);
    expect(rig.differences()).not.toEqual([]);
    const requests = rig.api.calls.length;
    expect(requests).toBeLessThan(50);
    rig.api.repair();
    await rig.settled(60_000);
    expectEqual(rig);
    await rig.stop();
  });

  it("W21: because the kind was removed and comes back empty: the old objects are removed", async () => {
    const rig = reflectorRig();
    rig.write(...names(5));
    await rig.settled(1000);
    rig.api.fault(() => statusResponse(newFailure(404, "NotFound", "the server could not find the requested resource")), {
      times: Infinity,
    });
    rig.api.cut();
    await rig.settled(5 * 60_000);
    expect(rig.sink.versions.size).toBe(5);
    for (const name of names(5)) rig.api.remove(`shop/${name}`);
    rig.api.compact();
    rig.api.repair();
    await rig.settled();
    expectEqual(rig);
    expect(rig.sink.versions.size).toBe(0);
    await rig.stop();
  });

  it("with 429 during storage initialization is waited for, from the first request on (§9.30)", async () => {
    const rig = reflectorRig();
    rig.write("a");
    rig.api.fault(() => statusResponse(newTooManyRequests("storage is (re)initializing", 1)), { times: 7 });
    await rig.settled(3 * 60_000);
    expectEqual(rig);
    expect(rig.reflector.state()).toMatchObject({ phase: "watching", hasSynced: true, hasFailed: false });
    await rig.stop();
  });

  it("with 429 is waited for as long as it requests, without a list", async () => {
    const rig = reflectorRig();
    rig.write("a");
    await rig.settled(1000);
    rig.api.fault(() => statusResponse(newTooManyRequests("slow down", 20)), { times: 5 });
    rig.api.cut();
    const from = rig.api.calls.length;
    await rig.settled(3 * 60_000);
    expectEqual(rig);
    const times = rig.api.calls.slice(from).map(({ atMs }) => atMs);
    expect(times.slice(1).every((atMs, index) => Math.round(atMs - (times[index] ?? 0)) >= 20_000)).toBe(true);
    expect(times).toHaveLength(6);
    expect(rig.reflector.state().lists).toBe(1);
    await rig.stop();
  });
});
