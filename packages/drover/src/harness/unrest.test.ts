import type { InformerState } from "@drover/cache";
import type { Cause, ControllerState } from "@drover/controller";
import type { ObjectKey } from "@drover/machinery";
import type { KeyReport } from "@drover/workqueue";
import { describe, expect, it } from "vitest";
import { unrestOf } from "./unrest.ts";
import type { LifeView } from "./unrest.ts";

const nowMs = 1_000_000;
const runs = { ended: 0, failed: 0, tookMs: 0, waitedMs: 0 } as const;
const state: ControllerState = { name: "web", phase: "running", workers: 1, active: 0, ready: 0, waiting: 0, parked: 0, runs, watches: [] };
const report = (changed: Partial<KeyReport<ObjectKey, Cause>>): KeyReport<ObjectKey, Cause> => ({
  key: "shop/a" as ObjectKey,
  state: "idle",
  priority: 0,
  ageMs: 0,
  causes: [],
  causeCount: 0,
  attempts: 0,
  ...changed,
});
const informer: InformerState = {
  name: "pods",
  size: 1,
  hasSynced: true,
  lastSyncResourceVersion: "7",
  queued: 0,
  handlers: [],
  reflector: {
    phase: "watching",
    sinceMs: 0,
    untilMs: undefined,
    hasSynced: true,
    lastSyncResourceVersion: "7",
    epoch: 0,
    lagMs: 0,
    lastError: undefined,
    hasFailed: false,
    lists: 1,
    watches: 1,
    events: 0,
    refused: 0,
    poison: [],
    poisonCount: 0,
  },
};
const view = (changed: Partial<LifeView>): LifeView => ({
  nowMs,
  isReady: true,
  phase: "running",
  controllers: [],
  informers: [informer],
  requests: { asked: [], atServer: 0 },
  ...changed,
});
const ofKey = (changed: Partial<KeyReport<ObjectKey, Cause>>): ReturnType<typeof unrestOf> =>
  unrestOf(view({ controllers: [{ state, keys: [report(changed)] }] }));
const retry: Cause = { type: "retry", attempt: 1, error: "no", run: "1", isConflict: false };

describe("unrestOf", () => {
  it("returns nothing when idle", () => {
    expect(unrestOf(view({ controllers: [{ state, keys: [report({})] }] }))).toEqual([]);
  });

  it("reports what proceeds by itself: a start, a run, a ready key, a cache with queued changes, a handler, a request", () => {
    const goesOn = [
      unrestOf(view({ phase: "starting" })),
      unrestOf(view({ controllers: [{ state: { ...state, phase: "syncing" }, keys: [] }] })),
      ofKey({ state: "running" }),
      ofKey({ state: "ready" }),
      unrestOf(view({ informers: [{ ...informer, queued: 2 }] })),
      unrestOf(view({ informers: [{ ...informer, hasSynced: false }] })),
      unrestOf(
        view({
          informers: [
            { ...informer, handlers: [{ name: "h", hasSynced: true, pendingKeys: 1, running: undefined, errors: 0, givenUp: 0 }] },
          ],
        }),
      ),
      unrestOf(view({ requests: { asked: ["GET /api"], atServer: 1 } })),
    ];
    expect(goesOn.map((found) => found.map(({ dueInMs }) => dueInMs))).toEqual(goesOn.map(() => [undefined]));
    expect(goesOn.flat().map(({ what }) => what)).toContain("shop/a in controller web is running");
  });

  it("reports what waits for the clock: a retry, a lost watch, a request to be resent", () => {
    expect(ofKey({ state: "waiting", causes: [retry], nextRunInMs: 40 })).toMatchObject([{ dueInMs: 40, failing: { controller: "web" } }]);
    expect(
      unrestOf(
        view({
          informers: [
            {
              ...informer,
              reflector: {
                ...informer.reflector,
                phase: "backing-off",
                untilMs: nowMs + 800,
                lastError: { error: new Error("gone"), atMs: 0 },
              },
            },
          ],
        }),
      ),
    ).toEqual([{ isStale: true, dueInMs: 800, what: "the cache of pods lost its watch and will retry (gone)" }]);
    expect(unrestOf(view({ isReady: false }))).toEqual([{ what: "the operator reports that it is not ready", dueInMs: 0 }]);
    expect(unrestOf(view({ requests: { asked: ["GET /api", "GET /apis"], atServer: 0 } }))).toEqual([
      { what: "GET /api is not answered yet, and 1 more", dueInMs: 0 },
    ]);
  });

  it("ignores keys that were requeued for later or parked", () => {
    expect(ofKey({ state: "waiting", causes: [{ type: "after", afterMs: 10, run: "1" }], nextRunInMs: 10 })).toEqual([]);
    expect(ofKey({ state: "parked", causes: [retry], attempts: 9 })).toEqual([]);
  });

  it("reports a key that its controller delays, which has no cause in the queue", () => {
    expect(ofKey({ state: "waiting", nextRunInMs: 1000 })).toMatchObject([{ putOff: { controller: "web", key: "shop/a" }, dueInMs: 1000 }]);
  });
});
