import { describe, expect, it } from "vitest";
import { newEndpointSliceController } from "../endpointslice/endpoint-slice-controller.ts";
import { batchPeriodOf } from "./batch-period.ts";
import { newEndpointsController } from "./endpoints-controller.ts";

describe("endpointUpdatesBatchPeriodMs", () => {
  it("defaults to 0", () => {
    expect([batchPeriodOf("x", {}), batchPeriodOf("x", { endpointUpdatesBatchPeriodMs: 500 })]).toEqual([0, 500]);
  });

  it("is rejected by both controllers when it is invalid", () => {
    for (const endpointUpdatesBatchPeriodMs of [-1, Number.NaN, Infinity]) {
      expect(() => newEndpointsController({ endpointUpdatesBatchPeriodMs })).toThrow(
        `endpoints-controller: endpointUpdatesBatchPeriodMs must be milliseconds ≥ 0, not ${endpointUpdatesBatchPeriodMs}`,
      );
      expect(() => newEndpointSliceController({ endpointUpdatesBatchPeriodMs })).toThrow(
        "endpointslice-controller: endpointUpdatesBatchPeriodMs",
      );
    }
  });
});
