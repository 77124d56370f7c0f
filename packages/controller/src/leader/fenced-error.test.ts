import { UnknownOutcomeError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { FencedError, isFenced, isFencedError } from "./fenced-error.ts";

describe("FencedError", () => {
  it("names the request, the lease, when it was lost, and why", () => {
    const error = new FencedError({
      lease: "shop/web",
      sinceMs: Date.UTC(2026, 0, 1),
      why: "it was not renewed in time",
      attempt: "PATCH /api/v1/pods/a",
    });
    expect(error.message).toBe(
      "PATCH /api/v1/pods/a not sent: lease shop/web has not been held since 2026-01-01T00:00:00.000Z: it was not renewed in time",
    );
    expect([error.name, error.reason, error.lease, error.sinceMs, error.attempt]).toEqual([
      "FencedError",
      "Fenced",
      "shop/web",
      Date.UTC(2026, 0, 1),
      "PATCH /api/v1/pods/a",
    ]);
  });

  it("says that this process never held the lease, and names only the lease without a request", () => {
    expect(new FencedError({ lease: "shop/web", sinceMs: undefined, why: "never acquired" }).message).toBe(
      "lease shop/web is not held by this process: never acquired",
    );
  });

  it("is recognised by its brand, also behind other errors", () => {
    const error = new FencedError({ lease: "shop/web", sinceMs: undefined, why: "x" });
    expect([isFencedError(error), isFencedError(new Error("x")), isFencedError(undefined)]).toEqual([true, false, false]);
    expect([isFenced(new UnknownOutcomeError({ attempt: "a", why: "b", cause: error })), isFenced(new Error("x"))]).toEqual([true, false]);
  });
});
