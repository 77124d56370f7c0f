import { definedOnly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { deployment, replicaSet } from "../testing/workload-objects.ts";
import type { ReplicaSetParts } from "../testing/workload-objects.ts";
import { setsToForget } from "./history-cleanup.ts";

const set = (name: string, spec: number, status: number, parts: ReplicaSetParts = {}): ReturnType<typeof replicaSet> =>
  replicaSet({ name, replicas: spec, status: { replicas: status, observedGeneration: 1 }, ...parts });
const revision = (count: number): Pick<ReplicaSetParts, "annotations"> => ({
  annotations: { "deployment.kubernetes.io/revision": String(count) },
});
const forgotten = (historyLimit: number | undefined, ...sets: readonly ReturnType<typeof replicaSet>[]): readonly (string | undefined)[] =>
  setsToForget(deployment(definedOnly({ historyLimit })), sets).map(({ metadata }) => metadata.name);

describe("setsToForget", () => {
  it("D021: returns only ReplicaSets that neither have nor want pods", () => {
    expect(forgotten(0, set("a", 0, 0), set("b", 0, 1), set("c", 1, 0), set("d", 1, 1))).toEqual(["a"]);
  });

  it("D022, D023: returns all empty ones beyond the limit, and none with pods", () => {
    expect(forgotten(0, set("a", 0, 0), set("b", 0, 0))).toEqual(["a", "b"]);
    expect(forgotten(0, set("a", 1, 1), set("b", 1, 1))).toEqual([]);
  });

  it("D024: skips ReplicaSets that are being deleted or not observed", () => {
    expect(forgotten(0, set("a", 0, 0, { isDeleting: true }), set("b", 0, 0))).toEqual(["b"]);
    expect(forgotten(0, set("a", 0, 0, { generation: 2 }))).toEqual([]);
  });

  it("D026, D027: returns the lowest revisions, whatever their age", () => {
    expect(forgotten(1, set("a", 0, 0, revision(1)), set("b", 0, 0, revision(2)))).toEqual(["a"]);
    expect(forgotten(1, set("a", 0, 0, { ...revision(2), createdAgo: 100 }), set("b", 0, 0, { ...revision(1), createdAgo: 1 }))).toEqual([
      "b",
    ]);
  });

  it("D028: returns one without a revision first", () => {
    expect(forgotten(1, set("a", 0, 0, { createdAgo: 1 }), set("b", 0, 0, { ...revision(1), createdAgo: 100 }))).toEqual(["a"]);
    expect(forgotten(1, set("a", 0, 0, { createdAgo: 100 }), set("b", 0, 0, { ...revision(1), createdAgo: 1 }))).toEqual(["a"]);
  });

  it("D029: does not replace a skipped one by another", () => {
    expect(forgotten(1, set("a", 1, 1, revision(1)), set("b", 0, 0, revision(2)), set("c", 0, 0, revision(3)))).toEqual(["b"]);
  });

  it("D031: keeps as many as the limit", () => {
    expect(forgotten(2, ...[3, 1, 4, 2].map((count) => set(`r${count}`, 0, 0, revision(count))))).toEqual(["r1", "r2"]);
    expect(forgotten(4, ...[3, 1, 4, 2].map((count) => set(`r${count}`, 0, 0, revision(count))))).toEqual([]);
  });

  it("keeps everything without a limit", () => {
    expect(forgotten(undefined, set("a", 0, 0))).toEqual([]);
    expect(forgotten(2_147_483_647, set("a", 0, 0))).toEqual([]);
  });
});
