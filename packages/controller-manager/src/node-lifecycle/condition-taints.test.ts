import type { Node, Taint } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { wantedTaints } from "./condition-taints.ts";

const now = Date.UTC(2026, 0, 1);
const node = (status: "True" | "False" | "Unknown", taints: Taint[] = [], more: Partial<NonNullable<Node["spec"]>> = {}): Node => ({
  metadata: { name: "a" },
  spec: { taints, ...more },
  status: { conditions: [{ type: "Ready", status }] },
});
const words = (taints: ReturnType<typeof wantedTaints>): readonly string[] | undefined =>
  taints?.map(({ key, effect }) => `${key}:${effect}`);
const prefix = "node.kubernetes.io";

describe("the taints of a node", () => {
  it("the one every node is born with goes when it is ready", () => {
    expect(wantedTaints(node("True", [{ key: `${prefix}/not-ready`, effect: "NoSchedule" }]), { mayEvict: false, now })).toEqual([]);
  });

  it("keep pods away from one that is not ready, and drive them away when they may", () => {
    expect(words(wantedTaints(node("False"), { mayEvict: false, now }))).toEqual([`${prefix}/not-ready:NoSchedule`]);
    expect(words(wantedTaints(node("Unknown"), { mayEvict: true, now }))).toEqual([
      `${prefix}/unreachable:NoSchedule`,
      `${prefix}/unreachable:NoExecute`,
    ]);
  });

  it("C014: that are there stay with their time, also when nobody else may be driven away", () => {
    const there: Taint[] = [
      { key: `${prefix}/unreachable`, effect: "NoSchedule", timeAdded: "2025-01-01T00:00:00Z" },
      { key: `${prefix}/unreachable`, effect: "NoExecute", timeAdded: "2025-01-01T00:00:00Z" },
    ];
    expect(wantedTaints(node("Unknown", there), { mayEvict: false, now })).toBeUndefined();
    expect(wantedTaints(node("True", there), { mayEvict: false, now })).toEqual([]);
  });

  it("of others are never touched", () => {
    const others: Taint[] = [
      { key: "example.com/gpu", effect: "NoExecute" },
      { key: `${prefix}/not-ready`, effect: "PreferNoSchedule" },
    ];
    expect(wantedTaints(node("True", others), { mayEvict: true, now })).toBeUndefined();
    expect(wantedTaints(node("False", others), { mayEvict: false, now })?.slice(0, 2)).toEqual(others);
  });

  it("say that it is cordoned, and what it lacks", () => {
    const cordoned = node("True", [], { unschedulable: true });
    const pressed: Node = {
      ...cordoned,
      status: {
        conditions: [
          { type: "Ready", status: "True" },
          { type: "DiskPressure", status: "True" },
        ],
      },
    };
    expect(words(wantedTaints(pressed, { mayEvict: true, now }))).toEqual([
      `${prefix}/disk-pressure:NoSchedule`,
      `${prefix}/unschedulable:NoSchedule`,
    ]);
  });
});
