import { describe, expect, it } from "vitest";
import type { Status } from "../wire/status.ts";
import { ApiError, findApiError, isApiError } from "./api-error.ts";
import { newConflict, newTooManyRequests } from "./status-error.ts";

const conflict = newConflict({ group: "", resource: "pods" }, "web-0", "changed");

describe("ApiError", () => {
  it("holds the server's response and the attempt", () => {
    const error = new ApiError(conflict, { attempt: "update pods/web-0" });
    expect(error.message).toBe('Operation cannot be fulfilled on pods "web-0": changed');
    expect([error.name, error.code, error.reason, error.attempt, error.details]).toEqual([
      "ApiError",
      409,
      "Conflict",
      "update pods/web-0",
      { name: "web-0", kind: "pods" },
    ]);
    expect(error.status).toBe(conflict);
    expect("cause" in error).toBe(false);
  });

  it("takes from the response what the Status lacks", () => {
    const bare: Status = { kind: "Status", apiVersion: "v1", metadata: {} };
    const error = new ApiError(bare, { code: 503, retryAfterSeconds: 7 });
    expect([error.code, error.reason, error.retryAfterSeconds, error.message]).toEqual([
      503,
      "",
      7,
      "the server responded with the status code 503 but did not return more information",
    ]);
    expect(new ApiError(newTooManyRequests("slow down", 3), { code: 500, retryAfterSeconds: 7 })).toMatchObject({
      code: 429,
      retryAfterSeconds: 3,
    });
    expect(new ApiError(bare).code).toBe(0);
  });

  it("is found among the causes of an error", () => {
    const error = new ApiError(conflict);
    const outer = new Error("reconcile", { cause: new Error("update", { cause: error }) });
    expect(findApiError(outer)).toBe(error);
    expect([isApiError(error), isApiError(outer)]).toEqual([true, false]);
    expect([undefined, null, "text", new Error("no cause"), { cause: error }].map(findApiError)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("is not searched for without end", () => {
    const snake = new Error("head");
    snake.cause = snake;
    expect(findApiError(snake)).toBeUndefined();
  });
});
