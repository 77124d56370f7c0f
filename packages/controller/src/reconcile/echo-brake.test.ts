import { describe, expect, it } from "vitest";
import type { Change } from "@drover/cache";
import type { KubeObject, ObjectKey } from "@drover/machinery";
import type { Cause } from "../causes/cause.ts";
import { EchoBrake } from "./echo-brake.ts";
import type { Echo } from "./echo-brake.ts";

const key = "shop/web" as ObjectKey;

function object(resourceVersion: string, uid: string): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: uid, namespace: "shop", uid, resourceVersion } };
}

function seen(resourceVersion: string, uid = "a", type: "updated" | "deleted" = "updated"): Cause {
  const basics = { key: `shop/${uid}` as ObjectKey, uid, resourceVersion, object: object(resourceVersion, uid) };
  const change: Change =
    type === "deleted" ? { type, ...basics, isFinalStateUnknown: false } : { type, ...basics, before: object("0", uid), isResync: false };
  return { type: "change", via: "self", change, kind: { group: "", kind: "ConfigMap" }, cluster: "" };
}

const foreign: Cause = { type: "enqueue" };

function rig(echoesMax = 3) {
  const slowed: Echo[] = [];
  const brake = new EchoBrake({ echoesMax, onSlowed: (echo) => slowed.push(echo) });
  let version = 0;
  const wait = (now: number, ...causes: readonly Cause[]): number => brake.waitMs({ key, causes, causeCount: causes.length }, now);
  /** One run with these causes that writes; returns the cause that its write becomes. */
  const run = (now: number, ...causes: readonly Cause[]): Cause => {
    expect(wait(now, ...causes)).toBe(0);
    brake.wrote(key, { uid: "a", resourceVersion: String(++version) });
    brake.ended(key);
    return seen(String(version));
  };
  return { brake, slowed, wait, run };
}

describe("EchoBrake on a key whose runs are caused only by their own writes", () => {
  it("allows the normal number of runs, then delays further ones, up to a minute", () => {
    const { slowed, wait, run } = rig();
    let cause = run(0, foreign);
    for (let echo = 0; echo < 3; echo++) cause = run(0, cause);
    let now = 0;
    const waits = [];
    for (let echo = 0; echo < 9; echo++) {
      const waitMs = wait(now, cause);
      waits.push(waitMs);
      now += waitMs;
      cause = run(now, cause);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(slowed.map(({ runs, waitMs }) => [runs, waitMs]).slice(0, 2)).toEqual([
      [3, 1000],
      [4, 2000],
    ]);
  });

  it("returns the remaining delay when asked before its end", () => {
    const { slowed, wait, run } = rig(1);
    const cause = run(0, run(0, foreign));
    expect(wait(0, cause)).toBe(1000);
    expect(wait(400, cause)).toBe(600);
    expect(slowed).toHaveLength(1);
    run(1000, cause);
  });

  it("does not delay a run with another cause, and delays the next own one again", () => {
    const { wait, run } = rig(1);
    const cause = run(0, run(0, foreign));
    expect(wait(0, cause)).toBe(1000);
    expect(wait(10, run(10, cause, foreign))).toBe(1000);
  });

  it("ends the delay as soon as a run writes nothing", () => {
    const { brake, wait, run } = rig(1);
    const cause = run(0, run(0, foreign));
    expect(wait(0, cause)).toBe(1000);
    expect(wait(1000, cause)).toBe(0);
    brake.ended(key);
    expect(brake.size).toBe(0);
    run(1000, run(1000, foreign));
  });

  it("does not delay for a version of the same object from another writer (§9.20)", () => {
    const { wait, run } = rig(1);
    run(0, run(0, foreign));
    expect(wait(0, seen("99"))).toBe(0);
  });

  it("recognises its own deletions", () => {
    const { brake, wait } = rig(1);
    for (let run = 0; run < 2; run++) {
      expect(wait(0, ...(run === 0 ? [foreign] : [seen("7", `child-${run - 1}`, "deleted")]))).toBe(0);
      brake.wrote(key, { uid: `child-${run}`, resourceVersion: "" });
      brake.ended(key);
    }
    expect(wait(0, seen("9", "child-1", "deleted"))).toBe(1000);
  });

  it("recognises its own writes if it writes more objects than causes are kept", () => {
    const { brake } = rig(1);
    const uids = Array.from({ length: 12 }, (_, index) => `child-${index}`);
    const echo = { key, causes: uids.slice(0, 8).map((uid) => seen("1", uid)), causeCount: 12 };
    for (let run = 0; run < 2; run++) {
      expect(brake.waitMs(run === 0 ? { key, causes: [foreign], causeCount: 1 } : echo, 0)).toBe(0);
      for (const uid of uids) brake.wrote(key, { uid, resourceVersion: "1" });
      brake.ended(key);
    }
    expect(brake.waitMs(echo, 0)).toBe(1000);
    expect(brake.waitMs({ ...echo, causeCount: 40 }, 0)).toBe(0);
  });
});

it("delays and remembers nothing with Infinity", () => {
  const { brake, run } = rig(Infinity);
  let cause = run(0, foreign);
  for (let echo = 0; echo < 100; echo++) cause = run(0, cause);
  expect(brake.size).toBe(0);
});

it("forgets keys whose writes no watch delivers (§9.15)", () => {
  const { brake } = rig();
  for (let index = 0; index < 20_000; index++) brake.wrote(`shop/${index}` as ObjectKey, { uid: "a", resourceVersion: "1" });
  expect(brake.size).toBe(10_000);
});
