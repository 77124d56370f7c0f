import { ApiError, isConflict, newConflict } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { StatusError } from "./status-error.ts";

describe("StatusError", () => {
  it("has the message of its cause, and is recognised as what its cause is", () => {
    const error = new StatusError({ phase: "Failed" }, new ApiError(newConflict({ group: "", resource: "pods" }, "web", "changed")));
    expect([error.status.phase, error.message.includes("web"), isConflict(error)]).toEqual(["Failed", true, true]);
    expect(new StatusError({}, "no quota").message).toBe("no quota");
  });
});
