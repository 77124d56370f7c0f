import { describe, expect, it } from "vitest";
import { hash32, ListedDecisions, SeededDecisions } from "./decisions.ts";

describe("SeededDecisions", () => {
  it("choose the same at a point whatever was chosen before", () => {
    const [one, other] = [new SeededDecisions("7"), new SeededDecisions("7")];
    for (let index = 0; index < 50; index++) one.choose(`point ${index}`, [500]);
    expect(one.choose("a point", [100, 200, 300])).toBe(other.choose("a point", [100, 200, 300]));
  });

  it("follow the weights, and choose nothing without any", () => {
    const decisions = new SeededDecisions("weights");
    const counts = [0, 0, 0];
    for (let index = 0; index < 3000; index++)
      counts[decisions.choose(`p${index}`, [300, 100])] = (counts[decisions.choose(`p${index}`, [300, 100])] ?? 0) + 1;
    expect(counts.map((count) => Math.round(count / 300))).toEqual([6, 3, 1]);
    expect(decisions.choose("calm", [0, 0])).toBe(0);
  });

  it("list every choice that was not harmless, and replay from that list", () => {
    const decisions = new SeededDecisions("3");
    const points = Array.from({ length: 100 }, (_, index) => `point ${index}`);
    const chosen = points.map((point) => decisions.choose(point, [50, 50]));
    const replayed = new ListedDecisions(decisions.made);
    expect(points.map((point) => replayed.choose(point, [0, 0]))).toEqual(chosen);
    expect(decisions.made.size).toBe(chosen.filter((choice) => choice !== 0).length);
  });
});

describe("ListedDecisions", () => {
  it("choose 0 where a listed choice no longer exists", () => {
    expect(new ListedDecisions(new Map([["point", 3]])).choose("point", [1, 1])).toBe(0);
  });
});

describe("hash32", () => {
  it("spreads texts that differ in one character over all buckets", () => {
    const buckets = new Set(Array.from({ length: 1000 }, (_, index) => hash32(`request #${index}`, 1) % 64));
    expect(buckets.size).toBe(64);
  });
});
