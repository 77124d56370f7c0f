import { describe, expect, it } from "vitest";
import { parseTime } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { customTable } from "./custom-table.ts";

const now = parseTime("2026-11-15T20:24:10Z");

function cell(type: string, value: JsonValue, jsonPath = ".spec.s"): JsonValue | undefined {
  return customTable([{ name: "S", type, jsonPath }]).row({ metadata: { name: "a" }, spec: { s: value } }, now).cells[1];
}

describe("customTable", () => {
  it("prints name and age without additional printer columns", () => {
    const table = customTable(undefined);
    expect(table.columns.map(({ name, type, format, priority }) => [name, type, format, priority])).toEqual([
      ["Name", "string", "name", 0],
      ["Age", "date", "", 0],
    ]);
    expect(table.columns[1]?.description).toBe("The time since the object was created.");
    expect(table.row({ metadata: { name: "a", creationTimestamp: "2026-11-15T20:19:05Z" } }, now)).toEqual({ cells: ["a", "5m5s"] });
    expect(customTable([]).columns).toEqual(table.columns);
  });

  it("describes a column by its path unless the definition has a description", () => {
    const [, plain, described] = customTable([
      { name: "A", type: "integer", format: "int32", priority: 1, jsonPath: ".spec.a" },
      { name: "B", type: "string", description: "words", jsonPath: ".b" },
    ]).columns;
    expect(plain).toEqual({
      name: "A",
      type: "integer",
      format: "int32",
      priority: 1,
      description: "Custom resource definition column (in JSONPath format): .spec.a",
    });
    expect(described?.description).toBe("words");
  });

  it.each<[JsonValue, JsonValue, JsonValue, JsonValue, JsonValue, JsonValue]>([
    [1, "1", 1, 1, null, null],
    [1.5, "1.5", 1, 1.5, null, null],
    [1e21, "1e+21", -(2n ** 63n), 1e21, null, null],
    [1e-7, "1e-07", 0, 1e-7, null, null],
    [123456789.5, "1.234567895e+08", 123456789, 123456789.5, null, null],
    [-0.0001, "-0.0001", 0, -0.0001, null, null],
    [9007199254740993n, "9007199254740993", 9007199254740993n, 9007199254740992, null, null],
    ["a", "a", null, null, null, "<invalid>"],
    ["", "", null, null, null, "<unknown>"],
    ["2026-11-15T20:24:05Z", "2026-11-15T20:24:05Z", null, null, null, "5s"],
    [null, "<no value>", null, null, null, null],
    [true, "true", null, null, true, null],
    [{ b: 1, a: "<&>" }, '{"a":"\\u003c\\u0026\\u003e","b":1}', null, null, null, null],
    [[1, "x"], '[1,"x"]', null, null, null, null],
  ])("prints %s as each column type", (value, string, integer, number, boolean, date) => {
    expect(["string", "integer", "number", "boolean", "date", "odd"].map((type) => cell(type, value))).toEqual([
      string,
      integer,
      number,
      boolean,
      date,
      null,
    ]);
  });

  it("prints the first of several values, and null without a value of the type", () => {
    expect(cell("string", [7, 8], ".spec.s[*]")).toBe("7");
    expect(cell("string", 1, ".spec.other")).toBeNull();
    expect(cell("string", [7], ".spec.s[4]")).toBeNull();
    expect(cell("string", 1, ".spec.s[0]")).toBeNull();
  });

  it("drops columns from the first invalid path on", () => {
    const columns = [
      { name: "A", type: "string", jsonPath: ".a" },
      { name: "B", type: "string", jsonPath: ".b[" },
      { name: "C", type: "string", jsonPath: ".c" },
    ];
    expect(customTable(columns).columns.map(({ name }) => name)).toEqual(["Name", "A"]);
  });
});

describe("the budgets of customTable", () => {
  const exceededBy = (object: JsonObject, ...columns: readonly (readonly [type: string, jsonPath: string])[]): readonly unknown[] => {
    const budgets: string[] = [];
    const table = customTable(
      columns.map(([type, jsonPath], index) => ({ name: `C${index}`, type, jsonPath })),
      ({ name }) => budgets.push(name),
    );
    return [table.row(object, now).cells.slice(1), budgets];
  };

  it("leaves a cell empty whose path takes too many steps, as one that fails (SEC4)", () => {
    const deep = Array.from({ length: 100 }).reduce<JsonObject>((inner) => ({ a: inner }), {});
    expect(exceededBy({ spec: deep }, ["string", "..a..a..a..a..a"], ["string", ".spec.b"])).toEqual([
      [null, null],
      ["apiserver/json-path"],
    ]);
  });

  it("leaves a cell empty that is too long (SEC4)", () => {
    const spec = { long: "x".repeat(70_000), list: Array.from({ length: 100_000 }, () => 1), fits: "x".repeat(60_000) };
    expect(exceededBy({ spec }, ["string", ".spec.long"], ["string", ".spec.list"], ["string", ".spec.fits"])).toEqual([
      [null, null, spec.fits],
      ["apiserver/table-cell", "apiserver/table-cell"],
    ]);
  });

  it("bounds the bytes of a table whose columns repeat one field (SEC4)", () => {
    const budgets: string[] = [];
    const columns = Array.from({ length: 100 }, (_, index) => ({ name: `C${index}`, type: "string", jsonPath: ".s" }));
    const row = customTable(columns, ({ name }) => budgets.push(name)).rows?.();
    const printed = Array.from({ length: 10 }, () => row?.({ s: "x".repeat(60_000) }, now).cells.filter((shown) => shown !== null).length);
    expect([printed.slice(0, 4), new Set(budgets)]).toEqual([[101, 101, 80, 1], new Set(["apiserver/table"])]);
  });
});
