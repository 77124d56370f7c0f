import { expect, it } from "vitest";

import { jsonKind } from "./json-kind.ts";

it("jsonKind returns the decoder's word for every kind of value", () => {
  expect([null, [], {}, true, "", 1, 1n].map((value) => jsonKind(value))).toEqual([
    "null",
    "array",
    "object",
    "bool",
    "string",
    "number",
    "number",
  ]);
});
