import type { Node, Pod } from "@drover/api/core/v1";
import type { Change } from "@drover/cache";
import type { KubeObject, ObjectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { couldHelpPods, hasSameWishes, nodeHelps, podHelps } from "./relevant-change.ts";

const key = "shop/web" as ObjectKey;
const plain: Pod = { metadata: { name: "p" }, spec: { containers: [] } };
const looking: Pod = { metadata: { name: "p" }, spec: { containers: [], affinity: { podAffinity: {} } } };

const updated = <T extends KubeObject>(before: T, object: T): Change<T> =>
  ({ type: "updated", key, uid: "u", before, object, isResync: false }) as Change<T>;
const deleted = <T extends KubeObject>(object: T): Change<T> =>
  ({ type: "deleted", key, uid: "u", object, isFinalStateUnknown: false }) as Change<T>;

/** Which pods it helps: one without affinity, one with affinity. */
const helped = (change: Change<Pod>): readonly (boolean | undefined)[] => [plain, looking].map((pod) => podHelps(change)?.(pod));

describe("changes that help a pending pod", () => {
  const placed: Pod = {
    metadata: { name: "web", labels: { app: "web" } },
    spec: { nodeName: "a", containers: [] },
    status: { phase: "Running" },
  };

  it("include a pod that ends, for all pods", () => {
    expect(helped(deleted(placed))).toEqual([true, true]);
    expect(helped(updated(placed, { ...placed, status: { phase: "Succeeded" } }))).toEqual([true, true]);
    expect(helped(updated({ ...placed, status: { phase: "Failed" } }, { ...placed, status: { phase: "Failed" } }))).toEqual([
      undefined,
      undefined,
    ]);
    expect(helped(deleted(plain))).toEqual([undefined, undefined]);
  });

  it("include a bound or relabelled pod for pods with affinity, and never its status", () => {
    expect(helped(updated(plain, placed))).toEqual([false, true]);
    expect(helped(updated(placed, { ...placed, metadata: { name: "web", labels: { app: "db" } } }))).toEqual([false, true]);
    expect(helped(updated(placed, { ...placed, status: { phase: "Running", podIP: "10.0.0.1" } }))).toEqual([undefined, undefined]);
  });

  it("include a relevant change of a node, but no heartbeat", () => {
    const node: Node = {
      metadata: { name: "a", labels: { zone: "x" } },
      spec: {},
      status: { allocatable: { cpu: "1" }, conditions: [{ type: "Ready", status: "True" }] },
    };
    expect(
      nodeHelps(
        updated(node, {
          ...node,
          status: { ...node.status, conditions: [{ type: "Ready", status: "True", lastHeartbeatTime: "2026-01-01T00:00:00Z" }] },
        }),
      ),
    ).toBe(false);
    expect(nodeHelps(updated(node, { ...node, status: { allocatable: { cpu: "2" } } }))).toBe(true);
    expect(nodeHelps(updated(node, { ...node, spec: { unschedulable: true } }))).toBe(true);
    expect(nodeHelps(updated(node, { ...node, metadata: { name: "a", labels: { zone: "y" } } }))).toBe(true);
    expect(nodeHelps(deleted(node))).toBe(false);
  });

  it("include a claim for pods that use one", () => {
    expect([
      couldHelpPods.claim(plain),
      couldHelpPods.claim({ ...plain, spec: { containers: [], volumes: [{ name: "v", persistentVolumeClaim: { claimName: "c" } }] } }),
    ]).toEqual([false, true]);
  });

  it("exclude the scheduler's own status writes", () => {
    expect(hasSameWishes(plain, { ...plain, status: { phase: "Pending" } })).toBe(true);
    expect(hasSameWishes(plain, { ...plain, metadata: { name: "p", labels: { app: "web" } } })).toBe(false);
    expect(hasSameWishes(plain, { ...plain, metadata: { name: "p", generation: 2 } })).toBe(false);
  });
});
