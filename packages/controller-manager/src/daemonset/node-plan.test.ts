import { definedOnly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { daemonPod, daemonSet } from "../testing/daemon-set-objects.ts";
import type { DaemonSetParts } from "../testing/daemon-set-objects.ts";
import { start } from "../testing/workload-objects.ts";
import { planNode } from "./node-plan.ts";

const fits = {
  runs: { shouldRun: true, shouldContinue: true },
  stays: { shouldRun: false, shouldContinue: true },
  leaves: { shouldRun: false, shouldContinue: false },
};
/** "create", and what is to be deleted and why. */
function plan(fit: keyof typeof fits, pods: readonly PodView[], set: DaemonSetParts = {}): readonly string[] {
  const { isNeeded, ...gone } = planNode(daemonSet(set), fits[fit], pods, { hash: "new", now: start, mayOverlap: (set.surge ?? 0) !== 0 });
  return [
    ...(isNeeded ? ["create"] : []),
    ...Object.entries(gone).flatMap(([why, found]) => found.map(({ metadata }) => `${why} ${metadata.name}`)),
  ];
}
const surging = { surge: 1, unavailable: 0 };

describe("a node without a pod", () => {
  it("gets one where one is wanted, and nowhere else", () => {
    expect([plan("runs", []), plan("stays", []), plan("leaves", [])]).toEqual([["create"], [], []]);
  });

  it("waits for one that is on its way out; while pods may overlap it does not", () => {
    const going = [daemonPod({ isDeleting: true })];
    expect(plan("runs", going)).toEqual([]);
    expect(plan("runs", going, surging)).toEqual(["create"]);
    expect(plan("stays", going, surging)).toEqual([]);
  });
});

describe("a node with pods", () => {
  it("keeps the foremost of them", () => {
    expect(plan("runs", [daemonPod({ name: "a" }), daemonPod({ name: "b" }), daemonPod({ name: "c", isDeleting: true })])).toEqual([
      "surplus b",
    ]);
    expect(plan("stays", [daemonPod()])).toEqual([]);
  });

  it("loses all of them where none may stay, those that are going already aside", () => {
    expect(
      plan("leaves", [daemonPod({ name: "a" }), daemonPod({ name: "b", phase: "Failed" }), daemonPod({ name: "c", isDeleting: true })]),
    ).toEqual(["surplus a", "surplus b"]);
  });

  it("loses those that have ended, and gets a new one when they are gone", () => {
    expect(plan("runs", [daemonPod({ name: "a", phase: "Failed" }), daemonPod({ name: "b", phase: "Succeeded" })])).toEqual([
      "failed a",
      "succeeded b",
    ]);
    expect(plan("runs", [daemonPod({ name: "a", phase: "Failed" })], surging)).toEqual(["create", "failed a"]);
  });
});

describe("a node on which pods may overlap", () => {
  const old = (readyFor?: number, name = "old"): PodView => daemonPod({ name, hash: "old", ...definedOnly({ readyFor }) });
  const young = (readyFor?: number, name = "young"): PodView => daemonPod({ name, ...definedOnly({ readyFor }) });

  it("keeps an old pod that is ready beside a new one that is not", () => {
    expect(plan("runs", [old(60), young()], surging)).toEqual([]);
  });

  it("gives up an old pod that is not ready, whatever the new one is", () => {
    expect(plan("runs", [old(), young()], surging)).toEqual(["surplus old"]);
  });

  it("gives up the old pod when the new one is available, which takes its time", () => {
    expect(plan("runs", [old(60), young(20)], { ...surging, minReadySeconds: 30 })).toEqual([]);
    expect(plan("runs", [old(60), young(30)], { ...surging, minReadySeconds: 30 })).toEqual(["surplus old"]);
  });

  it("keeps one of each sort and no more", () => {
    expect(plan("runs", [old(60), old(60, "older"), young(), young(undefined, "younger")], surging)).toEqual([
      "surplus older",
      "surplus younger",
    ]);
    expect(plan("runs", [young(5), young(5, "twin")], surging)).toEqual(["surplus twin"]);
  });
});
