import { expect, it } from "vitest";

import { hasMembers } from "./has-members.ts";

it("tells an empty object from one with members, whatever they are called", () => {
  expect([{}, [], { a: undefined }, JSON.parse('{"__proto__":1}') as object, { "": 0 }].map(hasMembers)).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});
