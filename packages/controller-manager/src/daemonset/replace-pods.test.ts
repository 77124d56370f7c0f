import { definedOnly } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { daemonPod, daemonSet } from "../testing/daemon-set-objects.ts";
import { start } from "../testing/workload-objects.ts";
import { replacePods } from "./replace-pods.ts";

type Letter = "-" | "N" | "O" | "X" | "n" | "o" | "x";

/** A node by letter: N and O are a new and an old available pod, n and o unavailable ones, x both, X a terminating old one, - none. */
function place(letter: Letter, on: string): { readonly pods: readonly PodView[] } {
  const of = (hash: string, readyFor?: number, isDeleting = false): PodView =>
    daemonPod({ on, hash, isDeleting, ...definedOnly({ readyFor }) });
  const pods: Readonly<Record<Letter, readonly PodView[]>> = {
    "-": [],
    N: [of("new", 60)],
    n: [of("new")],
    O: [of("old", 60)],
    o: [of("old")],
    x: [of("old", 60), of("new", 60)],
    X: [of("old", 60, true)],
  };
  return { pods: pods[letter] };
}

const replaced = (letters: string, unavailableMax: number, minReadySeconds = 0): readonly (string | undefined)[] =>
  replacePods(
    daemonSet({ minReadySeconds }),
    letters.split("").map((letter, index) => place(letter as Letter, `n${index}`)),
    { hash: "new", now: start, unavailableMax },
  ).map(({ metadata }) => metadata.name);

describe("replacePods", () => {
  it("deletes as many old pods as maxUnavailable allows", () => {
    expect(replaced("OOOO", 1)).toEqual(["n0-old"]);
    expect(replaced("OOOO", 3)).toEqual(["n0-old", "n1-old", "n2-old"]);
    expect(replaced("OO", 9)).toEqual(["n0-old", "n1-old"]);
  });

  it("waits while new pods are unavailable or nodes have no pod", () => {
    for (const busy of ["n", "-", "X", "x"]) {
      expect(replaced(`${busy}OO`, 1)).toEqual([]);
      expect(replaced(`${busy}OO`, 2)).toEqual(["n1-old"]);
    }
    expect(replaced("NOO", 1)).toEqual(["n1-old"]);
  });

  it("deletes unavailable old pods at once and counts them as unavailable", () => {
    expect(replaced("oo", 1)).toEqual(["n0-old", "n1-old"]);
    expect(replaced("oO", 1)).toEqual(["n0-old"]);
    expect(replaced("oO", 2)).toEqual(["n0-old", "n1-old"]);
    expect(replaced("nnoo", 1)).toEqual(["n2-old", "n3-old"]);
  });

  it("counts a pod as available only after minReadySeconds", () => {
    expect(replaced("NO", 1, 61)).toEqual(["n1-old"]);
    expect(replaced("NOO", 1, 60)).toEqual(["n1-old"]);
  });

  it("never makes more pods unavailable than allowed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<Letter>("-", "N", "n", "O", "o", "x", "X"), { maxLength: 12 }),
        fc.integer({ min: 1, max: 12 }),
        (letters, max) => {
          const gone = new Set(replaced(letters.join(""), max));
          const takenAvailable = letters.filter((letter, index) => letter === "O" && gone.has(`n${index}-old`)).length;
          const missing = letters.filter((letter) => letter !== "O" && letter !== "N").length;
          const old = letters.filter((letter) => letter === "O").length;
          expect(takenAvailable).toBe(Math.min(old, Math.max(0, max - missing)));
          expect(letters.every((letter, index) => (letter === "o") === (gone.has(`n${index}-old`) && letter !== "O"))).toBe(true);
        },
      ),
    );
  });
});
