import { APIService } from "@drover/api/apiregistration/v1";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";
import { apiServicePrinter } from "./api-service-printer.ts";

const available = (...conditions: readonly JsonObject[]): JsonValue =>
  printed(APIService, { spec: {}, status: { conditions: [...conditions] } })["Available"] ?? null;

describe("APIService table", () => {
  it("has the service of a group version", () => {
    expect(printed(APIService, { spec: { service: { namespace: "n", name: "s" } } })).toEqual({
      Name: "web",
      Service: "n/s",
      Available: "Unknown",
      Age: "5m",
    });
    expect(printed(APIService, { spec: {} })).toMatchObject({ Service: "Local" });
  });

  it("has the reason for unavailability", () => {
    expect(available({ type: "Available", status: "True", reason: "Passed" })).toBe("True");
    expect(available({ type: "Available", status: "False", reason: "MissingEndpoints" })).toBe("False (MissingEndpoints)");
    expect(available({ type: "Available", status: "False" })).toBe("False");
    expect(available({ type: "Other", status: "True" })).toBe("Unknown");
  });

  it("repeats its columns in every event of a watch", () => {
    expect(apiServicePrinter.repeatsColumns).toBe(true);
  });
});
