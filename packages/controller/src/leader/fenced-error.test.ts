import { UnknownOutcomeError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { FencedError, isFenced, isFencedError } from "./fenced-error.ts";

describe("a write that was not let through", () => {
  it("names the request, the lease, since when it is not held, and why", () => {
    const error = new FencedError({
      lease: "shop/web",
      sinceMs: Date.UTC(2026, 0, 1),
      why: "it was not renewed in time",
      attempt: "PATCH /api/v1/pods/a",
    });
    expect(error.message).toBe(
      "PATCH /api/v1/pods/a: not sent, since lease shop/web has not been held since 2026-01-01T00:00:00.000Z: it was not renewed in time",
    );
    expect([error.name, error.reason, error.lease, error.sinceMs, error.attempt]).toEqual([
      "FencedError",
      "Fenced",
      "shop/web",
      Date.UTC(2026, 0, 1),
      "PATCH /api/v1/pods/a",
    ]);
  });

  it("says when this process never held it, and speaks of the lease alone when no request is meant", () => {
    expect(new FencedError({ lease: "shop/web", sinceMs: undefined, why: "it has not been so far" }).message).toBe(
      "lease shop/web is not held by this process: it has not been so far",
    );
  });

  it("is known by its name, and behind other errors", () => {
    const error = new FencedError({ lease: "shop/web", sinceMs: undefined, why: "x" });
    expect([isFencedError(error), isFencedError(new Error("x")), isFencedError(undefined)]).toEqual([true, false, false]);
    expect([isFenced(new UnknownOutcomeError({ attempt: "a", why: "b", cause: error })), isFenced(new Error("x"))]).toEqual([true, false]);
  });
});
