import type { Lease } from "@drover/api/coordination/v1";
import type { Node } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { observe, silence } from "./node-health.ts";

const limits = { graceMs: 50_000, startUpGraceMs: 60_000 };
const lease = (renewTime: string): Lease => ({ metadata: { name: "a" }, spec: { renewTime } });
const node = (...conditions: NonNullable<NonNullable<Node["status"]>["conditions"]>): Node => ({
  metadata: { name: "a", creationTimestamp: "2026-01-01T00:00:00Z" },
  status: { conditions },
});
const ready = {
  type: "Ready",
  status: "True" as const,
  reason: "KubeletReady",
  message: "",
  lastHeartbeatTime: "2026-01-01T00:00:00Z",
  lastTransitionTime: "2026-01-01T00:00:00Z",
};

describe("node health", () => {
  it("counts from when the reports changed, whatever the node's clock says", () => {
    const first = observe(undefined, node(ready), lease("2031-01-01T00:00:00.000000Z"), 1000);
    expect(observe(first, node(ready), lease("2031-01-01T00:00:00.000000Z"), 9000)).toBe(first);
    expect(observe(first, node(ready), lease("2025-01-01T00:00:00.000000Z"), 9000).heardAt).toBe(9000);
    expect(
      observe(first, node({ ...ready, lastHeartbeatTime: "2026-01-01T00:05:00Z" }), lease("2031-01-01T00:00:00.000000Z"), 9000).heardAt,
    ).toBe(9000);
  });

  it("makes four conditions Unknown after 50 s and keeps their other fields", () => {
    const seen = node(ready, { ...ready, type: "MemoryPressure", status: "False" });
    const health = { words: "", heardAt: 0 };
    expect(silence(seen, health, 50_000, limits)).toBeUndefined();
    expect(
      silence(seen, health, 50_001, limits)?.map(({ type, status, reason, lastHeartbeatTime }) => [
        type,
        status,
        reason,
        lastHeartbeatTime,
      ]),
    ).toEqual([
      ["Ready", "Unknown", "NodeStatusUnknown", "2026-01-01T00:00:00Z"],
      ["MemoryPressure", "Unknown", "NodeStatusUnknown", "2026-01-01T00:00:00Z"],
      ["DiskPressure", "Unknown", "NodeStatusNeverUpdated", "2026-01-01T00:00:00Z"],
      ["PIDPressure", "Unknown", "NodeStatusNeverUpdated", "2026-01-01T00:00:00Z"],
    ]);
  });

  it("makes them Unknown after 60 s for a node that never reported, and writes once", () => {
    const health = { words: "", heardAt: 0 };
    expect(silence(node(), health, 60_000, limits)).toBeUndefined();
    const conditions = silence(node(), health, 60_001, limits) ?? [];
    expect(conditions[0]).toMatchObject({ reason: "NodeStatusNeverUpdated", message: "Kubelet never posted node status." });
    expect(silence(node(...conditions), health, 70_000, limits)).toBeUndefined();
  });
});
