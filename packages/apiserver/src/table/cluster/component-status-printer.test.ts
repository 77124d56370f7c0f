import { ComponentStatus } from "@drover/api/core/v1";
import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

const conditions = (...all: readonly JsonObject[]): object => printed(ComponentStatus, { conditions: [...all] });

describe("ComponentStatus table", () => {
  it("has the health of a component", () => {
    expect(conditions({ type: "Healthy", status: "True", message: "ok" })).toEqual({
      Name: "web",
      Status: "Healthy",
      Message: "ok",
      Error: "",
    });
    expect(conditions({ type: "Healthy", status: "False", message: "m", error: "e" })).toEqual({
      Name: "web",
      Status: "Unhealthy",
      Message: "m",
      Error: "e",
    });
    expect(conditions({ type: "Other", status: "True", message: "m" })).toEqual({ Name: "web", Status: "Unknown", Message: "", Error: "" });
  });
});
