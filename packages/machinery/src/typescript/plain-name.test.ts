import { describe, expect, it } from "vitest";
import { byText, camelCase, capitalized, propertyName, typeWord } from "./plain-name.ts";

describe("names", () => {
  it("makes identifiers of paths", () => {
    expect([camelCase("core/v1"), camelCase("metrics-k8s-io/v1beta1")]).toEqual(["coreV1", "metricsK8sIoV1beta1"]);
  });

  it("quotes property names that are no identifiers, and keeps __proto__ an ordinary one", () => {
    expect(["name", "$ref", "x-y", "1a", 'a"b', "", "__proto__"].map(propertyName)).toEqual([
      "name",
      "$ref",
      '"x-y"',
      '"1a"',
      '"a\\"b"',
      '""',
      '["__proto__"]',
    ]);
  });

  it("makes the name of a type of anything, or nothing at all", () => {
    expect(["spec", "x-y", "a.b/c", "__proto__", "1st", "*/", "größe", ""].map(typeWord)).toEqual([
      "Spec",
      "XY",
      "ABC",
      "Proto",
      "1st",
      "",
      "GrE",
      "",
    ]);
    expect(capitalized("")).toBe("");
  });

  it("orders by code unit", () => {
    expect(["b", "a", "B", "aa", "a"].toSorted(byText)).toEqual(["B", "a", "a", "aa", "b"]);
  });
});
