import { describe, expect, it } from "vitest";
import { checkText } from "../testing/evaluate-text.ts";

describe("the functions that ask who may do what", () => {
  it("are known by name, and nothing a rule has can be asked", () => {
    expect(() => checkText("'x'.check('get')")).toThrow("found no matching overload for 'check' applied to 'string.(string)'");
    expect(() => checkText("authorizer.path('/x').allowed()")).toThrow(
      /^ERROR: <input>:1:1: undeclared reference to 'authorizer' \(in container ''\)\n[^\n]*\n[^\n]*$/,
    );
  });
});
