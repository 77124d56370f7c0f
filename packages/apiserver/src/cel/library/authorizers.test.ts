import { describe, expect, it } from "vitest";
import { checkText } from "../testing/evaluate-text.ts";

describe("authorizer functions of CEL", () => {
  it("are declared, but no value of a rule has their type", () => {
    expect(() => checkText("'x'.check('get')")).toThrow("found no matching overload for 'check' applied to 'string.(string)'");
    expect(() => checkText("authorizer.path('/x').allowed()")).toThrow(
      /^ERROR: <input>:1:1: undeclared reference to 'authorizer' \(in container ''\)\n[^\n]*\n[^\n]*$/,
    );
  });
});
