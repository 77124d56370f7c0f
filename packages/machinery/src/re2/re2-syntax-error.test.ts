import { expect, it } from "vitest";

import { Re2SyntaxError } from "./re2-syntax-error.ts";

it("prints the problem and the piece of the pattern as Go does", () => {
  const error = new Re2SyntaxError("missing closing ]", "[a");
  expect([error.message, error.name, error.problem, error.expression]).toEqual([
    "error parsing regexp: missing closing ]: `[a`",
    "Re2SyntaxError",
    "missing closing ]",
    "[a",
  ]);
});
