import { expect, it } from "vitest";

import { hasMembers } from "./has-members.ts";

it("hasMembers is true for members of any name", () => {
  expect([{}, [], { a: undefined }, JSON.parse('{"__proto__":1}') as object, { "": 0 }].map(hasMembers)).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});
