import type { Node } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setNodeDefaults } from "./node-defaults.ts";

const made = (node: Omit<Node, "metadata">): Node => {
  const object: Node = { metadata: {}, ...node };
  setNodeDefaults(object);
  return object;
};

describe("defaults of Node", () => {
  it("set allocatable to capacity", () => {
    const { status } = made({ status: { capacity: { cpu: "4", memory: "1u" } } });
    expect(status).toEqual({ capacity: { cpu: "4", memory: "1m" }, allocatable: { cpu: "4", memory: "1m" } });
    expect(status?.allocatable).not.toBe(status?.capacity);
    expect(made({ status: { capacity: { cpu: "4" }, allocatable: { cpu: "3" } } }).status?.allocatable).toEqual({ cpu: "3" });
  });

  it("synchronize podCIDR with podCIDRs, podCIDR wins", () => {
    expect(made({ spec: { podCIDR: "10.0.0.0/24" } }).spec?.podCIDRs).toEqual(["10.0.0.0/24"]);
    expect(made({ spec: { podCIDRs: ["10.0.1.0/24", "fd00::/64"] } }).spec?.podCIDR).toBe("10.0.1.0/24");
    expect(made({ spec: { podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.1.0/24", "fd00::/64"] } }).spec?.podCIDRs).toEqual(["10.0.0.0/24"]);
  });

  it("set nothing for an empty node", () => {
    expect(made({ spec: {}, status: {} })).toEqual({ metadata: {}, spec: {}, status: {} });
  });
});
