import { describe, expect, it } from "vitest";
import { pod } from "../testing/workload-objects.ts";
import { podDeletionCost } from "./pod-deletion-cost.ts";

describe("podDeletionCost", () => {
  it.each<[string | undefined, number]>([
    [undefined, 0],
    ["0", 0],
    ["10", 10],
    ["-10", -10],
    ["2147483647", 2_147_483_647],
    ["-2147483648", -2_147_483_648],
    ["2147483648", 0],
    ["9999999999", 0],
    ["+1", 0],
    ["01", 0],
    ["-0", 0],
    ["1.5", 0],
    ["many", 0],
    ["", 0],
  ])("C008: %s counts as %i", (text, cost) => {
    expect(podDeletionCost(pod(text === undefined ? {} : { annotations: { "controller.kubernetes.io/pod-deletion-cost": text } }))).toBe(
      cost,
    );
  });
});
