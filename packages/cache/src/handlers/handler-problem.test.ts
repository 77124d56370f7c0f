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
  it("explains every kind of modification of a cached object", () => {
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
    for (const attempt of attempts) expect(handlerProblem(thrownBy(attempt))).toContain("tried to modify a frozen object");
  });

  it("says only that the handler failed for other errors", () => {
    expect([new Error("no"), new TypeError("x is not a function"), "text", undefined].map(handlerProblem)).toEqual(
      Array.from({ length: 4 }, () => "handler failed"),
    );
  });
});
