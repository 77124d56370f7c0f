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
/** "create", and what to delete and why. */
function plan(fit: keyof typeof fits, pods: readonly PodView[], set: DaemonSetParts = {}): readonly string[] {
  const { isNeeded, ...gone } = planNode(daemonSet(set), fits[fit], pods, { hash: "new", now: start, mayOverlap: (set.surge ?? 0) !== 0 });
  return [
    ...(isNeeded ? ["create"] : []),
    ...Object.entries(gone).flatMap(([why, found]) => found.map(({ metadata }) => `${why} ${metadata.name}`)),
  ];
}
const surging = { surge: 1, unavailable: 0 };

describe("planNode of a node without a pod", () => {
  it("creates a pod only where one should run", () => {
    expect([plan("runs", []), plan("stays", []), plan("leaves", [])]).toEqual([["create"], [], []]);
  });

  it("waits for a terminating pod, unless pods may overlap", () => {
    const going = [daemonPod({ isDeleting: true })];
    expect(plan("runs", going)).toEqual([]);
    expect(plan("runs", going, surging)).toEqual(["create"]);
    expect(plan("stays", going, surging)).toEqual([]);
  });
});

describe("planNode of a node with pods", () => {
  it("keeps the first pod", () => {
    expect(plan("runs", [daemonPod({ name: "a" }), daemonPod({ name: "b" }), daemonPod({ name: "c", isDeleting: true })])).toEqual([
      "surplus b",
    ]);
    expect(plan("stays", [daemonPod()])).toEqual([]);
  });

  it("deletes all pods that may not stay, except terminating ones", () => {
    expect(
      plan("leaves", [daemonPod({ name: "a" }), daemonPod({ name: "b", phase: "Failed" }), daemonPod({ name: "c", isDeleting: true })]),
    ).toEqual(["surplus a", "surplus b"]);
  });

  it("deletes finished pods, and creates a new one when they are gone", () => {
    expect(plan("runs", [daemonPod({ name: "a", phase: "Failed" }), daemonPod({ name: "b", phase: "Succeeded" })])).toEqual([
      "failed a",
      "succeeded b",
    ]);
    expect(plan("runs", [daemonPod({ name: "a", phase: "Failed" })], surging)).toEqual(["create", "failed a"]);
  });
});

describe("planNode with maxSurge", () => {
  const old = (readyFor?: number, name = "old"): PodView => daemonPod({ name, hash: "old", ...definedOnly({ readyFor }) });
  const young = (readyFor?: number, name = "young"): PodView => daemonPod({ name, ...definedOnly({ readyFor }) });

  it("keeps a ready old pod beside a new pod that is not ready", () => {
    expect(plan("runs", [old(60), young()], surging)).toEqual([]);
  });

  it("deletes an old pod that is not ready, whatever the new one is", () => {
    expect(plan("runs", [old(), young()], surging)).toEqual(["surplus old"]);
  });

  it("deletes the old pod once the new one is available", () => {
    expect(plan("runs", [old(60), young(20)], { ...surging, minReadySeconds: 30 })).toEqual([]);
    expect(plan("runs", [old(60), young(30)], { ...surging, minReadySeconds: 30 })).toEqual(["surplus old"]);
  });

  it("keeps at most one old and one new pod", () => {
    expect(plan("runs", [old(60), old(60, "older"), young(), young(undefined, "younger")], surging)).toEqual([
      "surplus older",
      "surplus younger",
    ]);
    expect(plan("runs", [young(5), young(5, "twin")], surging)).toEqual(["surplus twin"]);
  });
});
