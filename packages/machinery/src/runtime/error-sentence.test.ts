import { describe, expect, it } from "vitest";
import { ApiError } from "../errors/api-error.ts";
import { newConflict } from "../errors/status-error.ts";
import { hostileValues } from "../testing/hostile-values.ts";
import { errorSentence } from "./error-sentence.ts";

describe("errorSentence", () => {
  it("joins an error and its causes, each once and on one line", () => {
    const inner = new Error("connect ECONNREFUSED");
    expect(errorSentence(new Error("list pods", { cause: inner }))).toBe("list pods: connect ECONNREFUSED");
    expect(errorSentence(new Error("list pods: connect ECONNREFUSED", { cause: inner }))).toBe("list pods: connect ECONNREFUSED");
    expect(errorSentence(new Error("desired: no name\n  fix: name: it\n"))).toBe("desired: no name; fix: name: it");
    expect(["text", undefined, null].map(errorSentence)).toEqual(["text", "undefined", "null"]);
  });

  it("names the attempt of an answer, and the first errors of several", () => {
    const conflict = new ApiError(newConflict({ group: "", resource: "pods" }, "web", "changed"), { attempt: "update pods/web" });
    expect(errorSentence(conflict)).toBe('update pods/web: Operation cannot be fulfilled on pods "web": changed');
    const several = new AggregateError(
      ["a", "b", "c", "d"].map((text) => new Error(`failed ${text}`)),
      "4 failed",
    );
    expect(errorSentence(several)).toBe("4 failed (failed a; failed b; failed c; …)");
  });

  it.each(hostileValues.map(({ name, make }) => [name, make] as const))("is one short line for %s (SEC6)", (_, make) => {
    const sentence = errorSentence(make());
    expect(sentence).not.toContain("\n");
    expect(sentence.length).toBeLessThan(1_100);
  });

  it("ends for causes in a circle", () => {
    const snake = new Error("head");
    snake.cause = snake;
    expect(errorSentence(snake)).toBe("head");
  });
});
