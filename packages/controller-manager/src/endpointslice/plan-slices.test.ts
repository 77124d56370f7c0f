import type { Endpoint } from "@drover/api/discovery/v1";
import type { DeepReadonly } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planSlices } from "./plan-slices.ts";
import type { SlicesPlan } from "./plan-slices.ts";

interface Slice {
  readonly name: string;
  readonly endpoints: readonly Endpoint[];
}
const endpoint = (id: number, ready = true): Endpoint => ({
  addresses: [`ip-${id}`],
  conditions: { ready },
  targetRef: { kind: "Pod", namespace: "shop", name: `pod-${id}` },
});
const range = (from: number, count: number): Endpoint[] => Array.from({ length: count }, (_, index) => endpoint(from + index));
/** Slices with so many endpoints each, numbered through. */
const slicesOf = (...counts: readonly number[]): readonly Slice[] => {
  let from = 0;
  return counts.map((count, index) => {
    const endpoints = range(from, count);
    from += count;
    return { name: `slice-${index}`, endpoints };
  });
};
/** How many endpoints the slices have afterwards: those that were there in their order, then new ones. */
function sizes(existing: readonly Slice[], { created, updated, deleted }: SlicesPlan<Slice>): readonly number[] {
  const after = existing
    .filter((slice) => !deleted.includes(slice))
    .map((slice) => updated.find((change) => change.slice === slice)?.endpoints.length ?? slice.endpoints.length);
  return [...after, ...created.map((content) => content.length)];
}
const writes = ({ created, updated, deleted }: SlicesPlan<Slice>): readonly number[] => [created.length, updated.length, deleted.length];

describe("planSlices", () => {
  it("S016: fills new slices and puts the rest where it fits best", () => {
    const existing = slicesOf(62, 61);
    const plan = planSlices({ existing, wanted: range(0, 250), max: 100 });
    expect([writes(plan), sizes(existing, plan)]).toEqual([
      [1, 1, 0],
      [89, 61, 100],
    ]);
  });

  it("S017: creates a slice rather than spreading the rest over two", () => {
    const existing = slicesOf(74, 74);
    const plan = planSlices({ existing, wanted: range(0, 300), max: 100 });
    expect([writes(plan), sizes(existing, plan)]).toEqual([
      [2, 0, 0],
      [74, 74, 100, 52],
    ]);
  });

  it("S019: writes every slice with wrong labels, and no other", () => {
    const existing = slicesOf(30, 30, 30);
    expect(writes(planSlices({ existing, wanted: range(0, 90), max: 100, mustChange: () => true }))).toEqual([0, 3, 0]);
    expect(writes(planSlices({ existing, wanted: range(0, 90), max: 100, mustChange: ({ name }) => name === "slice-1" }))).toEqual([
      0, 1, 0,
    ]);
  });

  it("S021: does not merge ten slices that would fit into three", () => {
    const existing = slicesOf(...Array.from({ length: 10 }, () => 30));
    expect(writes(planSlices({ existing, wanted: range(0, 300), max: 100 }))).toEqual([0, 0, 0]);
  });

  it("S022: fills the fullest slice that is written anyway", () => {
    const existing = slicesOf(21, 81);
    const wanted = [...range(1, 20), ...range(22, 80), ...range(1000, 15)];
    const plan = planSlices({ existing, wanted, max: 100 });
    expect([writes(plan), sizes(existing, plan)]).toEqual([
      [0, 2, 0],
      [20, 95],
    ]);
  });

  it.each([
    [50, 5],
    [80, 4],
    [150, 2],
    [250, 1],
    [500, 1],
  ] as const)("S026: puts 250 endpoints in slices of %i into %i slices", (max, count) => {
    expect(planSlices<Slice>({ existing: [], wanted: range(0, 250), max }).created).toHaveLength(count);
  });

  it("updates endpoints in place and deletes empty slices", () => {
    const existing = slicesOf(2, 1);
    const plan = planSlices({ existing, wanted: [endpoint(0), endpoint(1, false)], max: 100 });
    expect(plan).toEqual({
      created: [],
      updated: [{ slice: existing[0], endpoints: [endpoint(0), endpoint(1, false)] }],
      deleted: [existing[1]],
    });
  });

  it("loses and duplicates no endpoint, respects the maximum, and writes as little as possible", () => {
    const ids = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 40 });
    fc.assert(
      fc.property(
        ids,
        fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 10 }),
        ids,
        fc.integer({ min: 1, max: 6 }),
        fc.func(fc.boolean()),
        (before, counts, after, max, isReady) => {
          let from = 0;
          const existing = counts
            .map((count, index): Slice => ({
              name: `slice-${index}`,
              endpoints: before.slice(from, (from += count)).map((id) => endpoint(id)),
            }))
            .filter(({ endpoints }) => endpoints.length > 0);
          const wanted = after.map((id) => endpoint(id, isReady(id)));
          const { created, updated, deleted } = planSlices({ existing, wanted, max });
          const untouched = existing.filter((slice) => !deleted.includes(slice) && !updated.some((change) => change.slice === slice));
          const contents: readonly (readonly DeepReadonly<Endpoint>[])[] = [
            ...untouched.map(({ endpoints }) => endpoints),
            ...updated.map(({ endpoints }) => endpoints),
            ...created,
          ];
          const text = (list: readonly DeepReadonly<Endpoint>[]): readonly string[] => list.map((one) => JSON.stringify(one)).toSorted();
          expect(text(contents.flat())).toEqual(text(wanted));
          for (const content of contents) expect(content.length > 0 && content.length <= max).toBe(true);
          // A slice must be written when it is too full, or when one of its endpoints is gone or says something else;
          // besides, one more may be.
          const isGood = (one: DeepReadonly<Endpoint>): boolean => wanted.some((other) => JSON.stringify(other) === JSON.stringify(one));
          const mustBeWritten = existing.filter(({ endpoints }) => endpoints.length > max || !endpoints.every(isGood));
          const kept = new Set(
            untouched
              .concat(updated.map(({ slice }) => slice))
              .flatMap(({ endpoints }) => endpoints.slice(0, max).map(({ addresses }) => String(addresses))),
          );
          const added = wanted.filter(({ addresses }) => !kept.has(String(addresses))).length;
          expect(updated.length + deleted.length).toBeLessThanOrEqual(mustBeWritten.length + 1);
          expect(created.length).toBeLessThanOrEqual(Math.ceil(added / max));
          if (mustBeWritten.length === 0 && added === 0) expect([created, updated, deleted]).toEqual([[], [], []]);
        },
      ),
    );
  });
});
