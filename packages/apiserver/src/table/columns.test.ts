import { describe, expect, it } from "vitest";
import { ageColumn, column, nameColumn } from "./columns.ts";

describe("column", () => {
  it("is a string column of priority 0 by default", () => {
    expect(column("A", "b.")).toEqual({ name: "A", type: "string", format: "", description: "b.", priority: 0 });
    expect(column("A", "b.", { type: "integer", format: "name", priority: 1 })).toEqual({
      name: "A",
      type: "integer",
      format: "name",
      description: "b.",
      priority: 1,
    });
  });

  it("nameColumn has the format name", () => {
    expect(nameColumn.format).toBe("name");
    expect(ageColumn.format).toBe("");
  });
});
