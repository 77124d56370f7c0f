import { describe, expect, it } from "vitest";
import { handlerProblem } from "./handler-problem.ts";

const thrownBy = (work: () => void): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe("handlerProblem", () => {
  it("names the attempt to change an object of the cache, however it was made", () => {
    const object: { labels?: Record<string, string>; list?: string[] } = Object.freeze({
      labels: Object.freeze({ app: "web" }),
      list: Object.freeze(["b", "a"]) as string[],
    });
    const attempts = [
      () => {
        object.labels = {};
      },
      () => {
        if (object.labels) object.labels["new"] = "x";
      },
      () => {
        delete object.labels;
      },
      () => {
        object.list?.push("c");
      },
      () => {
        object.list?.sort();
      },
    ];
    for (const attempt of attempts) expect(handlerProblem(thrownBy(attempt))).toContain("tried to change a frozen object");
  });

  it("says no more than that it failed otherwise", () => {
    expect([new Error("no"), new TypeError("x is not a function"), "text", undefined].map(handlerProblem)).toEqual(
      Array.from({ length: 4 }, () => "a handler failed"),
    );
  });
});
