import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { member } from "../testing/stateful-set-objects.ts";
import { ordinalOf } from "./pod-identity.ts";
import { SetMembers } from "./set-members.ts";

const membersOf = (start: number, count: number, existing: readonly number[]): SetMembers =>
  new SetMembers({ start, count, byOrdinal: new Map(existing.map((ordinal) => [ordinal, member(ordinal)])) });

describe("SetMembers", () => {
  it("orders pods by ordinal and counts those that are missing", () => {
    const members = membersOf(1, 5, [4, 2]);
    expect([members.existing.map(ordinalOf), members.missing]).toEqual([[2, 4], 3]);
    expect(members.existingFrom(2).map(ordinalOf)).toEqual([4]);
  });

  it("lists, adds and misses the same pods as the list of all ordinals", () => {
    const sample = fc.record({ start: fc.nat(3), count: fc.nat(8), taken: fc.uniqueArray(fc.nat(8)), max: fc.nat(9), from: fc.nat(9) });
    fc.assert(
      fc.property(sample, ({ start, count, taken, max, from }) => {
        const all = Array.from({ length: count }, (_, index) => start + index);
        const existing = taken.map((each) => start + each).filter((ordinal) => all.includes(ordinal));
        const missing = all.filter((ordinal) => !existing.includes(ordinal));
        const members = membersOf(start, count, existing);
        expect(members.missing).toBe(missing.length);
        expect(members.withFirstMissing(max, member).map(ordinalOf)).toEqual(
          [...existing, ...missing.slice(0, max)].toSorted((a, b) => a - b),
        );
        expect(members.existingFrom(from).map(ordinalOf)).toEqual(all.slice(from).filter((ordinal) => existing.includes(ordinal)));
        for (const pod of members.existing)
          expect(members.isMissingAfter(pod)).toBe(missing.some((ordinal) => ordinal > (ordinalOf(pod) ?? 0)));
      }),
    );
  });
});
