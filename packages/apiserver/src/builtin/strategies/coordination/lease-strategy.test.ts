import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { Lease } from "@drover/api/coordination/v1";
import { leaseStrategy } from "./lease-strategy.ts";

const context = { now: 0, user: { name: "u", groups: ["g"] }, dryRun: false };

describe("Lease strategy", () => {
  it("validates leaseDurationSeconds and leaseTransitions", () => {
    expect(leaseStrategy.validate?.({ metadata: { name: "a" }, spec: { leaseDurationSeconds: 1, leaseTransitions: 0 } })).toEqual([]);
    expect(
      (leaseStrategy.validate?.({ metadata: { name: "a" }, spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } }) ?? []).map(
        printFieldError,
      ),
    ).toEqual([
      "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0",
      "spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0",
    ]);
  });

  it("drops the fields of coordinated leader election", () => {
    const lease: Lease = {
      metadata: { name: "a" },
      spec: { holderIdentity: "h", strategy: "OldestEmulationVersion", preferredHolder: "p" },
    };
    leaseStrategy.prepareForCreate?.(lease, context);
    expect(lease.spec).toEqual({ holderIdentity: "h" });
  });
});
