import { describe, expect, it } from "vitest";
import type { Trajectory } from "./compare.ts";
import { judge } from "./judge.ts";
import type { PlayOnce } from "./judge.ts";

/** Each play returns the next of these values; the last one repeats. */
function playing(...values: readonly string[]): { readonly play: PlayOnce; readonly prefixes: readonly string[] } {
  const prefixes: string[] = [];
  const play: PlayOnce = (prefix) => {
    const value = values[Math.min(prefixes.length, values.length - 1)] ?? "";
    prefixes.push(prefix);
    return Promise.resolve<Trajectory>([{ name: "step", facts: new Map([["a", value]]) }]);
  };
  return { play, prefixes };
}
const nothingIsKnown = { isKnown: () => false };

describe("judge", () => {
  it("stops after one play without unknown differences", async () => {
    expect(await judge(playing("1").play, playing("1").play, nothingIsKnown)).toMatchObject({ differences: [], plays: 1 });
    expect(await judge(playing("1").play, playing("2").play, { isKnown: ({ about }) => about === "a" })).toMatchObject({
      differences: [{ about: "a" }],
      plays: 1,
    });
  });

  it("plays again where something differs, until the real parts differ from themselves", async () => {
    const theirs = playing("2", "2", "3");
    expect(await judge(playing("1").play, theirs.play, nothingIsKnown)).toMatchObject({ differences: [], chances: 1, plays: 3 });
    expect(theirs.prefixes).toEqual(["play1", "play2", "play3"]);
  });

  it("plays again where something differs, until the majority of ours agrees with all of theirs", async () => {
    expect(await judge(playing("1", "2").play, playing("2").play, nothingIsKnown)).toMatchObject({
      differences: [],
      disagreements: [{ about: "a", matching: 2, plays: 3 }],
      chances: 0,
      plays: 3,
    });
  });

  it("finds a defect that shows in most plays", async () => {
    expect(await judge(playing("1", "1", "2", "1").play, playing("2").play, nothingIsKnown)).toMatchObject({
      differences: [{ ours: ["1", "2"], theirs: "2" }],
      plays: 4,
    });
  });

  it("stops at the maximum number of plays, and reports the differences", async () => {
    expect(await judge(playing("1", "3").play, playing("2").play, { ...nothingIsKnown, playsMax: 3 })).toMatchObject({
      differences: [{ ours: ["1", "3"], theirs: "2" }],
      plays: 3,
    });
  });
});
