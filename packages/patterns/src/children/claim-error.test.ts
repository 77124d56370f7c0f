import { describe, expect, it } from "vitest";
import { ClaimError } from "./claim-error.ts";

describe("ClaimError", () => {
  it("prints each distinct message once, and holds all errors and the claimed children", () => {
    const errors = [new Error("no"), "never", new Error("no")];
    const claimed = [{ metadata: { name: "a" } }];
    const error = new ClaimError(errors, claimed);
    expect(error.message).toBe("[no, never]");
    expect(error.errors).toEqual(errors);
    expect(error.claimed).toBe(claimed);
    expect(error.name).toBe("ClaimError");
  });

  it("has the message of its only error", () => {
    expect(new ClaimError([new Error("no")], []).message).toBe("no");
  });
});
