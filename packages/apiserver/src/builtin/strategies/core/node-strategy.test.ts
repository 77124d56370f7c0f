import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { Node } from "@drover/api/core/v1";
import { nodeStrategy } from "./node-strategy.ts";

const metadata = { name: "a" };
const texts = (object: Partial<Node>): string[] => (nodeStrategy.validate?.({ metadata, ...object }) ?? []).map(printFieldError);
const update = (object: Partial<Node>, old: Partial<Node>): string[] =>
  (nodeStrategy.subresources?.["status"]?.validateUpdate?.({ metadata, ...object }, { metadata, ...old }) ?? []).map(printFieldError);

describe("Node strategy", () => {
  it("requires taints that are unique by key and effect", () => {
    expect(
      texts({
        spec: {
          taints: [
            { key: "a", effect: "NoSchedule" },
            { key: "a", effect: "NoExecute" },
          ],
        },
      }),
    ).toEqual([]);
    expect(
      texts({
        spec: {
          taints: [
            { key: "a", effect: "NoSchedule" },
            { key: "a", value: "b", effect: "NoSchedule" },
          ],
        },
      }),
    ).toEqual([
      'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"b","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
    ]);
  });

  it("requires valid quantities, integers for countable resources", () => {
    expect(texts({ status: { capacity: { cpu: "-1" }, allocatable: { pods: "1500m" } } })).toEqual([
      'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
      'status.allocatable.pods: Invalid value: "1500m": must be an integer',
    ]);
  });

  it("allows one pod CIDR per family, immutable once set", () => {
    expect(texts({ spec: { podCIDRs: ["10.0.0.0/24", "fd00::/64"] } })).toEqual([]);
    expect(texts({ spec: { podCIDRs: ["10.0.0.0/24", "10.1.0.0/24"] } })).toEqual([
      'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.1.0.0/24"]: may specify no more than one CIDR for each IP family',
    ]);
    expect(update({ spec: {} }, { spec: { podCIDRs: ["10.0.0.0/24"], providerID: "p" } })).toEqual([
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ]);
  });

  it("requires sorted declared features", () => {
    expect(texts({ status: { declaredFeatures: ["B", "A", "A"] } })).toEqual([
      'status.declaredFeatures[1]: Invalid value: "A": list must be sorted alphabetically',
      'status.declaredFeatures[2]: Duplicate value: "A"',
    ]);
  });

  it("refuses duplicate addresses", () => {
    expect(
      update(
        {
          status: {
            addresses: [
              { type: "Hostname", address: "a" },
              { type: "Hostname", address: "a" },
            ],
          },
        },
        {},
      ),
    ).toEqual(['status.addresses[1]: Duplicate value: {"Type":"Hostname","Address":"a"}']);
  });

  it("drops the dynamic kubelet config", () => {
    const node: Node = { metadata, spec: { configSource: {} }, status: { config: {} } };
    nodeStrategy.prepareForCreate?.(node, { now: 0, user: { name: "u", groups: [] }, dryRun: false });
    expect(node).toEqual({ metadata, spec: {}, status: {} });
  });
});
