import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { validateCollisionCount, validateCounts, validateShares } from "./replica-counts.ts";

describe("replica counts in a status", () => {
  it("must not be negative", () => {
    expect(validateCounts({ replicas: -1, readyReplicas: 1 }, ["replicas", "readyReplicas", "missing"]).map(printFieldError)).toEqual([
      "status.replicas: Invalid value: -1: must be greater than or equal to 0",
    ]);
  });

  it("must not exceed the total", () => {
    expect(
      validateShares({ replicas: 1, updatedReplicas: 2, availableReplicas: 1 }, ["updatedReplicas"], "readyReplicas").map(printFieldError),
    ).toEqual([
      "status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas",
      "status.availableReplicas: Invalid value: 1: cannot be greater than readyReplicas",
    ]);
  });

  it("must not decrease for collisionCount", () => {
    expect(validateCollisionCount({ collisionCount: 2 }, { collisionCount: 1 })).toEqual([]);
    expect(validateCollisionCount({}, undefined)).toEqual([]);
    expect(validateCollisionCount({}, { collisionCount: 1 }).map(printFieldError)).toEqual([
      "status.collisionCount: Invalid value: 0: cannot be decremented",
    ]);
  });
});
