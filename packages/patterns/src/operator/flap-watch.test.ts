import { ConfigMap } from "@drover/api/core/v1";
import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { PlannedObject } from "./desired-plan.ts";
import { FlapWatch } from "./flap-watch.ts";
import { namedSlots } from "./slot.ts";

const [slot] = namedSlots({ copy: ConfigMap });
const configMap = (value: string): ConfigMap => ({ metadata: { name: "copy" }, data: { value } });
const planned = (value: unknown): readonly PlannedObject[] =>
  slot === undefined ? [] : [{ slot, desired: { kind: ConfigMap, object: configMap(String(value)) } }];
const key = objectKey("web", "shop");
const object = (generation = 1): { metadata: { uid: string; generation: number } } => ({ metadata: { uid: "u", generation } });

/** Calls look once per result; each recomputation returns the same. */
const looked = (
  values: readonly unknown[],
  hasReadCaches = false,
  again: (value: unknown) => unknown = (value) => value,
): readonly (string | undefined)[] => {
  const watch = new FlapWatch();
  return values.map((value) =>
    watch.look(key, object(), { objects: planned(value), again: () => planned(again(value)), hasReadCaches }, "x"),
  );
};

describe("FlapWatch", () => {
  it("accepts changes when the same state gives the same result", () => {
    expect(looked([1, 2, 3, 4, 5, 6, 7, 1, 1, 2])).toEqual(Array.from({ length: 10 }, () => undefined));
  });

  it("rejects a random result in the second run and names the field", () => {
    let count = 0;
    expect(() => looked([1, 2], false, () => `random ${++count}`)).toThrow(
      'it returned two results for the same state: copy copy data[value]: "2" → "random 1"',
    );
  });

  it("reports the third change that the state does not explain, once", () => {
    let now = 0;
    const watch = new FlapWatch();
    const told = Array.from({ length: 8 }, () => {
      now++;
      return watch.look(key, object(), { objects: planned(now), again: () => planned(now), hasReadCaches: false }, "x");
    });
    expect(told).toEqual([undefined, undefined, undefined, undefined, 'copy copy data[value]: "4" → "5"', undefined, undefined, undefined]);
  });

  it("reports a result from caches that changes in three runs in a row, but not after a run without change", () => {
    expect(looked([1, 2, 3, 4, 5], true).filter((told) => told !== undefined)).toEqual(['copy copy data[value]: "3" → "4"']);
    expect(looked([1, 2, 2, 3, 3, 4, 4, 5, 5], true).filter((told) => told !== undefined)).toEqual([]);
  });

  it("numbers results: another number for each different result, undefined before the first", () => {
    const watch = new FlapWatch();
    const numberOf = (value: number, about = object()): number | undefined => {
      watch.look(key, about, { objects: planned(value), again: () => planned(value), hasReadCaches: false }, "x");
      return watch.answerOf(key);
    };
    expect(watch.answerOf(key)).toBeUndefined();
    const [first, same, other, back, anew] = [numberOf(1), numberOf(1), numberOf(2), numberOf(1), numberOf(1, object(2))];
    expect(same).toBe(first);
    expect(new Set([first, other, back, anew]).size).toBe(4);
    watch.forget(key);
    expect(watch.answerOf(key)).toBeUndefined();
  });

  it("starts over with a new generation, a new uid, and after forget", () => {
    const watch = new FlapWatch();
    const look = (value: number, about = object()): unknown =>
      watch.look(
        key,
        about,
        {
          objects: planned(value),
          again: () => {
            throw new Error("not asked");
          },
          hasReadCaches: false,
        },
        "x",
      );
    look(1);
    look(2, object(2));
    look(3, { metadata: { uid: "other", generation: 2 } });
    watch.forget(key);
    expect(look(4, { metadata: { uid: "other", generation: 2 } })).toBeUndefined();
  });
});
