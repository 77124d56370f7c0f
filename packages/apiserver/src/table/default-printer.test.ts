import { LimitRange } from "@drover/api/core/v1";
import { ClusterRole } from "@drover/api/rbac/v1";
import { describe, expect, it } from "vitest";
import { defaultPrinter } from "./default-printer.ts";
import { printed, secondsAgo } from "../testing/printed.ts";

describe("the default table", () => {
  it("has a name and the date of creation", () => {
    expect(printed(LimitRange, {})).toEqual({ Name: "web", "Created At": secondsAgo(300) });
    expect(printed(ClusterRole, {})).toEqual({ Name: "web", "Created At": secondsAgo(300) });
  });

  it("takes what was never created for created in the beginning", () => {
    expect(defaultPrinter.row({ metadata: { name: "a" } }, 0)).toEqual({ cells: ["a", "0001-01-01T00:00:00Z"] });
  });

  it("of nothing has no rows, not an empty list of them", () => {
    expect(defaultPrinter.noRows).toBe("null");
  });
});
