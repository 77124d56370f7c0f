import { expect, it } from "vitest";
import { explanationOf, knownDifferences } from "./known-differences.ts";
import type { KnownDifference } from "./known-differences.ts";
import { scene } from "./scene.ts";

const known: readonly KnownDifference[] = [
  { scenes: ["a", "b"], about: "status.", reason: "x" },
  { scenes: ["c"], about: "status.", step: "one", reason: "y" },
];
const explained = (name: string, about: string, step = "one"): string | undefined =>
  explanationOf(scene(name), { step, about, ours: [], theirs: "" }, known)?.reason;

it("a known difference explains a difference of its scene, fact and step, and no other", () => {
  expect([
    explained("a", "end of X: status.y"),
    explained("b", "way of X: status.y", "two"),
    explained("a", "end of X: spec.y"),
    explained("d", "status.y"),
  ]).toEqual(["x", "x", undefined, undefined]);
  expect([explained("c", "status.y"), explained("c", "status.y", "two")]).toEqual(["y", undefined]);
});

it("every known difference has a reason", () => {
  expect(knownDifferences.filter(({ reason }) => reason.length < 20)).toEqual([]);
});
