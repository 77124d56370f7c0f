import { after, done, retry, stop } from "@drover/controller";
import { describe, expect, it } from "vitest";
import type { Answer } from "./answer.ts";
import { resultOf } from "./answer.ts";

describe("resultOf", () => {
  it("converts nothing, a duration or a result", () => {
    const failed = retry(new Error("no"));
    expect([undefined, { after: "10m" }, done, after("1s"), failed, stop("no")].map((answer) => resultOf(answer as Answer, "x"))).toEqual([
      done,
      after(600_000),
      done,
      after(1000),
      failed,
      stop("no"),
    ]);
  });

  it("throws MistakeError for anything else", () => {
    for (const wrong of ["soon", true, 5, null, { in: "10m" }])
      expect(() => resultOf(wrong as unknown as Answer, "controller of WebApp, reconcile")).toThrow(
        "controller of WebApp, reconcile: it returns",
      );
  });
});
