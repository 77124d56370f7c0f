import { describe, expect, it } from "vitest";
import { ClaimError } from "./claim-error.ts";

describe("the error of a claim", () => {
  it("says each thing that went wrong once, and holds all errors and what was claimed", () => {
    const errors = [new Error("no"), "never", new Error("no")];
    const claimed = [{ metadata: { name: "a" } }];
    const error = new ClaimError(errors, claimed);
    expect(error.message).toBe("[no, never]");
    expect(error.errors).toEqual(errors);
    expect(error.claimed).toBe(claimed);
    expect(error.name).toBe("ClaimError");
  });

  it("speaks like the only error there is", () => {
    expect(new ClaimError([new Error("no")], []).message).toBe("no");
  });
});
