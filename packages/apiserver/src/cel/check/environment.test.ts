import { describe, expect, it } from "vitest";
import { functionTable, namedTypes, overload } from "./environment.ts";

describe("tables of functions", () => {
  it("keep overloads in order and know their parameters", () => {
    const table = functionTable([overload("a", "f(list(A), B) A"), overload("b", "f(int) int")]);
    expect(table.get("f")?.map(({ id, params }) => [id, params])).toEqual([
      ["a", ["A", "B"]],
      ["b", []],
    ]);
  });

  it("know the types that have names", () => {
    expect([...namedTypes.keys()]).toEqual(expect.arrayContaining(["int", "string", "list", "null_type", "net.IP"]));
  });
});
