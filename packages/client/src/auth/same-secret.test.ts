import { Secret } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { sameSecret } from "./same-secret.ts";

describe("sameSecret", () => {
  it("compares values, not Secret objects", () => {
    expect(sameSecret(new Secret("a"), new Secret("a"))).toBe(true);
    expect(sameSecret(new Secret("a"), new Secret("b"))).toBe(false);
    expect(sameSecret(undefined, undefined)).toBe(true);
    expect(sameSecret(undefined, new Secret(""))).toBe(false);
  });
});
