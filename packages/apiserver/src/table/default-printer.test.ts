import { LimitRange } from "@drover/api/core/v1";
import { ClusterRole } from "@drover/api/rbac/v1";
import { describe, expect, it } from "vitest";
import { defaultPrinter } from "./default-printer.ts";
import { printed, secondsAgo } from "../testing/printed.ts";

describe("defaultPrinter", () => {
  it("prints name and creation time", () => {
    expect(printed(LimitRange, {})).toEqual({ Name: "web", "Created At": secondsAgo(300) });
    expect(printed(ClusterRole, {})).toEqual({ Name: "web", "Created At": secondsAgo(300) });
  });

  it("prints the zero time for an object without creationTimestamp", () => {
    expect(defaultPrinter.row({ metadata: { name: "a" } }, 0)).toEqual({ cells: ["a", "0001-01-01T00:00:00Z"] });
  });

  it("prints an empty list as null rows", () => {
    expect(defaultPrinter.noRows).toBe("null");
  });
});
