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

describe("wantedTaints", () => {
  it("removes the initial not-ready taint when the node is ready", () => {
    expect(wantedTaints(node("True", [{ key: `${prefix}/not-ready`, effect: "NoSchedule" }]), { mayEvict: false, now })).toEqual([]);
  });

  it("taints an unready node NoSchedule, and NoExecute when eviction is allowed", () => {
    expect(words(wantedTaints(node("False"), { mayEvict: false, now }))).toEqual([`${prefix}/not-ready:NoSchedule`]);
    expect(words(wantedTaints(node("Unknown"), { mayEvict: true, now }))).toEqual([
      `${prefix}/unreachable:NoSchedule`,
      `${prefix}/unreachable:NoExecute`,
    ]);
  });

  it("C014: keeps existing taints with their time, also when eviction is not allowed", () => {
    const there: Taint[] = [
      { key: `${prefix}/unreachable`, effect: "NoSchedule", timeAdded: "2025-01-01T00:00:00Z" },
      { key: `${prefix}/unreachable`, effect: "NoExecute", timeAdded: "2025-01-01T00:00:00Z" },
    ];
    expect(wantedTaints(node("Unknown", there), { mayEvict: false, now })).toBeUndefined();
    expect(wantedTaints(node("True", there), { mayEvict: false, now })).toEqual([]);
  });

  it("never touches taints of others", () => {
    const others: Taint[] = [
      { key: "example.com/gpu", effect: "NoExecute" },
      { key: `${prefix}/not-ready`, effect: "PreferNoSchedule" },
    ];
    expect(wantedTaints(node("True", others), { mayEvict: true, now })).toBeUndefined();
    expect(wantedTaints(node("False", others), { mayEvict: false, now })?.slice(0, 2)).toEqual(others);
  });

  it("mirrors cordon and pressure conditions", () => {
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
