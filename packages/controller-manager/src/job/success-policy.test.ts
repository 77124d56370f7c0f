import type { SuccessPolicyRule } from "@drover/api/batch/v1";
import { describe, expect, it } from "vitest";
import { readIndexes } from "./index-set.ts";
import { metSuccessRule } from "./success-policy.ts";

const met = (succeeded: string, ...rules: SuccessPolicyRule[]): string | undefined =>
  metSuccessRule({ rules }, 10, readIndexes(succeeded, 10));

describe("metSuccessRule", () => {
  it("J051: is met by all named indexes, or by so many of them", () => {
    expect(met("0-3", { succeededIndexes: "1,2" })).toBe("Matched rules at index 0");
    expect(met("0,2", { succeededIndexes: "1,2" })).toBeUndefined();
    expect(met("0,2", { succeededIndexes: "1-3", succeededCount: 1 })).toBe("Matched rules at index 0");
    expect(met("0,4-9", { succeededIndexes: "1-3", succeededCount: 1 })).toBeUndefined();
  });

  it("J051: is met by so many indexes, whichever", () => {
    expect([met("0,2", { succeededCount: 2 }), met("0", { succeededCount: 2 })]).toEqual(["Matched rules at index 0", undefined]);
  });

  it("J051: names the first rule that is met", () => {
    expect(met("5", { succeededCount: 2 }, { succeededIndexes: "5" }, { succeededCount: 1 })).toBe("Matched rules at index 1");
  });

  it("J051: is not met by an invalid rule, an empty one, or without a policy", () => {
    expect([
      met("0-9", { succeededIndexes: "a-b", succeededCount: 1 }),
      met("", { succeededCount: 0 }),
      metSuccessRule(undefined, 10, readIndexes("0-9", 10)),
    ]).toEqual([undefined, undefined, undefined]);
  });
});
