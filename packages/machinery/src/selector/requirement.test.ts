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

describe("newRequirement", () => {
  it("requires as many values as the operator takes", () => {
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

  it("reports all errors, below the given path", () => {
    expect(message("-", "gt", ["a b"], { path: "spec" })).toMatch(
      /^\[spec\.key: Invalid value: "-": name part must consist .*, spec\.values\[0\]: Invalid value: "a b": for 'Gt', .*, spec\.values\[0\]\[-\]: Invalid value: "a b": a valid label/,
    );
  });

  it("knows its operators", () => {
    expect(message("x", "~" as RequirementOperator, ["a"])).toBe(
      'operator: Unsupported value: "~": supported values: "in", "notin", "=", "==", "!=", "gt", "lt", "exists", "!"',
    );
  });

  it("prints sorted values, and keeps their given order", () => {
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

  it("does not change with the list it was made from", () => {
    const values = ["a"];
    const requirement = newRequirement("x", "in", values);
    values.push("b");
    expect(requirement.values).toEqual(["a"]);
  });
});
