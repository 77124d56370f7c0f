import { describe, expect, it } from "vitest";
import { ageColumn, column, nameColumn } from "./columns.ts";

describe("column", () => {
  it("is one of texts that is always shown, unless it says otherwise", () => {
    expect(column("A", "b.")).toEqual({ name: "A", type: "string", format: "", description: "b.", priority: 0 });
    expect(column("A", "b.", { type: "integer", format: "name", priority: 1 })).toEqual({
      name: "A",
      type: "integer",
      format: "name",
      description: "b.",
      priority: 1,
    });
  });

  it("that identifies the row is the one of names", () => {
    expect(nameColumn.format).toBe("name");
    expect(ageColumn.format).toBe("");
  });
});
