import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import { validateFinalizers, validateNoNewFinalizers, validateStandardFinalizerName } from "./finalizers.ts";

describe("validateFinalizers", () => {
  it("requires qualified names", () => {
    expect(validateFinalizers(["x.io/a", "orphan", "plain"], "f")).toEqual([]);
    expect(validateFinalizers(["a b"], "f")).toHaveLength(1);
    expect(validateFinalizers(undefined, "f")).toEqual([]);
  });

  it("rejects orphan and foregroundDeletion together", () => {
    expect(validateFinalizers(["orphan", "x.io/a", "foregroundDeletion"], "f").map(printFieldError)).toEqual([
      'f: Invalid value: ["orphan","x.io/a","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ]);
  });

  it("requires a prefix on built-in kinds, or the server's own names", () => {
    expect(["kubernetes", "orphan", "foregroundDeletion", "x.io/a"].flatMap((name) => validateStandardFinalizerName(name, "f"))).toEqual(
      [],
    );
    expect(validateStandardFinalizerName("mine", "f").map(printFieldError)).toEqual([
      'f: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
    ]);
  });

  it("rejects new finalizers on an object that is being deleted", () => {
    expect(validateNoNewFinalizers(["a"], ["b", "a"], "f")).toEqual([]);
    expect(validateNoNewFinalizers(undefined, undefined, "f")).toEqual([]);
    expect(validateNoNewFinalizers(["c", "b", "c", "a"], ["a"], "f").map(printFieldError)).toEqual([
      'f: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"b", "c"}',
    ]);
  });
});
