import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import {
  validateDomainPrefixedKey,
  validateDomainPrefixedPath,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
} from "./domain-path.ts";

describe("domain name validation", () => {
  it("requires two segments, or three under the older rule", () => {
    expect([
      validateFullyQualifiedDomainName("a.b", "x"),
      validateFullyQualifiedDomainName("a.b.", "x"),
      validateFullyQualifiedName("a.b.c", "x"),
    ]).toEqual([[], [], []]);
    expect(validateFullyQualifiedDomainName("com.", "x").map(printFieldError)).toEqual([
      'x: Invalid value: "com": should be a domain with at least two segments separated by dots',
    ]);
    expect(validateFullyQualifiedName("a.b", "x").map(printFieldError)).toEqual([
      'x: Invalid value: "a.b": should be a domain with at least three segments separated by dots',
    ]);
    expect(validateFullyQualifiedDomainName(`${"a".repeat(64)}.b`, "x").map(printFieldError)).toEqual([
      `x: Invalid value: "${"a".repeat(64)}": must be no more than 63 characters`,
    ]);
    expect(validateFullyQualifiedName("", "x").map(printFieldError)).toEqual(["x: Required value"]);
  });

  it("accepts a path or a key after the domain", () => {
    expect([validateDomainPrefixedPath("acme.io/foo/%20", "x"), validateDomainPrefixedKey("acme.io/Foo_1", "x")]).toEqual([[], []]);
    expect(validateDomainPrefixedPath("acme.io", "x").map(printFieldError)).toEqual([
      'x: Invalid value: "acme.io": must be a domain-prefixed path (such as "acme.io/foo")',
    ]);
    expect(validateDomainPrefixedPath("Acme/a b", "x").map((error) => error.value)).toEqual(["Acme", "a b"]);
    expect(validateDomainPrefixedKey("foo", "x").map(printFieldError)).toEqual([
      'x: Invalid value: "foo": must be a domain-prefixed key (such as "acme.io/foo")',
    ]);
    expect(validateDomainPrefixedKey("a/b/c", "x")).toHaveLength(1);
  });
});
