import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { added, deleted, updated } from "../testing/changes.ts";
import { findLoops, loopIdentity } from "./find-loops.ts";
import { printLoop } from "./loop.ts";
import type { Loop } from "./loop.ts";
import type { RunRecord } from "./run-record.ts";
import { replicasField, seen, shop, tapeScene, wrote } from "./testing/tape-scene.ts";
import type { TapeScene } from "./testing/tape-scene.ts";

const words = (runs: readonly RunRecord[], options: Parameters<typeof findLoops>[1] = { loopRunsMax: 5 }): string[] =>
  findLoops(runs, options).map(printLoop);

/** One controller that writes the same object in every run because of its last write; `next` creates the next version. */
async function chasing(
  times: number,
  next: (version: number) => ReturnType<typeof shop>,
  extra: Parameters<TapeScene["run"]>[0] = {},
): Promise<readonly RunRecord[]> {
  const { tape, run } = tapeScene();
  let current = shop(1);
  await run({ causes: [{ type: "timer", source: "s" }], calls: [wrote(next(2))] });
  for (let version = 2; version < times + 2; version++) {
    const written = next(version);
    await run({ causes: [seen(updated(current, written)), ...(extra.causes ?? [])], calls: extra.calls ?? [wrote(next(version + 1))] });
    current = written;
  }
  return tape.runs();
}

describe("findLoops on a controller that triggers itself", () => {
  it("B11: names it with the field that alternates", async () => {
    expect(words(await chasing(8, (version) => shop(version, { replicas: version % 2 })))).toEqual([
      expect.stringMatching(
        /^Deployment\.apps web\/shop: spec\.replicas goes 0 → 1 → 0 → 1 → 0 → 1: each write of controller web causes its next run, which writes again, 8 times in 28 ms$/,
      ),
    ]);
  });

  it("names it with a field that never settles, or without one if only the version changes", async () => {
    expect(words(await chasing(8, (version) => shop(version, { replicas: version })))).toEqual([
      expect.stringContaining("spec.replicas goes 4 → 5 → 6 → 7 → 8 → 9: each write of controller web"),
    ]);
    expect(words(await chasing(8, (version) => shop(version)))).toEqual([
      expect.stringContaining("web/shop: no field changes but its version: each write of controller web causes its next run"),
    ]);
  });

  it("does not report one that others trigger, that does not write again, or that ran no more often than normal", async () => {
    const busy = (version: number): ReturnType<typeof shop> => shop(version, { replicas: version });
    expect(words(await chasing(8, busy, { causes: [{ type: "timer", source: "s" }] }))).toEqual([]);
    expect(words(await chasing(8, busy, { calls: [] }))).toEqual([]);
    expect(words(await chasing(4, busy))).toEqual([]);
    expect(words(await chasing(8, busy), { loopRunsMax: 9 })).toEqual([]);
    expect(words(await chasing(8, busy), { loopRunsMax: 5, loopWindowMs: 10 })).toEqual([]);
    expect(words([])).toEqual([]);
  });
});

/** Two controllers of ours, or one and another writer, that want different replicas. */
async function fighting(turns: number, second: "controller" | "manager" | "unknown"): Promise<readonly RunRecord[]> {
  const { tape, run, clock } = tapeScene();
  let current = shop(1, { replicas: 3 });
  for (let version = 2; version < turns * 2; version += 2) {
    const theirs = shop(version, { replicas: 5, ...(second === "manager" ? { managers: [["hpa", replicasField]] } : {}) });
    const ours = shop(version + 1, { replicas: 3 });
    if (second === "controller")
      await run({ controller: "autoscaler", causes: [seen(updated(shop(version - 2, { replicas: 5 }), current))], calls: [wrote(theirs)] });
    await run({ controller: "scaler", causes: [seen(updated(current, theirs))], calls: [wrote(ours)] });
    if (second === "controller") await run({ controller: "autoscaler", causes: [seen(updated(current, theirs))] });
    // One change may lead to the key in two ways.
    await run({ controller: "scaler", causes: [seen(updated(theirs, ours)), seen(updated(theirs, ours), { via: "mapped" })] });
    await clock.advance(500);
    current = ours;
  }
  return tape.runs();
}

describe("findLoops on two writers that fight for a field", () => {
  it("names both, whoever the second is, and reports the fight once", async () => {
    expect(words(await fighting(6, "controller"))).toEqual([
      expect.stringMatching(/spec\.replicas goes .*3 → 5.*: controller autoscaler and controller scaler write it in turn, \d+ times in \d/),
    ]);
    expect(words(await fighting(6, "manager"))).toEqual([
      expect.stringMatching(/: field manager hpa and controller scaler write it in turn, 10 times in 2 s$/),
    ]);
    expect(words(await fighting(6, "unknown"))).toEqual([
      expect.stringContaining("an unknown writer and controller scaler write it in turn"),
    ]);
  });

  it("does not report writers with separate fields, or that meet only now and then", async () => {
    const { tape, run } = tapeScene();
    let current = shop(1, { replicas: 1, labels: { a: "0" } });
    for (let version = 2; version < 30; version++) {
      const next =
        version % 2 === 0
          ? shop(version, { replicas: version, labels: current.metadata.labels ?? {}, managers: [["hpa", replicasField]] })
          : shop(version, { replicas: current.spec.replicas, labels: { a: String(version) } });
      if (version % 2 === 1) await run({ calls: [wrote(next)] });
      await run({ causes: [seen(updated(current, next))] });
      current = next;
    }
    expect(words(tape.runs())).toEqual([]);
    expect(words(await fighting(3, "manager"), { loopRunsMax: 3 })).toEqual([]);
  });

  it("reports writers that fight about the existence of an object", async () => {
    const { tape, run } = tapeScene();
    for (let version = 2; version < 20; version += 2) {
      const made = { ...shop(version), metadata: { ...shop(version).metadata, uid: `u${version}` } };
      await run({ calls: [wrote(made, { method: "POST" })] });
      await run({ causes: [seen(added(made))] });
      await run({ causes: [seen(deleted({ ...made, metadata: { ...made.metadata, resourceVersion: String(version + 1) } }))] });
    }
    expect(words(tape.runs())).toEqual([
      expect.stringMatching(/web\/shop: it goes .*gone → there.*controller web and an unknown writer write it in turn, 18 times/),
    ]);
  });

  it("gives a loop the same identity from both sides", () => {
    const loop: Loop = {
      type: "fight",
      controller: "x",
      key: objectKey("a"),
      cluster: "",
      kind: { group: "", kind: "Pod" },
      object: objectKey("a"),
      path: "p",
      writers: [{ type: "unknown" }, { type: "controller", name: "x" }],
      times: 3,
      values: [],
      since: 0,
      spanMs: 0,
    };
    expect(loopIdentity(loop)).toBe(loopIdentity({ ...loop, writers: loop.writers.toReversed(), controller: "y", times: 4 }));
    expect(loopIdentity(loop)).not.toBe(loopIdentity({ ...loop, path: "q" }));
  });
});
