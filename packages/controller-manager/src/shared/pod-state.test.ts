import { definedOnly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { pod, start } from "../testing/workload-objects.ts";
import { isPodActive, isPodAvailable, isPodReady, isPodTerminating, nextAvailabilityMs } from "./pod-state.ts";

describe("pod state", () => {
  it("C006: is active unless it succeeded, failed or is being deleted", () => {
    expect(
      [{}, { phase: "Pending" }, { phase: "Unknown" }, { phase: "Succeeded" }, { phase: "Failed" }, { isDeleting: true }].map((parts) =>
        isPodActive(pod(parts as object)),
      ),
    ).toEqual([true, true, true, false, false, false]);
    expect(
      [{ isDeleting: true }, { isDeleting: true, phase: "Failed" }, {}].map((parts) => isPodTerminating(pod(parts as object))),
    ).toEqual([true, false, false]);
  });

  it("is ready by its condition, and available after minReadySeconds", () => {
    expect([isPodReady(pod()), isPodReady(pod({ readyFor: 0 })), isPodReady({ metadata: {} })]).toEqual([false, true, false]);
    const available = (readyFor: number | undefined, min: number): boolean => isPodAvailable(pod(definedOnly({ readyFor })), min, start);
    expect([available(undefined, 0), available(0, 0), available(4, 5), available(5, 5), available(6, 5)]).toEqual([
      false,
      true,
      false,
      true,
      true,
    ]);
  });

  it("C012: has exactly the rest left until available, unless it is not ready, need not wait, or is available", () => {
    expect(nextAvailabilityMs([pod()], 5, start)).toBeUndefined();
    expect(nextAvailabilityMs([pod({ readyFor: 1 })], 0, start)).toBeUndefined();
    expect(nextAvailabilityMs([pod({ readyFor: 5 })], 5, start)).toBeUndefined();
    expect(nextAvailabilityMs([pod({ readyFor: 1 }), pod({ readyFor: 3 }), pod({ readyFor: 9 })], 5, start)).toBe(2000);
    expect(nextAvailabilityMs([pod({ readyFor: 3 })], 5, start + 300)).toBe(1700);
  });

  it("is available when that time has passed, and not a millisecond before", () => {
    fc.assert(
      fc.property(fc.nat(100), fc.integer({ min: 1, max: 100 }), (readyFor, min) => {
        const one = pod({ readyFor });
        const waitMs = nextAvailabilityMs([one], min, start);
        expect(isPodAvailable(one, min, start + (waitMs ?? 0))).toBe(true);
        if (waitMs !== undefined) expect(isPodAvailable(one, min, start + waitMs - 1)).toBe(false);
      }),
    );
  });
});
