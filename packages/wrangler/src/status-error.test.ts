import { ApiError, isConflict, newConflict } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { StatusError } from "./status-error.ts";

describe("StatusError", () => {
  it("says what its cause says, and is what its cause is", () => {
    const error = new StatusError({ phase: "Failed" }, new ApiError(newConflict({ group: "", resource: "pods" }, "web", "changed")));
    expect([error.status.phase, error.message.includes("web"), isConflict(error)]).toEqual(["Failed", true, true]);
    expect(new StatusError({}, "no quota").message).toBe("no quota");
  });
});
