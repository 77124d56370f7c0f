import { describe, expect, it } from "vitest";
import { LabelModel } from "./testing/label-model.ts";
import type { LabelModelOptions, LabelMutant } from "./testing/label-model.ts";

const isLong = process.env["DROVER_LONG"] === "1";
// These have up to millions of states.
const large: readonly LabelModelOptions[] = [
  { replicas: 2, moves: 1, faults: 1 },
  { replicas: 2, moves: 1, faults: 2, kinds: ["lease"] },
  { replicas: 2, moves: 2, faults: 1, kinds: ["lease", "relist"] },
  { replicas: 3, moves: 1, faults: 1, kinds: ["lease"] },
];
const depths: readonly LabelModelOptions[] = [
  { replicas: 2, moves: 1, faults: 1, kinds: ["lease"] },
  { replicas: 2, moves: 1, faults: 1, kinds: ["relist"] },
  { replicas: 2, moves: 1, faults: 1, kinds: ["unheard"] },
  ...(isLong ? [{ replicas: 2, moves: 2, faults: 0 }] : []),
  ...(isLong && process.env["DROVER_CASES"] === undefined ? large : []),
];

/** Plays every order of steps; returns the number of states. */
function explore(options: LabelModelOptions): number {
  const first = LabelModel.start(options);
  const played = new Set<string>([first.key()]);
  const open = [first];
  for (let model = open.pop(); model !== undefined; model = open.pop()) {
    for (const step of model.steps()) {
      const next = model.copy();
      next.play(step);
      const key = next.key();
      if (played.has(key)) continue;
      played.add(key);
      open.push(next);
    }
    if (model.isQuiet && model.isIdle) model.mustRecover();
  }
  return played.size;
}

describe("the protocol of shards by label, in every order of a small model", () => {
  it.each(depths)(
    "never runs a key on two replicas, and always on one: $replicas replicas, $moves moves, $faults faults $kinds",
    (depth) => {
      const states = explore(depth);
      console.info(`${states} states`);
      expect(states).toBeGreaterThan(1000);
    },
    isLong ? 1_200_000 : 60_000,
  );

  it.each<readonly [LabelMutant, LabelModelOptions]>([
    ["start without waiting", { replicas: 2, moves: 1, faults: 0 }],
    ["report progress with a run under way", { replicas: 2, moves: 1, faults: 0 }],
    ["merge steps", { replicas: 2, moves: 2, faults: 0 }],
    ["list before publishing", { replicas: 2, moves: 1, faults: 1, kinds: ["lease"] }],
    ["forget positions at hand-over", { replicas: 2, moves: 1, faults: 1, kinds: ["crash"] }],
    ["list from before the hand-over", { replicas: 2, moves: 1, faults: 2, kinds: ["lease"] }],
    ["trust a list of objects", { replicas: 2, moves: 2, faults: 1, kinds: ["relist"] }],
  ])(
    "finds a planted bug: %s",
    (mutant, depth) => {
      expect(() => explore({ ...depth, mutant })).toThrow(/ran the key in shard/);
    },
    60_000,
  );
});
