import { inspect } from "node:util";
import { Secret } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { CredentialError, isCredentialError } from "./credential-error.ts";

describe("CredentialError", () => {
  it("has a reason and a cause, and redacts a program's output", () => {
    const cause = new Error("no such file");
    const error = new CredentialError("unavailable", "the file could not be read", { cause, output: new Secret("canary") });
    expect([error.name, error.reason, error.message, error.cause]).toEqual([
      "CredentialError",
      "unavailable",
      "the file could not be read",
      cause,
    ]);
    expect(inspect(error, { depth: null, showHidden: true }) + JSON.stringify(error)).not.toContain("canary");
    expect(error.output?.reveal()).toBe("canary");
  });

  it("has no cause by default", () => {
    expect("cause" in new CredentialError("setup", "no")).toBe(false);
  });

  it("is recognised by isCredentialError, other errors are not", () => {
    expect([new CredentialError("setup", "no"), new Error("no"), undefined].map(isCredentialError)).toEqual([true, false, false]);
  });
});
