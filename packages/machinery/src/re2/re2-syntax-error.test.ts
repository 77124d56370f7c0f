import { expect, it } from "vitest";

import { Re2SyntaxError } from "./re2-syntax-error.ts";

it("Re2SyntaxError prints the problem and the part of the pattern as Go does", () => {
  const error = new Re2SyntaxError("missing closing ]", "[a");
  expect([error.message, error.name, error.problem, error.expression]).toEqual([
    "error parsing regexp: missing closing ]: `[a`",
    "Re2SyntaxError",
    "missing closing ]",
    "[a",
  ]);
});
