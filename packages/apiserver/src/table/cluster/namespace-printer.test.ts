import { Namespace } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("Namespace table", () => {
  it("has the phase", () => {
    expect(printed(Namespace, { status: { phase: "Terminating" } })).toEqual({ Name: "web", Status: "Terminating", Age: "5m" });
  });
});
