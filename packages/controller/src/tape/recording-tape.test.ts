import { objectKey } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { updated } from "../testing/changes.ts";
import type { Cause } from "../causes/cause.ts";
import { createTape } from "./recording-tape.ts";
import type { RunRecord } from "./run-record.ts";
import type { RunStart } from "./tape.ts";
import { replicasField, seen, shop, shopKey, tapeScene, wrote } from "./testing/tape-scene.ts";

describe("RecordingTape", () => {
  it("returns runs of several controllers in order, newest last", async () => {
    const { tape, run } = tapeScene();
    await run();
    await run({ controller: "other" });
    await run({ key: objectKey("b", "web") });
    expect(tape.runs().map(({ run: name }) => name)).toEqual(["7f#1", "7f#2", "7f#3"]);
    expect(tape.runs({ controller: "web", last: 1 })).toMatchObject([{ run: "7f#3", key: "web/b" }]);
    expect([tape.count(), tape.count({ key: shopKey })]).toEqual([3, 2]);
  });

  it("stays within its bounds when it is filled ten times over, and releases old objects", () => {
    const clock = new ManualClock();
    const tape = createTape({ clock, log: recordingLog(clock), runsMax: 50, changesMax: 20, callsPerRunMax: 4, loopRunsMax: 1000 });
    for (let index = 0; index < 500; index++) {
      const causes = [
        seen(updated(shop(index), shop(index + 1, { replicas: index + 2 }))),
        seen(updated(shop(index), shop(index + 1))),
        { type: "timer", source: "s" } as const,
      ];
      const run = tape.begin({ run: `r${index}`, controller: "web", key: shopKey, causes, causeCount: 3, attempts: 0, waitedMs: 0 });
      for (let call = 0; call < 10; call++) run.call({ ...wrote(shop(index * 10 + call)), atMs: 0 });
      if (index % 3 > 0) run.end({ type: "done" });
    }
    const runs = tape.runs();
    expect([runs.length, runs[0]?.run, runs.at(-1)?.run]).toEqual([50, "r450", "r499"]);
    expect(runs.every(({ calls, callCount }) => calls.length === 4 && callCount === 10)).toBe(true);
    const whole = runs.filter(({ causes }) => causes.some((cause) => cause.type === "change" && cause.fields !== undefined));
    expect(whole.map(({ run }) => run)).toEqual(Array.from({ length: 10 }, (_, index) => `r${490 + index}`));
    expect(
      runs.every(({ causes }) => causes.length === 3 && causes.every((cause) => cause.type !== "change" || cause.resourceVersion !== "")),
    ).toBe(true);
  });

  const started = (run: string, causes: readonly Cause[] = []): RunStart => ({
    run,
    controller: "web",
    key: shopKey,
    causes,
    causeCount: causes.length,
    attempts: 0,
    waitedMs: 0,
  });
  const hasFields = ({ causes }: RunRecord): boolean => causes.some((cause) => cause.type === "change" && cause.fields !== undefined);

  it("releases old objects when their bytes exceed the limit, whatever their number (SEC16)", () => {
    const clock = new ManualClock();
    const tape = createTape({ clock, log: recordingLog(clock), bytesMax: 5_000_000 });
    const large = (version: number): KubeObject => ({ ...shop(version), data: { text: `${version}`.padEnd(250_000, "x") } }) as KubeObject;
    for (let index = 1; index <= 100; index++)
      tape.begin(started(`r${index}`, [seen(updated(large(index), large(index + 1)))])).end({ type: "done" });
    expect([
      tape.count(),
      tape
        .runs()
        .filter(hasFields)
        .map(({ run }) => run),
    ]).toEqual([100, ["r96", "r97", "r98", "r99", "r100"].slice(1)]);
  });

  it("believes the size that a change states, so that no object is parsed to measure it (SEC16)", () => {
    const clock = new ManualClock();
    const tape = createTape({ clock, log: recordingLog(clock), bytesMax: 1000 });
    const change = { ...updated(shop(1), shop(2, { replicas: 3 })), bytes: 600 };
    for (const run of ["r1", "r2"]) tape.begin(started(run, [seen(change)]));
    expect(
      tape
        .runs()
        .filter(hasFields)
        .map(({ run }) => run),
    ).toEqual(["r2"]);
  });

  it("releases the calls of old runs after all objects, still counts them, and takes none of a run that goes on (SEC16)", () => {
    const clock = new ManualClock();
    const tape = createTape({ clock, log: recordingLog(clock), bytesMax: 10_000 });
    const failed = { method: "GET", path: "/x", atMs: 0, tookMs: 1, status: 500, error: "e".repeat(5000) };
    const first = tape.begin(started("r1"));
    for (const run of ["r2", "r3", "r4", "r5", "r6"]) {
      const begun = tape.begin(started(run));
      begun.call(failed);
      begun.call(failed);
      first.call(failed);
    }
    expect(tape.runs().map(({ run, calls, callCount }) => [run, calls.length, callCount])).toEqual([
      ["r1", 0, 5],
      ["r2", 0, 2],
      ["r3", 0, 2],
      ["r4", 0, 2],
      ["r5", 2, 2],
      ["r6", 2, 2],
    ]);
  });

  it("never holds more runs or objects than its bounds, for random input", () => {
    const numRuns = Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 20) + 60;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 0, max: 6 }),
        fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 30 }),
        (runsMax, changesMax, sizes) => {
          const clock = new ManualClock();
          const tape = createTape({ clock, log: recordingLog(clock), runsMax, changesMax });
          for (const [index, size] of sizes.entries()) {
            const causes = Array.from({ length: size }, () => seen(updated(shop(1), shop(2))));
            tape.begin({ run: `r${index}`, controller: "web", key: shopKey, causes, causeCount: size, attempts: 0, waitedMs: 0 });
            const runs = tape.runs();
            const held = runs.map((run) => run.causes.filter((cause) => cause.type === "change" && cause.fields !== undefined).length);
            expect(runs).toHaveLength(Math.min(index + 1, runsMax));
            expect(held.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(changesMax);
            // The newest keep theirs as long as there is room.
            const kept = sizes.slice(0, index + 1).slice(-runsMax);
            let room = changesMax;
            const expected = kept
              .toReversed()
              .map((count) => {
                room -= count;
                return room >= 0 ? count : 0;
              })
              .toReversed();
            expect(held).toEqual(expected);
          }
        },
      ),
      { numRuns },
    );
  });

  it("recognises our own writes although their run has left the tape, or made more calls than are kept", async () => {
    const { tape, run } = tapeScene({ runsMax: 1, callsPerRunMax: 1, writesMax: 10 });
    const first = await run({ calls: [wrote(shop(7)), wrote(shop(8)), wrote(shop(9))] });
    await run({ causes: [seen(updated(shop(8), shop(9, { replicas: 3 })))] });
    expect(tape.runs()).toEqual([
      expect.objectContaining({
        causes: [expect.objectContaining({ writers: [{ type: "self", controller: "web", key: shopKey, run: first }] })],
      }),
    ]);
  });

  it("describes causes that have not led to a run yet", async () => {
    const { tape, run } = tapeScene();
    await run({ calls: [wrote(shop(7))] });
    expect(tape.describe([seen(updated(shop(6), shop(7))), { type: "enqueue" }])).toEqual([
      expect.objectContaining({ writers: [expect.objectContaining({ type: "self" })] }),
      { type: "enqueue" },
    ]);
  });

  it("returns snapshots that do not change when runs continue", () => {
    const clock = new ManualClock();
    const tape = createTape({ clock, log: recordingLog(clock) });
    const run = tape.begin({ run: "r", controller: "web", key: shopKey, causes: [], causeCount: 0, attempts: 0, waitedMs: 0 });
    const before = tape.runs();
    run.call({ ...wrote(shop(1)), atMs: 0 });
    run.end({ type: "done" });
    expect(before).toMatchObject([{ calls: [], callCount: 0 }]);
    expect(before[0]).not.toHaveProperty("result");
  });

  it("rejects invalid bounds", () => {
    const clock = new ManualClock();
    const log = recordingLog(clock);
    for (const options of [
      { runsMax: 0 },
      { changesMax: -1 },
      { callsPerRunMax: 0.5 },
      { writesMax: Number.NaN },
      { loopRunsMax: 0 },
      { loopWindowMs: 0 },
    ])
      expect(() => createTape({ clock, log, ...options })).toThrow(RangeError);
  });
});

describe("RecordingTape on a loop", () => {
  /** Our controller wants 3 replicas, an autoscaler wants 5. */
  async function fight(times: number, options: Parameters<typeof tapeScene>[0] = {}): Promise<ReturnType<typeof tapeScene>> {
    const scene = tapeScene(options);
    let version = 1;
    let current = shop(version, { replicas: 3, managers: [["web", replicasField]] });
    for (let turn = 0; turn < times; turn++) {
      const theirs = shop(++version, {
        replicas: 5,
        managers: [
          ["web", {}],
          ["hpa", replicasField],
        ],
      });
      const ours = shop(++version, {
        replicas: 3,
        managers: [
          ["hpa", {}],
          ["web", replicasField],
        ],
      });
      await scene.run({ controller: "scaler", causes: [seen(updated(current, theirs))], calls: [wrote(ours)] });
      await scene.run({ controller: "scaler", causes: [seen(updated(theirs, ours))] });
      await scene.clock.advance(990);
      current = ours;
    }
    return scene;
  }

  it("names the two writers that fight for a field, once per window in the log, and as data", async () => {
    const { tape, log, run } = await fight(6);
    expect(tape.loops()).toEqual([
      {
        type: "fight",
        controller: "scaler",
        key: shopKey,
        cluster: "",
        kind: { group: "apps", kind: "Deployment" },
        object: shopKey,
        path: "spec.replicas",
        writers: [
          { type: "manager", name: "hpa" },
          { type: "controller", name: "scaler" },
        ],
        times: 12,
        values: ["5", "3", "5", "3", "5", "3"],
        since: expect.any(Number) as number,
        spanMs: expect.any(Number) as number,
      },
    ]);
    const lines = log.entries.filter(({ level }) => level === "warn").map(({ message }) => message);
    expect(lines).toEqual([
      expect.stringMatching(
        /^endless reconcile loop: Deployment\.apps web\/shop: spec\.replicas goes 3 → 5 → 3 → 5 → 3 → 5: field manager hpa and controller scaler write it in turn, 1\d times in \d+(?:\.\d)? s$/,
      ),
    ]);
    await run();
    expect(log.entries).toHaveLength(lines.length);
  });

  it("examines at most ten keys per window by itself, and all of them on request", async () => {
    const { tape, log, run } = tapeScene({ loopRunsMax: 6 });
    for (let number = 0; number < 15; number++) {
      for (let version = 1; version < 9; version++) {
        const state = (at: number): ReturnType<typeof shop> => ({
          metadata: { ...shop(at).metadata, name: `shop-${number}`, uid: `u${number}` },
          spec: { replicas: at % 2 },
        });
        await run({
          controller: `c${number}`,
          causes: [seen(updated(state(version), state(version + 1)))],
          calls: [wrote(state(version + 2))],
        });
      }
    }
    expect([log.entries.length, tape.loops().length]).toEqual([10, 15]);
  });

  it("logs it again in the next window, and ignores keys that are only busy", async () => {
    const again = await fight(40, { loopWindowMs: 15_000 });
    expect(again.log.entries.length).toBeGreaterThan(1);
    expect(again.log.entries.length).toBeLessThanOrEqual(4);
    const { tape, run, log } = tapeScene();
    for (let version = 1; version < 60; version++)
      await run({ causes: [seen(updated(shop(version), shop(version + 1, { replicas: version + 1 })))] });
    expect([tape.loops(), log.entries]).toEqual([[], []]);
  });
});
