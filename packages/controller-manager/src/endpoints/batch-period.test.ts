import { describe, expect, it } from "vitest";
import { newEndpointSliceController } from "../endpointslice/endpoint-slice-controller.ts";
import { batchPeriodOf } from "./batch-period.ts";
import { newEndpointsController } from "./endpoints-controller.ts";

describe("the period in which changes of pods are gathered", () => {
  it("is none, unless one is given", () => {
    expect([batchPeriodOf("x", {}), batchPeriodOf("x", { endpointUpdatesBatchPeriodMs: 500 })]).toEqual([0, 500]);
  });

  it("is refused by both controllers where it is no time", () => {
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
