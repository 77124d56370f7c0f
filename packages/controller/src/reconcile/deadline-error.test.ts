import { describe, expect, it } from "vitest";
import { DeadlineError, isDeadline } from "./deadline-error.ts";

describe("DeadlineError", () => {
  const error = new DeadlineError({ controller: "web", key: "shop/web", deadlineMs: 90_000 });

  it("names the controller, the key and the deadline", () => {
    expect(error.message).toBe("controller web: the reconcile of shop/web exceeded its deadline of 1m30s");
    expect([error.name, error.reason, error.deadlineMs]).toEqual(["DeadlineError", "Deadline", 90_000]);
  });

  it("is recognised by isDeadline, also behind other errors", () => {
    expect([
      isDeadline(error),
      isDeadline(new Error("get pods", { cause: error })),
      isDeadline(new Error("no")),
      isDeadline(undefined),
    ]).toEqual([true, true, false, false]);
  });
});
