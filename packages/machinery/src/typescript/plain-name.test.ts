import { describe, expect, it } from "vitest";
import { byText, camelCase, capitalized, propertyName, typeWord } from "./plain-name.ts";

describe("names in generated code", () => {
  it("turn paths into identifiers", () => {
    expect([camelCase("core/v1"), camelCase("metrics-k8s-io/v1beta1")]).toEqual(["coreV1", "metricsK8sIoV1beta1"]);
  });

  it("quote property names that are no identifiers, and keep __proto__ harmless", () => {
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

  it("turn any text into a type name, or nothing", () => {
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

  it("sort by code unit", () => {
    expect(["b", "a", "B", "aa", "a"].toSorted(byText)).toEqual(["B", "a", "a", "aa", "b"]);
  });
});
