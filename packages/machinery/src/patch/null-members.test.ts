import { expect, it } from "vitest";

import { withoutNullMembers } from "./null-members.ts";

it("withoutNullMembers drops null members at any depth, and keeps nulls in lists", () => {
  expect(withoutNullMembers({ a: null, b: { c: null, d: [null, { e: null, f: 1 }] }, g: [] })).toEqual({
    b: { d: [null, { f: 1 }] },
    g: [],
  });
  expect(withoutNullMembers(null)).toBeNull();
  expect(JSON.stringify(withoutNullMembers(JSON.parse('{"__proto__":{"a":null,"b":1}}') as null))).toBe('{"__proto__":{"b":1}}');
});
