import { describe, expect, it } from "vitest";
import { isRunOver, RunOverError } from "./run-over-error.ts";

describe("a call after the end of its run", () => {
  it("names the run and the controller, and why the run was over early", () => {
    const why = new Error("its deadline");
    const error = new RunOverError({ run: "r-1", controller: "web" }, why);
    expect([error.message, error.cause, error.reason]).toEqual([
      "not sent, since run r-1 of controller web is over; its client writes no more",
      why,
      "RunOver",
    ]);
    expect("cause" in new RunOverError({ run: "r-1", controller: "web" }, undefined)).toBe(false);
  });

  it("is found behind other errors, and nowhere else", () => {
    const error = new RunOverError({ run: "r-1", controller: "web" }, undefined);
    expect([isRunOver(error), isRunOver(new Error("create pods", { cause: error })), isRunOver(new Error("no"))]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
