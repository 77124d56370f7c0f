import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { validateMatchConditions } from "./match-condition.ts";

describe("validateMatchConditions", () => {
  it("requires an expression and a unique name each", () => {
    expect(
      validateMatchConditions(
        [
          { name: "a", expression: "true" },
          { name: "a", expression: " " },
        ],
        "c",
      ).map(printFieldError),
    ).toEqual(["c[1].expression: Required value", 'c[1].name: Duplicate value: "a"']);
  });

  it("accepts at most 64 conditions", () => {
    const many = Array.from({ length: 65 }, (_, index) => ({ name: `a${index}`, expression: "true" }));
    expect([validateMatchConditions(many.slice(1), "c"), validateMatchConditions(many, "c").map(printFieldError)]).toEqual([
      [],
      ["c: Too many: 65: must have at most 64 items"],
    ]);
  });
});
