import type { Node } from "@drover/api/core/v1";
import type { Change } from "@drover/cache";
import { objectKey } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { daemonPod, daemonSet } from "../testing/daemon-set-objects.ts";
import type { DaemonSetParts } from "../testing/daemon-set-objects.ts";
import { node } from "../testing/node-objects.ts";
import type { NodeParts } from "../testing/node-objects.ts";
import { nodeConcerns } from "./node-concerns.ts";

const of = (
  object: DeepReadonly<Node>,
): { readonly key: ReturnType<typeof objectKey>; readonly uid: string; readonly object: DeepReadonly<Node> } => ({
  key: objectKey("n1"),
  uid: "n1-uid",
  object,
});
const added = (parts: NodeParts = {}): Change<Node> => ({ type: "added", ...of(node(parts)), isInInitialList: false });
const updated = (before: NodeParts, after: NodeParts, isResync = false): Change<Node> => ({
  type: "updated",
  ...of(node(after)),
  before: node(before),
  isResync,
});
const deleted = (parts: NodeParts = {}): Change<Node> => ({ type: "deleted", ...of(node(parts)), isFinalStateUnknown: false });

/** Whether DaemonSet "web" is to be synced. */
const concerns = (change: Change<Node>, { pods = [], ...set }: DaemonSetParts & { readonly pods?: readonly PodView[] } = {}): boolean =>
  nodeConcerns(change, { daemonSets: [daemonSet(set)], podsOn: (name) => (name === "n1" ? pods : []) }).includes(objectKey("web", "shop"));

const there = { pods: [daemonPod()] };
const ssd = { pod: { nodeSelector: { disk: "ssd" } } };
const full: NodeParts = { taints: ["full:NoSchedule"] };

describe("nodeConcerns of an added node", () => {
  it("returns DaemonSets that should run there and do not, or do and should not", () => {
    expect(concerns(added())).toBe(true);
    expect(concerns(added(), ssd)).toBe(false);
    expect(concerns(added(), there)).toBe(false);
    expect(concerns(added(), { ...ssd, ...there })).toBe(true);
  });

  it("counts only pods that the DaemonSet controls", () => {
    expect(concerns(added(), { pods: [{ ...daemonPod(), metadata: { name: "x", namespace: "shop" } }] })).toBe(true);
  });
});

describe("nodeConcerns of an updated node", () => {
  it("ignores a heartbeat", () => {
    expect(concerns(updated({}, { ready: "False" }))).toBe(false);
    expect(concerns(updated({}, { labels: { disk: "ssd" } }, true))).toBe(false);
  });

  it("returns DaemonSets whose decision changes with labels or taints", () => {
    expect(concerns(updated({}, { labels: { disk: "ssd" } }), ssd)).toBe(true);
    expect(concerns(updated({ labels: { disk: "ssd" } }, {}), { ...ssd, ...there })).toBe(true);
    expect(concerns(updated({}, full), there)).toBe(true);
    expect(concerns(updated({ taints: ["full:NoExecute"] }, full))).toBe(true);
  });

  it("ignores DaemonSets with the same decision and the right pods", () => {
    expect(concerns(updated({}, { labels: { any: "x" } }), there)).toBe(false);
    expect(concerns(updated({}, { labels: { any: "x" } }), ssd)).toBe(false);
  });

  it("returns a DaemonSet with a pod there that counts pods as misscheduled", () => {
    expect(concerns(updated(full, { ...full, labels: { any: "x" } }), { ...there, status: { numberMisscheduled: 1 } })).toBe(true);
  });
});

describe("nodeConcerns of a deleted node", () => {
  it("returns DaemonSets that should have run there or did", () => {
    expect(concerns(deleted())).toBe(true);
    expect(concerns(deleted(), ssd)).toBe(false);
    expect(concerns(deleted(), { ...ssd, ...there })).toBe(true);
  });
});
