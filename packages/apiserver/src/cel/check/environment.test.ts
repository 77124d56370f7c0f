import { describe, expect, it } from "vitest";
import { functionTable, namedTypes, overload } from "./environment.ts";

describe("functionTable", () => {
  it("keeps overloads in order with their type parameters", () => {
    const table = functionTable([overload("a", "f(list(A), B) A"), overload("b", "f(int) int")]);
    expect(table.get("f")?.map(({ id, params }) => [id, params])).toEqual([
      ["a", ["A", "B"]],
      ["b", []],
    ]);
  });

  it("namedTypes has the types that expressions can name", () => {
    expect([...namedTypes.keys()]).toEqual(expect.arrayContaining(["int", "string", "list", "null_type", "net.IP"]));
  });
});
