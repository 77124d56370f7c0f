import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assignShards } from "./shard-assignment.ts";

const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 9 });
const counts = fc.integer({ min: 1, max: 40 });
const holdersOf = (assigned: readonly string[]): ReadonlyMap<number, string> => new Map(assigned.map((member, shard) => [shard, member]));
const loadsOf = (members: readonly string[], assigned: readonly string[]): number[] =>
  members.map((member) => assigned.filter((owner) => owner === member).length);

describe("assignShards", () => {
  it("assigns nothing without members", () => {
    expect(assignShards([], 4)).toEqual([]);
  });

  it("gives every shard a member, and members numbers that differ by at most one, whatever they hold", () => {
    const holders = fc.array(fc.tuple(fc.nat(39), fc.oneof(fc.string({ maxLength: 8 }), fc.nat(8))), { maxLength: 40 });
    fc.assert(
      fc.property(names, counts, holders, (members, count, held) => {
        const before = new Map(
          held.map(([shard, who]) => [shard % count, typeof who === "string" ? who : (members[who % members.length] ?? "")]),
        );
        const assigned = assignShards(members, count, before);
        const loads = loadsOf(members, assigned);
        expect([assigned.length, loads.reduce((sum, load) => sum + load, 0)]).toEqual([count, count]);
        expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1);
        expect(assignShards(members.toReversed(), count, before)).toEqual(assigned);
      }),
    );
  });

  it("does not change while replicas acquire what it assigned, in any order", () => {
    fc.assert(
      fc.property(names, counts, fc.infiniteStream(fc.boolean()), (members, count, coins) => {
        const assigned = assignShards(members, count);
        const acquired = new Map([...holdersOf(assigned)].filter(() => coins.next().value === true));
        expect(assignShards(members, count, acquired)).toEqual(assigned);
      }),
    );
  });

  it("moves only as many shards as a new or lost member requires", () => {
    fc.assert(
      fc.property(names, counts, fc.string({ minLength: 9, maxLength: 10 }), (members, count, added) => {
        const before = assignShards(members, count);
        const after = assignShards([...members, added], count, holdersOf(before));
        expect(after.filter((owner, shard) => owner !== before[shard])).toEqual(after.filter((owner) => owner === added));
        const back = assignShards(members, count, holdersOf(after));
        expect(back.filter((owner, shard) => owner !== after[shard]).length).toBe(after.filter((owner) => owner === added).length);
      }),
    );
  });
});
