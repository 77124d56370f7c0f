import { describe, expect, it } from "vitest";
import { reasonForError } from "./error-reason.ts";
import { isOutcomeUnknown, UnknownOutcomeError } from "./unknown-outcome.ts";

describe("UnknownOutcomeError", () => {
  it("names the attempt, the reason and what to do", () => {
    const error = new UnknownOutcomeError({ attempt: "create pods/web-0", why: "the connection was closed before the answer came" });
    expect(error.message).toBe(
      "create pods/web-0: it is unknown whether this happened (the connection was closed before the answer came); read the object before repeating it",
    );
    expect([error.name, error.attempt, error.reason]).toEqual(["UnknownOutcomeError", "create pods/web-0", "OutcomeUnknown"]);
  });

  it("is recognized by its reason, also among causes", () => {
    const error = new Error("reconcile", { cause: new UnknownOutcomeError({ attempt: "a", why: "b", cause: new Error("reset") }) });
    expect([isOutcomeUnknown(error), reasonForError(error)]).toEqual([true, "OutcomeUnknown"]);
    expect([isOutcomeUnknown(new Error("x")), isOutcomeUnknown(undefined)]).toEqual([false, false]);
  });
});
