import { describe, expect, it } from "vitest";
import { ShardModel } from "./testing/shard-model.ts";
import type { ShardMutant } from "./testing/shard-model.ts";

interface Depth {
  readonly replicas: number;
  readonly faults: number;
  /** In how many ticks the faults may happen. */
  readonly ticks: number;
}

const isLong = process.env["DROVER_LONG"] === "1";
const depths: readonly Depth[] = isLong
  ? [
      { replicas: 2, faults: 3, ticks: 7 },
      { replicas: 3, faults: 2, ticks: 7 },
    ]
  : [
      { replicas: 2, faults: 2, ticks: 5 },
      { replicas: 3, faults: 1, ticks: 6 },
    ];

/** Plays every path with at most so many faults, in every order of the replicas at a fault; returns how many states ended one. */
function explore({ replicas, faults, ticks }: Depth, mutant: ShardMutant = "none"): number {
  const played = new Set<string>();
  let paths = 0;
  const play = (model: ShardModel, faultsLeft: number, ticksLeft: number): void => {
    if (faultsLeft === 0 || ticksLeft === 0) {
      paths++;
      model.mustRecover();
      return;
    }
    const key = `${faultsLeft} ${ticksLeft} ${model.key()}`;
    if (played.has(key)) return;
    played.add(key);
    const idle = model.copy();
    idle.tick();
    play(idle, faultsLeft, ticksLeft - 1);
    for (const step of model.steps()) {
      for (const order of ["forward", "backward"] as const) {
        const next = model.copy();
        next.tick(step, order);
        play(next, faultsLeft - 1, ticksLeft - 1);
      }
    }
  };
  play(ShardModel.start(replicas, mutant), faults, ticks);
  return paths;
}

describe("the protocol of shards, on every path of a small model", () => {
  it.each(depths)(
    "accepts no write out of the order of terms, and finds a holder for every shard: $replicas replicas, $faults faults in $ticks ticks",
    (depth) => {
      expect(explore(depth)).toBeGreaterThan(50);
    },
    isLong ? 600_000 : undefined,
  );

  it.each([
    ["unfenced writes", /wrote shard . in term . after/],
    ["early takeover", /wrote shard . in term . after/],
    ["release before the last write", /wrote shard . in term . after/],
    ["no takeover", /shard . has no holder/],
  ] as const)("finds a planted bug: %s", (mutant, message) => {
    expect(() => explore({ replicas: 2, faults: 2, ticks: 5 }, mutant)).toThrow(message);
  });
});
