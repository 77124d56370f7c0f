import { describe, expect, it } from "vitest";
import { newRequirement, printRequirement } from "./requirement.ts";
import type { RequirementOperator } from "./requirement.ts";
import { SelectorError } from "./selector-error.ts";

const message = (...given: Parameters<typeof newRequirement>): string => {
  try {
    newRequirement(...given);
  } catch (error) {
    if (error instanceof SelectorError) return error.message;
  }
  return "fine";
};

describe("requirements", () => {
  it("want as many values as the operator takes", () => {
    expect([
      message("x", "in"),
      message("x", "in", []),
      message("x", "=", ["a", "b"]),
      message("x", "exists", ["a"]),
      message("x", "gt", ["1", "2"]),
    ]).toEqual([
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
      "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty",
      'values: Invalid value: ["a","b"]: exact-match compatibility requires one single value',
      'values: Invalid value: ["a"]: values set must be empty for exists and does not exist',
      "values: Invalid value: [\"1\",\"2\"]: for 'Gt', 'Lt' operators, exactly one value is required",
    ]);
  });

  it("name everything that is wrong, below the path they were given", () => {
    expect(message("-", "gt", ["a b"], { path: "spec" })).toMatch(
      /^\[spec\.key: Invalid value: "-": name part must consist .*, spec\.values\[0\]: Invalid value: "a b": for 'Gt', .*, spec\.values\[0\]\[-\]: Invalid value: "a b": a valid label/,
    );
  });

  it("know their operators", () => {
    expect(message("x", "~" as RequirementOperator, ["a"])).toBe(
      'operator: Unsupported value: "~": supported values: "in", "notin", "=", "==", "!=", "gt", "lt", "exists", "!"',
    );
  });

  it("print with their values in order, and keep them as they came", () => {
    const requirement = newRequirement("tier", "in", ["web", "api", "web"]);
    expect(printRequirement(requirement)).toBe("tier in (api,web,web)");
    expect(requirement.values).toEqual(["web", "api", "web"]);
    expect(
      [
        newRequirement("a", "!"),
        newRequirement("a", "exists"),
        newRequirement("a", "gt", ["1"]),
        newRequirement("a", "lt", ["1"]),
        newRequirement("a", "!=", [""]),
        newRequirement("a", "notin", [""]),
      ].map(printRequirement),
    ).toEqual(["!a", "a", "a>1", "a<1", "a!=", "a notin ()"]);
  });

  it("do not change with the list they were made from", () => {
    const values = ["a"];
    const requirement = newRequirement("x", "in", values);
    values.push("b");
    expect(requirement.values).toEqual(["a"]);
  });
});
