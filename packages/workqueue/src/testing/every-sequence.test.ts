import { describe, expect, it } from "vitest";
import { everySequence, printTried } from "./every-sequence.ts";
import type { Pair } from "./every-sequence.ts";

type Op = "a+" | "b+" | "look";
const operations: readonly Op[] = ["a+", "b+", "look"];
const keyOf = (op: Op): "a" | "b" | undefined => (op === "look" ? undefined : op === "a+" ? "a" : "b");

/** Two counters; the implementation fails at a given sum. */
const counters = (wrongAt: number) => (): Pair<Op> => {
  const counts = { a: 0, b: 0 };
  return {
    apply: (op) => {
      const key = keyOf(op);
      if (key !== undefined) counts[key]++;
    },
    compare: () => {
      if (counts.a + counts.b === wrongAt) throw new Error("they differ");
    },
    fingerprint: () => JSON.stringify(counts),
  };
};

describe("everySequence", () => {
  it("runs every sequence when it skips nothing", () => {
    expect(everySequence({ operations, length: 4, create: counters(99), skip: "nothing", keyOf })).toEqual({
      sequences: 3 + 9 + 27 + 81,
      states: 15,
      ofThisLength: 81,
    });
  });

  it("finds the same states, up to the names of keys, when it skips idle steps and known states", () => {
    const some = everySequence({ operations, length: 4, create: counters(99), skip: "idle steps", keyOf });
    const fewer = everySequence({ operations, length: 4, create: counters(99), skip: "states", keyOf });
    expect(some.states).toBe(11);
    expect(fewer.states).toBe(11);
    expect(fewer.sequences).toBeLessThan(some.sequences);
  });

  it("finds a difference that only the last step shows, and names the sequence", () => {
    for (const skip of ["nothing", "idle steps", "states"] as const) {
      expect(() => everySequence({ operations, length: 4, create: counters(4), skip, keyOf })).toThrow(
        'after ["a+","a+","a+","a+"]: they differ',
      );
      expect(() => everySequence({ operations, length: 3, create: counters(4), skip, keyOf })).not.toThrow();
    }
  });

  it("printTried prints the numbers", () => {
    expect(printTried("counters", 4, { sequences: 1234, states: 15, ofThisLength: 81 })).toBe(
      "counters: every sequence of 4 operations or fewer over 2 keys (of 4: 81): 1,234 run, 15 states, all equal to the model\n",
    );
  });
});
