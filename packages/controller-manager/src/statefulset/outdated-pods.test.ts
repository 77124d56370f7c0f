import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { member, unready } from "../testing/stateful-set-objects.ts";
import { start } from "../testing/workload-objects.ts";
import { outdatedToRemove } from "./outdated-pods.ts";
import type { OutdatedOptions } from "./outdated-pods.ts";
import { SetMembers } from "./set-members.ts";

/** The pods of a set with ordinals from 0 on; those without a status are missing. */
const membersOf = (replicas: readonly PodView[]): SetMembers =>
  new SetMembers({
    start: 0,
    count: replicas.length,
    byOrdinal: new Map([...replicas.entries()].filter(([, { status }]) => status !== undefined)),
  });
const [old, fresh] = [{ revision: "web-old" }, { revision: "web-new" }];
const next = (replicas: readonly PodView[], options: Partial<OutdatedOptions> = {}): readonly (string | undefined)[] =>
  outdatedToRemove(membersOf(replicas), {
    update: "web-new",
    partition: 0,
    isOrdered: true,
    maxUnavailable: undefined,
    minReadySeconds: 0,
    now: start,
    ...options,
  }).map(({ metadata }) => metadata.name);

describe("outdatedToRemove one by one", () => {
  it("returns the last old pod", () => {
    expect(next([member(0, old), member(1, old), member(2, old)])).toEqual(["web-2"]);
    expect(next([member(0, old), member(1, old), member(2, fresh)])).toEqual(["web-1"]);
    expect(next([member(0, fresh), member(1, fresh)])).toEqual([]);
  });

  it("waits for new pods behind it, and for a terminating one", () => {
    expect(next([member(0, old), unready(1, fresh)])).toEqual([]);
    expect(next([member(0, old), member(1, { ...fresh, readyFor: 2 })], { minReadySeconds: 3 })).toEqual([]);
    expect(next([member(0, old), member(1, { ...old, isDeleting: true })])).toEqual([]);
  });

  it("returns an unavailable old pod, even when an earlier one is unavailable too", () => {
    expect(next([unready(0, old), unready(1, old)])).toEqual(["web-1"]);
  });

  it("leaves the partition alone, whatever its state", () => {
    expect(next([member(0, old), member(1, old), member(2, fresh)], { partition: 2 })).toEqual([]);
    expect(next([unready(0, old), member(1, old), member(2, old)], { partition: 2 })).toEqual(["web-2"]);
    expect(next([member(0, old)], { partition: 9 })).toEqual([]);
  });

  it("waits for a pod behind it that finished or is missing", () => {
    expect(next([member(0, old), member(1, { ...old, phase: "Failed" })])).toEqual([]);
    expect(next([member(0, old), { metadata: { name: "web-1", labels: { "controller-revision-hash": "web-old" } } }])).toEqual([]);
  });
});

describe("outdatedToRemove with maxUnavailable", () => {
  const five = [0, 1, 2, 3, 4].map((ordinal) => member(ordinal, old));
  it.each([
    [1, ["web-4"]],
    [2, ["web-4", "web-3"]],
    ["50%", ["web-4", "web-3"]],
    ["10%", ["web-4"]],
    ["100%", ["web-4", "web-3", "web-2", "web-1", "web-0"]],
  ] as const)("of %j returns %j", (maxUnavailable, expected) => {
    expect(next(five, { maxUnavailable })).toEqual(expected);
    expect(next(five, { maxUnavailable, isOrdered: false })).toEqual(expected);
  });

  it("counts every unavailable pod, also in the partition", () => {
    expect(next([unready(0, fresh), ...five.slice(1)], { maxUnavailable: 2 })).toEqual(["web-4"]);
    expect(next([...five.slice(0, 4), member(4, { ...old, isDeleting: true })], { maxUnavailable: 1 })).toEqual([]);
    expect(next([unready(0, old), ...five.slice(1)], { maxUnavailable: 2, partition: 3 })).toEqual(["web-4"]);
    expect(next([unready(0, fresh), unready(1, fresh), ...five.slice(2)], { maxUnavailable: 1 })).toEqual([]);
  });

  it("in parallel returns all unavailable old pods, and others within the budget", () => {
    const replicas = [unready(0, old), member(1, old), unready(2, old), member(3, old), unready(4, fresh)];
    expect(next(replicas, { maxUnavailable: 1, isOrdered: false })).toEqual(["web-2", "web-0"]);
    expect(next(replicas, { maxUnavailable: 4, isOrdered: false })).toEqual(["web-2", "web-0", "web-3"]);
    expect(next(replicas, { maxUnavailable: 4, isOrdered: true })).toEqual(["web-3"]);
  });
});
