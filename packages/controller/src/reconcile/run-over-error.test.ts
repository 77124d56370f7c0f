import { describe, expect, it } from "vitest";
import { isRunOver, RunOverError } from "./run-over-error.ts";

describe("RunOverError", () => {
  it("names the run and the controller, and has the cause if the run ended early", () => {
    const why = new Error("its deadline");
    const error = new RunOverError({ run: "r-1", controller: "web" }, why);
    expect([error.message, error.cause, error.reason]).toEqual(["request not sent: run r-1 of controller web has ended", why, "RunOver"]);
    expect("cause" in new RunOverError({ run: "r-1", controller: "web" }, undefined)).toBe(false);
  });

  it("is recognised by isRunOver, also behind other errors", () => {
    const error = new RunOverError({ run: "r-1", controller: "web" }, undefined);
    expect([isRunOver(error), isRunOver(new Error("create pods", { cause: error })), isRunOver(new Error("no"))]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
