import { describe, expect, it } from "vitest";
import { nameColumn } from "./columns.ts";
import { printer } from "./printer.ts";

describe("printer", () => {
  it("computes cells from an object and the time", () => {
    const { columns, row } = printer<{ readonly a: string }>([nameColumn], ({ a }, now) => [a, now]);
    expect(columns).toEqual([nameColumn]);
    expect(row({ a: "x" }, 5)).toEqual({ cells: ["x", 5] });
  });
});
